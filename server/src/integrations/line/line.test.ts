import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { IntegrationError } from '../../kernel/errors.ts'
import { type Sandbox, startTestSandbox } from '../../../test/harness.ts'
import {
  challengeOf,
  classifyLineAnswer,
  createLine,
  isSignedByLine,
  type Line,
  type LineAnswer,
  LineError,
  type LineMenu,
  newLoginSecrets,
} from './index.ts'

const vectorFile = path.join(import.meta.dirname, '../../../../../shared/reference/vectors/signatures.json')
interface Vectors {
  line: {
    webhook_signature: {
      vectors: { name: string; channel_secret: string; body: string; x_line_signature: string }[]
      negative: { name: string; channel_secret?: string; signature?: string }[]
    }
    login_id_token: { vectors: { channel_secret: string; token: string; payload: Record<string, string> }[] }
    pkce: { vectors: { code_verifier: string; code_challenge: string }[] }
  }
}
const isThere = fs.existsSync(vectorFile)
const none: Vectors['line'] = {
  webhook_signature: { vectors: [], negative: [] },
  login_id_token: { vectors: [] },
  pkce: { vectors: [] },
}
const { line: vectors } = isThere ? (JSON.parse(fs.readFileSync(vectorFile, 'utf8')) as Vectors) : { line: none }
const nowhere = createLine({
  apiUrl: 'http://127.0.0.1:9',
  dataApiUrl: 'http://127.0.0.1:9',
  accessUrl: 'https://access.line.me',
})

describe.skipIf(!isThere)('published signatures', () => {
  test.each(vectors.webhook_signature.vectors)('$name', ({ channel_secret, body, x_line_signature }) => {
    expect(isSignedByLine(channel_secret, Buffer.from(body), x_line_signature)).toBe(true)
    expect(isSignedByLine(channel_secret, Buffer.from(`${body} `), x_line_signature)).toBe(false)
    expect(isSignedByLine('another', Buffer.from(body), x_line_signature)).toBe(false)
  })
  test.each(vectors.webhook_signature.negative)('$name is refused', ({ channel_secret = 'secret', signature }) => {
    expect(isSignedByLine(channel_secret, Buffer.from('{"events":[]}'), signature)).toBe(false)
  })
  test.each(vectors.login_id_token.vectors)('an id token', async ({ channel_secret, token, payload }) => {
    const channel = { channelId: String(payload['aud']), channelSecret: channel_secret }
    const { readIdToken } = nowhere.login
    expect(await readIdToken(channel, token, String(payload['nonce']))).toEqual({
      userId: payload['sub'],
      name: payload['name'],
      pictureUrl: payload['picture'],
    })
    await expect(readIdToken(channel, token, 'another')).rejects.toThrow(IntegrationError)
    await expect(readIdToken({ ...channel, channelId: '1' }, token, String(payload['nonce']))).rejects.toThrow(
      'id_token',
    )
    await expect(readIdToken({ ...channel, channelSecret: 'x' }, token, String(payload['nonce']))).rejects.toThrow(
      'id_token',
    )
  })
  test.each(vectors.pkce.vectors)('a challenge', ({ code_verifier, code_challenge }) => {
    expect(challengeOf(code_verifier)).toBe(code_challenge)
  })
})

describe('what an answer means', () => {
  const answered = (status: number, body: unknown = {}, requestId: string | null = 'r'): LineAnswer => ({
    kind: 'answered',
    status,
    requestId,
    acceptedRequestId: status === 409 ? 'first' : null,
    body,
  })
  test.each<[string, LineAnswer, object]>([
    ['taken', answered(200, { sentMessages: [{ id: '1' }] }), { kind: 'accepted', requestId: 'r', messageIds: ['1'] }],
    ['taken, and the body broke off', answered(200, null), { kind: 'accepted', messageIds: [] }],
    ['a gateway’s 200', answered(200, null, null), { kind: 'unknown' }],
    [
      'taken before',
      answered(409, { message: 'The retry key is already accepted' }),
      { kind: 'accepted_before', requestId: 'first' },
    ],
    [
      'too fast',
      answered(429, { message: 'The API rate limit has been exceeded. Try again later.' }),
      { kind: 'rate_limited' },
    ],
    ['429 without words', answered(429, null, null), { kind: 'rate_limited' }],
    [
      'the month is used up',
      answered(429, { message: 'You have reached your monthly limit.' }),
      { kind: 'quota_used_up' },
    ],
    [
      'wrong',
      answered(400, {
        message: 'The request body has 1 error(s)',
        details: [{ message: 'May not be empty', property: 'messages[0].text' }],
      }),
      { kind: 'bad_request', problems: [{ message: 'May not be empty', property: 'messages[0].text' }] },
    ],
    ['too large', answered(413, null, null), { kind: 'bad_request', message: 'HTTP 413', problems: [] }],
    ['a token that is none', answered(401, { message: 'Authentication failed' }), { kind: 'unauthorized' }],
    [
      'not allowed',
      answered(403, { message: 'Access to this API is not available for your account' }),
      { kind: 'refused', status: 403 },
    ],
    [
      'a fault',
      answered(500, { message: 'Internal Server Error' }),
      { kind: 'unknown', detail: 'HTTP 500 Internal Server Error' },
    ],
    ['a gateway that waited', answered(504, null, null), { kind: 'unknown' }],
    ['a redirect', answered(302, null, null), { kind: 'unknown' }],
    ['no token at all', { kind: 'malformed_token' }, { kind: 'unauthorized' }],
    ['nobody there', { kind: 'unreachable', detail: 'ECONNREFUSED' }, { kind: 'unreachable' }],
    ['no answer', { kind: 'lost', detail: 'UND_ERR_SOCKET' }, { kind: 'unknown' }],
  ])('%s', (_name, answer, outcome) => {
    expect(classifyLineAnswer(answer)).toMatchObject(outcome)
  })
})

describe('with the sandbox', () => {
  let sandbox: Sandbox
  let line: Line
  let account: Record<string, string>
  let people: { user_id: string; friendship: string; sentinel: { fault: string; times: number | null } | null }[]
  const command = async <T>(what: string, body?: unknown): Promise<T> => {
    const posted =
      body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`${sandbox.url}/line/${what}`, posted)
    expect(response.status).toBe(200)
    return (await response.json()) as T
  }
  beforeAll(async () => {
    sandbox = await startTestSandbox()
    line = createLine(
      {
        apiUrl: `${sandbox.url}/line/api`,
        dataApiUrl: `${sandbox.url}/line/data`,
        accessUrl: `${sandbox.url}/line/access`,
      },
      { timeoutMs: 60_000 },
    )
    account = (await command<{ data: Record<string, string>[] }>('accounts.json')).data[0] ?? {}
    people = (await command<{ data: typeof people }>('users.json?limit=1000')).data
  })
  afterAll(async () => {
    await line.close()
    await sandbox.close()
  })
  const token = () => account['access_token'] ?? ''
  const channel = () => ({ channelId: account['channel_id'] ?? '', channelSecret: account['channel_secret'] ?? '' })
  const loginChannel = () => ({
    channelId: account['login_channel_id'] ?? '',
    channelSecret: account['login_channel_secret'] ?? '',
  })
  const friends = () =>
    people.filter(({ friendship, sentinel }) => friendship === 'friend' && !sentinel).map(({ user_id }) => user_id)
  const friend = (index = 0) => friends()[index] ?? ''
  const sentinel = (fault: string, times: number | null) =>
    people.find(({ sentinel: found }) => found?.fault === fault && found.times === times)?.user_id ?? ''
  const messages = [{ type: 'text', text: 'こんにちは' }]
  const push = async (to: string, retryKey = randomUUID()) =>
    classifyLineAnswer(await line.messages.push(token(), to, { messages: JSON.stringify(messages), retryKey }))

  test('a push and a multicast are accepted, and the same key once', async () => {
    const key = randomUUID()
    expect(await push(friend(), key)).toMatchObject({ kind: 'accepted', messageIds: [expect.any(String)] })
    expect(await push(friend(), key)).toMatchObject({ kind: 'accepted_before', requestId: expect.any(String) })
    const many = await line.messages.multicast(token(), friends().slice(0, 400), {
      messages: JSON.stringify(messages),
      retryKey: randomUUID(),
      unit: 'test_1',
    })
    expect(classifyLineAnswer(many)).toMatchObject({ kind: 'accepted' })
    expect(await line.messages.consumption(token())).toBe(401)
    expect(await line.messages.quota(token())).toBe(5000)
  })

  test('every way to fail is distinguished', async () => {
    for (const [fault, times, kind] of [
      ['rate', null, 'rate_limited'],
      ['quota', null, 'quota_used_up'],
      ['bad_id', null, 'bad_request'],
      ['error', null, 'unknown'],
      ['silence', null, 'unknown'],
    ] as const)
      expect([fault, (await push(sentinel(fault, times))).kind]).toEqual([fault, kind])
  })

  test('what was accepted without an answer is found out by asking again', async () => {
    for (const fault of ['error_after', 'silence_after']) {
      const key = randomUUID()
      expect([fault, (await push(sentinel(fault, 1), key)).kind]).toEqual([fault, 'unknown'])
      expect([fault, (await push(sentinel(fault, 1), key)).kind]).toEqual([fault, 'accepted_before'])
    }
  })

  test('messages are validated with the place of each mistake', async () => {
    expect(await line.messages.validate(token(), messages)).toEqual([])
    expect(await line.messages.validate(token(), [{ type: 'text', text: '' }])).toEqual([
      { message: 'May not be empty', property: 'messages[0].text' },
    ])
    const refused = line.messages.validate('no token', messages)
    await expect(refused).rejects.toThrow(LineError)
    await expect(refused).rejects.toMatchObject({ retryable: false, outcome: { kind: 'unauthorized' } })
  })

  test('an event is answered by its token, once', async () => {
    await command('accounts/1/settings.json', { webhook_url: 'http://127.0.0.1:9/x', redelivery: false })
    await command(`users/${friend(3)}/say.json`, { text: 'クーポン' })
    const { data } = await command<{ data: { event: { replyToken: string } }[] }>('webhooks.json')
    const reply = async () =>
      classifyLineAnswer(await line.messages.reply(token(), data[0]?.event.replyToken ?? '', messages))
    expect([(await reply()).kind, (await reply()).kind]).toEqual(['accepted', 'bad_request'])
  })

  test('the account, its friends and its webhook address', async () => {
    expect(await line.account.bot(token())).toMatchObject({
      userId: account['bot_user_id'],
      displayName: 'おかえり商店',
    })
    expect(await line.account.findProfile(token(), friend())).toMatchObject({ userId: friend() })
    expect(await line.account.findProfile(token(), '../info')).toBeNull()
    const { userIds, next } = await line.account.followers(token(), null)
    expect(userIds).toEqual(expect.arrayContaining(friends()))
    expect(next).toBeNull()
    await line.account.setWebhook(token(), 'http://127.0.0.1:9/line/webhook/1')
    expect(await line.account.findWebhook(token())).toEqual({
      endpoint: 'http://127.0.0.1:9/line/webhook/1',
      active: true,
    })
    expect(await line.account.testWebhook(token())).toMatchObject({ success: false, reason: 'COULD_NOT_CONNECT' })
    const linkToken = await line.account.linkToken(token(), friend())
    expect((await fetch(line.account.linkUrl(linkToken, 'a nonce of ours'))).status).toBe(200)
    const figures = await line.messages.figures(token(), 'test_1', { from: '20270101', to: '20270102' })
    expect(figures).toEqual({ opened: null, clicked: null, clicks: [] })
  })

  test('a menu goes its whole way', async () => {
    const { menus } = line
    const menu: LineMenu = {
      size: { width: 1200, height: 405 },
      selected: true,
      name: '春',
      chatBarText: 'メニュー',
      areas: [
        {
          bounds: { x: 0, y: 0, width: 600, height: 405 },
          action: { type: 'richmenuswitch', richMenuAliasId: 'b', data: 'b' },
        },
      ],
    }
    expect(await menus.validate(token(), menu)).toEqual([])
    expect(await menus.validate(token(), { ...menu, chatBarText: 'x'.repeat(15) })).toMatchObject([
      { property: 'chatBarText' },
    ])
    const [one, two] = [await menus.create(token(), menu), await menus.create(token(), menu)]
    await expect(menus.link(token(), one, [friend()])).rejects.toMatchObject({ outcome: { kind: 'bad_request' } })
    for (const id of [one, two]) await menus.uploadPicture(token(), id, { bytes: png(1200, 405), type: 'image/png' })
    await menus.createAlias(token(), { richMenuAliasId: 'b', richMenuId: one })
    await menus.changeAlias(token(), { richMenuAliasId: 'b', richMenuId: two })
    expect(await menus.listAliases(token())).toEqual([{ richMenuAliasId: 'b', richMenuId: two }])
    await menus.setDefault(token(), one)
    expect(await menus.findDefault(token())).toBe(one)
    await menus.link(token(), two, [friend(), friend(1)])
    await menus.unlink(token(), [friend(1)])
    expect([await menus.findLinked(token(), friend()), await menus.findLinked(token(), friend(1))]).toEqual([two, null])
    expect((await menus.list(token())).map(({ richMenuId }) => richMenuId).sort()).toEqual([one, two].sort())
    await menus.setDefault(token(), null)
    await menus.deleteAlias(token(), 'b')
    for (const id of [one, two, one]) await menus.delete(token(), id)
    expect(await menus.list(token())).toEqual([])
    expect(await menus.findDefault(token())).toBeNull()
  })

  test('tokens are made, known and ended', async () => {
    const { tokens } = line
    const made = await tokens.issueShortLived(channel())
    expect(made.expiresAt.getTime() - Date.now()).toBeGreaterThan(29 * 86_400_000)
    expect(await tokens.findChannel(made.token)).toMatchObject({ channelId: channel().channelId })
    await tokens.revoke(made.token)
    await tokens.revoke(made.token)
    expect(await tokens.findChannel(made.token)).toBeNull()
    const brief = await tokens.issueStateless(channel())
    expect((await line.account.bot(brief.token)).userId).toBe(account['bot_user_id'])
    await expect(tokens.issueShortLived({ ...channel(), channelSecret: 'x' })).rejects.toMatchObject({
      retryable: false,
      detail: 'bad_request: invalid client_secret',
    })
  })

  test('a person logs in: consent, code, who they are, friendship', async () => {
    const { login } = line
    const redirectUri = 'http://127.0.0.1:3000/line/connect/callback'
    const secrets = newLoginSecrets()
    const url = login.authorizeUrl(loginChannel().channelId, secrets, {
      redirectUri,
      botPrompt: 'aggressive',
      language: 'ja',
    })
    expect(await (await fetch(url)).text()).toContain('友だち追加')
    const stranger = people.find(({ friendship }) => friendship === 'none')?.user_id ?? ''
    const back = async (choice: object) => {
      const { redirect } = await command<{ redirect: string }>('login.json', {
        authorize_url: url,
        user_id: stranger,
        ...choice,
      })
      expect(redirect.startsWith(redirectUri)).toBe(true)
      return new URL(redirect).searchParams
    }
    expect(Object.fromEntries(await back({ deny: true }))).toMatchObject({
      error: 'ACCESS_DENIED',
      state: secrets.state,
    })
    const answered = await back({ befriend: true })
    expect(Object.fromEntries(answered)).toMatchObject({ state: secrets.state, friendship_status_changed: 'true' })
    const code = answered.get('code') ?? ''
    const trade = (verifier: string, given = code) =>
      login.exchangeCode(loginChannel(), given, { redirectUri, verifier })
    const grant = await trade(secrets.verifier)
    const person = await login.readIdToken(loginChannel(), grant.idToken, secrets.nonce)
    expect(person).toMatchObject({ userId: stranger, name: expect.any(String) })
    expect((await login.profile(grant.accessToken)).userId).toBe(stranger)
    expect(await login.isFriend(grant.accessToken)).toBe(true)
    await expect(trade(secrets.verifier)).rejects.toMatchObject({ retryable: false })
    const other = (await back({})).get('code') ?? ''
    await expect(trade('another verifier', other)).rejects.toThrow('invalid code_verifier')
    await expect(login.readIdToken(loginChannel(), grant.idToken, 'another')).rejects.toThrow('of another login')
    await login.revoke(loginChannel(), grant.accessToken)
    await expect(login.profile(grant.accessToken)).rejects.toMatchObject({ outcome: { kind: 'unauthorized' } })
  })

  test('an id token that is not the platform’s is refused', async () => {
    const { channelId, channelSecret } = loginChannel()
    const make = (claims: Record<string, unknown>, secret = channelSecret) =>
      new SignJWT({ iss: 'https://access.line.me', aud: channelId, sub: 'U1', nonce: 'n', ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(secret))
    const soon = Math.floor(Date.now() / 1000) + 600
    const read = async (token: string) => line.login.readIdToken(loginChannel(), token, 'n')
    expect(await read(await make({ exp: soon }))).toMatchObject({ userId: 'U1' })
    for (const token of [
      await make({ exp: soon - 3600 }),
      await make({}),
      await make({ exp: soon, iss: 'https://evil.example' }),
      await make({ exp: soon, aud: 'another' }),
      await make({ exp: soon, nonce: 'another' }),
      await make({ exp: soon }, 'another secret'),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ sub: 'U1', nonce: 'n', exp: soon })).toString('base64url')}.`,
      'nothing',
    ])
      await expect(read(token)).rejects.toMatchObject({ name: 'IntegrationError', retryable: false })
  })
})

describe('a platform that answers wrongly, late or never', () => {
  const open: { server: Server; line: Line }[] = []
  afterEach(async () => {
    for (const { server, line } of open.splice(0)) {
      await line.close()
      server.closeAllConnections()
      server.close()
    }
  })
  async function against(listener: RequestListener, timeoutMs = 60_000, wholeMs = 60_000): Promise<Line> {
    const server = createServer(listener)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const line = createLine({ apiUrl: url, dataApiUrl: url, accessUrl: url }, { timeoutMs, wholeMs })
    open.push({ server, line })
    return line
  }
  const push = async (line: Line) =>
    classifyLineAnswer(
      await line.messages.push('t', 'U1', { messages: '[{"type":"text","text":"x"}]', retryKey: randomUUID() }),
    )

  test('no server listens: nothing was handed over', async () => {
    expect(await push(nowhere)).toMatchObject({ kind: 'unreachable', detail: 'ECONNREFUSED' })
    await expect(nowhere.account.bot('t')).rejects.toMatchObject({
      retryable: true,
      detail: 'unreachable: ECONNREFUSED',
    })
  })

  test('silence, half an answer, a page of a gateway, a redirect: not known', async () => {
    expect(await push(await against(() => undefined, 300))).toMatchObject({ kind: 'unknown' })
    expect(await push(await against((_request, response) => response.destroy()))).toMatchObject({ kind: 'unknown' })
    expect(await push(await against((_request, response) => response.end('<html>')))).toMatchObject({ kind: 'unknown' })
    const elsewhere = await against((_request, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    )
    expect(await push(elsewhere)).toMatchObject({ kind: 'unknown' })
    const unreadable = await against((_request, response) =>
      response.writeHead(200, { 'x-line-request-id': 'r' }).end('<html>'),
    )
    await expect(unreadable.account.bot('t')).rejects.toMatchObject({
      retryable: true,
      detail: 'unknown: an unreadable answer',
    })
  })

  test('a page of a gateway links no menu, deletes none and ends no friendship, whatever its status', async () => {
    const page = (status: number) =>
      against((_request, response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<html>'))
    for (const status of [200, 404]) {
      const { menus, account } = await page(status)
      for (const asked of [
        menus.link('t', 'menu', ['U1']),
        menus.unlink('t', ['U1']),
        menus.setDefault('t', null),
        menus.delete('t', 'menu'),
        account.setWebhook('t', 'https://shop.example'),
        account.findProfile('t', 'U1'),
      ])
        await expect(asked).rejects.toMatchObject({ retryable: true, outcome: { kind: 'unknown' } })
    }
  })

  test('an answer of another shape is none; a token no header can hold leaves nothing', async () => {
    let calls = 0
    const line = await against((_request, response) => {
      calls += 1
      response.writeHead(200, { 'x-line-request-id': 'r' }).end('{"richMenuId":7}')
    })
    await expect(line.menus.findDefault('t')).rejects.toMatchObject({ detail: 'unknown: an unreadable answer' })
    expect(calls).toBe(1)
    for (const token of ['トークン', 'a b', 'a\r\nx: y', ''])
      await expect(line.menus.findDefault(token)).rejects.toMatchObject({ outcome: { kind: 'unauthorized' } })
    expect(calls).toBe(1)
  })

  test('taken, then the body breaks off: taken', async () => {
    const line = await against((_request, response) => {
      response.writeHead(200, { 'x-line-request-id': 'r', 'content-length': '100' })
      response.write('{"sentM', () => response.destroy())
    })
    expect(await push(line)).toEqual({ kind: 'accepted', requestId: 'r', messageIds: [] })
  })

  test('taken, then the body trickles in without end: taken, and the connection is closed', async () => {
    const closed = Promise.withResolvers<void>()
    const line = await against(
      (_request, response) => {
        response.on('close', () => closed.resolve())
        response.writeHead(200, { 'x-line-request-id': 'r' })
        response.write('{')
      },
      3_600_000,
      0,
    )
    expect(await push(line)).toEqual({ kind: 'accepted', requestId: 'r', messageIds: [] })
    await closed.promise
  })

  test('connections are kept open, a hundred at most', async () => {
    let connections = 0
    const waiting: (() => void)[] = []
    const line = await against((_request, response) => {
      waiting.push(() => response.writeHead(200, { 'x-line-request-id': 'r' }).end('{}'))
      if (waiting.length === 100) for (const answer of waiting.splice(0)) answer()
    })
    open[0]?.server.on('connection', () => (connections += 1))
    const outcomes = await Promise.all(Array.from({ length: 300 }, () => push(line)))
    expect(outcomes.every(({ kind }) => kind === 'accepted')).toBe(true)
    expect(connections).toBe(100)
  })
})

/** A picture of this size: PNG, one colour. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, check])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const rows = deflateSync(Buffer.alloc((width + 1) * height))
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}
