import { createHmac } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { listFavorites } from '@okaeri/contract/favorites/routes'
import { changeWidgetSettings, type FrontendStatus, getWidgetSettings } from '@okaeri/contract/visitors/routes'
import type { WidgetSettingsChange } from '@okaeri/contract/visitors/widget'
import type { FastifyRequest } from 'fastify'
import { beforeEach, describe, expect, test } from 'vitest'
import { addFavorite } from '../../../test/favorites.ts'
import { SANDBOX_APP } from '../../../test/harness.ts'
import { SHOP } from '../../../test/sandbox-store.ts'
import { connectSandbox, EMPTY, merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { randomToken } from '../../kernel/keyring.ts'
import { findStoreCustomers, removeStoreCustomer } from '../customers/index.ts'
import { guestOf } from '../guests/index.ts'
import { disconnectStore } from '../stores/index.ts'
import { visitorOf } from './visitor.ts'

withSandboxStore({ seed: EMPTY })

/** The pages of the sandbox's stores all have this one. */
const origin = () => new URL(sandbox.url).origin
let number = 0
async function aStoreCustomer(): Promise<number> {
  const email = `visitor-${(number += 1)}@example.jp`
  return (await play<{ customer: { id: number } }>('customers.json', { shownname: '花子', email })).customer.id
}

interface Signed {
  shop?: string
  customer?: number | null
  ageSeconds?: number
  secret?: string
  more?: [string, string][]
}
/** Signed as the app proxy signs. */
function signedQuery({ shop = SHOP, customer = null, ageSeconds = 0, secret, more = [] }: Signed): string {
  const query = new URLSearchParams([
    ...more,
    ['shop', shop],
    ['logged_in_customer_id', String(customer ?? '')],
    ['path_prefix', '/apps/okaeri'],
    ['timestamp', String(Math.floor(Date.now() / 1000) - ageSeconds)],
  ])
  const text = [...new Set(query.keys())]
    .toSorted()
    .map((key) => `${key}=${query.getAll(key).join(',')}`)
    .join('')
  query.append(
    'signature',
    createHmac('sha256', secret ?? SANDBOX_APP.apiSecret)
      .update(text)
      .digest('hex'),
  )
  return query.toString()
}

async function ask(pathAndQuery: string, init: RequestInit = {}) {
  const response = await fetch(`${okaeri.url}${pathAndQuery}`, init)
  const text = await response.text()
  const json = text === '' ? null : (JSON.parse(text) as Record<string, Record<string, unknown>>)
  return { status: response.status, headers: response.headers, json, reason: json?.['error']?.['reason'] ?? null }
}
const connect = (signed: Signed = {}) => ask(`/shopify/proxy/connect?${signedQuery(signed)}`)
const pageTokenOf = async (signed: Signed = {}): Promise<string> =>
  String((await connect(signed)).json?.['connection']?.['page_token'])
const convert = (pageToken: string, body: object = {}, headers: Record<string, string> = { origin: origin() }) =>
  ask(`/frontend/convert_token/?shop=${SHOP}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${pageToken}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const guestsNow = async () => (await okaeri.query`select from guests where merchant_id = ${merchant.id}`).length

describe('who is on a page', () => {
  test('the app proxy says it: a guest’s page token becomes the guest’s short token, and nothing is written for them', async () => {
    const before = await guestsNow()
    const connected = await connect()
    expect(connected.json?.['connection']).toMatchObject({ is_signed_in: false, expires_in: 1800 })
    expect(await guestsNow()).toBe(before)
    const pageToken = String(connected.json?.['connection']?.['page_token'])
    expect((await convert(pageToken)).json).toMatchObject({ error: { fields: { guest_id: 'required' } } })
    const guest_id = randomToken(16)
    const { status, json } = await convert(pageToken, { guest_id })
    expect([status, json?.['token']]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'Bearer', expires_in: 600, is_signed_in: false },
    ])
    for (let times = 0; times < 5; times += 1) await convert(pageToken, { guest_id: randomToken(16) })
    expect(await guestsNow()).toBe(before)
  })

  test('an unknown customer is fetched from the store; one the store does not know is refused', async () => {
    const customer = await aStoreCustomer()
    const { status, json } = await ask(`/shopify/proxy/token?${signedQuery({ customer })}`)
    expect([status, json?.['token']?.['is_signed_in']]).toEqual([200, true])
    expect((await findStoreCustomers(merchant.scope(), [customer])).size).toBe(1)
    expect((await ask(`/shopify/proxy/token?${signedQuery({ customer: 99 })}`)).status).toBe(404)
    expect((await ask(`/shopify/proxy/token?${signedQuery({})}`)).reason).toBe('customer_not_signed_in')
  })

  test('what a guest left is the customer’s as soon as a page on which they are signed in trades in the guest’s id', async () => {
    const guest_id = randomToken(16)
    await convert(await pageTokenOf(), { guest_id })
    const guest = await guestOf(merchant.scope(), { token: guest_id })
    await addFavorite(merchant.scope(), { guestId: guest.guestId }, { storeProductId: 4711 })
    const customer = await aStoreCustomer()
    const pageToken = await pageTokenOf({ customer })
    const answers = await Promise.all([convert(pageToken, { guest_id }), convert(pageToken, { guest_id })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    // Signed out again, the browser is the same guest.
    expect(await guestOf(merchant.scope(), { token: guest_id })).toEqual(guest)
    const customer_id = (await findStoreCustomers(merchant.scope(), [customer])).get(customer) ?? ''
    const { data } = await merchant.call(listFavorites, { query: { customer_id } })
    expect(data.map(({ store_product_id }) => store_product_id)).toEqual(['4711'])
  })

  test('an id that does not have the form of a generated one is refused', async () => {
    const pageToken = await pageTokenOf()
    for (const guest_id of ['', 'short', 'x'.repeat(65), 'with space and more than 22', 5, null, ['a'], {}])
      expect([guest_id, (await convert(pageToken, { guest_id })).status]).toEqual([guest_id, 400])
    expect((await convert(pageToken, { guest_id: randomToken(16), customer_id: newId() })).status).toBe(400)
  })
})

describe('a query that the app proxy did not sign so', () => {
  const both = ['connect', 'token']
  const customer = 71
  test.for([
    ['without a signature', (query: string) => query.replace(/&signature=.*/, '')],
    ['with a signature of nothing', (query: string) => query.replace(/signature=.*/, 'signature=')],
    ['with two signatures', (query: string) => `${query}&signature=00`],
    [
      'signed for another customer',
      (query: string) => query.replace('logged_in_customer_id=71', 'logged_in_customer_id=72'),
    ],
    ['with a second customer', (query: string) => `logged_in_customer_id=72&${query}`],
    ['with a second customer at the end', (query: string) => `${query}&logged_in_customer_id=72`],
    ['with a second shop', (query: string) => `shop=evil.myshopify.com&${query}`],
    ['for another shop', (query: string) => query.replace(/shop=[^&]+/, 'shop=evil.myshopify.com')],
    ['with more than was signed', (query: string) => `${query}&origin=https://evil.example`],
    [
      'with a later time',
      (query: string) => query.replace(/timestamp=(\d+)/, (_, at) => `timestamp=${Number(at) + 1}`),
    ],
    ['without a time', (query: string) => query.replace(/timestamp=\d+&/, '')],
    ['with a customer that is no number', (query: string) => query.replace('=71', '=71e3')],
  ] as const)('%s is refused', async ([, change]) => {
    for (const one of both) {
      const answer = await ask(`/shopify/proxy/${one}?${change(signedQuery({ customer }))}`)
      expect([one, answer.status, answer.reason]).toEqual([one, 401, 'store_signature_invalid'])
    }
  })

  test('nor is one of another app, or one that is replayed after 90 seconds or dated ahead', async () => {
    for (const signed of [{ secret: 'another' }, { ageSeconds: 95 }, { ageSeconds: 86_400 }, { ageSeconds: -600 }])
      expect((await connect({ customer, ...signed })).reason).toBe('store_signature_invalid')
    expect((await connect({ customer, ageSeconds: 60 })).status).toBe(200)
  })

  test('the order of the parameters is the platform’s business, and repeated ones of the page are signed as they came', async () => {
    const query = new URLSearchParams(
      signedQuery({
        customer,
        more: [
          ['extra', '2'],
          ['extra', '1'],
        ],
      }),
    )
    const reordered = new URLSearchParams([...query].toReversed().filter(([name]) => name !== 'extra'))
    for (const value of ['2', '1']) reordered.append('extra', value)
    expect((await ask(`/shopify/proxy/connect?${reordered}`)).status).toBe(200)
    expect(
      (await ask(`/shopify/proxy/connect?${reordered.toString().replace('extra=2&extra=1', 'extra=1&extra=2')}`))
        .status,
    ).toBe(401)
  })

  test('a store that is not connected has no visitors here', async () => {
    expect((await connect({ shop: 'nobody.myshopify.com' })).reason).toBe('store_not_connected')
  })

  test('a page names an origin of its shop, or none', async () => {
    expect((await connect({ more: [['origin', origin()]] })).status).toBe(200)
    for (const other of ['https://evil.example', 'null', `${origin()}/`, `${origin()}.evil.example`])
      expect((await connect({ more: [['origin', other]] })).reason).toBe('origin_not_allowed')
  })
})

describe('a token', () => {
  let pageToken = ''
  beforeEach(async () => {
    pageToken = await pageTokenOf()
  })
  const guest_id = randomToken(16)

  test('is good at the origin it was made for, and at no other', async () => {
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }] as Record<string, string>[])
      expect((await convert(pageToken, { guest_id }, headers)).reason).toBe('origin_not_allowed')
  })

  test('of one kind is none of the other, and what was changed is none', async () => {
    const { json } = await convert(pageToken, { guest_id })
    const short = String(json?.['token']?.['access_token'])
    expect((await convert(short, { guest_id })).reason).toBe('token_invalid')
    for (const changed of [
      `${pageToken}A`,
      pageToken.slice(2),
      pageToken.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      'x'.repeat(5000),
      '.',
    ])
      expect((await convert(changed, { guest_id })).reason).toBe('token_invalid')
    expect((await ask('/frontend/convert_token/', { method: 'POST' })).reason).toBe('sign_in_required')
  })

  test('is over with its time, and does not come back when a clock is set back', async () => {
    const { clock } = okaeri
    const late = clock.realNow
    try {
      clock.realNow = () => new Date(late.call(clock).getTime() + 1_801_000)
      expect((await convert(pageToken, { guest_id })).reason).toBe('token_invalid')
      clock.realNow = () => new Date(late.call(clock).getTime() - 3_600_000)
      expect((await convert(pageToken, { guest_id })).reason).toBe('token_invalid')
    } finally {
      clock.realNow = late
    }
  })

  test('of a shop that is connected no longer, or belongs to another merchant now, opens nothing', async () => {
    await disconnectStore(merchant.scope())
    expect((await convert(pageToken, { guest_id })).reason).toBe('store_not_connected')
    await connectSandbox()
    expect((await convert(pageToken, { guest_id })).status).toBe(200)
    const { keyring } = okaeri.context
    const claims = JSON.parse(keyring.openToken('page of a shop', pageToken) ?? '{}') as object
    const ofAnother = keyring.sealToken('page of a shop', JSON.stringify({ ...claims, merchantId: newId() }))
    expect((await convert(ofAnother, { guest_id })).reason).toBe('store_not_connected')
  })

  const vectorFile = path.join(import.meta.dirname, '../../../../../shared/reference/vectors/signatures.json')
  test.skipIf(!fs.existsSync(vectorFile))('is nothing that the store’s admin hands out', async () => {
    const { shopify } = JSON.parse(fs.readFileSync(vectorFile, 'utf8')) as {
      shopify: { session_token_jwt: { vectors: { token: string }[] }; multipass: { vectors: { token: string }[] } }
    }
    for (const { token } of [...shopify.session_token_jwt.vectors, ...shopify.multipass.vectors])
      expect((await convert(token, { guest_id })).reason).toBe('token_invalid')
  })
})

describe('other origins', () => {
  const preflight = (address: string, from: string) =>
    ask(address, {
      method: 'OPTIONS',
      headers: {
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })

  test('are allowed for the shop’s own pages, errors included, and for no others', async () => {
    const own = await preflight(`/frontend/convert_token/?shop=${SHOP}`, origin())
    expect(own.status).toBe(204)
    expect(own.headers.get('access-control-allow-origin')).toBe(origin())
    expect(own.headers.get('access-control-allow-headers')).toContain('authorization')
    expect(own.headers.get('access-control-allow-credentials')).toBeNull()
    const refused = await convert('nonsense')
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin()])
    for (const [address, from] of [
      [`/frontend/convert_token/?shop=${SHOP}`, 'https://evil.example'],
      [`/frontend/convert_token/?shop=${SHOP}`, 'null'],
      ['/frontend/convert_token/?shop=nobody.myshopify.com', origin()],
      ['/frontend/convert_token/', origin()],
      [`/frontend/anything?shop=${SHOP}&shop=${SHOP}`, 'https://evil.example'],
    ] as const)
      expect([address, (await preflight(address, from)).headers.get('access-control-allow-origin')]).toEqual([
        address,
        null,
      ])
    for (const address of [`/customers?shop=${SHOP}`, `/user/me/settings?shop=${SHOP}`])
      expect((await preflight(address, origin())).headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('what the merchant decides', () => {
  const change = (widgetSettings: WidgetSettingsChange) =>
    merchant.call(changeWidgetSettings, { body: { widgetSettings } })
  const status = async (): Promise<FrontendStatus> =>
    (await ask(`/frontend/status?shop=${SHOP}`)).json?.['status'] as unknown as FrontendStatus

  test('is what the script gets at once; what one member changed, another’s save leaves alone', async () => {
    await Promise.all([
      change({ parts: { heart: { on: false, selector: '', where: 'after' } }, colors: { accent: '#0a7d5a' } }),
      change({ texts: { heart_add: { ja: '好き', en: '' } } }),
      change({ parts: { restock: { on: true, selector: '.product-form > button', where: 'before' } } }),
    ])
    const { parts, texts, colors } = await status()
    expect(parts.heart).toEqual({ on: false, place: null })
    expect(parts.restock).toEqual({ on: true, place: { selector: '.product-form > button', where: 'before' } })
    expect(texts).toEqual({ heart_add: { ja: '好き', en: '' } })
    expect(colors).toEqual({ accent: '#0a7d5a' })
    const { widgetSettings, install } = await merchant.call(getWidgetSettings, {})
    expect(Object.keys(widgetSettings.parts)).not.toContain('views')
    expect(install.script_tag).toContain(`/assets/js/okaeri.js?shop=${SHOP}`)
    await change({ parts: { heart: { on: true, selector: '', where: 'after' } }, colors: { accent: '' } })
    expect((await status()).colors).toEqual({})
  })

  test('is refused at its field where a page could not show it, and then nothing of it is kept', async () => {
    const before = await merchant.call(getWidgetSettings, {})
    const wrong: [WidgetSettingsChange, Record<string, string>][] = [
      [{ colors: { accent: 'red;}*{display:none' } }, { 'widgetSettings.colors.accent': 'invalid' }],
      [{ texts: { heart_add: { ja: 'あ'.repeat(81), en: '' } } }, { 'widgetSettings.texts.heart_add.ja': 'too_long' }],
      [
        { parts: { heart: { on: false, selector: 'a\u0007b', where: 'after' } } },
        { 'widgetSettings.parts.heart.selector': 'control_characters' },
      ],
    ]
    for (const [given, fields] of wrong) await expect(change(given)).rejects.toMatchObject({ fields })
    expect(await merchant.call(getWidgetSettings, {})).toEqual(before)
  })
})

describe('the script', () => {
  const get = (address: string, headers: Record<string, string> = {}) => fetch(`${okaeri.url}${address}`, { headers })

  test('is one small file that names its parts by their version, and is not sent twice', async () => {
    const loader = await get('/assets/js/okaeri.js')
    expect([loader.status, loader.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(loader.headers.get('cache-control')).toBe('public, max-age=300, stale-while-revalidate=86400')
    const again = await get('/assets/js/okaeri.js', { 'if-none-match': loader.headers.get('etag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const version = /parts\/([\w-]{16})\//.exec(await loader.text())?.[1] ?? ''
    const part = await get(`/assets/js/parts/${version}/kit.js`)
    expect(part.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(part.headers.get('access-control-allow-origin')).toBe('*')
    const former = await get('/assets/js/parts/of-last-week/kit.js')
    expect([former.status, former.headers.get('cache-control')]).toEqual([200, 'public, max-age=60'])
  })

  test('is nothing else than what was built', async () => {
    for (const address of ['/assets/js/other.js', '/assets/js/parts/x/loader.js', '/assets/js/parts/x/..%2fkit.js'])
      expect([address, (await get(address)).status]).toEqual([address, 404])
  })
})

describe('what the script gets', () => {
  const status = (shop: string, headers: Record<string, string> = { origin: origin() }) =>
    ask(`/frontend/status?shop=${encodeURIComponent(shop)}`, { headers })

  test('is the same for everyone, cached, and not sent twice', async () => {
    const first = await status(SHOP)
    expect(first.headers.get('access-control-allow-origin')).toBe(origin())
    expect(first.headers.get('cache-control')).toBe('public, max-age=60')
    expect(first.headers.get('vary')).toBe('origin')
    const shown = first.json?.['status'] as unknown as FrontendStatus
    expect([shown.on, shown.parts.heart.on, shown.parts.views.on]).toEqual([true, true, false])
    const again = await status(SHOP.toUpperCase(), { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, null])
  })

  test('of a shop that is not connected is that all is off; what is no shop gets the same', async () => {
    for (const shop of ['nobody.myshopify.com', 'evil.example', "' or 1=1", 'x'.repeat(200)])
      expect([shop, (await status(shop)).json?.['status']?.['on']]).toEqual([shop, false])
    expect((await ask('/frontend/status')).status).toBe(400)
    await disconnectStore(merchant.scope())
    expect((await status(SHOP)).json?.['status']?.['on']).toBe(false)
    await connectSandbox()
    expect((await status(SHOP)).json?.['status']?.['on']).toBe(true)
  })
})

test('a caller who asks for tokens without end is asked to wait, and the others are not', async () => {
  const pageToken = await pageTokenOf()
  const guest_id = randomToken(16)
  const statuses: number[] = []
  for (let asked = 0; asked < 62; asked += 1) statuses.push((await convert(pageToken, { guest_id })).status)
  expect(statuses.filter((one) => one === 429)).toHaveLength(2)
  expect((await convert(pageToken, { guest_id: randomToken(16) })).status).toBe(200)
})

describe('a request with a short token', () => {
  const requestOf = (token: unknown, from = origin()) =>
    ({
      headers: { authorization: `Bearer ${String(token)}`, origin: from },
      routeOptions: { config: {} },
    }) as FastifyRequest
  const customerToken = async (customer: number): Promise<unknown> =>
    (await ask(`/shopify/proxy/token?${signedQuery({ customer })}`)).json?.['token']?.['access_token']

  test('is the customer’s, at the origin alone, until the customer is gone', async () => {
    const customer = await aStoreCustomer()
    const token = await customerToken(customer)
    const customerId = (await findStoreCustomers(merchant.scope(), [customer])).get(customer) ?? ''
    expect(await visitorOf(okaeri.context, requestOf(token))).toMatchObject({
      shopDomain: SHOP,
      holder: { customerId },
      storeCustomerId: customer,
      isSignedIn: true,
      scope: { merchantId: merchant.id },
    })
    await expect(visitorOf(okaeri.context, requestOf(token, 'https://evil.example'))).rejects.toMatchObject({
      reason: 'origin_not_allowed',
    })
    await removeStoreCustomer(merchant.scope(), customer)
    const { clock } = okaeri
    const realNow = clock.realNow
    try {
      clock.realNow = () => new Date(realNow.call(clock).getTime() + 31_000)
      await expect(visitorOf(okaeri.context, requestOf(token))).rejects.toMatchObject({ reason: 'token_invalid' })
    } finally {
      clock.realNow = realNow
    }
  })

  test('is refused when one visitor makes more of them than a person can', async () => {
    const guest_id = randomToken(16)
    const token = (await convert(await pageTokenOf(), { guest_id })).json?.['token']?.['access_token']
    let made = 0
    const makeAll = async (): Promise<void> => {
      for (; made < 400; made += 1) await visitorOf(okaeri.context, requestOf(token))
    }
    await expect(makeAll()).rejects.toMatchObject({ reason: 'rate_limited' })
    expect(made).toBe(270)
    expect(await visitorOf(okaeri.context, requestOf(await customerToken(await aStoreCustomer())))).toBeDefined()
  })
})
