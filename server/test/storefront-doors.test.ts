import { createHmac } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { ErrorBody } from '@okaeri/contract/errors'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { everyEndpoint, isForVisitors, makeWorld, requestOf, send, type World } from './every-endpoint.ts'
import { okaeri, withOkaeri } from './with-okaeri.ts'

// What may call the storefront's endpoints from outside, at each of them: queries of the app proxy, and tokens.

/** As in the published examples. */
const SECRET = 'hush'
const SHOP = 'shop-name.myshopify.com'
withOkaeri({ env: { SHOPIFY_API_SECRET: SECRET, SHOPIFY_API_KEY: 'test_key' } })
afterEach(() => vi.useRealTimers())

const proxied = everyEndpoint().filter(({ endpoint: { path: at }, feed: { status } }) =>
  /^\/(shopify\/proxy|frontend\/line)\//.test(at) ? status === 401 : false,
)
const names = (list: typeof proxied) => list.map((entry) => [entry.key, entry] as const)

type Pairs = [name: string, value: string][]
const nowSeconds = () => Math.floor(Date.now() / 1000)
const signature = (pairs: Pairs, secret = SECRET): string => {
  const keys = [...new Set(pairs.map(([name]) => name))].toSorted()
  const text = keys.map((key) => `${key}=${pairs.flatMap(([name, value]) => (name === key ? [value] : [])).join(',')}`)
  return createHmac('sha256', secret).update(text.join('')).digest('hex')
}
const plain = (more: Pairs = [], ageSeconds = 0): Pairs => [
  ...more,
  ['shop', SHOP],
  ['logged_in_customer_id', '1'],
  ['path_prefix', '/apps/okaeri'],
  ['timestamp', String(nowSeconds() - ageSeconds)],
]
const signed = (pairs: Pairs, secret?: string): Pairs => [...pairs, ['signature', signature(pairs, secret)]]
const without = (pairs: Pairs, gone: string): Pairs => pairs.filter(([name]) => name !== gone)
const changed = (pairs: Pairs, which: string, value: string): Pairs =>
  pairs.map(([name, was]) => [name, name === which ? value : was])

/** Neither of what these endpoints are fed needs anything that is there. */
const fedWith = ({ feed }: (typeof proxied)[number]): { query: Pairs; body: unknown } => ({
  query: Object.entries((feed.query?.(undefined as never) ?? {}) as Record<string, string>),
  body: feed.body?.(undefined as never),
})
async function ask({ endpoint }: (typeof proxied)[number], pairs: Pairs | string, body: unknown) {
  const query = typeof pairs === 'string' ? pairs : new URLSearchParams(pairs).toString()
  const response = await fetch(`${okaeri.url}${endpoint.path}?${query}`, {
    method: endpoint.method,
    redirect: 'manual',
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const { error } = ErrorBody.parse(await response.json())
  return [response.status, error.reason]
}
/** The signature was accepted; the shop of the examples is connected to no merchant here. */
const BELIEVED = [403, 'store_not_connected']
const REFUSED = [401, 'store_signature_invalid']

test('the app proxy leads to some of them', () => {
  expect(proxied.length).toBeGreaterThanOrEqual(10)
})

describe('through the app proxy', () => {
  test.for(names(proxied))('%s believes what the platform signed, in whatever order it came', async ([, door]) => {
    const { query, body } = fedWith(door)
    const good = signed(plain(query))
    for (const order of [good, good.toReversed()]) expect(await ask(door, order, body)).toEqual(BELIEVED)
  })

  test.for(names(proxied))(
    '%s refuses what is forged, altered, doubled, without a time, or replayed',
    async ([, door]) => {
      const { query, body } = fedWith(door)
      const pairs = plain(query)
      const good = signed(pairs)
      const bad: [string, Pairs][] = [
        ['unsigned', pairs],
        ['by another app', signed(pairs, 'another')],
        ['empty signature', [...pairs, ['signature', '']]],
        ['another customer', changed(good, 'logged_in_customer_id', '2')],
        ['no customer', changed(good, 'logged_in_customer_id', '')],
        ['without the customer', without(good, 'logged_in_customer_id')],
        ['another shop', changed(good, 'shop', 'evil.myshopify.com')],
        ['more than was signed', [...good, ['added', '1']]],
        ['a second customer first', [['logged_in_customer_id', '2'], ...good]],
        ['a second customer last', [...good, ['logged_in_customer_id', '2']]],
        ['the same customer twice', [...good, ['logged_in_customer_id', '1']]],
        ['two customers, signed', signed([['logged_in_customer_id', '2'], ...pairs])],
        ['two shops, signed', signed([['shop', 'evil.myshopify.com'], ...pairs])],
        ['two times, signed', signed([...pairs, ['timestamp', String(nowSeconds())]])],
        ['two signatures', [...good, ['signature', good.at(-1)?.[1] ?? '']]],
        ['no time, signed', signed(without(pairs, 'timestamp'))],
        ['a time that is none, signed', signed(changed(pairs, 'timestamp', 'NaN'))],
        ['half a second, signed', signed(changed(pairs, 'timestamp', `${nowSeconds()}.5`))],
        ['of two minutes ago', signed(plain(query, 120))],
        ['of tomorrow', signed(plain(query, -86_400))],
      ]
      for (const [what, given] of bad) expect([what, ...(await ask(door, given, body))]).toEqual([what, ...REFUSED])
    },
  )
})

interface Vectors {
  shopify: {
    app_proxy_signature: {
      vectors: { name: string; secret: string; query: string; signature: string }[]
      negative: { name: string; query?: string }[]
    }
    session_token_jwt: { vectors: { name: string; token: string }[] }
    multipass: { vectors: { token: string }[] }
  }
}
const file = path.join(import.meta.dirname, '../../../shared/reference/vectors/signatures.json')
const isThere = fs.existsSync(file)
const vectors = (): Vectors['shopify'] => (JSON.parse(fs.readFileSync(file, 'utf8')) as Vectors).shopify

describe.skipIf(!isThere)('the published examples', () => {
  test.for(names(proxied))(
    'of proxy queries at %s: right ones are believed in their time, wrong ones never',
    async ([, door]) => {
      const { body, query: needed } = fedWith(door)
      // What the endpoint needs besides would have to be signed with them.
      if (needed.length > 0) return
      const { vectors: good, negative } = vectors().app_proxy_signature
      for (const { name, secret, query, signature: mark } of good) {
        const at = Number(new URLSearchParams(query).get('timestamp')) * 1000
        vi.useFakeTimers({ toFake: ['Date'], now: at })
        const expected = secret === SECRET ? BELIEVED : REFUSED
        expect([name, ...(await ask(door, `${query}&signature=${mark}`, body))]).toEqual([name, ...expected])
        vi.setSystemTime(at + 91_000)
        expect([name, ...(await ask(door, `${query}&signature=${mark}`, body))]).toEqual([name, ...REFUSED])
        vi.useRealTimers()
      }
      for (const { name, query } of negative)
        if (query) expect([name, ...(await ask(door, query, body))]).toEqual([name, ...REFUSED])
    },
  )

  describe('of tokens that the platform gives others', () => {
    let world: World
    beforeAll(async () => {
      world = await makeWorld(okaeri, await okaeri.merchant())
    })
    const forVisitors = everyEndpoint().filter(({ endpoint }) => isForVisitors(endpoint))
    test.for(names(forVisitors))('open nothing at %s', async ([, { endpoint, feed }]) => {
      const request = await requestOf(feed, world)
      const { session_token_jwt: jwt, multipass } = vectors()
      for (const { token } of [...jwt.vectors, ...multipass.vectors]) {
        const { status, json } = await send(okaeri, endpoint, request, token)
        expect([status, ErrorBody.parse(json).error.reason]).toEqual([401, 'token_invalid'])
      }
    })
  })
})
