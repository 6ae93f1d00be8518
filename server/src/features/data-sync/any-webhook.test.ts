import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { deliverWebhook, SHOP } from '../../../test/sandbox-store.ts'
import { connectWebhookStore, type WebhookStore } from '../../../test/webhook-store.ts'
import { merchant, okaeri, withSandboxStore } from '../../../test/with-okaeri.ts'
import { processWebhooks } from './webhooks/webhook-processing.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A store of another merchant, for bodies in the platform's form. */
let store: WebhookStore
withSandboxStore()
beforeAll(async () => {
  store = await connectWebhookStore(okaeri, await okaeri.merchant())
})

/** The platform's documented samples, if they lie beside the repository; otherwise similar bodies. */
const samples = path.join(import.meta.dirname, '../../../../../shared/reference/webhooks/payloads')
function bodies(): [topic: string, body: Record<string, Json>][] {
  if (fs.existsSync(samples))
    return fs.readdirSync(samples).map((file) => {
      const text = fs.readFileSync(path.join(samples, file), 'utf8')
      return [file.replace('.json', '').replace('__', '/'), JSON.parse(text) as Record<string, Json>]
    })
  const person = { id: 71, email: 'taro@example.test' }
  const order = store.order({ id: 72, person })
  const cart = { token: 'c1', items: 2 }
  const made: [string, Record<string, unknown>][] = [
    ['customers/create', store.customer(person)],
    ['customers/update', store.customer(person)],
    ['customers/delete', { id: 71 }],
    ['customers_email_marketing_consent/update', { customer_id: 71, email_marketing_consent: { state: 'subscribed' } }],
    ['customer.tags_added', { customerId: 'gid://shopify/Customer/71', tags: ['VIP'] }],
    [
      'customers/merge',
      {
        admin_graphql_api_customer_kept_id: 'gid://shopify/Customer/71',
        admin_graphql_api_customer_deleted_id: 'gid://shopify/Customer/73',
      },
    ],
    ['orders/create', order],
    ['orders/cancelled', order],
    ['refunds/create', { id: 1, order_id: 72, transactions: [{ kind: 'refund', amount: '100', status: 'success' }] }],
    ['products/update', store.product({ id: 74, variants: [{ id: 75, price: 100, stock: 1 }] })],
    ['collections/update', { id: 76, title: 'c', handle: 'c', updated_at: '2026-01-01T00:00:00Z' }],
    ['carts/create', store.cart(cart)],
    ['checkouts/update', store.checkout({ id: 77, ...cart, person })],
    ['bulk_operations/finish', { admin_graphql_api_id: 'gid://shopify/BulkOperation/1', status: 'completed' }],
    ['customers/redact', { shop_domain: SHOP, customer: { id: 71 }, orders_to_redact: [] }],
    ['inventory_levels/update', { inventory_item_id: 1, available: 0 }],
  ]
  return made.map(([topic, body]) => [topic, JSON.parse(JSON.stringify(body)) as Record<string, Json>])
}

const deep = (levels: number): Json => (levels === 0 ? 'x' : [deep(levels - 1)])
const strange: Json[] = [
  null,
  true,
  -1,
  1.5,
  1e300,
  2 ** 53,
  '',
  'x',
  '\u0000',
  '\ud83d',
  'x'.repeat(20_000),
  '2026-99-99T99:99:99Z',
  'gid://shopify/Customer/99999999999999999999',
  [],
  {},
  [null, [{}]],
  deep(50),
  { __proto__: null, constructor: 'x', toString: 1 },
]

/** The path of every value in a body. */
function places(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries: [string | number, Json][] = Array.isArray(value)
    ? value.slice(0, 1).map((one) => [0, one])
    : Object.entries(value)
  return [path, ...entries.flatMap(([key, inner]) => places(inner, [...path, key]))]
}
function changed(body: Json, [key, ...rest]: (string | number)[], to: Json): Json {
  if (key === undefined) return to
  if (Array.isArray(body)) return body.map((one, index) => (index === key ? changed(one, rest, to) : one))
  return {
    ...(body as { [key: string]: Json }),
    [key]: changed((body as { [key: string]: Json })[key] ?? null, rest, to),
  }
}

/** Values changed in each body, spread over it. */
const PLACES = 25

test('every webhook body, however damaged, is answered, and none is retried forever', async () => {
  const sent: { topic: string; text: string }[] = []
  let turn = 0
  for (const [topic, body] of bodies()) {
    sent.push({ topic, text: JSON.stringify(body) })
    // Each value is replaced in a few ways, which differ between runs.
    const all = places(body)
    const every = Math.ceil(all.length / PLACES)
    for (const place of all.filter((_, index) => index % every === 0)) {
      turn += 1
      const to = strange[turn % strange.length] ?? null
      sent.push({ topic, text: JSON.stringify(changed(body, place, to)) })
    }
  }
  const statuses = new Map<number, number>()
  const answered = async ({ topic, text }: { topic: string; text: string }): Promise<void> => {
    const { status } = await deliverWebhook(okaeri, text, { 'x-shopify-topic': topic })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    expect([200, 400, 401], `${topic} ${text.slice(0, 300)}`).toContain(status)
  }
  for (let at = 0; at < sent.length; at += 50) await Promise.all(sent.slice(at, at + 50).map(answered))
  expect(statuses.get(200)).toBeGreaterThan(sent.length / 2)

  const waiting = async () => {
    const { rows } = await sql<{ topic: string; error: string | null; n: number }>`
      select topic, min(error) as error, count(*)::int as n from store_webhooks
      where merchant_id = ${merchant.id} and processed_at is null and parked_at is null group by topic`.execute(
      okaeri.context.db,
    )
    return rows
  }
  // Webhooks of one subject are processed one after another; each is tried at most ten times.
  for (let rounds = 0; rounds < 1000 && (await waiting()).length > 0; rounds += 1) {
    while (await processWebhooks(merchant.scope(), new AbortController().signal));
    okaeri.advance(600_000)
  }
  expect(await waiting()).toEqual([])
  const { rows: kept } = await sql<{ topic: string }>`
    select distinct topic from store_webhooks where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
  for (const { topic } of kept) expect(topic).not.toMatch(/redact|data_request|segments|purchasing_summary/)
})
