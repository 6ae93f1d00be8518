import { randomUUID } from 'node:crypto'
import { type createClient } from '@okaeri/contract/client'
import type { Endpoint, EndpointTypes } from '@okaeri/contract/endpoint'
import { changeMember, getSettings } from '@okaeri/contract/merchants/routes'
import * as routes from '@okaeri/contract/sessions/routes'
import { createRemoteJWKSet, jwtVerify, SignJWT } from 'jose'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startTestOkaeri } from '../../../test/harness.ts'
import { okaeri, sandbox, withSandbox } from '../../../test/with-okaeri.ts'
import { refusal } from '../../../test/refusal.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { makeSignInCode, setPasswordOf } from './index.ts'

const PASSWORD = 'correct horse battery'
withSandbox()
afterEach(() => void vi.restoreAllMocks())

const newEmail = () => `${randomUUID()}@shop.test`
const signUp = (email = newEmail(), more: object = {}) =>
  okaeri.call(routes.signUp, { body: { email, password: PASSWORD, site_name: '花の店', agreement: true, ...more } })
const signIn = (email: string, password = PASSWORD, remember = false) =>
  okaeri.call(routes.signIn, { body: { email, password, remember } })
const refresh = (refresh_token: string) => okaeri.call(routes.refreshToken, { body: { refresh_token } })

/** Calls with an access token. */
async function as<T extends EndpointTypes>(token: string, endpoint: Endpoint<T>, body?: object) {
  const response = await fetch(`${okaeri.url}${endpoint.path}`, {
    method: endpoint.method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as T['outReply'] & { error?: { reason: string } } }
}
/** Lets real time pass for the sessions alone. */
function later(ms: number) {
  const { clock } = okaeri
  const real = clock.realNow.bind(clock)
  const base = real()
  vi.spyOn(clock, 'realNow').mockImplementation(() => new Date(base.getTime() + ms))
}
/** As if the caller who is slowed down had waited. */
const waitUntilNextTry = () => okaeri.query`update rate_limits set expire = 0 where key like '%:turn:%'`

describe('signing up', () => {
  test('makes a merchant in test mode on the test plan, with its owner signed in', async () => {
    const email = newEmail()
    const { user, access_token } = await signUp(email, { language: 'en', name: 'Hana' })
    expect(user).toMatchObject({ email, role: 'owner', language: 'en', name: 'Hana' })
    const { body } = await as(access_token, getSettings)
    expect(body).toMatchObject({
      userSetting: { site_name: '花の店', test_mode: true, test_emails: [email] },
      plan: { code: 'test', status: 'none' },
    })
  })

  test('refuses a taken address however it is written, and leaves nothing behind', async () => {
    const email = newEmail()
    await signUp(email)
    const count = () =>
      okaeri.context.db
        .selectFrom('merchants')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirst()
    const before = await count()
    expect(await refusal(signUp(email.toUpperCase()))).toMatchObject({ status: 409, reason: 'email_taken' })
    expect(await count()).toEqual(before)
  })

  test.each([
    [{ password: 'short' }, 'password', 'too_short'],
    [{ agreement: false }, 'agreement', 'required'],
    [{ email: 'x' }, 'email', 'not_an_email'],
    [{ role: 'owner' }, 'role', 'unknown_field'],
  ])('refuses %j', async (more, field, reason) => {
    expect(await refusal(signUp(newEmail(), more))).toMatchObject({ status: 400, fields: { [field]: reason } })
  })
})

describe('signing in', () => {
  test('works on both paths and the token endpoint, and the token is signed with a published key', async () => {
    const email = newEmail()
    const { user } = await signUp(email)
    await signIn(email.toUpperCase())
    await okaeri.call(routes.signInLegacy, { body: { email, password: PASSWORD } })
    const tokens = await okaeri.call(routes.issueToken, {
      body: { grant_type: 'password', username: email, password: PASSWORD },
    })
    const keys = createRemoteJWKSet(new URL(`${okaeri.url}/oauth/.well-known/jwks.json`))
    const { payload, protectedHeader } = await jwtVerify(tokens.access_token, keys)
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', kid: expect.any(String) })
    expect(payload).toMatchObject({ sub: user.id, mid: user.merchant_id, role: 'owner' })
    const { keys: published } = await okaeri.call(routes.jwks, {})
    expect(JSON.stringify(published)).not.toContain('"d"')
  })

  test('answers an unknown address as a wrong password', async () => {
    const email = newEmail()
    await signUp(email)
    const wrong = await refusal(signIn(email, 'wrong password'))
    const unknown = await refusal(signIn(newEmail(), 'wrong password'))
    expect(JSON.stringify(wrong)).toBe(JSON.stringify(unknown))
    expect(wrong).toMatchObject({ status: 401, reason: 'wrong_credentials' })
  })

  test('is slowed down per address and origin on all paths together, and says when to come back', async () => {
    const email = newEmail()
    await signUp(email)
    for (let i = 0; i < 11; i++) {
      const path = [routes.signIn, routes.signInLegacy][i % 2] ?? routes.signIn
      expect((await refusal(okaeri.call(path, { body: { email, password: 'wrong' } }))).status).toBe(401)
    }
    const body = new URLSearchParams({ grant_type: 'password', username: email, password: PASSWORD })
    const right = () => fetch(`${okaeri.url}/oauth/token`, { method: 'POST', body })
    const answer = await right()
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(20)
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(30)
    expect(await answer.json()).toMatchObject({ error: { code: 'rate_limited', reason: 'rate_limited' } })
    await waitUntilNextTry()
    expect((await refusal(signIn(email, 'wrong'))).status).toBe(401)
    expect(Number((await right()).headers.get('retry-after'))).toBeGreaterThan(50)
    await waitUntilNextTry()
    expect((await right()).status).toBe(200)
    expect((await right()).status).toBe(200)
  })

  test('wrong passwords from elsewhere do not keep out members who signed in with their browser before', async () => {
    const live = await startTestOkaeri({ env: { NODE_ENV: 'production', SANDBOX: 'off', SIGN_UP: 'open' } })
    const email = newEmail()
    const { headers } = await fetch(`${live.url}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD, site_name: '店', agreement: true }),
    })
    const cookie = (headers.getSetCookie().find((one) => one.startsWith('okaeri_device=')) ?? '').split(';')[0] ?? ''
    const from = (origin: string, password: string, more: Record<string, string> = {}) =>
      fetch(`${live.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': origin, ...more },
        body: JSON.stringify({ email, password }),
      })
    for (let i = 0; i < 101; i++) expect((await from(`203.0.113.${i}`, 'wrong')).status).toBe(401)
    expect((await from('203.0.113.200', PASSWORD)).status).toBe(429)
    expect((await from('203.0.113.200', PASSWORD, { cookie })).status).toBe(200)
    expect((await from('203.0.113.200', PASSWORD, { cookie: cookie.replace(/.$/, 'x') })).status).toBe(429)
    // Nor is a stolen cookie worth more tries than its own.
    for (let i = 0; i < 11; i++) expect((await from(`198.51.100.${i}`, 'wrong', { cookie })).status).toBe(401)
    expect((await from('198.51.100.99', 'wrong', { cookie })).status).toBe(429)
    await live.close()
  })

  test('rightly, again and again, is not limited', async () => {
    const email = newEmail()
    await signUp(email)
    for (let i = 0; i < 12; i++) expect((await signIn(email)).token_type).toBe('Bearer')
  })
})

describe('access tokens', () => {
  test('of another key, another algorithm, too old or changed are refused', async () => {
    const { access_token, user } = await signUp()
    const [header = '', claims = '', signature = ''] = access_token.split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    const changed = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), mid: randomUUID() }),
    ).toString('base64url')
    const kid = JSON.parse(Buffer.from(header, 'base64url').toString()).kid as string
    const [jwk] = (await okaeri.call(routes.jwks, {})).keys as { x: string }[]
    const confused = await new SignJWT({ mid: user.merchant_id, sid: randomUUID(), role: 'owner' })
      .setProtectedHeader({ alg: 'HS256', kid })
      .setSubject(user.id)
      .setAudience('okaeri')
      .setExpirationTime('1h')
      .sign(Buffer.from(jwk?.x ?? '', 'base64url'))
    for (const token of [
      `${none}.${claims}.`,
      `${header}.${changed}.${signature}`,
      confused,
      'x',
      'a.b.c',
      `${access_token}x`,
    ])
      expect((await as(token, getSettings)).body.error?.reason, token).toBe('token_invalid')
    later(15 * 60_000 + 1000)
    expect((await as(access_token, getSettings)).status).toBe(401)
  })

  test('carry the role of now, not of when they were made', async () => {
    const { access_token, user } = await signUp()
    await okaeri.context.db.updateTable('members').set({ role: 'viewer' }).where('id', '=', user.id).execute()
    expect((await as(access_token, changeMember, { name: 'A' })).status).toBe(200)
    const { changeSettings } = await import('@okaeri/contract/merchants/routes')
    const change = { userSetting: { site_name: 'x' } }
    expect((await as(access_token, changeSettings, change)).body.error?.reason).toBe('role_forbids')
  })

  test('stop when the session is signed out', async () => {
    const { access_token, refresh_token } = await signUp()
    expect((await as(access_token, getSettings)).status).toBe(200)
    await okaeri.call(routes.revokeToken, { body: { token: refresh_token } })
    expect((await as(access_token, getSettings)).body.error?.reason).toBe('token_invalid')
    expect(await refusal(refresh(refresh_token))).toMatchObject({ status: 401, reason: 'token_invalid' })
    await okaeri.call(routes.revokeToken, { body: { token: 'unknown' } })
  })
})

describe('refresh tokens', () => {
  test('are used once and replaced; the database holds hashes only', async () => {
    const first = await signUp()
    const second = await refresh(first.refresh_token)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    const third = await okaeri.call(routes.issueToken, {
      body: { grant_type: 'refresh_token', refresh_token: second.refresh_token },
    })
    expect((await as(third.access_token, getSettings)).status).toBe(200)
    const rows = await okaeri.context.db.selectFrom('refresh_tokens').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(third.refresh_token.split('.')[2])
  })

  test('a member who was removed is signed out, and asks for a new password as an unknown address does', async () => {
    const email = newEmail()
    const { access_token, refresh_token, user } = await signUp(email)
    await okaeri.query`delete from members where id = ${user.id}`
    later(6000)
    expect((await as(access_token, getSettings)).status).toBe(401)
    expect(await refusal(refresh(refresh_token))).toMatchObject({ status: 401, reason: 'token_invalid' })
    await okaeri.call(routes.requestReset, { body: { email } })
    await okaeri.settle()
    expect(await refusal(signIn(email))).toMatchObject({ status: 401, reason: 'wrong_credentials' })
  })

  test('coming back after 20 seconds end the session', async () => {
    const first = await signUp()
    const second = await refresh(first.refresh_token)
    later(21_000)
    expect(await refusal(refresh(first.refresh_token))).toMatchObject({ status: 401, reason: 'token_reused' })
    expect((await as(second.access_token, getSettings)).status).toBe(401)
    expect(await refusal(refresh(second.refresh_token))).toMatchObject({ reason: 'token_invalid' })
    const ended = await okaeri.context.db
      .selectFrom('sessions')
      .select('ended_reason')
      .where('merchant_id', '=', first.user.merchant_id)
      .executeTakeFirst()
    expect(ended?.ended_reason).toBe('token_reused')
  })

  test('coming back at once, from another tab or after a lost answer, are answered with the same next one: one chain lives', async () => {
    const first = await signUp()
    const ten = await Promise.all(Array.from({ length: 10 }, () => refresh(first.refresh_token)))
    expect(new Set(ten.map(({ refresh_token }) => refresh_token)).size).toBe(1)
    for (const { access_token } of ten) expect((await as(access_token, getSettings)).status).toBe(200)
    const next = await Promise.all(ten.map(({ refresh_token }) => refresh(refresh_token)))
    expect(new Set(next.map(({ refresh_token }) => refresh_token)).size).toBe(1)
    const rows =
      await okaeri.query`select 1 from refresh_tokens where merchant_id = ${first.user.merchant_id} and used_at is null`
    expect(rows).toHaveLength(1)
  })

  test('coming back at once when the next was used already end the session', async () => {
    const first = await signUp()
    const second = await refresh(first.refresh_token)
    await refresh(second.refresh_token)
    expect(await refusal(refresh(first.refresh_token))).toMatchObject({ reason: 'token_reused' })
  })

  test('invented for a known session end nothing', async () => {
    const first = await signUp()
    const invented = first.refresh_token.replace(/[^.]+$/, 'A'.repeat(43))
    expect(await refusal(refresh(invented))).toMatchObject({ status: 401, reason: 'token_invalid' })
    for (const bad of ['x', 'a.b.c', '%00', "' or 1=1 --"])
      expect((await refusal(refresh(bad))).reason).toBe('token_invalid')
    await refresh(first.refresh_token)
  })

  test('live 7 days without use, 90 when remembered', async () => {
    const email = newEmail()
    await signUp(email)
    const short = await signIn(email)
    const long = await signIn(email, PASSWORD, true)
    later(8 * 86_400_000)
    expect(await refusal(refresh(short.refresh_token))).toMatchObject({ reason: 'token_invalid' })
    await refresh(long.refresh_token)
  })

  test('and their sessions are swept a month after their end, when the member signs in again', async () => {
    const email = newEmail()
    const { user, refresh_token } = await signUp(email)
    await okaeri.call(routes.revokeToken, { body: { token: refresh_token } })
    later(31 * 86_400_000)
    await signIn(email)
    for (const table of ['sessions', 'refresh_tokens'] as const)
      expect(
        await okaeri.context.db.selectFrom(table).selectAll().where('merchant_id', '=', user.merchant_id).execute(),
        table,
      ).toHaveLength(1)
  })

  test('survive the sandbox’s clock', async () => {
    const { access_token, refresh_token } = await signUp()
    okaeri.advance(100 * 86_400_000)
    expect((await as(access_token, getSettings)).status).toBe(200)
    await refresh(refresh_token)
  })
})

describe('a forgotten password', () => {
  async function mailedToken(email: string): Promise<string> {
    await okaeri.settle()
    const mail = (await mailTo(email)).find((text) => text.includes('/reset?token='))
    return /reset\?token=([\w.-]+)/.exec(mail ?? '')?.[1] ?? ''
  }
  const mailTo = (email: string): Promise<string[]> =>
    Promise.all(
      sandbox.mailbox.list({ to: email }).map(async ({ id }) => JSON.stringify(await sandbox.mailbox.read(id))),
    )

  test('is replaced by the mailed link, once; every session ends', async () => {
    const email = newEmail()
    const { access_token } = await signUp(email)
    expect(await okaeri.call(routes.requestReset, { body: { email: email.toUpperCase() } })).toEqual({ accepted: true })
    const token = await mailedToken(email)
    const next = 'another good password'
    await okaeri.call(routes.setForgottenPassword, { body: { token, password: next } })
    expect((await as(access_token, getSettings)).status).toBe(401)
    expect((await refusal(signIn(email))).reason).toBe('wrong_credentials')
    await signIn(email, next)
    expect(await refusal(okaeri.call(routes.setForgottenPassword, { body: { token, password: next } }))).toMatchObject({
      status: 400,
      reason: 'reset_token_invalid',
    })
  })

  test('is mailed in the member’s language, and the queue never holds the token', async () => {
    const email = newEmail()
    await signUp(email, { language: 'en' })
    await okaeri.call(routes.requestReminder, { body: { email } })
    await okaeri.settle()
    const mail = (await mailTo(email)).find((text) => text.includes('/reset?token='))
    expect(mail).toContain('[Okaeri] Set a new password')
    const rows = await okaeri.query`select data from pgboss.job where name = 'sessions.mail_reset_link'`
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(/token=([\w.-]+)/.exec(mail ?? '')?.[1])
  })

  test('is asked for by a stranger’s address: same answer, no mail', async () => {
    const email = newEmail()
    expect(await okaeri.call(routes.requestReset, { body: { email } })).toEqual({ accepted: true })
    await okaeri.settle()
    expect(await mailTo(email)).toEqual([])
  })

  test('has a link of one hour, and the newest password ends older links', async () => {
    const email = newEmail()
    await signUp(email)
    await okaeri.call(routes.requestReset, { body: { email } })
    const token = await mailedToken(email)
    later(3_600_001)
    const set = () => okaeri.call(routes.setForgottenPassword, { body: { token, password: 'long enough now' } })
    expect((await refusal(set())).reason).toBe('reset_token_invalid')
    vi.restoreAllMocks()
    await setPasswordOf(okaeri.context, email, PASSWORD)
    expect((await refusal(set())).reason).toBe('reset_token_invalid')
  })

  test('can be asked for five times in a quarter of an hour', async () => {
    const email = newEmail()
    for (let i = 0; i < 5; i++) await okaeri.call(routes.requestReset, { body: { email } })
    expect((await refusal(okaeri.call(routes.requestReminder, { body: { email } }))).status).toBe(429)
  })

  test('cannot be guessed by inventing addresses to come from', async () => {
    const live = await startTestOkaeri({ env: { NODE_ENV: 'production', SANDBOX: 'off' } })
    const guess = (invented: string) =>
      fetch(`${live.url}/user/reminder/set`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `${invented}, 203.0.113.5` },
        body: JSON.stringify({ token: 'guessed', password: PASSWORD }),
      })
    for (let i = 0; i < 50; i++) expect((await guess(`198.51.100.${i}`)).status).toBe(400)
    expect((await guess('198.51.100.200')).status).toBe(429)
    await live.close()
  })

  test('is recovered while the mail server is down: signing in still works', async () => {
    const down = await startTestOkaeri({ smtpUrl: 'smtp://127.0.0.1:9' })
    const email = newEmail()
    const call = down.call as ReturnType<typeof createClient>
    await call(routes.signUp, { body: { email, password: PASSWORD, site_name: '店', agreement: true } })
    expect(await call(routes.requestReset, { body: { email } })).toEqual({ accepted: true })
    await setPasswordOf(down.context, email, 'set by the operator')
    await call(routes.signIn, { body: { email, password: 'set by the operator' } })
    await down.close()
  })
})

describe('changing the password', () => {
  test('needs the current one, ends the other sessions and keeps this one', async () => {
    const email = newEmail()
    const here = await signUp(email)
    const there = await signIn(email)
    const wrong = await as(here.access_token, routes.changePassword, { current_password: 'no', password: PASSWORD })
    expect(wrong).toMatchObject({ status: 400, body: { error: { reason: 'wrong_current_password' } } })
    const changed = await as(here.access_token, routes.changePassword, {
      current_password: PASSWORD,
      password: 'a better password',
    })
    expect(changed.status).toBe(200)
    expect((await as(there.access_token, getSettings)).status).toBe(401)
    expect((await as(changed.body.access_token, getSettings)).status).toBe(200)
    await signIn(email, 'a better password')
  })
})

describe('a one-time code', () => {
  const trade = (code: string, cookie?: string) =>
    fetch(`${okaeri.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'authorization_code', code }),
      headers: cookie ? { cookie: `okaeri_browser=${cookie}` } : {},
    })
  test('signs in once, in the browser it was made for', async () => {
    const { user } = await signUp()
    const scope = merchantScope(okaeri.context, user.merchant_id)
    const code = await makeSignInCode(scope, user.id, 'k')
    expect((await trade(code)).status).toBe(401)
    expect((await trade(code, 'other')).status).toBe(401)
    const answer = await trade(code, 'k')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ token_type: 'Bearer', access_token: expect.any(String) })
    expect((await trade(code, 'k')).status).toBe(401)
    const late = await makeSignInCode(scope, user.id, 'k')
    later(121_000)
    expect((await trade(late, 'k')).status).toBe(401)
  })
})

test('the language is remembered in a cookie, and for the member', async () => {
  const { access_token } = await signUp()
  const answer = await fetch(`${okaeri.url}/api/users/language`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ language: 'en' }),
  })
  expect(answer.headers.get('set-cookie')).toMatch(/^language=en;/)
  expect((await as(access_token, getSettings)).body.user.language).toBe('en')
  for (const [tag, language] of [
    ['ja', 'ja'],
    ['ja-JP', 'ja'],
    ['en-US', 'en'],
    ['EN_gb', 'en'],
  ] as const)
    expect(await okaeri.call(routes.rememberLanguage, { body: { language: tag } })).toEqual({ language })
  for (const language of ['', 'fr', 'english', 'x'.repeat(40)])
    await expect(okaeri.call(routes.rememberLanguage, { body: { language } })).rejects.toMatchObject({ status: 400 })
})

test('tokens are exchanged by a form of either kind', async () => {
  const { refresh_token } = await signUp()
  const exchange = async (body: FormData | URLSearchParams | string, type?: string) => {
    const headers = type ? { 'content-type': type } : {}
    const answer = await fetch(`${okaeri.url}/oauth/token-refresh`, { method: 'POST', body, headers })
    return { status: answer.status, json: (await answer.json()) as { refresh_token?: string; error?: unknown } }
  }
  const form = new FormData()
  form.set('refresh_token', refresh_token)
  const first = await exchange(form)
  expect(first.status).toBe(200)
  expect((await exchange(new URLSearchParams({ refresh_token: first.json.refresh_token ?? '' }))).status).toBe(200)

  const file = new FormData()
  file.set('refresh_token', new Blob(['x']), 'x.txt')
  expect((await exchange(file)).json.error).toMatchObject({ fields: { refresh_token: 'required' } })
  for (const body of ['', 'refresh_token=x', '--x\r\n\r\n', `--x\r\n${'x'.repeat(10_000)}`])
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=x'])
      expect((await exchange(body, type)).status).toBe(400)
})
