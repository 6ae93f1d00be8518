import net from 'node:net'
import { ErrorBody } from '@okaeri/contract/errors'
import { describe, expect, test } from 'vitest'
import { everyEndpoint, type Request, requestOf } from './every-endpoint.ts'
import {
  asked,
  declaredKeys,
  expectClear,
  named,
  NO_ANSWER_MS,
  pathWith,
  rowsBefore,
  rowsNow,
  sendRaw,
  typeOf,
  whatIsWrong,
  withWorld,
  world,
} from './raw-requests.ts'
import { someOf } from './thorough.ts'
import { okaeri } from './with-okaeri.ts'

withWorld()

const withQuery = asked.filter(({ endpoint }) => endpoint.query)
const withParams = asked.filter(({ endpoint }) => endpoint.params)

describe('a query that is none', () => {
  const values = [
    ['', '+', '-1', '0', '1e309', '99999999999999999999999', '1.5', 'NaN', 'null', 'true', '0x10', '%20', '%'],
    ['%00', '%ff', '%ED%A0%80', '%zz', '%0d%0aSet-Cookie:%20a=b', '%F0%9F%98%80', "'%20or%201=1--", '[]', '{}'],
    ['0000-01-01', '0001-01-01', '9999-12-31', '2026-02-30', '+275760-09-13', 'x'.repeat(9000), '%E2%80%AE'],
    ['%25', '_', '\\', '%5C', '2026-05-01T00:00:00Z', '🐟'],
  ].flat()
  test.for(named(withQuery))('%s', async ([, { endpoint, feed }]) => {
    const { params, query = {} } = await requestOf(feed, world)
    const raws = declaredKeys(endpoint.query).flatMap((key, place) => {
      const rest = Object.entries(query)
        .filter(([name]) => name !== key)
        .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
      const own = encodeURIComponent(JSON.stringify(query[key] ?? 'x'))
      const searches = [
        ...someOf(values, place).map((value) => `${key}=${value}`),
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
      Object.keys(params).flatMap((name, place) =>
        someOf(values, withParams.findIndex((one) => one.endpoint === endpoint) + place).map((value) => ({
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
    expect([status, ErrorBody.parse(json).error.reason]).toEqual([404, 'not_found'])
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
    const before = await rowsBefore()
    for (const method of wrong) {
      const answer = await sendRaw({ what: method, method, path: filled })
      expect([method, whatIsWrong(answer, null)]).toEqual([method, null])
      // `/customers/check` with PUT is a customer of the id `check`; so are `count`, `views` and others.
      if (
        answer.status === 404 &&
        /check$|remote$|condition_params$|explain$|count$|views$|preview$|plain_text$|subscribe$|tag_changes$|export$|presigned$|restocks\/download$|line\/(templates|histories)$/.test(
          path,
        )
      )
        continue
      expect([method, answer.status, answer.headers.get('allow')?.split(', ').sort()]).toEqual([
        method,
        405,
        expect.arrayContaining([...own].sort()),
      ])
    }
    expect(await rowsNow()).toEqual(before)
  })
})

test('what is no request of HTTP gets an error that says so, in the error form', async () => {
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
    expect([request.slice(0, 60), heard.toLowerCase()]).toEqual([
      request.slice(0, 60),
      expect.stringMatching(/x-content-type-options: nosniff[^]*content-security-policy: default-src 'none'/),
    ])
    const body: unknown = JSON.parse(heard.slice(heard.indexOf('\r\n\r\n') + 4))
    expect([request.slice(0, 60), ErrorBody.safeParse(body).success]).toEqual([request.slice(0, 60), true])
  }
})
