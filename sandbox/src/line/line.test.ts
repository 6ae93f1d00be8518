import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../app.ts'
import { signatureOf } from './webhooks.ts'

const JAPAN_MS = 9 * 3_600_000

/** A listening sandbox; each test has one of its own. */
let sandbox: Sandbox
let account: Record<string, string>
let friends: string[]
let blocked: string[]
let strangers: string[]

beforeEach(async () => {
  sandbox = await startSandbox({
    port: 0,
    smtpPort: 0,
    dnsPort: 0,
    dataDir: null,
    apiKey: 'key',
    apiSecret: 'secret',
    seed: { customers: 20, products: 3, orders: 3 },
    slowMs: 20,
  })
  account = (await read<{ data: Record<string, string>[] }>('accounts.json')).data[0] ?? {}
  const { data } = await read<{ data: { user_id: string; friendship: string; sentinel: unknown }[] }>(
    'users.json?limit=1000',
  )
  const people = data.filter(({ sentinel }) => sentinel === null)
  const of = (state: string) => people.filter(({ friendship }) => friendship === state).map(({ user_id }) => user_id)
  friends = of('friend')
  blocked = of('blocked')
  strangers = of('none')
})
afterEach(() => sandbox.close())

async function read<T>(what: string): Promise<T> {
  return (await (await fetch(`${sandbox.url}/line/${what}`)).json()) as T
}
async function act<T = unknown>(what: string, body: unknown = {}): Promise<T> {
  const response = await fetch(`${sandbox.url}/line/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.status, await response.clone().text()).toBe(200)
  return (await response.json()) as T
}
const change = (settings: Record<string, unknown>) => act('accounts/1/settings.json', settings)

interface Answer {
  status: number
  body: Record<string, unknown>
  headers: Headers
}
async function call(
  method: string,
  path: string,
  {
    body,
    headers = {},
    token = account['access_token'],
    host = 'api',
  }: { body?: unknown; headers?: Record<string, string>; token?: string; host?: string } = {},
): Promise<Answer> {
  const bytes = Buffer.isBuffer(body)
  const response = await fetch(`${sandbox.url}/line/${host}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined || bytes ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body:
      body === undefined
        ? undefined
        : bytes
          ? new Uint8Array(body)
          : typeof body === 'string'
            ? body
            : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}
const hello = [{ type: 'text', text: 'こんにちは' }]
const push = (to: string | undefined, headers: Record<string, string> = {}, messages: unknown[] = hello) =>
  call('POST', '/v2/bot/message/push', { body: { to, messages }, headers })
const multicast = (to: string[], headers: Record<string, string> = {}) =>
  call('POST', '/v2/bot/message/multicast', { body: { to, messages: hello }, headers })
const received = async (): Promise<Map<string, number>> => {
  const { data } = await read<{ data: { user_id: string; count: number }[] }>('receipts.json')
  return new Map(data.map(({ user_id, count }) => [user_id, count]))
}
const sentinel = async (fault: string, times: number | null): Promise<string> => {
  const { data } = await read<{
    data: { user_id: string; sentinel: { fault: string; times: number | null } | null }[]
  }>('users.json?limit=1000')
  const found = data.find((user) => user.sentinel?.fault === fault && user.sentinel.times === times)
  if (!found) throw new Error(`no sentinel ${fault}`)
  return found.user_id
}

describe('messages', () => {
  test('a push reaches a friend, with the ids of its messages', async () => {
    const answer = await push(friends[0])
    expect(answer).toMatchObject({ status: 200, body: { sentMessages: [{ id: expect.stringMatching(/^\d{18}$/) }] } })
    expect(answer.headers.get('x-line-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await received()).toEqual(new Map([[friends[0], 1]]))
  })

  test('what is wrong is named at its place', async () => {
    expect(await push(friends[0], {}, [{ type: 'text', text: '' }, { type: 'html' }])).toMatchObject({
      status: 400,
      body: {
        message: 'The request body has 2 error(s)',
        details: [{ message: 'May not be empty', property: 'messages[0].text' }, { property: 'messages[1].type' }],
      },
    })
    expect(
      await call('POST', '/v2/bot/message/push', { body: '{', headers: { 'content-type': 'application/json' } }),
    ).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/could not be parsed as JSON/) },
    })
    expect(
      await call('POST', '/v2/bot/message/push', { body: 'x', headers: { 'content-type': 'text/plain' } }),
    ).toMatchObject({ status: 415 })
    const big = { to: friends[0], messages: [{ type: 'text', text: 'x'.repeat(3_000_000) }] }
    expect(await call('POST', '/v2/bot/message/push', { body: big })).toMatchObject({ status: 413 })
    expect(await call('GET', '/v2/bot/unheard')).toMatchObject({ status: 404, body: { message: 'Not found' } })
    expect(await received()).toEqual(new Map())
  })

  test('who blocked the account, or never befriended it, receives nothing and does not count', async () => {
    expect(await multicast([...friends.slice(0, 2), blocked[0] ?? '', strangers[0] ?? ''])).toMatchObject({
      status: 200,
      body: {},
    })
    expect([...(await received()).keys()].sort()).toEqual(friends.slice(0, 2).sort())
    expect(await call('GET', '/v2/bot/message/quota/consumption')).toMatchObject({ body: { totalUsage: 2 } })
  })

  test('one bad id fails a multicast whole', async () => {
    for (const bad of ['U1', `U${'0'.repeat(32)}`])
      expect(await multicast([...friends.slice(0, 3), bad])).toMatchObject({ status: 400 })
    expect(await received()).toEqual(new Map())
    expect(await multicast(Array.from({ length: 501 }, () => friends[0] ?? ''))).toMatchObject({
      status: 400,
      body: { details: [{ property: 'to' }] },
    })
  })

  test('a retry key is accepted once in 24 hours, whatever the body', async () => {
    const key = { 'x-line-retry-key': randomUUID() }
    const first = await push(friends[0], key)
    const again = await push(friends[0], key)
    expect(again).toMatchObject({
      status: 409,
      body: { message: 'The retry key is already accepted', sentMessages: first.body['sentMessages'] },
    })
    expect(again.headers.get('x-line-accepted-request-id')).toBe(first.headers.get('x-line-request-id'))
    expect(await push(friends[1], key, [{ type: 'text', text: 'another' }])).toMatchObject({ status: 409 })
    expect(await received()).toEqual(new Map([[friends[0], 1]]))
    sandbox.clock.advance(24 * 3_600_000 + 1)
    expect(await push(friends[0], key)).toMatchObject({ status: 200 })
    expect(await push(friends[0], { 'x-line-retry-key': 'no uuid' })).toMatchObject({ status: 400 })
    expect(await call('GET', '/v2/bot/info', { headers: key })).toMatchObject({ status: 400 })
  })

  test('a refused send leaves its retry key free', async () => {
    const key = { 'x-line-retry-key': randomUUID() }
    expect(await push('U1', key)).toMatchObject({ status: 400 })
    expect(await push(friends[0], key)).toMatchObject({ status: 200 })
  })

  test('the monthly limit is not the rate limit, and ends with Japan’s month', async () => {
    const inJapan = new Date(sandbox.clock.now().getTime() + JAPAN_MS)
    // Of the month after this one: the clock goes only forward, and this one may be in its last hour.
    const end = Date.UTC(inJapan.getUTCFullYear(), inJapan.getUTCMonth() + 2, 1) - JAPAN_MS
    sandbox.clock.set(new Date(end - 3_600_000))
    await change({ quota: 3 })
    expect(await multicast(friends.slice(0, 2))).toMatchObject({ status: 200 })
    expect(await multicast(friends.slice(0, 2))).toMatchObject({
      status: 429,
      body: { message: 'You have reached your monthly limit.' },
    })
    expect(await push(friends[5])).toMatchObject({ status: 200 })
    expect(await call('GET', '/v2/bot/message/quota')).toMatchObject({ body: { type: 'limited', value: 3 } })
    sandbox.clock.set(new Date(end))
    expect(await multicast(friends.slice(0, 2))).toMatchObject({ status: 200 })
    await change({ quota: null })
    expect(await call('GET', '/v2/bot/message/quota')).toMatchObject({ body: { type: 'none' } })
  })

  test('validating sends nothing', async () => {
    expect(await call('POST', '/v2/bot/message/validate/push', { body: { messages: hello } })).toMatchObject({
      status: 200,
      body: {},
    })
    expect(await call('POST', '/v2/bot/message/validate/push', { body: { messages: [] } })).toMatchObject({
      status: 400,
    })
    expect(await received()).toEqual(new Map())
  })
})

describe('sentinels and switches', () => {
  test('429 of both kinds, a bad id and 500 are not accepted', async () => {
    for (const [fault, status] of [
      ['rate', 429],
      ['quota', 429],
      ['error', 500],
      ['bad_id', 400],
    ] as const)
      expect([fault, (await push(await sentinel(fault, null))).status]).toEqual([fault, status])
    expect(await multicast([...friends.slice(0, 3), await sentinel('bad_id', null)])).toMatchObject({ status: 400 })
    expect(await received()).toEqual(new Map())
  })

  test('the first try fails, the next is taken', async () => {
    const id = await sentinel('error', 1)
    expect([(await push(id)).status, (await push(id)).status]).toEqual([500, 200])
  })

  test('500 after accepting: the same key is answered 409, and no one receives it twice', async () => {
    const id = await sentinel('error_after', 1)
    await act(`users/${id}/follow.json`)
    const key = { 'x-line-retry-key': randomUUID() }
    expect([(await push(id, key)).status, (await push(id, key)).status]).toEqual([500, 409])
    expect(await received()).toEqual(new Map([[id, 1]]))
  })

  test('no answer, before and after accepting', async () => {
    await expect(push(await sentinel('silence', 1))).rejects.toThrow('fetch failed')
    expect(await received()).toEqual(new Map())
    const id = await sentinel('silence_after', 1)
    await act(`users/${id}/follow.json`)
    const key = { 'x-line-retry-key': randomUUID() }
    await expect(push(id, key)).rejects.toThrow('fetch failed')
    expect(await push(id, key)).toMatchObject({ status: 409 })
    expect(await received()).toEqual(new Map([[id, 1]]))
  })

  test('a switch makes the next calls fail, and then no more', async () => {
    await change({ break_as: 'rate', break_times: 2 })
    const statuses = [await push(friends[0]), await push(friends[0]), await push(friends[0])].map(
      ({ status }) => status,
    )
    expect(statuses).toEqual([429, 429, 200])
  })

  test('a revoked token is 401 until another is issued', async () => {
    expect(await push(await sentinel('revoked', null))).toMatchObject({ status: 401 })
    expect(await push(friends[0])).toMatchObject({ status: 401 })
    const { access_token } = await issue('/v2/oauth/accessToken')
    expect(await call('GET', '/v2/bot/info', { token: access_token })).toMatchObject({ status: 200 })
  })
})

const form = (path: string, fields: Record<string, string>) =>
  fetch(`${sandbox.url}/line/api${path}`, { method: 'POST', body: new URLSearchParams(fields) })
const issue = async (path: string): Promise<{ access_token: string; expires_in: number }> => {
  const response = await form(path, {
    grant_type: 'client_credentials',
    client_id: account['channel_id'] ?? '',
    client_secret: account['channel_secret'] ?? '',
  })
  expect(response.status).toBe(200)
  return (await response.json()) as { access_token: string; expires_in: number }
}

describe('channel tokens', () => {
  test('short-lived ones are issued, verified and revoked; the thirty-first ends the first', async () => {
    const tokens: string[] = []
    for (let index = 0; index < 31; index += 1) tokens.push((await issue('/v2/oauth/accessToken')).access_token)
    const verify = async (token: string | undefined) =>
      (await form('/v2/oauth/verify', { access_token: token ?? '' })).status
    expect([await verify(tokens[0]), await verify(tokens[1]), await verify(tokens[30])]).toEqual([400, 200, 200])
    await form('/v2/oauth/revoke', { access_token: tokens[30] ?? '' })
    expect(await verify(tokens[30])).toBe(400)
    expect(await call('GET', '/v2/bot/info', { token: tokens[30] ?? '' })).toMatchObject({ status: 401 })
  })

  test('stateless ones last fifteen minutes and cannot be revoked', async () => {
    const { access_token, expires_in } = await issue('/oauth2/v3/token')
    expect(expires_in).toBeLessThanOrEqual(900)
    await form('/v2/oauth/revoke', { access_token })
    expect(await call('GET', '/v2/bot/info', { token: access_token })).toMatchObject({ status: 200 })
  })

  test('a wrong secret is refused', async () => {
    const wrong = await form('/v2/oauth/accessToken', {
      grant_type: 'client_credentials',
      client_id: account['channel_id'] ?? '',
      client_secret: 'x',
    })
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toEqual({ error: 'invalid_client', error_description: 'invalid client_secret' })
  })
})

describe('what an account asks', () => {
  test('its name, its friends page by page, and a profile of friends only', async () => {
    expect(await call('GET', '/v2/bot/info')).toMatchObject({
      body: { userId: account['bot_user_id'], displayName: 'おかえり商店' },
    })
    const first = await call('GET', '/v2/bot/followers/ids?limit=500')
    const second = await call('GET', `/v2/bot/followers/ids?limit=500&start=${String(first.body['next'])}`)
    const all = [first, second].flatMap(({ body }) => body['userIds'] as string[])
    expect(new Set(all).size).toBe(all.length)
    expect(all).toEqual(expect.arrayContaining(friends))
    expect(second.body['next']).toBeUndefined()
    expect(await call('GET', `/v2/bot/profile/${friends[0]}`)).toMatchObject({
      status: 200,
      body: { userId: friends[0], language: 'ja' },
    })
    for (const id of [blocked[0], strangers[0], 'U1'])
      expect(await call('GET', `/v2/bot/profile/${id}`)).toMatchObject({ status: 404 })
  })

  test('a hundred and more accounts can be opened', async () => {
    const opened: string[] = []
    for (let n = 0; n < 110; n += 1) {
      const { account } = await act<{ account: Record<string, string> }>('accounts.json', { name: `${n}` })
      opened.push(account['channel_id'] ?? '', account['login_channel_id'] ?? '')
    }
    expect(new Set(opened).size).toBe(220)
  })

  test('an endpoint takes so many calls in its time, each account for itself', async () => {
    const ask = (token = account['access_token']) => call('GET', '/v2/bot/insight/followers', { token })
    for (let index = 0; index < 60; index += 1) expect((await ask()).status).toBe(200)
    expect(await ask()).toMatchObject({
      status: 429,
      body: { message: 'The API rate limit has been exceeded. Try again later.' },
    })
    const other = await act<{ account: { access_token: string } }>('accounts.json', { name: 'もう一つの店' })
    expect(await ask(other.account.access_token)).toMatchObject({ status: 200 })
    sandbox.clock.advance(3_600_000)
    expect(await ask()).toMatchObject({ status: 200 })
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
  return Buffer.concat([
    start,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('rich menus', () => {
  const menu = (action: Record<string, unknown> = { type: 'message', text: 'メニュー' }) => ({
    size: { width: 1200, height: 405 },
    selected: true,
    name: '春',
    chatBarText: 'メニュー',
    areas: [{ bounds: { x: 0, y: 0, width: 600, height: 405 }, action }],
  })
  const create = async (body: unknown = menu()): Promise<string> =>
    String((await call('POST', '/v2/bot/richmenu', { body })).body['richMenuId'])
  const upload = (id: string, body: Buffer = png(1200, 405), type = 'image/png') =>
    call('POST', `/v2/bot/richmenu/${id}/content`, { body, headers: { 'content-type': type }, host: 'data' })
  const alias = (richMenuAliasId: string, richMenuId: string) =>
    call('POST', '/v2/bot/richmenu/alias', { body: { richMenuAliasId, richMenuId } })

  test('nothing is shown before its picture is there, and a picture is for ever', async () => {
    const id = await create()
    for (const answer of [
      await call('POST', `/v2/bot/user/all/richmenu/${id}`),
      await call('POST', `/v2/bot/user/${friends[0]}/richmenu/${id}`),
      await call('POST', '/v2/bot/richmenu/bulk/link', { body: { richMenuId: id, userIds: [friends[0]] } }),
      await alias('a', id),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: { message: 'must upload richmenu image before applying it to user' },
      })
    expect(await upload(id)).toMatchObject({ status: 200 })
    expect(await upload(id)).toMatchObject({ status: 400 })
    expect(await call('POST', `/v2/bot/user/all/richmenu/${id}`)).toMatchObject({ status: 200 })
    expect(await call('GET', '/v2/bot/user/all/richmenu')).toMatchObject({ body: { richMenuId: id } })
  })

  test('a picture has the menu’s size, is a PNG or JPEG and 1 MB or less', async () => {
    const id = await create()
    expect(await upload(id, png(1200, 400))).toMatchObject({ status: 400 })
    expect(await upload(id, png(1200, 405), 'image/jpeg')).toMatchObject({ status: 400 })
    expect(await upload(id, png(1200, 405), 'image/gif')).toMatchObject({ status: 415 })
    expect(await upload(id, Buffer.concat([png(1200, 405), Buffer.alloc(1_100_000)]))).toMatchObject({ status: 413 })
    expect(await upload('richmenu-none')).toMatchObject({ status: 404 })
    expect(await upload(id)).toMatchObject({ status: 200 })
    const picture = await fetch(`${sandbox.url}/line/data/v2/bot/richmenu/${id}/content`, {
      headers: { authorization: `Bearer ${account['access_token']}` },
    })
    expect(Buffer.from(await picture.arrayBuffer()).equals(png(1200, 405))).toBe(true)
  })

  test('a person’s own menu goes before the default; a block takes it away', async () => {
    const [own, fallback] = [await create(), await create()]
    await upload(own)
    await upload(fallback)
    await call('POST', `/v2/bot/user/all/richmenu/${fallback}`)
    const link = { richMenuId: own, userIds: [friends[0], blocked[0], strangers[0]] }
    expect(await call('POST', '/v2/bot/richmenu/bulk/link', { body: link })).toMatchObject({ status: 202 })
    expect(await call('GET', `/v2/bot/user/${friends[0]}/richmenu`)).toMatchObject({ body: { richMenuId: own } })
    expect(await call('GET', `/v2/bot/user/${blocked[0]}/richmenu`)).toMatchObject({ status: 404 })
    const page = await (await fetch(`${sandbox.url}/line/users/${friends[0]}`)).text()
    expect(page).toContain(`/line/accounts/1/menus/${own}`)
    expect(await (await fetch(`${sandbox.url}/line/users/${friends[1]}`)).text()).toContain(fallback)
    await act(`users/${friends[0]}/block.json`)
    await act(`users/${friends[0]}/follow.json`)
    expect(await call('GET', `/v2/bot/user/${friends[0]}/richmenu`)).toMatchObject({ status: 404 })
    const bad = { richMenuId: own, userIds: [friends[2], 'U1'] }
    expect(await call('POST', '/v2/bot/richmenu/bulk/link', { body: bad })).toMatchObject({ status: 400 })
    expect(await call('GET', `/v2/bot/user/${friends[2]}/richmenu`)).toMatchObject({ status: 404 })
  })

  test('tabs are aliases: a tap switches, and says how it went', async () => {
    const tab = (to: string) => menu({ type: 'richmenuswitch', richMenuAliasId: to, data: `tab=${to}` })
    const [first, second] = [await create(tab('b')), await create(tab('gone'))]
    await upload(first)
    await upload(second)
    expect(await alias('b', second)).toMatchObject({ status: 200 })
    expect(await alias('b', first)).toMatchObject({ status: 400, body: { message: 'conflict richmenu alias id' } })
    await call('POST', `/v2/bot/user/${friends[0]}/richmenu/${first}`)
    const tap = (menu_id: string) => act(`users/${friends[0]}/tap.json`, { menu_id, area: 0 })
    await tap(first)
    expect(await call('GET', `/v2/bot/user/${friends[0]}/richmenu`)).toMatchObject({ body: { richMenuId: second } })
    await tap(second)
    const { data } = await read<{ data: { event?: { postback?: unknown } }[] }>(`users/${friends[0]}/chat.json`)
    expect(data.map(({ event }) => event?.postback)).toEqual([
      { data: 'tab=b', params: { newRichMenuAliasId: 'b', status: 'SUCCESS' } },
      { data: 'tab=gone', params: { newRichMenuAliasId: 'gone', status: 'RICHMENU_ALIAS_ID_NOTFOUND' } },
    ])
  })

  test('an account makes a hundred menus an hour, and a thousand in all', async () => {
    const makeHundred = async () =>
      (await Promise.all(Array.from({ length: 101 }, () => call('POST', '/v2/bot/richmenu', { body: menu() })))).filter(
        ({ status }) => status === 200,
      ).length
    for (let hour = 0; hour < 10; hour += 1) {
      expect(await makeHundred()).toBe(100)
      sandbox.clock.advance(3_600_000)
    }
    expect(await call('POST', '/v2/bot/richmenu', { body: menu() })).toMatchObject({ status: 400 })
    const { body } = await call('GET', '/v2/bot/richmenu/list')
    expect(body['richmenus']).toHaveLength(1000)
    const [{ richMenuId }] = body['richmenus'] as [{ richMenuId: string }]
    expect(await call('DELETE', `/v2/bot/richmenu/${richMenuId}`)).toMatchObject({ status: 200 })
    expect(await call('POST', '/v2/bot/richmenu', { body: menu() })).toMatchObject({ status: 200 })
  })

  test('a batch moves everybody of one menu to another', async () => {
    const [from, to] = [await create(), await create()]
    await upload(from)
    await upload(to)
    await call('POST', '/v2/bot/richmenu/bulk/link', { body: { richMenuId: from, userIds: friends.slice(0, 500) } })
    const moved = await call('POST', '/v2/bot/richmenu/batch', { body: { operations: [{ type: 'link', from, to }] } })
    expect(moved.status).toBe(202)
    expect(await call('GET', `/v2/bot/user/${friends[499]}/richmenu`)).toMatchObject({ body: { richMenuId: to } })
    const id = moved.headers.get('x-line-request-id')
    expect(await call('GET', `/v2/bot/richmenu/progress/batch?requestId=${id}`)).toMatchObject({
      body: { phase: 'succeeded' },
    })
    const twice = {
      operations: [
        { type: 'link', from, to },
        { type: 'unlink', from },
      ],
    }
    expect(await call('POST', '/v2/bot/richmenu/batch', { body: twice })).toMatchObject({ status: 400 })
  })
})

interface Heard {
  body: string
  signature: string
  events: {
    type: string
    webhookEventId: string
    deliveryContext: { isRedelivery: boolean }
    [name: string]: unknown
  }[]
  destination: string
}

describe('webhooks', () => {
  let receiver: Server
  let heard: Heard[]
  let answers: number[]
  beforeAll(async () => {
    receiver = createServer((request: IncomingMessage, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const body = Buffer.concat(parts).toString('utf8')
        heard.push({
          body,
          signature: String(request.headers['x-line-signature']),
          ...(JSON.parse(body) as Omit<Heard, 'body' | 'signature'>),
        })
        response.writeHead(answers.shift() ?? 200).end()
      })
    })
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  })
  afterAll(() => receiver.close())
  const url = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/line/webhook/1`
  const settle = () => sandbox.settle()
  beforeEach(async () => {
    heard = []
    answers = []
    expect(await call('PUT', '/v2/bot/channel/webhook/endpoint', { body: { endpoint: url() } })).toMatchObject({
      status: 200,
    })
  })

  test('what people do is reported, signed, in order', async () => {
    const [stranger, friend, left] = [strangers[0] ?? '', friends[0] ?? '', blocked[0] ?? '']
    await act(`users/${stranger}/follow.json`)
    await act(`users/${friend}/say.json`, { text: 'クーポン' })
    await act(`users/${friend}/tap.json`, {
      action: { type: 'postback', label: 'はい', data: 'restock=42', displayText: 'はい' },
    })
    await act(`users/${friend}/block.json`)
    await act(`users/${left}/follow.json`)
    await settle()
    const events = heard.flatMap((each) => each.events)
    expect(events).toMatchObject([
      {
        type: 'follow',
        mode: 'active',
        source: { type: 'user', userId: stranger },
        follow: { isUnblocked: false },
        replyToken: expect.any(String),
      },
      {
        type: 'message',
        source: { userId: friend },
        message: { type: 'text', text: 'クーポン', quoteToken: expect.any(String) },
      },
      { type: 'postback', postback: { data: 'restock=42' } },
      { type: 'unfollow', source: { userId: friend } },
      { type: 'follow', follow: { isUnblocked: true } },
    ])
    expect(events[3]).not.toHaveProperty('replyToken')
    for (const { body, signature, destination } of heard) {
      expect(signature).toBe(signatureOf(account['channel_secret'] ?? '', body))
      expect(destination).toBe(account['bot_user_id'])
    }
  })

  test('an event that was not answered 2xx comes again under its id, later', async () => {
    answers = [500, 500]
    await act(`users/${friends[0]}/say.json`, { text: 'a' })
    await settle()
    const received = heard.map(({ events: [event] }) => [event?.webhookEventId, event?.deliveryContext.isRedelivery])
    const id = received[0]?.[0]
    expect(received).toEqual([
      [id, false],
      [id, true],
      [id, true],
    ])
    await change({ redelivery: false })
    answers = [500]
    await act(`users/${friends[0]}/say.json`, { text: 'b' })
    await settle()
    expect(heard).toHaveLength(4)
  })

  test('a reply token is good once, costs nothing, and reaches who wrote', async () => {
    await act(`users/${friends[0]}/say.json`, { text: 'a' })
    await settle()
    const replyToken = heard[0]?.events[0]?.['replyToken']
    const reply = () => call('POST', '/v2/bot/message/reply', { body: { replyToken, messages: hello } })
    expect(await reply()).toMatchObject({ status: 200, body: { sentMessages: [{}] } })
    expect(await reply()).toMatchObject({ status: 400, body: { message: 'Invalid reply token' } })
    expect(await received()).toEqual(new Map([[friends[0], 1]]))
    expect(await call('GET', '/v2/bot/message/quota/consumption')).toMatchObject({ body: { totalUsage: 0 } })
  })

  test('the address is tested with a call without events', async () => {
    const test = (body: unknown = {}) => call('POST', '/v2/bot/channel/webhook/test', { body })
    expect(await test()).toMatchObject({ body: { success: true, statusCode: 200, reason: 'OK' } })
    expect(heard).toMatchObject([{ events: [] }])
    answers = [401]
    expect(await test()).toMatchObject({ body: { success: false, statusCode: 401, reason: 'ERROR_STATUS_CODE' } })
    expect(await test({ endpoint: 'http://127.0.0.1:9/x' })).toMatchObject({
      body: { success: false, reason: 'COULD_NOT_CONNECT' },
    })
    expect(
      await call('PUT', '/v2/bot/channel/webhook/endpoint', { body: { endpoint: 'http://shop.example/x' } }),
    ).toMatchObject({ status: 400 })
  })
})

describe('figures', () => {
  test('opens and clicks of a unit are reported of twenty people or more', async () => {
    const to = friends.slice(0, 25)
    const messages = [{ type: 'text', text: 'x' }]
    const body = { to, messages, customAggregationUnits: ['campaign_1'] }
    expect(await call('POST', '/v2/bot/message/multicast', { body })).toMatchObject({ status: 200 })
    const now = sandbox.clock.now()
    const day = new Date(now.getTime() + JAPAN_MS).toISOString().slice(0, 10).replaceAll('-', '')
    const path = `/v2/bot/insight/message/event/aggregation?customAggregationUnit=campaign_1&from=${day}&to=${day}`
    const open = (people: string[]) => Promise.all(people.map((id) => read(`users/${id}/chat.json`)))
    await open(to.slice(0, 19))
    expect(await call('GET', path)).toMatchObject({ body: { overview: { uniqueImpression: null } } })
    await open(to)
    expect(await call('GET', path)).toMatchObject({
      body: { overview: { uniqueImpression: 25 }, messages: [{ seq: 1, impression: 25 }] },
    })
    expect(await call('GET', '/v2/bot/message/aggregation/info')).toMatchObject({
      body: { numOfCustomAggregationUnits: 1 },
    })
    expect(await call('GET', '/v2/bot/insight/followers')).toMatchObject({ body: { status: 'ready' } })
  })
})

describe('logins and links', () => {
  const back = 'http://127.0.0.1:3000/line/connect/callback'
  const asked = (more: Record<string, string> = {}) => ({
    response_type: 'code',
    client_id: account['login_channel_id'] ?? '',
    redirect_uri: back,
    state: 'a state',
    scope: 'profile openid',
    ...more,
  })
  const address = (fields: Record<string, string>) =>
    `${sandbox.url}/line/access/oauth2/v2.1/authorize?${new URLSearchParams(fields).toString()}`
  const submit = async (path: string, fields: Record<string, string>) =>
    fetch(`${sandbox.url}/line/access${path}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
    })
  const query = (response: Response) => Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams)

  test('a person agrees on the page, befriends the account, and comes back with a code', async () => {
    const fields = asked({ bot_prompt: 'normal', nonce: 'n' })
    const page = await (await fetch(`${address(fields)}&lang=en`)).text()
    expect(page).toContain('Add “おかえり商店” as a friend')
    const agreed = await submit('/oauth2/v2.1/authorize', {
      ...fields,
      user_id: strangers[0] ?? '',
      answer: 'allow',
      befriend: 'true',
    })
    expect(query(agreed)).toEqual({ state: 'a state', code: expect.any(String), friendship_status_changed: 'true' })
    expect(await call('GET', `/v2/bot/profile/${strangers[0]}`)).toMatchObject({ status: 200 })
    const silent = await fetch(`${address(asked({ prompt: 'none' }))}&user_id=${strangers[0]}`, { redirect: 'manual' })
    expect(query(silent)).toEqual({ state: 'a state', code: expect.any(String) })
    const unknown = await fetch(address(asked({ prompt: 'none' })), { redirect: 'manual' })
    expect(query(unknown)).toMatchObject({ error: 'LOGIN_REQUIRED' })
  })

  test('what is not registered is not shown, let alone led back to', async () => {
    await change({ callbacks: [back] })
    const wrong: [string, string][] = [
      ['redirect_uri', `${back}/`],
      ['client_id', '1'],
      ['state', ''],
      ['scope', 'all'],
      ['response_type', 'token'],
    ]
    for (const [name, value] of wrong)
      expect((await fetch(address(asked({ [name]: value })), { redirect: 'manual' })).status).toBe(400)
    const plain = asked({ code_challenge: 'x', code_challenge_method: 'plain' })
    expect((await fetch(address(plain))).status).toBe(400)
    expect((await fetch(address(asked()))).status).toBe(200)
  })

  test('a channel of another provider knows the same person by another id', async () => {
    const { data } = await read<{ data: Record<string, string>[] }>('accounts.json')
    const page = await (await fetch(`${sandbox.url}/line/accounts/1`)).text()
    const [, secret = ''] = /2000000002<\/dd>.*?<dd class="mono">([0-9a-f]{32})/s.exec(page) ?? []
    const subject = async (channelId: string, channelSecret: string) => {
      const { redirect } = await act<{ redirect: string }>('login.json', {
        authorize_url: address(asked({ client_id: channelId })),
        user_id: friends[0],
      })
      const response = await form('/oauth2/v2.1/token', {
        grant_type: 'authorization_code',
        code: new URL(redirect).searchParams.get('code') ?? '',
        redirect_uri: back,
        client_id: channelId,
        client_secret: channelSecret,
      })
      const { id_token = '' } = (await response.json()) as { id_token?: string }
      return (JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }).sub
    }
    expect(await subject(data[0]?.['login_channel_id'] ?? '', data[0]?.['login_channel_secret'] ?? '')).toBe(friends[0])
    const other = await subject('2000000002', secret)
    expect(other).toMatch(/^U[0-9a-f]{32}$/)
    expect(other).not.toBe(friends[0])
  })

  test('a link token joins the person it was made for, once', async () => {
    await change({ webhook_url: 'http://127.0.0.1:9/' })
    const token = async () => String((await call('POST', `/v2/bot/user/${friends[0]}/linkToken`)).body['linkToken'])
    const link = async (linkToken: string, user_id: string | undefined, nonce = 'a nonce of the shop') =>
      (await submit('/dialog/bot/accountLink', { linkToken, nonce, user_id: user_id ?? '' })).text()
    const first = await token()
    expect(await link(first, friends[1])).toContain('連携できませんでした')
    expect(await link(first, friends[0])).toContain('連携しました')
    expect(await link(first, friends[0])).toContain('連携できませんでした')
    expect(await link('none', friends[0])).toContain('invalid linkToken')
    const { data } = await read<{ data: { event: { source: { userId: string }; link: unknown } }[] }>('webhooks.json')
    expect(data.map(({ event }) => [event.source.userId, event.link]).toReversed()).toEqual([
      [friends[1], { result: 'failed', nonce: 'a nonce of the shop' }],
      [friends[0], { result: 'ok', nonce: 'a nonce of the shop' }],
      [friends[0], { result: 'failed', nonce: 'a nonce of the shop' }],
    ])
  })

  test('a token of a chosen life is issued for a signed assertion', async () => {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
    await change({ assertion_key: { ...(await exportJWK(publicKey)), kid: 'key 1' } })
    const channel = account['channel_id'] ?? ''
    const sign = (claims: Record<string, unknown>) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'key 1' })
        .setIssuer(channel)
        .setSubject(channel)
        .setAudience('https://api.line.me/')
        .setIssuedAt()
        .setExpirationTime('10m')
        .sign(privateKey)
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
    const issued = await form('/oauth2/v2.1/token', {
      grant_type: 'client_credentials',
      client_assertion_type,
      client_assertion: await sign({ token_exp: 3600 }),
    })
    const { access_token, expires_in, key_id } = (await issued.json()) as Record<string, string>
    expect(expires_in).toBe(3600)
    expect(await call('GET', '/v2/bot/info', { token: access_token ?? '' })).toMatchObject({ status: 200 })
    const kids = new URLSearchParams({ client_assertion_type, client_assertion: await sign({}) }).toString()
    expect(await (await fetch(`${sandbox.url}/line/api/oauth2/v2.1/tokens/kid?${kids}`)).json()).toEqual({
      kids: [key_id],
    })
    const wrong = await form('/oauth2/v2.1/token', {
      grant_type: 'client_credentials',
      client_assertion_type,
      client_assertion: 'x.y.z',
    })
    expect(wrong.status).toBe(400)
  })
})

test('the pages are there in both languages, and show what was sent as text, whatever it says', async () => {
  await push(friends[0], {}, [{ type: 'text', text: '<script>alert(1)</script>' }])
  for (const lang of ['ja', 'en'])
    for (const path of ['', '/accounts/1', `/users/${friends[0]}`, `/users/${strangers[0]}`, `/users/${blocked[0]}`]) {
      const response = await fetch(`${sandbox.url}/line${path}?lang=${lang}`)
      const page = await response.text()
      expect([path, response.status, page.includes(`<html lang="${lang}">`)]).toEqual([path, 200, true])
      expect(page).not.toContain('<script>alert')
    }
  const opened = await fetch(`${sandbox.url}/line/users/${friends[0]}/tap`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ action: JSON.stringify({ type: 'uri', uri: 'https://127.0.0.1:3000/新作' }) }),
  })
  expect(opened.headers.get('location')).toBe('http://127.0.0.1:3000/%E6%96%B0%E4%BD%9C')
  for (const path of ['/accounts/7', '/users/U1', '/accounts/1/menus/none'])
    expect((await fetch(`${sandbox.url}/line${path}`)).status).toBe(404)
})

test('what is set on the account’s page holds: address, limit, failures', async () => {
  const save = (fields: [string, string][]) =>
    fetch(`${sandbox.url}/line/accounts/1/settings`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
    })
  const on: [string, string][] = [
    ['webhook_url', 'http://127.0.0.1:9/'],
    ['webhook_active', 'false'],
    ['webhook_active', 'true'],
    ['redelivery', 'false'],
    ['standby', 'false'],
  ]
  expect((await save(on)).status).toBe(303)
  expect(await call('GET', '/v2/bot/channel/webhook/endpoint')).toMatchObject({ body: { active: true } })
  expect((await save([...on.slice(0, 2), ...on.slice(3)])).status).toBe(303)
  expect(await call('GET', '/v2/bot/channel/webhook/endpoint')).toMatchObject({ body: { active: false } })
  expect((await save([['webhook_url', 'http://shop.example/']])).status).toBe(422)
  await save([
    ['quota', ''],
    ['used_elsewhere', '7'],
  ])
  expect(await call('GET', '/v2/bot/message/quota')).toMatchObject({ body: { type: 'none' } })
  expect(await call('GET', '/v2/bot/message/quota/consumption')).toMatchObject({ body: { totalUsage: 7 } })
  expect(
    (
      await save([
        ['quota', '-1'],
        ['used_elsewhere', '7'],
      ])
    ).status,
  ).toBe(422)
  await save([
    ['break_as', 'error'],
    ['break_times', '1'],
  ])
  expect([(await push(friends[0])).status, (await push(friends[0])).status]).toEqual([500, 200])
})
