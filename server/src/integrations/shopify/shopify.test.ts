import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isShopDomain, readShopDomain } from '@okaeri/contract/store/shop-domain'
import { buildClientSchema, type IntrospectionQuery, parse, validate } from 'graphql'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Sandbox, SANDBOX_APP, startTestSandbox } from '../../../test/harness.ts'
import { sandboxStore } from '../../../test/sandbox-store.ts'
import * as customerOperations from './customer-operations.ts'
import * as discountOperations from './discount-operations.ts'
import * as metafieldOperations from './metafield-operations.ts'
import * as operations from './operations.ts'
import * as segmentOperations from './segment-operations.ts'
import * as stockOperations from './stock-operations.ts'
import * as syncOperations from './sync-operations.ts'
import { createShopify, storeAddress } from './index.ts'

const REFERENCE = path.join(import.meta.dirname, '../../../../../shared/reference')
const shop = 'okaeri-sandbox.myshopify.com'
const make = (apiSecret: string, sandboxUrl: string | null = null) =>
  createShopify({ apiKey: SANDBOX_APP.apiKey, apiSecret, scopes: ['read_customers', 'read_locales'], sandboxUrl })

afterEach(() => void vi.useRealTimers())

const metafields = metafieldOperations.metafieldsExport([
  { namespace: 'facts', key: 'birth_date' },
  { namespace: 'app--1--x', key: '2-b_C' },
])
const texts = Object.entries({
  ...operations,
  ...discountOperations,
  ...syncOperations,
  ...customerOperations,
  ...segmentOperations,
  ...stockOperations,
  ...metafieldOperations,
  metafields,
  ...Object.fromEntries(
    syncOperations.copiedKinds.flatMap((kind) => [
      [`export of ${kind}`, syncOperations.bulkQuery(kind, null)],
      [`export of changed ${kind}`, syncOperations.bulkQuery(kind, new Date(0))],
      [`ids of ${kind}`, syncOperations.bulkIdQuery(kind)],
      [`changed ${kind}`, syncOperations.CHANGED[kind]],
      ...(kind === 'customers' ? [] : [[`children of ${kind}`, syncOperations.NODE_CHILDREN[kind]]]),
    ]),
  ),
} as Record<string, unknown>).filter(
  (entry): entry is [string, string] => typeof entry[1] === 'string' && /^\s*(query|mutation|\{)/.test(entry[1]),
)
const schemaFile = path.join(REFERENCE, 'shopify/admin_2026-07.json.gz')
describe.skipIf(!fs.existsSync(schemaFile))('the platform’s own schema', () => {
  const answer = fs.existsSync(schemaFile) ? JSON.parse(gunzipSync(fs.readFileSync(schemaFile)).toString()) : null
  const schema = answer ? buildClientSchema(answer.data as IntrospectionQuery, { assumeValid: true }) : null
  test.each(texts)('knows every field of %s', (_name, text) => {
    expect(schema && validate(schema, parse(text)).map(({ message }) => message)).toEqual([])
  })
})

const vectorFile = path.join(REFERENCE, 'vectors/signatures.json')
interface Vectors {
  shopify: {
    oauth_query_hmac: { vectors: { name: string; secret: string; params: Record<string, string>; hmac: string }[] }
    app_proxy_signature: {
      vectors: { name: string; secret: string; query: string; signature: string }[]
      negative: { name: string; secret?: string; query?: string }[]
    }
    webhook_hmac: { vectors: { name: string; secret: string; body: string; hmac_base64: string }[] }
    session_token_jwt: { vectors: { name: string; secret: string; token: string; valid: boolean }[] }
    shop_domain: { valid: string[]; invalid: string[]; sdk_accepts_docs_rejects: string[] }
  }
}
describe.skipIf(!fs.existsSync(vectorFile))('published signatures', () => {
  const { shopify } = (
    fs.existsSync(vectorFile)
      ? JSON.parse(fs.readFileSync(vectorFile, 'utf8'))
      : {
          shopify: {
            oauth_query_hmac: { vectors: [] },
            app_proxy_signature: { vectors: [], negative: [] },
            webhook_hmac: { vectors: [] },
            session_token_jwt: { vectors: [] },
            shop_domain: {},
          },
        }
  ) as Vectors

  test.each(shopify.oauth_query_hmac.vectors)('query $name', async ({ secret, params, hmac }) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Number(params['timestamp']) * 1000 })
    const { isSignedQuery } = make(secret)
    expect(await isSignedQuery(new URLSearchParams({ ...params, hmac }))).toBe(true)
    expect(await isSignedQuery(new URLSearchParams({ ...params, hmac: hmac.replace(/^./, 'g') }))).toBe(false)
    expect(await isSignedQuery(new URLSearchParams({ ...params, hmac, added: '1' }))).toBe(false)
    expect(await isSignedQuery(new URLSearchParams({ ...params, shop: 'evil.myshopify.com', hmac }))).toBe(false)
    expect(await make('another').isSignedQuery(new URLSearchParams({ ...params, hmac }))).toBe(false)
  })
  test.each(shopify.session_token_jwt.vectors)('session token $name', async ({ secret, token, valid }) => {
    const read = (apiKey: string, apiSecret: string) =>
      createShopify({ apiKey, apiSecret, scopes: [], sandboxUrl: null }).readSessionToken(token)
    const claims = await read('test_key', secret)
    if (valid) expect(claims).toMatchObject({ shopDomain: 'test-shop.myshopify.com', subject: '1', id: '4321' })
    else expect(claims).toBeNull()
    expect(await read('another', secret)).toBeNull()
    expect(await read('test_key', 'another')).toBeNull()
  })
  test.each(shopify.app_proxy_signature.vectors)('app proxy $name', async ({ secret, query, signature }) => {
    const at = Number(new URLSearchParams(query).get('timestamp'))
    vi.useFakeTimers({ toFake: ['Date'], now: at * 1000 })
    const isSigned = (text: string, by = secret) => make(by).isSignedProxyQuery(new URLSearchParams(text))
    expect(await isSigned(`${query}&signature=${signature}`)).toBe(true)
    expect(await isSigned(`${query}&signature=${signature}`, 'another')).toBe(false)
    expect(await isSigned(`${query}&signature=${signature.replace(/^./, 'g')}`)).toBe(false)
    expect(await isSigned(`${query}&signature=${signature}&added=1`)).toBe(false)
    expect(await isSigned(`${query}&signature=${signature}&logged_in_customer_id=2`)).toBe(false)
    expect(await isSigned(query)).toBe(false)
    vi.setSystemTime((at + 91) * 1000)
    expect(await isSigned(`${query}&signature=${signature}`)).toBe(false)
  })
  test.each(
    shopify.app_proxy_signature.negative.flatMap(({ query = '', ...vector }) => (query ? [{ query, ...vector }] : [])),
  )('app proxy refuses $name', async ({ secret = '', query }) => {
    const parameters = new URLSearchParams(query)
    vi.useFakeTimers({ toFake: ['Date'], now: Number(parameters.get('timestamp')) * 1000 })
    expect(await make(secret).isSignedProxyQuery(parameters)).toBe(false)
  })
  test.each(shopify.webhook_hmac.vectors)('body $name', ({ secret, body, hmac_base64 }) => {
    const { isSignedBody } = make(secret)
    expect(isSignedBody(Buffer.from(body), hmac_base64)).toBe(true)
    expect(isSignedBody(Buffer.from(`${body} `), hmac_base64)).toBe(false)
    expect(isSignedBody(Buffer.from(body), `${hmac_base64}=`)).toBe(false)
    expect(make('another').isSignedBody(Buffer.from(body), hmac_base64)).toBe(false)
  })
  test('names of stores', () => {
    for (const valid of shopify.shop_domain.valid) expect(readShopDomain(valid), valid).toBe(valid.toLowerCase())
    for (const invalid of [...shopify.shop_domain.invalid, ...shopify.shop_domain.sdk_accepts_docs_rejects])
      expect(isShopDomain(invalid), invalid).toBe(false)
  })
})

describe('signatures of our own making', () => {
  const now = 1_800_000_000
  const sign = (text: string) => createHmac('sha256', 'secret').update(text).digest('hex')
  const signed = (extra = '', timestamp: string | number = now) => {
    const text = `${extra}shop=a.myshopify.com&timestamp=${timestamp}`
    return new URLSearchParams(`${text}&hmac=${sign(text)}`)
  }
  test('a query is good for a minute and a half, before and after', async () => {
    const { isSignedQuery } = make('secret')
    for (const [seconds, good] of [
      [0, true],
      [89, true],
      [-89, true],
      [91, false],
      [-91, false],
    ] as const) {
      vi.useFakeTimers({ toFake: ['Date'], now: (now + seconds) * 1000 })
      expect(await isSignedQuery(signed()), `${seconds} s`).toBe(good)
    }
  })
  test.each(['', 'NaN', 'Infinity', '1800000000.5'])('a timestamp of "%s" is refused', async (timestamp) => {
    vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 })
    expect(await make('secret').isSignedQuery(signed('', timestamp))).toBe(false)
  })
  test('a query without signature, without time, or with a repeated parameter is refused', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 })
    const { isSignedQuery } = make('secret')
    expect(await isSignedQuery(new URLSearchParams(`shop=a.myshopify.com&timestamp=${now}`))).toBe(false)
    expect(await isSignedQuery(new URLSearchParams(`shop=a.myshopify.com&hmac=${sign('shop=a.myshopify.com')}`))).toBe(
      false,
    )
    const repeated = signed()
    repeated.append('shop', 'b.myshopify.com')
    expect(await isSignedQuery(repeated)).toBe(false)
    expect(await isSignedQuery(new URLSearchParams())).toBe(false)
  })
  test('a body that is empty or unsigned is refused', () => {
    const { isSignedBody } = make('secret')
    const ofNothing = createHmac('sha256', 'secret').update('').digest('base64')
    expect(isSignedBody(Buffer.alloc(0), ofNothing)).toBe(false)
    expect(isSignedBody(Buffer.from('{}'), undefined)).toBe(false)
    expect(isSignedBody(Buffer.from('{}'), '')).toBe(false)
  })
})

test('a person may name the store in several ways', () => {
  for (const typed of [
    shop,
    'Okaeri-Sandbox',
    ` ${shop}/ `,
    `https://${shop}/`,
    'admin.shopify.com/store/okaeri-sandbox',
    'http://okaeri-sandbox.myshopify.com/admin/orders?x=1',
    'ｏｋａｅｒｉ－ｓａｎｄｂｏｘ．ｍｙｓｈｏｐｉｆｙ．ｃｏｍ',
  ])
    expect(readShopDomain(typed), typed).toBe(shop)
  for (const typed of [
    '',
    'a b',
    'shop.example.com',
    'x.myshopify.com.evil.example',
    '-a',
    `https://${shop}@evil.example`,
    'あ',
  ])
    expect(readShopDomain(typed), typed).toBeNull()
})

test('a store that exports as much as it does at a time is busy, whatever it calls that', () => {
  const refusal = (code: string | null, message = '') => ({ field: null, message, code })
  expect(operations.isBusy(refusal('LIMIT_REACHED'))).toBe(true)
  expect(operations.isBusy(refusal('OPERATION_IN_PROGRESS'))).toBe(true)
  expect(operations.isBusy(refusal(null, 'A bulk query operation for this app and shop is already in progress.'))).toBe(
    true,
  )
  expect(operations.isBusy(refusal('INVALID', 'syntax'))).toBe(false)
  expect(operations.isBusy(undefined)).toBe(false)
})

test('without a sandbox the addresses are the platform’s', () => {
  expect(storeAddress(`https://${shop}/admin/x?y=1`, null)).toBe(`https://${shop}/admin/x?y=1`)
  expect(storeAddress(`https://${shop}/admin/x?y=1`, 'http://127.0.0.1:1')).toBe(
    `http://127.0.0.1:1/stores/${shop}/admin/x?y=1`,
  )
  expect(new URL(make('s').authorizeUrl(shop, { state: 'n', redirectUri: 'https://a.test/c' })).origin).toBe(
    `https://${shop}`,
  )
})

describe('over the wire', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox.close())

  const client = () => make(SANDBOX_APP.apiSecret, sandbox.url)
  async function grantOf() {
    const platform = client()
    const authorize = new URL(
      platform.authorizeUrl(shop, { state: 'n', redirectUri: 'http://127.0.0.1:9/shopify/callback' }),
    )
    const approved = await fetch(authorize.origin + authorize.pathname, {
      method: 'POST',
      body: authorize.searchParams,
      redirect: 'manual',
    })
    const callback = new URL(approved.headers.get('location') ?? '')
    expect(await platform.isSignedQuery(callback.searchParams)).toBe(true)
    const code = callback.searchParams.get('code') ?? ''
    return { platform, code, grant: await platform.exchangeCode(shop, code) }
  }

  test('a code becomes tokens once, and the tokens are refreshed', async () => {
    const { platform, code, grant } = await grantOf()
    expect(grant).toMatchObject({ shopDomain: shop, refreshToken: expect.any(String), expiresAt: expect.any(Date) })
    await expect(platform.exchangeCode(shop, code)).rejects.toMatchObject({ retryable: false })
    const next = await platform.refresh(shop, grant.refreshToken ?? '')
    expect(next.accessToken).not.toBe(grant.accessToken)
    await expect(platform.refresh(shop, 'shprt_nothing')).rejects.toMatchObject({ detail: 'refused', retryable: false })
    const { shop: info } = await platform.graphql<operations.ShopInfoResult>(next, operations.SHOP_INFO)
    expect(info.myshopifyDomain).toBe(shop)
    const { shopLocales } = await platform.graphql<operations.ShopLocalesResult>(next, operations.SHOP_LOCALES)
    expect(shopLocales.some(({ primary }) => primary)).toBe(true)
    await expect(
      platform.graphql({ shopDomain: shop, accessToken: 'shpat_wrong' }, operations.SHOP_INFO),
    ).rejects.toMatchObject({ detail: 'unauthorized', retryable: false })
  })

  test.each([
    [401, { error: 'invalid_request', error_description: 'This request requires an active refresh_token' }, 'refused'],
    [400, { error: 'invalid_request', error_description: 'This request requires an active refresh_token' }, 'refused'],
    [
      403,
      { error: 'invalid_request', error_description: 'The refresh token of this application is revoked' },
      'refused',
    ],
    [400, { error: 'invalid_grant', error_description: 'The refresh token is invalid' }, 'refused'],
    [401, { error: 'invalid_grant' }, 'refused'],
    [403, { error: 'access_denied' }, 'refused'],
    [401, { error: 'invalid_request' }, 'refused'],
    [401, { error: 'invalid_client', error_description: 'Client authentication failed' }, 'app_credentials'],
    [400, { error: 'invalid_client' }, 'app_credentials'],
    [401, { error: 'invalid_request', error_description: 'The client secret is not valid.' }, 'app_credentials'],
    [400, { error: 'application_cannot_be_found', error_description: 'x' }, 'app_credentials'],
    [402, { errors: 'Unavailable Shop' }, 'frozen'],
    [423, { errors: 'This store is unavailable' }, 'locked'],
    [403, '<html>WAF</html>', 'forbidden'],
    [404, { errors: 'Not Found' }, 'gone'],
    [401, '<html>login</html>', 'HTTP 401'],
    [502, '<html>', 'HTTP 502'],
    [429, { error: 'throttled' }, 'HTTP 429'],
    [200, '{"access_token":"shpa', 'no access token in the answer'],
    [200, '<html>', 'no access token in the answer'],
  ])('a refresh answered with %i %j is recognized by its words', async (status, body, detail) => {
    const realFetch = globalThis.fetch
    globalThis.fetch = async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
    try {
      await expect(client().refresh(shop, 'shprt_x')).rejects.toMatchObject({ service: 'shopify', detail })
    } finally {
      globalThis.fetch = realFetch
    }
  })

  test('while the secret is rotated the former one signs, and tokens are got with either', async () => {
    const { grant } = await grantOf()
    const rotated = createShopify({
      apiKey: SANDBOX_APP.apiKey,
      apiSecret: 'the new one',
      formerSecret: SANDBOX_APP.apiSecret,
      scopes: [],
      sandboxUrl: sandbox.url,
    })
    const next = await rotated.refresh(shop, grant.refreshToken ?? '')
    expect(next.accessToken).not.toBe(grant.accessToken)
    await expect(rotated.refresh(shop, 'shprt_x')).rejects.toMatchObject({ detail: 'refused' })
    const body = Buffer.from('{}')
    const signed = (secret: string) => createHmac('sha256', secret).update(body).digest('base64')
    expect(rotated.isSignedBody(body, signed(SANDBOX_APP.apiSecret))).toBe(true)
    expect(rotated.isSignedBody(body, signed('the new one'))).toBe(true)
    expect(rotated.isSignedBody(body, signed('another'))).toBe(false)
    const query = (secret: string) => {
      const text = `shop=${shop}&timestamp=${Math.floor(Date.now() / 1000)}`
      return new URLSearchParams(`${text}&hmac=${createHmac('sha256', secret).update(text).digest('hex')}`)
    }
    expect(await rotated.isSignedQuery(query(SANDBOX_APP.apiSecret))).toBe(true)
    expect(await rotated.isSignedQuery(query('the new one'))).toBe(true)
    expect(await rotated.isSignedQuery(query('another'))).toBe(false)
    const forgotten = createShopify({ ...SANDBOX_APP, apiSecret: 'wrong', scopes: [], sandboxUrl: sandbox.url })
    await expect(forgotten.refresh(shop, next.refreshToken ?? '')).rejects.toMatchObject({
      detail: 'app_credentials',
      retryable: false,
    })
  })

  test('an answer that does not come in time, or not whole, is a passing failure', async () => {
    const { grant } = await grantOf()
    const play = sandboxStore(() => sandbox, shop)
    const hasty = createShopify({ ...SANDBOX_APP, scopes: [], sandboxUrl: sandbox.url, timeoutMs: 300 })
    for (const as of ['stall', 'cut', 'html', 'gzip', 'reset', 'bad_gateway', 'security']) {
      await play('switches.json', { break_calls: { as, times: 2 } })
      await expect(hasty.graphql(grant, operations.SHOP_INFO), as).rejects.toMatchObject({ retryable: true })
      await expect(hasty.refresh(shop, grant.refreshToken ?? ''), as).rejects.toMatchObject({ retryable: true })
    }
    expect(await client().graphql(grant, operations.SHOP_INFO)).toMatchObject({ shop: { myshopifyDomain: shop } })
  })

  test('a throttled call is repeated, a refused one is not', async () => {
    const { platform, grant } = await grantOf()
    const answers = [
      {
        errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
        extensions: { cost: { requestedQueryCost: 11, throttleStatus: { currentlyAvailable: 1, restoreRate: 1000 } } },
      },
      { data: { shop: { name: 'x' } } },
      { errors: [{ message: 'no', extensions: { code: 'ACCESS_DENIED' } }] },
    ]
    const realFetch = globalThis.fetch
    globalThis.fetch = async () => Response.json(answers.shift())
    try {
      expect(await platform.graphql(grant, operations.SHOP_INFO)).toEqual({ shop: { name: 'x' } })
      await expect(platform.graphql(grant, operations.SHOP_INFO)).rejects.toMatchObject({
        detail: 'ACCESS_DENIED',
        retryable: false,
      })
    } finally {
      globalThis.fetch = realFetch
    }
  })

  test('an answer without end is given up, and its connection closed', async () => {
    const { grant } = await grantOf()
    const part = Buffer.alloc(1024 * 1024, ' ')
    const closed: Promise<unknown>[] = []
    const server = createServer((_, response) => {
      closed.push(once(response, 'close'))
      response.setHeader('content-type', 'application/json')
      const more = (): void => void (response.destroyed || response.write(part, more))
      more()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const sandboxUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const endless = createShopify({ ...SANDBOX_APP, scopes: [], sandboxUrl, timeoutMs: 3_600_000 })
    await expect(endless.graphql(grant, operations.SHOP_INFO)).rejects.toMatchObject({ retryable: true })
    await expect(endless.refresh(shop, 'token')).rejects.toMatchObject({ retryable: true })
    await Promise.all(closed)
    expect(closed).toHaveLength(2)
    server.close()
  })

  test('a platform that does not answer is a passing failure', async () => {
    const platform = make('s', 'http://127.0.0.1:9')
    await expect(platform.exchangeCode(shop, 'c')).rejects.toMatchObject({ retryable: true })
    await expect(platform.graphql({ shopDomain: shop, accessToken: 't' }, operations.SHOP_INFO)).rejects.toMatchObject({
      retryable: true,
    })
    await expect(platform.refresh(shop, 't')).rejects.toMatchObject({ retryable: true })
  })
})
