import { ErrorBody } from '@okaeri/contract/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Request, requestOf } from './every-endpoint.ts'
import {
  asked,
  declaredKeys,
  expectClear,
  FORM_TYPE,
  JSON_TYPE,
  named,
  pathWith,
  type Raw,
  sendRaw,
  typeOf,
  whatIsWrong,
  withWorld,
  world,
} from './raw-requests.ts'
import { someOf, thorough } from './thorough.ts'

withWorld()

const withBody = asked.filter(({ endpoint }) => endpoint.bodyKind === 'json' || endpoint.bodyKind === 'form')

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
    // One parser reads them for all.
    const place = withBody.findIndex((one) => one.endpoint === endpoint)
    await expectClear(
      [
        ...someOf(bodies, place).map(([what, body]) => raw(what, own, body)),
        ...someOf(others, place).map((type) => raw(type, type, good)),
        raw('the other kind', own === FORM_TYPE ? JSON_TYPE : FORM_TYPE, good),
        raw('garbage as type', ';;;/', good),
      ],
      endpoint,
    )
    const { status, json } = await sendRaw(raw('wrong type', 'text/plain', good))
    expect([status, ErrorBody.parse(json).error.reason]).toEqual([415, 'wrong_content_type'])
    if (own === JSON_TYPE) {
      const nothing = await sendRaw(raw('null', own, 'null'))
      expect([nothing.status, ErrorBody.parse(nothing.json).error.fields]).toEqual([400, { body: 'not_an_object' }])
    }
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
    for (const [place, path] of pathsIn(body, declaredKeys(endpoint.body)).entries()) {
      const values = someOf(path.length === 1 ? [...hostileValues, LONG] : hostileInside, place)
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

/** Its own `unit: 'binary'` makes a table of all letters there are. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 300 })
  .map((letters) => String.fromCodePoint(...letters))

test('whatever is said to whichever endpoint, the answer is clear', async () => {
  const json = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.object({ maxDepth: 2 }))
  const text = fc.oneof(anyText, fc.constantFrom(...hostileTexts))
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
    { numRuns: thorough ? 2000 : 250 },
  )
})
const bases = new Map<string, Request>()
