import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { getSettings } from '@okaeri/contract/merchants/routes'
import * as routes from '@okaeri/contract/sessions/routes'
import { createClient } from '@okaeri/contract/client'
import { expect, test } from 'vitest'
import { startTestOkaeri, type TestOkaeri } from '../../../test/harness.ts'
import { refusal } from '../../../test/refusal.ts'
import { makeInvitation } from './index.ts'

const PASSWORD = 'correct horse battery'
const newEmail = () => `${randomUUID()}@shop.test`
const signUp = ({ call }: TestOkaeri, email = newEmail(), more: object = {}) =>
  call(routes.signUp, { body: { email, password: PASSWORD, site_name: '花の店', agreement: true, ...more } })
const doorOf = async ({ call }: TestOkaeri) => (await call(routes.getSignUp, {})).sign_up
const hasAccounts = async ({ call }: TestOkaeri) => (await call(routes.getSignUp, {})).has_accounts

test('without the sandbox the first one signs up, and after that only whom the operator invited', async () => {
  const okaeri = await startTestOkaeri({ env: { SANDBOX: 'off' } })
  const { databaseUrl, context } = okaeri
  const SECRETS_FILE = path.join(context.settings.dataDir, 'secrets.json')
  const beside = await startTestOkaeri({ env: { SANDBOX: 'off', DATABASE_URL: databaseUrl, SECRETS_FILE } })
  expect([await doorOf(okaeri), await hasAccounts(okaeri)]).toEqual(['open', false])
  const atOnce = await Promise.allSettled([okaeri, beside, okaeri, beside].map((at) => signUp(at)))
  expect(atOnce.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect([await doorOf(beside), await hasAccounts(beside)]).toEqual(['invite', true])
  const uninvited = { status: 403, reason: 'sign_up_by_invitation' }
  expect(await refusal(signUp(okaeri))).toMatchObject(uninvited)

  const email = newEmail()
  const link = new URL(makeInvitation(context, email))
  const invitation = link.searchParams.get('invitation') ?? ''
  expect(link.searchParams.get('email')).toBe(email)
  expect(await refusal(signUp(okaeri, newEmail(), { invitation }))).toMatchObject(uninvited)
  const [until, mac] = invitation.split('.') as [string, string]
  for (const forged of [`${Number(until) + 1}.${mac}`, `${until}.${'0'.repeat(32)}`, 'x'])
    expect(await refusal(signUp(okaeri, email, { invitation: forged }))).toMatchObject(uninvited)
  const { access_token } = await signUp(beside, email.toUpperCase(), { invitation })
  const call = createClient({ baseUrl: okaeri.url, headers: () => ({ authorization: `Bearer ${access_token}` }) })
  // The operator vouches for the address.
  expect((await call(getSettings, {})).confirmations).toContainEqual(
    expect.objectContaining({ purpose: 'account', status: 'confirmed' }),
  )
  expect(await refusal(signUp(okaeri, email, { invitation }))).toMatchObject({ reason: 'email_taken' })
  await beside.close()
  await okaeri.close()
})

test('where sign-up is closed no one becomes a merchant, invited or not', async () => {
  const okaeri = await startTestOkaeri({ env: { SIGN_UP: 'closed' } })
  expect(await doorOf(okaeri)).toBe('closed')
  const email = newEmail()
  const invitation = new URL(makeInvitation(okaeri.context, email)).searchParams.get('invitation')
  for (const more of [{}, { invitation }])
    expect(await refusal(signUp(okaeri, email, more))).toMatchObject({ status: 403, reason: 'sign_up_closed' })
  await okaeri.close()
})

test('a password many people have, or that is one’s own address or name, is refused and says why; old ones stay good', async () => {
  const okaeri = await startTestOkaeri()
  const email = `yamada.hanako-${randomUUID()}@kumo-coffee.test`
  const own = { name: '山田花子 やまだはなこ', site_name: 'Kumo Coffee Kyoto' }
  for (const [password, why] of [
    ['password123', 'too_common'],
    ['Password2024!', 'too_common'],
    ['1234567890', 'too_common'],
    ['qwertyuiop', 'too_common'],
    ['ｐａｓｓｗｏｒｄ１２３', 'too_common'],
    ['aaaaaaaaaaaa', 'too_common'],
    ['abcabcabcabc', 'too_common'],
    ['!!!!!!!!!!12', 'too_common'],
    [email, 'own_name'],
    [`${email.split('@')[0]}1`, 'own_name'],
    ['kumocoffeekyoto', 'own_name'],
    ['KUMO coffee Kyoto12', 'own_name'],
    ['山田花子 やまだはなこ1', 'own_name'],
  ] as const)
    expect([password, await refusal(signUp(okaeri, email, { ...own, password }))]).toMatchObject([
      password,
      { status: 400, reason: 'password_guessable', fields: { password: why } },
    ])
  const { access_token } = await signUp(okaeri, email, own)
  const call = createClient({ baseUrl: okaeri.url, headers: () => ({ authorization: `Bearer ${access_token}` }) })
  const change = { current_password: PASSWORD, password: 'Kumo Coffee Kyoto' }
  expect(await refusal(call(routes.changePassword, { body: change }))).toMatchObject({
    fields: { password: 'own_name' },
  })
  const { setPasswordOf } = await import('./index.ts')
  await setPasswordOf(okaeri.context, email, 'password123')
  await okaeri.call(routes.signIn, { body: { email, password: 'password123' } })
  await okaeri.close()
})

test('who signs up is shown the policy and the terms of this installation, and none where it has none', async () => {
  const policies = { privacy: 'https://okaeri.example/privacy', terms: null }
  const okaeri = await startTestOkaeri({ env: { PRIVACY_POLICY_URL: policies.privacy } })
  expect((await okaeri.call(routes.getSignUp, {})).policies).toEqual(policies)
  await okaeri.close()
})
