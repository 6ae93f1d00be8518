import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SANDBOX_APP } from './harness.ts'
import { merchant, okaeri, withSandboxStore } from './with-okaeri.ts'
import { SHOP } from './sandbox-store.ts'
import { someOf, thorough } from './thorough.ts'

// What is signed rightly and says what the store platform never would.

withSandboxStore({ seed: { customers: 1, products: 1, orders: 0 } })

let events = 0
const send = (path: string, topic: string, body: string | Buffer): Promise<Response> =>
  fetch(`${okaeri.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-shopify-hmac-sha256': createHmac('sha256', SANDBOX_APP.apiSecret).update(body).digest('base64'),
      'x-shopify-shop-domain': SHOP,
      'x-shopify-topic': topic,
      'x-shopify-event-id': `bad-${(events += 1)}`,
    },
    body: new Uint8Array(Buffer.from(body)),
  })

const topics = [
  'customers/create',
  'customers/merge',
  'customers_email_marketing_consent/update',
  'customer.tags_added',
  'orders/create',
  'refunds/create',
  'products/update',
  'checkouts/create',
  'carts/update',
]
const ways = [
  ...topics.map((topic) => ['/webhooks/shopify', topic] as const),
  ['/webhooks/customers/redact', 'customers/redact'] as const,
  ['/webhooks/customers/data_request', 'customers/data_request'] as const,
  ['/webhooks/shop/redact', 'shop/redact'] as const,
  ['/shopify/flow', ''] as const,
]
const named = ways.map((way) => [way.join(' ').trim(), way] as const)

/** Keys that are looked at somewhere. */
const keys = [
  'id customer_id customerId order_id token admin_graphql_api_customer_deleted_id admin_graphql_api_customer_kept_id',
  'email email_address created_at updated_at tags line_items variants customer shop_domain shop_id orders_to_redact',
  'shopify_domain action_run_id handle properties email_marketing_consent total_price currency title __proto__ constructor',
].flatMap((some) => some.split(' '))
const LONG = 'x'.repeat(50_000)
const odd = [
  '0',
  '-1',
  '1.5',
  '9007199254740993',
  `1${'0'.repeat(400)}`,
  '1e400',
  'null',
  'true',
  '[]',
  '{}',
  '"\\u0000"',
  '"\\ud800"',
  '"gid://shopify/Customer/9007199254740993"',
  '"gid://shopify/Customer/x"',
  '"2026-02-30T00:00:00Z"',
  `"${LONG}"`,
  `"gid://shopify/Customer/${'9'.repeat(10_000)}"`,
  `[${'{},'.repeat(10_000)}{}]`,
]

describe('a signed body is answered clearly, and delays no one, whatever each of its fields is', () => {
  test.for(named)('%s', async ([, [path, topic]]) => {
    const bodies = [
      '',
      'null',
      '[]',
      '1',
      '{',
      '['.repeat(50_000),
      `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
      ...odd.map((value) => `{${keys.map((key) => `"${key}":${value}`).join(',')}}`.slice(0, 2_000_000)),
      ...odd.map((value) => `{"id":7,"shop_domain":"${SHOP}","shopify_domain":"${SHOP}","customer":{"id":${value}}}`),
      ...odd.map((value) => `{"id":${value},"token":${value},"customerId":${value}}`),
    ]
    const place = ways.findIndex((way) => way[0] === path && way[1] === topic)
    for (const body of someOf(bodies, place)) {
      const { status } = await send(path, topic, body)
      expect([body.slice(0, 120), body.length, status < 500]).toEqual([body.slice(0, 120), body.length, true])
    }
    const { status } = await send(path, topic, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))
    expect(status).toBeLessThan(500)
  })
})

test('whatever JSON a signed body is, it is answered clearly', async () => {
  const value = fc.oneof({ maxDepth: 3 }, fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...odd.slice(0, 15)))
  const body = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 12 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ways), body, async ([path, topic], given) => {
      expect((await send(path, topic, JSON.stringify(given))).status).toBeLessThan(500)
    }),
    { numRuns: thorough ? 60 : 30 },
  )
})

test('what could not be worked in is parked in the end, and a good one behind it is worked in', async () => {
  for (let tries = 0; tries < 10; tries += 1) {
    okaeri.advance(600_000)
    await okaeri.settle()
  }
  await okaeri.settle()
  const rows = await okaeri.query<{ waiting: number }>`
    select count(*) filter (where processed_at is null and parked_at is null)::int as waiting from store_webhooks
    where merchant_id = ${merchant.id}`
  expect(rows).toEqual([{ waiting: 0 }])
})
