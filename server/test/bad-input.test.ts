import net from 'node:net'
import type { Endpoint } from '@okaeri/contract/endpoint'
import { ErrorBody, errorStatus, type FieldReason } from '@okaeri/contract/errors'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Answer,
  answerOf,
  everyEndpoint,
  makeWorld,
  type Request,
  requestOf,
  rowsOf,
  tokenOf,
  type World,
} from './every-endpoint.ts'
import { startTestOkaeri, type TestOkaeri } from './harness.ts'

let okaeri: TestOkaeri
let world: World
let token: string
beforeAll(async () => {
  okaeri = await startTestOkaeri()
  world = await makeWorld(okaeri, await okaeri.merchant())
  token = tokenOf(world.merchant)
})
afterAll(() => okaeri.close())

const NO_ANSWER_MS = 10_000
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const AT_ONCE = 8

/** A request whose every part is given as it goes over the wire. */
interface Raw {
  what: string
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}
async function sendRaw({ method, path, headers = {}, body }: Raw): Promise<Answer> {
  const response = await fetch(`${okaeri.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(NO_ANSWER_MS),
    ...(body === undefined ? {} : { body }),
  })
  return answerOf(response)
}

/** Ways of our insides that no answer may show. */
const INSIDES = /\n\s+at \S|node_modules|\.ts:\d|\.js:\d|PostgresError|syntax error at|violates|FST_ERR|ZodError|ECONN/

/** What every answer must be, whatever was asked; says so in words that name the request. */
function whatIsWrong(answer: Answer, endpoint: Endpoint | null): string | null {
  const { status, type, text, json } = answer
  if (INSIDES.test(text)) return `shows our insides: ${text.slice(0, 300)}`
  if (status < 400) return null
  if (status >= 500) return `is ${status}: ${text.slice(0, 300)}`
  const forPeople = endpoint !== null && endpoint.replyKind !== 'json' && endpoint.replyKind !== 'empty'
  if (forPeople && type.startsWith('text/html')) return null
  if (!type.startsWith(JSON_TYPE)) return `has the type ${type}`
  const parsed = z.strictObject({ error: z.strictObject(ErrorBody.shape.error.shape) }).safeParse(json)
  if (!parsed.success) return `is not in the error form: ${text.slice(0, 300)}`
  if (errorStatus[parsed.data.error.code] !== status) return `is ${status} with ${parsed.data.error.code}`
  return null
}

/** Sends them all; answers what is wrong with the answers, and whether anything was accepted. */
async function sendAll(raws: readonly Raw[], endpoint: Endpoint | null) {
  const wrong: string[] = []
  let accepted = 0
  for (let first = 0; first < raws.length; first += AT_ONCE) {
    const some = raws.slice(first, first + AT_ONCE)
    const answers = await Promise.all(some.map(sendRaw))
    for (const [index, answer] of answers.entries()) {
      if (answer.status < 400) accepted += 1
      const problem = whatIsWrong(answer, endpoint)
      if (problem) wrong.push(`${some[index]?.what} ${problem}`)
    }
  }
  return { wrong, accepted }
}

/** Nothing is wrong with the answers, and what was refused altogether left nothing behind. */
async function expectClear(raws: readonly Raw[], endpoint: Endpoint | null): Promise<void> {
  const before = await rowsOf(okaeri, world.merchant.id)
  const { wrong, accepted } = await sendAll(raws, endpoint)
  expect(wrong).toEqual([])
  if (accepted === 0) expect(await rowsOf(okaeri, world.merchant.id)).toEqual(before)
}

const all = everyEndpoint().filter(({ key }) => key !== 'GET /errortest')
const named = (list: typeof all) => list.map((entry) => [entry.key, entry] as const)
const withBody = all.filter(({ endpoint }) => endpoint.bodyKind === 'json' || endpoint.bodyKind === 'form')
const withQuery = all.filter(({ endpoint }) => endpoint.query)
const withParams = all.filter(({ endpoint }) => endpoint.params)

const typeOf = (endpoint: Endpoint): string => (endpoint.bodyKind === 'form' ? FORM_TYPE : JSON_TYPE)
const pathWith = (endpoint: Endpoint, params: Record<string, string> = {}): string =>
  endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
/** Keys as the description declares them. */
function declaredKeys(schema: Endpoint['body']): string[] {
  if (!schema) return []
  const { properties = {}, oneOf = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const parts = [{ properties }, ...oneOf].flatMap((part) => Object.keys(part.properties ?? {}))
  return [...new Set(parts)]
}

const deep = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth)
const LONG = 'x'.repeat(500_000)
/** Texts that break something somewhere. */
const hostileTexts = [
  '',
  ' ',
  'NaN',
  'a\0b',
  '\ud800',
  'a\r\nBcc: victim@example.jp',
  '\u001b[31m\u0007',
  '\u202e\u2066txt.exe',
  '👩‍👩‍👧‍👦é\u0301\u0301',
  "'; drop table customers; --",
  "' or '1'='1",
  '{{ customer | bad }} {% if',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '__proto__',
  'constructor',
  '../../../../etc/passwd',
  '${7*7} #{7*7}',
  '01890000-0000-7000-8000-00000000000g',
  '"quoted @"@example.jp',
  'ｆｕｌｌ＠ｅｘａｍｐｌｅ．ｊｐ',
  'https://user:pw@127.0.0.1:9/%00',
  '9999-12-31T23:59:59-23:00',
  '0000-00-00',
  '2026-02-30',
  '2020-01-01T00:00:00Z',
  'Asia/Nowhere',
  '25:61',
]
const hostileValues: unknown[] = [
  null,
  0,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER + 1,
  -1e308,
  true,
  false,
  [],
  {},
  [null],
  [[[[[[1]]]]]],
  { constructor: { prototype: {} } },
  ...hostileTexts,
]

/** Deeper inside a body the same rules read the same texts: a few of each sort do. */
const hostileInside = hostileValues.filter((value, index) => typeof value !== 'string' || index % 4 === 0)

describe('a body that is no body of the kind', () => {
  test.for(named(withBody))('%s', async ([, { endpoint, feed }]) => {
    const request = await requestOf(feed, world)
    const path = pathWith(endpoint, request.params)
    const good = JSON.stringify(request.body)
    const raw = (what: string, type: string | null, body?: Raw['body']): Raw => ({
      what,
      method: endpoint.method,
      path,
      headers: type === null ? {} : { 'content-type': type },
      ...(body === undefined ? {} : { body }),
    })
    const own = typeOf(endpoint)
    const bodies: [string, Raw['body']][] = [
      ['empty', ''],
      ['cut', '{"name":'],
      ['null', 'null'],
      ['list', '[]'],
      ['text', '"x"'],
      ['number', '1'],
      ['deep lists', deep(10_000, '[', ']')],
      ['deep objects', deep(10_000, '{"a":', '') + 1 + '}'.repeat(10_000)],
      ['deep and cut', deep(100_000, '[', '')],
      ['prototype', '{"__proto__":{"role":"owner"}}'],
      ['constructor', '{"constructor":{"prototype":{"role":"owner"}}}'],
      ['byte order mark', `\ufeff${good}x`],
      ['no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
      ['control characters', '{"a":"\u0000\u0001"}'],
      ['too large', `{"name":"${'x'.repeat(endpoint.bodyLimitBytes)}"}`],
      ['percent', '%=%ff&a[b][c]=1&a=1&a=2&&&'],
      ['many keys', `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":1`).join(',')}}`],
    ]
    // A type is wrong as such; one that fits is tried with each body.
    const others = [
      'text/plain',
      'text/html',
      'application/xml',
      'multipart/form-data; boundary=x',
      'multipart/form-data',
    ]
    await expectClear(
      [
        ...bodies.map(([what, body]) => raw(what, own, body)),
        ...others.map((type) => raw(type, type, good)),
        raw('the other kind', own === FORM_TYPE ? JSON_TYPE : FORM_TYPE, good),
        raw('garbage as type', ';;;/', good),
      ],
      endpoint,
    )
    const { status, json } = await sendRaw(raw('wrong type', 'text/plain', good))
    expect([status, ErrorBody.parse(json).error.reason]).toEqual([415, 'wrong_content_type'])
    const big = await sendRaw(raw('too large', own, 'x'.repeat(endpoint.bodyLimitBytes + 1)))
    expect([big.status, ErrorBody.parse(big.json).error.reason]).toEqual([413, 'body_too_large'])
  })
})

describe('each field replaced by what it is not', () => {
  type Body = Record<string, unknown>
  /** Paths to every value in the body, and to declared fields it does not use. */
  function pathsIn(body: unknown, declared: readonly string[]): string[][] {
    const inside = (value: unknown, at: string[]): string[][] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, child]) => [[...at, key], ...inside(child, [...at, key])])
        : []
    return [...inside(body, []), ...declared.filter((key) => !Object.hasOwn(body as Body, key)).map((key) => [key])]
  }
  function replaced(body: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
    const copy: Body | unknown[] = Array.isArray(body) ? [...body] : { ...(body as Body) }
    Object.assign(copy, { [key]: rest.length > 0 ? replaced((body as Body)[key], rest, value) : value })
    return copy
  }

  test.for(named(withBody))('%s', async ([, { endpoint, feed }]) => {
    const { params, body = {} } = await requestOf(feed, world)
    const isForm = endpoint.bodyKind === 'form'
    const raw = (what: string, changed: unknown): Raw => ({
      what,
      method: endpoint.method,
      path: pathWith(endpoint, params),
      headers: { 'content-type': typeOf(endpoint) },
      body: isForm
        ? new URLSearchParams(
            Object.entries(changed as Body).map(([key, value]): [string, string] => [key, String(value)]),
          ).toString()
        : JSON.stringify(changed),
    })
    for (const path of pathsIn(body, declaredKeys(endpoint.body))) {
      const values = path.length === 1 ? [...hostileValues, LONG] : hostileInside
      await expectClear(
        values.map((value) =>
          raw(`${path.join('.')} = ${JSON.stringify(value).slice(0, 60)}`, replaced(body, path, value)),
        ),
        endpoint,
      )
    }
    if (!isForm) {
      const { status, json } = await sendRaw(raw('an unknown field', { ...(body as Body), zzz: 1 }))
      expect([status, ErrorBody.parse(json).error.fields]).toEqual([400, { zzz: 'unknown_field' }])
    }
  })
})

describe('a query that is none', () => {
  const values = [
    ['', '+', '-1', '0', '1e309', '99999999999999999999999', '1.5', 'NaN', 'null', 'true', '0x10', '%20', '%'],
    ['%00', '%ff', '%ED%A0%80', '%zz', '%0d%0aSet-Cookie:%20a=b', '%F0%9F%98%80', "'%20or%201=1--", '[]', '{}'],
    ['0000-01-01', '0001-01-01', '9999-12-31', '2026-02-30', '+275760-09-13', 'x'.repeat(9000), '%E2%80%AE'],
    ['%25', '_', '\\', '%5C', '2026-05-01T00:00:00Z', '🐟'],
  ].flat()
  test.for(named(withQuery))('%s', async ([, { endpoint, feed }]) => {
    const { params, query = {} } = await requestOf(feed, world)
    const raws = declaredKeys(endpoint.query).flatMap((key) => {
      const rest = Object.entries(query)
        .filter(([name]) => name !== key)
        .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
      const own = encodeURIComponent(JSON.stringify(query[key] ?? 'x'))
      const searches = [
        ...values.map((value) => `${key}=${value}`),
        `${key}=${own}&${key}=${own}`,
        `${key}[]=${own}`,
        `${key}[a]=1`,
        key,
        `__proto__=1&${key}=${own}`,
      ]
      return searches.map((search) => ({
        what: search.slice(0, 60),
        method: endpoint.method,
        path: `${pathWith(endpoint, params)}?${[...rest, search].join('&')}`,
      }))
    })
    await expectClear(raws, endpoint)
  })
})

describe('a path that is none', () => {
  const values = [
    [
      'x',
      '0',
      '-1',
      'null',
      'undefined',
      '%00',
      '%ff',
      '%',
      '%zz',
      '%2e%2e',
      '..%2f..%2fetc%2fpasswd',
      '%0d%0aa:b',
      '%20',
    ],
    ["'%20or%201=1", '%7B01890000-0000-7000-8000-000000000000%7D', '01890000000070008000000000000000', '🐟'],
    [
      'x'.repeat(700),
      'x'.repeat(10_000),
      '01890000-0000-7000-8000-000000000000',
      '__proto__',
      '{id}',
      ';x=1',
      '%E2%80%AE',
    ],
  ].flat()
  test.for(named(withParams))('%s', async ([, { endpoint, feed }]) => {
    const { params = {}, query, body }: Request = await requestOf(feed, world)
    const search = query
      ? `?${new URLSearchParams(Object.entries(query).map(([k, v]): [string, string] => [k, String(v)]))}`
      : ''
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': typeOf(endpoint) }
    const sent = endpoint.bodyKind === 'form' ? '' : JSON.stringify(body)
    await expectClear(
      Object.keys(params).flatMap((name) =>
        values.map((value) => ({
          what: value.slice(0, 60),
          method: endpoint.method,
          path: pathWith(endpoint, { ...params, [name]: value }) + search,
          headers,
          ...(body === undefined ? {} : { body: sent }),
        })),
      ),
      endpoint,
    )
    if (!Object.hasOwn(params, 'id')) return
    const path = pathWith(endpoint, { id: 'not-an-id' }) + search
    const { status, json } = await sendRaw({
      what: '',
      method: endpoint.method,
      path,
      headers,
      ...(body ? { body: sent } : {}),
    })
    expect([status, ErrorBody.parse(json).error.fields?.['id']]).toEqual([400, 'not_an_id'])
  })

  test('addresses of nothing, of any length', async () => {
    const paths = [
      [
        '/%',
        '/%ff',
        '/nope/%00',
        '/nope',
        '//campaigns',
        '/campaigns//',
        '/./campaigns/../nope',
        `/${'x'.repeat(15_000)}`,
      ],
      [
        '/campaigns%2Fx',
        '/campaigns/x/y/z',
        '/.env',
        '/.git/config',
        '/_app/%',
        '/_app/..%2f..%2fpackage.json',
        '/emails/%',
      ],
      ['/openapi.json/x', '/?%', '/api', '/wp-login.php', '/campaigns;jsessionid=1', `/${'a/'.repeat(5000)}`],
    ].flat()
    for (const method of ['GET', 'POST', 'DELETE'])
      await expectClear(
        paths.map((path) => ({ what: `${method} ${path.slice(0, 40)}`, method, path })),
        null,
      )
  })
  test('a slash at the end is no other address', async () => {
    const answer = await sendRaw({ what: '', method: 'GET', path: `/campaigns/${world.ids.sent}/` })
    expect(answer.status).toBe(200)
  })
})

describe('a method the address does not take', () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY']
  const taken = new Map<string, string[]>()
  for (const { endpoint } of everyEndpoint())
    taken.set(endpoint.path, [...(taken.get(endpoint.path) ?? []), endpoint.method])
  test.for([...taken])('%s takes %s alone', async ([path, own]) => {
    const wrong = methods.filter((method) => !own.includes(method))
    const filled = path.replace('{id}', world.ids.draft).replace(/\{\w+\}/g, 'x')
    const before = await rowsOf(okaeri, world.merchant.id)
    for (const method of wrong) {
      const answer = await sendRaw({ what: method, method, path: filled })
      expect([method, whatIsWrong(answer, null)]).toEqual([method, null])
      // `/customers/check` with PUT is a customer of the id `check`; likewise `count` and `views`.
      if (
        answer.status === 400 &&
        /check$|remote$|condition_params$|explain$|count$|views$|preview$|subscribe$/.test(path)
      )
        continue
      expect([method, answer.status, answer.headers.get('allow')?.split(', ').sort()]).toEqual([
        method,
        405,
        expect.arrayContaining([...own].sort()),
      ])
    }
    expect(await rowsOf(okaeri, world.merchant.id)).toEqual(before)
  })
})

test('what is no request of HTTP is told so, in the error form', async () => {
  const { port } = new URL(okaeri.url)
  const speak = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = net.connect(Number(port), '127.0.0.1')
      let heard = ''
      socket.setTimeout(NO_ANSWER_MS, () => reject(new Error(`no answer to ${text.slice(0, 60)}`)))
      socket.on('data', (data) => (heard += data.toString()))
      socket.on('close', () => resolve(heard))
      socket.on('error', reject)
      socket.write(text)
    })
  const host = `Host: 127.0.0.1:${port}\r\n`
  const close = 'Connection: close\r\n'
  const requests = [
    `hello\r\n${host}\r\n`,
    `GET /healthz HTTP/9.9\r\n${host}\r\n`,
    `GET /healthz HTTP/1.1\r\n${host}Bad Header: x\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\n${host}X: ${'x'.repeat(40_000)}\r\n\r\n`,
    `POST /users HTTP/1.1\r\n${host}${close}Content-Type: application/json\r\nContent-Length: -1\r\n\r\n{}`,
    `POST /users HTTP/1.1\r\n${host}${close}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /users HTTP/1.1\r\n${host}${close}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `GET /healthz\x00 HTTP/1.1\r\n${host}\r\n`,
    'GET /healthz HTTP/1.1\r\n\r\n',
    `BREW /healthz HTTP/1.1\r\n${host}\r\n`,
  ]
  for (const request of requests) {
    const heard = await speak(request)
    expect([request.slice(0, 60), heard.split('\r\n')[0]]).toEqual([
      request.slice(0, 60),
      expect.stringMatching(/^HTTP\/1\.1 4\d\d /),
    ])
    // A request without a host is refused by Node itself, without a word.
    if (!request.includes('Host:')) continue
    const body: unknown = JSON.parse(heard.slice(heard.indexOf('\r\n\r\n') + 4))
    expect([request.slice(0, 60), ErrorBody.safeParse(body).success]).toEqual([request.slice(0, 60), true])
  }
})

test('whatever is said to whichever endpoint, the answer is clear', async () => {
  const json = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.object({ maxDepth: 2 }))
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom(...hostileTexts))
  const said = fc.record({
    index: fc.nat(withBody.length - 1),
    place: fc.nat(20),
    value: fc.oneof(json, text),
    whole: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(said, async ({ index, place, value, whole }) => {
      const entry = withBody[index]
      if (!entry) return
      const { endpoint, feed } = entry
      const base = bases.get(entry.key) ?? (await requestOf(feed, world))
      bases.set(entry.key, base)
      const body = (base.body ?? {}) as Record<string, unknown>
      const keys = declaredKeys(endpoint.body)
      const changed = whole ? value : { ...body, [keys[place % Math.max(1, keys.length)] ?? 'x']: value }
      const isForm = endpoint.bodyKind === 'form'
      const sent = isForm ? new URLSearchParams({ a: JSON.stringify(value) ?? '' }).toString() : JSON.stringify(changed)
      const answer = await sendRaw({
        what: '',
        method: endpoint.method,
        path: pathWith(endpoint, base.params),
        headers: { 'content-type': typeOf(endpoint) },
        body: sent ?? '',
      })
      expect([entry.key, whatIsWrong(answer, endpoint)]).toEqual([entry.key, null])
    }),
    { numRuns: 250, interruptAfterTimeLimit: 5000 },
  )
})
const bases = new Map<string, Request>()

describe('each wrong field is named with what is wrong', () => {
  const leaf = (change: object) => ({
    name: 'x',
    conditions: {
      type: 'group',
      id: 'g',
      operator: 'and',
      children: [
        { type: 'condition', id: 'r', category: 'customer', name: 'email', operator: 'equals', value: 'a', ...change },
      ],
    },
  })
  const setting = (change: object) => ({ userSetting: change })
  const email = (change: object) => ({ name: 'n', subject: 's', ...change })
  const cases: [call: string, given: unknown, fields: Record<string, FieldReason>][] = [
    ['POST /users', {}, { email: 'required', password: 'required', site_name: 'required', agreement: 'required' }],
    ['POST /users', undefined, { body: 'required' }],
    ['POST /users', [], { body: 'not_an_object' }],
    [
      'POST /users',
      { email: 'a@', password: 'short', site_name: ' ', agreement: false, language: 'fr', name: 5 },
      {
        email: 'not_an_email',
        password: 'too_short',
        site_name: 'required',
        agreement: 'required',
        language: 'not_allowed',
        name: 'not_a_text',
      },
    ],
    [
      'POST /users',
      { email: 5, password: 5, site_name: [], agreement: true },
      { email: 'not_an_email', password: 'not_a_text', site_name: 'not_a_text' },
    ],
    ['POST /api/auth/login', {}, { email: 'required', password: 'required' }],
    ['POST /api/auth/login', { email: 'a@b.jp', password: '' }, { password: 'required' }],
    ['POST /api/auth/login', { email: 'a@b.jp', password: 'x', remember: 'yes' }, { remember: 'not_a_boolean' }],
    ['POST /customers', {}, { email: 'required' }],
    ['POST /customers', { email: 'a b@c.jp' }, { email: 'not_an_email' }],
    ['POST /customers', { email: '山田@example.jp' }, { email: 'not_an_email' }],
    ['POST /customers', { email: 'a@b.jp', phone: 'call me' }, { phone: 'not_a_phone' }],
    ['POST /customers', { email: 'a@b.jp', tags: 'x' }, { tags: 'not_a_list' }],
    ['POST /customers', { email: 'a@b.jp', tags: ['ok', 5, ''] }, { 'tags.1': 'not_a_text', 'tags.2': 'required' }],
    ['POST /customers', { email: 'a@b.jp', first_name: 'x'.repeat(101) }, { first_name: 'too_long' }],
    ['POST /customers', { email: 'a@b.jp', first_name: 'a\nb' }, { first_name: 'control_characters' }],
    [
      'POST /customers',
      { email: 'a@b.jp', last_name: '\udc00', tags: ['\ud800'] },
      { last_name: 'invalid', 'tags.0': 'invalid' },
    ],
    [
      'POST /customers',
      { email: 'a@b.jp', nick: 1, constructor: 2 },
      Object.fromEntries(['nick', 'constructor'].map((key) => [key, 'unknown_field' as const])),
    ],
    ['POST /emails', { name: '', subject: 'x'.repeat(201) }, { name: 'required', subject: 'too_long' }],
    ['POST /emails', email({ subject: 'a\r\nBcc: v@example.jp' }), { subject: 'control_characters' }],
    ['POST /emails', email({ from_name: 'a\u2028b' }), { from_name: 'control_characters' }],
    ['POST /emails', email({ subject: '\ud800' }), { subject: 'invalid' }],
    ['POST /emails', email({ content: 5 }), { content: 'not_a_text' }],
    ['POST /emails', email({ content: '{% if %}' }), { content: 'template_syntax' }],
    ['POST /emails', email({ from_email: 'shop@gmail.com' }), { from_email: 'public_mail_domain' }],
    ['POST /campaigns', { name: 'n', scheduled_at: 'tomorrow' }, { scheduled_at: 'not_a_date' }],
    ['POST /campaigns', { name: 'n', scheduled_at: '2020-01-01T00:00:00Z' }, { scheduled_at: 'in_past' }],
    ['POST /campaigns', { name: 'n', scheduled_at: '9999-12-31T23:59:59-23:00' }, { scheduled_at: 'not_a_date' }],
    [
      'POST /campaigns',
      { name: 'n', email_id: 'x', customer_segment_id: 5 },
      { email_id: 'not_an_id', customer_segment_id: 'not_an_id' },
    ],
    ['POST /campaigns', { name: 'n', email_id: '01890000-0000-7000-8000-000000000000' }, { email_id: 'not_found' }],
    ['POST /campaigns', { name: 'n', send_type: 'never' }, { send_type: 'not_allowed' }],
    ['POST /campaigns', { name: 'n', send_to_all: 'yes' }, { send_to_all: 'not_a_boolean' }],
    ['POST /campaigns', { name: 'n', tracking_parameters: 5 }, { tracking_parameters: 'not_an_object' }],
    [
      'POST /campaigns',
      { name: 'n', tracking_parameters: { source: 5, content: 'x' } },
      { 'tracking_parameters.source': 'not_a_text', 'tracking_parameters.content': 'unknown_field' },
    ],
    ['PUT /user/me/settings', {}, { userSetting: 'required' }],
    ['PUT /user/me/settings', setting({ timezone: 'Asia/Nowhere' }), { 'userSetting.timezone': 'not_a_timezone' }],
    ['PUT /user/me/settings', setting({ frequency_cap_count: 0 }), { 'userSetting.frequency_cap_count': 'too_small' }],
    ['PUT /user/me/settings', setting({ frequency_cap_days: 91 }), { 'userSetting.frequency_cap_days': 'too_big' }],
    ['PUT /user/me/settings', setting({ attribution_days: 0 }), { 'userSetting.attribution_days': 'too_small' }],
    ['PUT /user/me/settings', setting({ attribution_days: 31 }), { 'userSetting.attribution_days': 'too_big' }],
    ['PUT /user/me/settings', setting({ attribution_days: '5' }), { 'userSetting.attribution_days': 'not_a_number' }],
    [
      'PUT /user/me/settings',
      setting({ test_emails: ['a@b.jp', 'x'] }),
      { 'userSetting.test_emails.1': 'not_an_email' },
    ],
    [
      'PUT /user/me/settings',
      setting({ test_emails: Array(11).fill('a@b.jp') }),
      { 'userSetting.test_emails': 'too_long' },
    ],
    [
      'PUT /user/me/settings',
      setting({ sending_hours: { enabled: 1, start: '25:00', end: '08:00' } }),
      {
        'userSetting.sending_hours.enabled': 'not_a_boolean',
        'userSetting.sending_hours.start': 'invalid',
        'userSetting.sending_hours.exclude_post_purchase': 'required',
      },
    ],
    ['PUT /user/change_password', { current_password: 'x', password: 'short' }, { password: 'too_short' }],
    ['POST /customer_segments', { name: 'x' }, { conditions: 'required' }],
    ['POST /customer_segments', { name: 'x', conditions: {} }, { 'conditions.type': 'required' }],
    ['POST /customer_segments', { name: 'x', conditions: 5 }, { conditions: 'not_allowed' }],
    ['POST /customer_segments', leaf({ operator: 'greater' }), { 'conditions.children.0.operator': 'not_allowed' }],
    ['POST /customer_segments', leaf({ name: 'nope' }), { 'conditions.children.0.name': 'unknown_field' }],
    ['POST /customer_segments', leaf({ value: '' }), { 'conditions.children.0.value': 'required' }],
    ['POST /oauth/token', {}, { grant_type: 'required' }],
    ['POST /oauth/token', { grant_type: 'magic' }, { grant_type: 'not_allowed' }],
    ['POST /oauth/token', { grant_type: 'password' }, { username: 'required', password: 'required' }],
    ['POST /oauth/token-refresh', {}, { refresh_token: 'required' }],
    ['GET /campaigns?limit=0', undefined, { limit: 'too_small' }],
    ['GET /campaigns?limit=201', undefined, { limit: 'too_big' }],
    ['GET /campaigns?limit=many', undefined, { limit: 'not_a_number' }],
    ['GET /campaigns?offset=-1', undefined, { offset: 'too_small' }],
    ['GET /campaigns?offset=99999999999', undefined, { offset: 'too_big' }],
    ['GET /campaigns?status=asleep&sort=colour', undefined, { status: 'not_allowed', sort: 'not_allowed' }],
    ['GET /campaigns?q=a&q=b', undefined, { q: 'not_a_text' }],
    ['GET /customers/check', undefined, { email: 'required' }],
    ['GET /stats/day', undefined, { date: 'required' }],
    ['GET /stats/day?date=2026-02-30', undefined, { date: 'not_a_date' }],
    ['GET /emailhistories?email_id=x', undefined, { email_id: 'not_an_id' }],
  ]
  test.for(cases)('%s %j', async ([call, given, fields]) => {
    const [method = '', path = ''] = call.split(' ')
    const isForm = path.startsWith('/oauth')
    const answer = await sendRaw({
      what: call,
      method,
      path,
      headers: given === undefined ? {} : { 'content-type': isForm ? FORM_TYPE : JSON_TYPE },
      ...(given === undefined
        ? {}
        : { body: isForm ? new URLSearchParams(given as Record<string, string>).toString() : JSON.stringify(given) }),
    })
    expect([answer.status, ErrorBody.parse(answer.json).error.fields]).toEqual([400, fields])
  })
})
