import { ApiError } from '@okaeri/contract/client'
import {
  changeLineAccount,
  checkLineAccount,
  disconnectLine,
  getLineAccount,
  setLineWebhook,
} from '@okaeri/contract/line-accounts/routes'
import { getSettings } from '@okaeri/contract/merchants/routes'
import { getDashboard } from '@okaeri/contract/reports/routes'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { holdAnswersOf } from '../../../test/held-answers.ts'
import {
  connectLine,
  deliverLineEvents,
  openLineAccount,
  ordinaryPeople,
  playLine,
} from '../../../test/line-platform.ts'
import { eachWithMerchant, EMPTY, merchant, okaeri, sandbox, withSandbox } from '../../../test/with-okaeri.ts'
import { createLine } from '../../integrations/line/index.ts'
import { createKeyring } from '../../kernel/keyring.ts'
import { generateSecrets } from '../../kernel/secrets-file.ts'
import { getLineToken, reencryptLineSecrets } from './index.ts'

withSandbox({ seed: EMPTY })
eachWithMerchant()

const DAY_MS = 86_400_000

const present = async () => (await merchant.call(getLineAccount, {})).line_account
const change = (line_account: Record<string, unknown>) => merchant.call(changeLineAccount, { body: { line_account } })
const fieldsOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) =>
      error instanceof ApiError ? (Object.keys(error.fields).length > 0 ? error.fields : error.reason) : error,
  )
const secretsOf = async () =>
  (
    await okaeri.query<
      Record<string, string | null>
    >`select channel_secret, access_token, login_channel_secret, multipass_secret
      from line_accounts where merchant_id = ${merchant.id}`
  )[0]

test('a merchant connects with id and secret; nothing secret is answered or stored readable', async () => {
  expect(await present()).toMatchObject({ connected: false, channel_id: null, bot: null, access_token: 'none' })
  const account = await openLineAccount('青い店')
  await connectLine(merchant, account)
  const answer = await change({ multipass_secret: 'a-multipass-secret' })
  expect(answer.line_account).toMatchObject({
    connected: true,
    channel_id: account.channel_id,
    channel_secret_set: true,
    access_token: 'issued',
    bot: { name: '青い店', basic_id: account.basic_id },
    webhook_url: `${okaeri.url}/line/webhook/${merchant.id}`,
    multipass_secret_set: true,
  })
  const settings = await merchant.call(getSettings, {})
  expect(settings.userSetting.line).toEqual(answer.line_account)
  const stored = JSON.stringify([await secretsOf(), answer, settings])
  for (const secret of [account.channel_secret, await getLineToken(merchant.scope()), 'a-multipass-secret'])
    expect(stored).not.toContain(secret)
})

test('a token of the merchant’s own is taken when it is that channel’s', async () => {
  const [account, other] = [await openLineAccount('赤い店'), await openLineAccount('黒い店')]
  const { channel_id, channel_secret, access_token } = account
  expect(await fieldsOf(change({ channel_id, channel_secret, access_token: other.access_token }))).toEqual({
    'line_account.access_token': 'invalid',
  })
  expect((await present()).channel_id).toBeNull()
  await change({ channel_id, channel_secret, access_token })
  expect(await present()).toMatchObject({ access_token: 'given', connected: true })
  expect(await getLineToken(merchant.scope())).toBe(access_token)
  await change({ access_token: null })
  expect(await present()).toMatchObject({ access_token: 'issued' })
})

test('what does not belong together is refused at its field, and nothing is stored', async () => {
  const account = await openLineAccount('白い店')
  const { channel_id, channel_secret } = account
  for (const [given, fields] of [
    [{ channel_id, channel_secret: 'f'.repeat(32) }, { 'line_account.channel_secret': 'invalid' }],
    [{ channel_id: '1', channel_secret }, { 'line_account.channel_secret': 'invalid' }],
    [{ channel_id }, { 'line_account.channel_secret': 'required' }],
    [{ channel_secret }, { 'line_account.channel_id': 'required' }],
    [{ channel_id: 'abc', channel_secret }, { 'line_account.channel_id': 'invalid' }],
    [{ channel_id, channel_secret: 'line\nbreak' }, { 'line_account.channel_secret': 'control_characters' }],
    [{ channel_id, channel_secret, access_token: 'no token' }, { 'line_account.access_token': 'invalid' }],
    [
      { login_enabled: true },
      { 'line_account.login_channel_id': 'required', 'line_account.login_channel_secret': 'required' },
    ],
    [{ channel: '1' }, { 'line_account.channel': 'unknown_field' }],
  ] as const)
    expect([given, await fieldsOf(change(given))]).toEqual([given, fields])
  expect(await present()).toMatchObject({ connected: false, channel_id: null })
})

test('a channel is one merchant’s, until that one disconnects', async () => {
  const account = await openLineAccount('一つの店')
  await connectLine(merchant, account)
  const other = await okaeri.merchant()
  expect(await fieldsOf(connectLine(other, account))).toBe('line_channel_taken')
  expect((await other.call(getLineAccount, {})).line_account.channel_id).toBeNull()
  const { line_account } = await merchant.call(disconnectLine, {})
  expect(line_account).toMatchObject({ connected: false, channel_id: null, channel_secret_set: false, bot: null })
  expect(Object.values((await secretsOf()) ?? {})).toEqual([null, null, null, null])
  await connectLine(other, account)
})

test('only the owner changes it', async () => {
  const { channel_id, channel_secret } = await openLineAccount('主の店')
  for (const role of ['marketer', 'viewer'] as const)
    expect(
      await fieldsOf(merchant.as(role)(changeLineAccount, { body: { line_account: { channel_id, channel_secret } } })),
    ).toBe('role_forbids')
})

test('a revoked token is renewed, once for all callers; a token the merchant entered is trouble', async () => {
  const account = await openLineAccount('取り消す店')
  await connectLine(merchant, account)
  const scope = merchant.scope()
  const old = await getLineToken(scope)
  await playLine(`accounts/${account.id}/settings.json`, { revoke_tokens: true })
  const renewed = await Promise.all([getLineToken(scope, old), getLineToken(scope, old), getLineToken(scope, old)])
  expect(new Set(renewed).size).toBe(1)
  expect(renewed[0]).not.toBe(old)
  expect(await getLineToken(scope)).toBe(renewed[0])

  await change({ access_token: account.access_token })
  await expect(getLineToken(scope, account.access_token)).rejects.toMatchObject({ reason: 'line_not_connected' })
  expect(await present()).toMatchObject({ connected: false, trouble: 'unauthorized' })
})

test('while LINE is slow to renew a token nothing waits but who needs it, and what was changed meanwhile stays', async () => {
  const [account, other] = [await openLineAccount('待つ店'), await openLineAccount('次の店')]
  await connectLine(merchant, account)
  const old = await getLineToken(merchant.scope())
  const { line } = okaeri.context.integrations
  const held = await holdAnswersOf(`${sandbox.url}/line/api`)
  const slow = createLine({ apiUrl: held.url, dataApiUrl: held.url, accessUrl: held.url })
  okaeri.context.integrations.line = { ...line, tokens: slow.tokens }
  try {
    for (const work of [() => change({ multipass_secret: 'changed-meanwhile' }), () => connectLine(merchant, other)]) {
      const asked = held.hold('/v2/oauth/accessToken')
      const refused = await getLineToken(merchant.scope())
      const renewed = getLineToken(merchant.scope(), refused)
      const letGo = await asked
      await work()
      letGo()
      expect(await renewed).not.toBe(refused)
      expect(await getLineToken(merchant.scope())).toBe(await renewed)
    }
    expect(await getLineToken(merchant.scope())).not.toBe(old)
    expect(await present()).toMatchObject({ channel_id: other.channel_id, connected: true, multipass_secret_set: true })
    const { channelId } = (await line.tokens.findChannel(await getLineToken(merchant.scope()))) ?? {}
    expect(channelId).toBe(other.channel_id)
    // The owner gives a new secret while LINE refuses the previous one.
    const wrong = okaeri.context.keyring.encrypt('0'.repeat(32))
    const { db } = okaeri.context
    await sql`update line_accounts set channel_secret = ${wrong} where merchant_id = ${merchant.id}`.execute(db)
    const asked = held.hold('/v2/oauth/accessToken')
    const renewed = getLineToken(merchant.scope(), await getLineToken(merchant.scope()))
    const letGo = await asked
    await change({ channel_secret: other.channel_secret, access_token: other.access_token })
    letGo()
    expect(await renewed).toBe(other.access_token)
    expect(await present()).toMatchObject({ connected: true, trouble: null })
  } finally {
    okaeri.context.integrations.line = line
    await slow.close()
    await held.close()
  }
})

test('a check says how it stands, and our address can be set', async () => {
  expect(await fieldsOf(merchant.call(checkLineAccount, {}))).toBe('line_not_connected')
  const account = await openLineAccount('確かめる店')
  await connectLine(merchant, account)
  const codes = async (call: Promise<{ findings: { code: string; level: string }[] }>) =>
    (await call).findings.map(({ code, level }) => `${code} ${level}`)
  expect(await codes(merchant.call(checkLineAccount, {}))).toEqual([
    'token_works fine',
    'webhook_missing problem',
    'quota fine',
    'friends fine',
    'login_missing note',
  ])
  await playLine(`accounts/${account.id}/settings.json`, { webhook_url: 'https://elsewhere.test/hook' })
  expect(await codes(merchant.call(checkLineAccount, {}))).toContain('webhook_elsewhere problem')
  const set = await codes(merchant.call(setLineWebhook, {}))
  expect(set).toEqual(expect.arrayContaining(['token_works fine', 'webhook_ours fine']))
  await playLine(`accounts/${account.id}/settings.json`, { webhook_active: false })
  expect(await codes(merchant.call(checkLineAccount, {}))).toContain('webhook_off problem')
  await playLine(`accounts/${account.id}/settings.json`, { quota: 0 })
  expect(await codes(merchant.call(checkLineAccount, {}))).toContain('quota problem')
})

test('the dashboard says so until what LINE tells is known to arrive', async () => {
  const isSaid = async () => (await merchant.call(getDashboard, { query: {} })).alerts.includes('line_webhook')
  expect(await isSaid()).toBe(false)
  const account = await openLineAccount('知らせの店')
  await connectLine(merchant, account)
  expect(await isSaid()).toBe(true)
  await merchant.call(setLineWebhook, {})
  expect(await isSaid()).toBe(false)
  await playLine(`accounts/${account.id}/settings.json`, { webhook_active: false })
  await merchant.call(checkLineAccount, {})
  expect(await isSaid()).toBe(true)
  // Whatever a check said: it arrives.
  expect(await deliverLineEvents(okaeri, merchant, account, [])).toMatchObject({ status: 200 })
  expect(await isSaid()).toBe(false)
  // Of another channel it is not known.
  await connectLine(merchant, await openLineAccount('次の店'))
  expect(await isSaid()).toBe(true)
})

test('a check that LINE answers late says nothing of a channel that was connected meanwhile', async () => {
  const [account, other] = [await openLineAccount('古い店'), await openLineAccount('新しい店')]
  const { line } = okaeri.context.integrations
  const held = await holdAnswersOf(`${sandbox.url}/line/api`)
  const slow = createLine({ apiUrl: held.url, dataApiUrl: held.url, accessUrl: held.url })
  try {
    for (const settings of [{}, { break_as: 'revoked', break_times: 1 }]) {
      await connectLine(merchant, account)
      await playLine(`accounts/${account.id}/settings.json`, settings)
      okaeri.context.integrations.line = slow
      const asked = held.hold('/v2/bot/info')
      const checked = merchant.call(checkLineAccount, {}).catch((error: unknown) => error)
      const letGo = await asked
      okaeri.context.integrations.line = line
      await connectLine(merchant, other)
      letGo()
      await checked
      expect(await present()).toMatchObject({ connected: true, trouble: null, bot: { name: '新しい店' } })
    }
  } finally {
    okaeri.context.integrations.line = line
    await slow.close()
    await held.close()
  }
})

test('a Login channel’s secret is proved when it is saved, and at a check; what LINE does not say is not called wrong', async () => {
  const account = await openLineAccount('入口の店')
  await connectLine(merchant, account)
  const { login_channel_id, login_channel_secret } = account
  const wrong = { login_channel_id, login_channel_secret: 'f'.repeat(32) }
  expect(await fieldsOf(change(wrong))).toEqual({ 'line_account.login_channel_secret': 'invalid' })
  expect(await fieldsOf(change({ ...wrong, login_channel_id: '1' }))).toEqual({
    'line_account.login_channel_secret': 'invalid',
  })
  expect((await present()).login_channel_id).toBeNull()
  await change({ login_channel_id, login_channel_secret })
  const codes = async () => (await merchant.call(checkLineAccount, {})).findings.map(({ code }) => code)
  expect(await codes()).toEqual(expect.arrayContaining(['login_secret_right', 'login_unproved']))
  // Another channel with the secret of the one before.
  const { channel_id: foreign } = account.foreign_login_channel
  expect(await fieldsOf(change({ login_channel_id: foreign }))).toEqual({
    'line_account.login_channel_secret': 'invalid',
  })
  // The owner made a new secret in LINE's console.
  const { keyring, db } = okaeri.context
  const sealed = keyring.encrypt('0'.repeat(32))
  await sql`update line_accounts set login_channel_secret = ${sealed} where merchant_id = ${merchant.id}`.execute(db)
  expect(await codes()).toContain('login_secret_wrong')
})

test.each([
  ['the same for a right and a wrong secret', { error: 'invalid_grant' }],
  ['something that we do not know', { error: 'invalid_request' }],
  ['no JSON', null],
])('a Login channel of which LINE says %s is stored, and a check says that it is not proved', async (_name, body) => {
  const account = await openLineAccount('無口な店')
  await connectLine(merchant, account)
  const { line } = okaeri.context.integrations
  const server = createServer((_, response) =>
    response.writeHead(400).end(body === null ? '<html>' : JSON.stringify(body)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const mute = createLine({ apiUrl: url, dataApiUrl: url, accessUrl: url })
  okaeri.context.integrations.line = { ...line, login: mute.login }
  try {
    await change({ login_channel_id: account.login_channel_id, login_channel_secret: 'f'.repeat(32) })
    const { findings } = await merchant.call(checkLineAccount, {})
    expect(findings).toContainEqual({ code: 'login_secret_unproved', level: 'note', detail: null })
  } finally {
    okaeri.context.integrations.line = line
    await mute.close()
    server.close()
  }
})

test('a check says how many friends there are, or that LINE does not tell', async () => {
  const account = await openLineAccount('友だちの店')
  await connectLine(merchant, account)
  const people = await ordinaryPeople(account, 3)
  for (const { user_id } of people) await playLine(`users/${user_id}/follow.json?account=${account.id}`, {})
  await playLine(`users/${people[0]?.user_id}/block.json?account=${account.id}`, {})
  const found = async () => {
    const { findings } = await merchant.call(checkLineAccount, {})
    return findings.find(({ code }) => code.startsWith('friends'))
  }
  expect(await found()).toEqual({ code: 'friends', level: 'fine', detail: '0' })
  okaeri.advance(DAY_MS)
  expect(await found()).toEqual({ code: 'friends_unready', level: 'note', detail: null })
  sandbox.clock.advance(DAY_MS)
  expect(await found()).toEqual({ code: 'friends', level: 'fine', detail: '2' })
})

test('while LINE is away it is said so, and nothing changes', async () => {
  const account = await openLineAccount('離れた店')
  await connectLine(merchant, account)
  const before = await present()
  const { line } = okaeri.context.integrations
  const nowhere = 'http://127.0.0.1:9'
  okaeri.context.integrations.line = createLine({ apiUrl: nowhere, dataApiUrl: nowhere, accessUrl: nowhere })
  try {
    expect(await fieldsOf(merchant.call(checkLineAccount, {}))).toBe('line_unreachable')
    expect(await fieldsOf(change({ channel_secret: account.channel_secret }))).toBe('line_unreachable')
    await getLineToken(merchant.scope())
  } finally {
    await okaeri.context.integrations.line.close()
    okaeri.context.integrations.line = line
  }
  expect(await present()).toEqual(before)
})

test('has its secrets encrypted again when the key is replaced', async () => {
  await connectLine(merchant, await openLineAccount('鍵の店'))
  await change({ multipass_secret: 'kept-by-us' })
  const { db } = okaeri.context
  await db.deleteFrom('line_accounts').where('merchant_id', '<>', merchant.id).execute()
  const secrets = generateSecrets()
  const before = createKeyring(secrets)
  const seal = (text: string) => before.encrypt(text)
  const all = { channel_secret: seal('s'), access_token: seal('t'), multipass_secret: seal('m') }
  await db.updateTable('line_accounts').set(all).where('merchant_id', '=', merchant.id).execute()
  const [newer] = generateSecrets().encryption_keys
  const keyring = createKeyring({
    ...secrets,
    encryption_keys: [...secrets.encryption_keys, { id: 'k2', key: newer?.key ?? '' }],
  })
  expect(await reencryptLineSecrets({ ...okaeri.context, keyring })).toBe(1)
  expect(await reencryptLineSecrets({ ...okaeri.context, keyring })).toBe(0)
  const stored = (await secretsOf()) as Record<keyof typeof all, string>
  expect(Object.values(stored).map((text) => text && text.split('.')[1])).toEqual(['k2', 'k2', null, 'k2'])
  expect(keyring.decrypt(stored.access_token)).toBe('t')
})
