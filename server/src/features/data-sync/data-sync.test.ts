import { createHmac, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { changeCustomer, createCustomer, getSync, listCustomers, startSync } from '@okaeri/contract/customers/routes'
import { listProducts } from '@okaeri/contract/catalog/routes'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { deliverWebhook } from '../../../test/sandbox-store.ts'
import { connectSandbox, merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { changeConsent, pushConsent } from '../consent/index.ts'
import { findStore } from '../stores/index.ts'

const deliver = (topic: string, body: unknown, headers: Record<string, string | undefined> = {}): Promise<Response> =>
  deliverWebhook(okaeri, typeof body === 'string' ? body : JSON.stringify(body), {
    'x-shopify-topic': topic,
    ...headers,
  })

const syncOf = async () => (await merchant.call(getSync, {})).sync
/** Everything the store has sent is received and processed. */
async function settled(): Promise<void> {
  await okaeri.settle()
  expect(await syncOf()).toMatchObject({ status: 'done', webhooks_waiting: 0 })
}
const find = async (q: string) => (await merchant.call(listCustomers, { query: { q } })).data[0]
const addInStore = async (email: string, more: Record<string, unknown> = {}): Promise<number> => {
  const { customer } = await play<{ customer: { id: number } }>('customers.json', { email, last_name: '高橋', ...more })
  await settled()
  return customer.id
}

withSandboxStore({ connected: false })
beforeAll(async () => {
  expect(await syncOf()).toMatchObject({ status: 'idle', seconds_left: null })
  await expect(merchant.call(startSync, {})).rejects.toMatchObject({ reason: 'store_not_connected' })
  await connectSandbox()
})

test('a connected store is copied completely, and the copy has as many rows as the store', async () => {
  expect((await syncOf()).status).toBe('running')
  await expect(merchant.call(startSync, {})).rejects.toMatchObject({ reason: 'sync_running' })
  await settled()
  const counts =
    await play<Record<'customers' | 'orders' | 'products' | 'collections' | 'checkouts', number>>('counts.json')
  const { steps } = await syncOf()
  expect(steps).toEqual(
    (['products', 'collections', 'customers', 'orders', 'checkouts'] as const).map((kind) => ({
      kind,
      status: 'done',
      exported_count: counts[kind],
      loaded_count: counts[kind],
    })),
  )
  expect((await merchant.call(listCustomers, { query: {} })).total).toBe(counts.customers)
  expect((await merchant.call(listProducts, { query: {} })).total).toBe(counts.products)
  const rows = await okaeri.query<{ orders: number; kept: number; sums: number }>`
    select (select count(*) from orders where merchant_id = ${merchant.id}) as orders,
      (select count(*) from orders where merchant_id = ${merchant.id} and customer_id is not null and cancelled_at is null) as kept,
      (select sum(orders_count) from customers where merchant_id = ${merchant.id}) as sums`
  expect(rows[0]?.orders).toBe(counts.orders)
  expect(Number(rows[0]?.sums)).toBe(rows[0]?.kept)
})

test('consent starts as it is in the store', async () => {
  const rows = await okaeri.query<{ state: string; count: number }>`
    select marketing_state as state, count(*) as count from customers where merchant_id = ${merchant.id} group by 1`
  const granted = rows.find(({ state }) => state === 'granted')?.count ?? 0
  expect(granted).toBeGreaterThan(0)
  const changes = await sql<{ count: number }>`
    select count(*) as count from consent_changes where merchant_id = ${merchant.id} and source = 'sync'`.execute(
    okaeri.context.db,
  )
  expect(changes.rows[0]?.count).toBe(
    rows.filter(({ state }) => state !== 'unknown').reduce((sum, row) => sum + row.count, 0),
  )
})

test('copying again changes nothing, and does not subscribe twice', async () => {
  const before = await sql`select id, store_customer_id, marketing_state, orders_amount from customers
    where merchant_id = ${merchant.id} order by id`.execute(okaeri.context.db)
  await merchant.call(startSync, {})
  await settled()
  await settled()
  const after = await sql`select id, store_customer_id, marketing_state, orders_amount from customers
    where merchant_id = ${merchant.id} order by id`.execute(okaeri.context.db)
  expect(after.rows).toEqual(before.rows)
})

test('a failed export is requested again', async () => {
  await play('switches.json', { fail_next_bulk: true })
  await merchant.call(startSync, {})
  await settled()
  expect((await syncOf()).trouble).toBeNull()
})

describe('data of the store', () => {
  test('an order counts for its customer at once, a refund lowers it, a cancellation removes it', async () => {
    const id = await addInStore('buyer@example.com')
    const { order } = await play<{ order: { id: number; name: string } }>('orders.json', {
      customer_id: id,
      items: [{ quantity: 1 }],
      amount: 3000,
      landing_site: '/?utm_source=okaeri',
    })
    await settled()
    expect(await find('buyer@example.com')).toMatchObject({
      orders_count: 1,
      total_revenue: { amount: 3000, currency: 'JPY' },
    })
    await play(`orders/${order.id}/refund.json`, { amount: 1000 })
    await settled()
    expect(await find('buyer@example.com')).toMatchObject({ orders_count: 1, total_revenue: { amount: 2000 } })
    await play(`orders/${order.id}/cancel.json`, {})
    await settled()
    expect(await find('buyer@example.com')).toMatchObject({
      orders_count: 0,
      total_revenue: { amount: 0 },
      last_order_at: null,
    })
  })

  test('a changed customer keeps consent and tags, which that webhook does not carry', async () => {
    const id = await addInStore('tagged@example.com', { tags: ['VIP'], email_state: 'SUBSCRIBED' })
    expect(await find('tagged@example.com')).toMatchObject({ tags: ['VIP'], accepts_marketing: true })
    await play(`customers/${id}/update.json`, { last_name: '渡辺' })
    await play('tags.json', { customer_id: id, tags: ['VIP', '卸'] })
    await settled()
    expect(await find('tagged@example.com')).toMatchObject({
      name: '渡辺',
      tags: ['VIP', '卸'],
      accepts_marketing: true,
    })
    await play('tags.json', { customer_id: id, tags: ['卸'] })
    await settled()
    expect((await find('tagged@example.com'))?.tags).toEqual(['卸'])
  })

  test('consent changed in the store is taken over and not sent back', async () => {
    const id = await addInStore('leaver@example.com', { email_state: 'SUBSCRIBED' })
    sandbox.clock.advance(2000)
    okaeri.advance(2000)
    await play('consent.json', { customer_id: id, state: 'UNSUBSCRIBED' })
    const before = (await play<{ webhooks: unknown[] }>('webhooks.json?topic=customers_email_marketing_consent/update'))
      .webhooks.length
    await settled()
    expect((await find('leaver@example.com'))?.marketing_state).toBe('withdrawn')
    const after = (await play<{ webhooks: unknown[] }>('webhooks.json?topic=customers_email_marketing_consent/update'))
      .webhooks.length
    expect(after).toBe(before)
  })

  test('consent changed here is sent to the store', async () => {
    const id = await addInStore('stopper@example.com', { email_state: 'SUBSCRIBED' })
    const customer = await find('stopper@example.com')
    sandbox.clock.advance(2000)
    okaeri.advance(2000)
    await changeConsent(merchant.scope(), {
      customerId: customer?.id ?? '',
      kind: 'marketing',
      to: 'withdrawn',
      source: 'one_click',
    })
    await settled()
    const { webhooks } = await play<{
      webhooks: { body: { customer_id: number; email_marketing_consent: { state: string } } }[]
    }>('webhooks.json?topic=customers_email_marketing_consent/update')
    expect(webhooks.find(({ body }) => body.customer_id === id)?.body.email_marketing_consent.state).toBe(
      'unsubscribed',
    )
    expect((await find('stopper@example.com'))?.marketing_state).toBe('withdrawn')
  })

  test('sending consent twice changes the store once, and a later change in the store is taken over', async () => {
    const id = await addInStore('twice@example.com', { email_state: 'SUBSCRIBED' })
    const customerId = (await find('twice@example.com'))?.id ?? ''
    const consentWebhooks = async () =>
      (
        await play<{ webhooks: { body: { customer_id: number } }[] }>(
          'webhooks.json?limit=1000&topic=customers_email_marketing_consent/update',
        )
      ).webhooks.filter(({ body }) => body.customer_id === id).length
    sandbox.clock.advance(2000)
    okaeri.advance(2000)
    const before = await consentWebhooks()
    await changeConsent(merchant.scope(), { customerId, kind: 'marketing', to: 'withdrawn', source: 'member' })
    await pushConsent.run(merchant.scope(), { customerId })
    await pushConsent.run(merchant.scope(), { customerId })
    await settled()
    expect(await consentWebhooks()).toBe(before + 1)
    const longAgo = new Date(okaeri.clock.now().getTime() - 3_600_000)
    await changeConsent(merchant.scope(), {
      customerId,
      kind: 'marketing',
      to: 'granted',
      source: 'subscribe_link',
      occurredAt: longAgo,
    })
    await settled()
    expect((await find('twice@example.com'))?.marketing_state).toBe('withdrawn')
  })

  test('a customer added or changed here is written to the store first, and a refusal changes nothing', async () => {
    const { customer } = await merchant.call(createCustomer, {
      body: { email: 'new@example.com', last_name: '伊藤', first_name: '葵', phone: '090-1111-2222', tags: ['店頭'] },
    })
    expect(customer).toMatchObject({ name: '伊藤 葵', phone: '+819011112222', tags: ['店頭'] })
    expect(customer.store_customer_id).not.toBeNull()
    const changed = await merchant.call(changeCustomer, { params: { id: customer.id }, body: { first_name: '陽葵' } })
    expect(changed.customer.name).toBe('伊藤 陽葵')
    await addInStore('taken@example.com')
    await expect(
      merchant.call(changeCustomer, { params: { id: customer.id }, body: { email: 'taken@example.com' } }),
    ).rejects.toMatchObject({ reason: 'customer_exists' })
    await expect(merchant.call(createCustomer, { body: { email: 'new@example.com' } })).rejects.toMatchObject({
      status: 409,
    })
    await settled()
    expect((await find('new@example.com'))?.id).toBe(customer.id)
  })
})

describe('webhooks', () => {
  const customer = (id: number, changes: Record<string, unknown> = {}) => ({
    id,
    email: `c${id}@example.com`,
    first_name: '翔',
    last_name: '中村',
    created_at: '2026-01-01T00:00:00+09:00',
    updated_at: '2026-01-01T00:00:00+09:00',
    ...changes,
  })

  test('unsigned, wrongly signed and changed bodies are refused, whatever they say', async () => {
    for (const signature of [
      undefined,
      '',
      'AAAA',
      createHmac('sha256', 'another').update('{"id":1}').digest('base64'),
    ]) {
      const response = await deliver('customers/create', '{"id":1}', { 'x-shopify-hmac-sha256': signature })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: { reason: 'store_signature_invalid' } })
    }
    expect((await deliver('customers/create', '')).status).toBe(401)
    expect((await deliver('customers/create', 'not json')).status).toBe(400)
    expect((await deliver('customers/create', '[]')).status).toBe(400)
    expect((await deliver('customers/create', '{}', { 'x-shopify-topic': undefined })).status).toBe(400)
  })

  test.for([
    ['nested twenty thousand deep', `{"id":1,"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    [
      'nested so deep, with half a character within',
      `{"id":1,"a":${'['.repeat(20_000)}"\\ud83d"${']'.repeat(20_000)}}`,
    ],
    ['with a number too small to be kept', '{"id":1,"a":1e-20000}'],
    ['with a number too large to be kept', '{"id":1,"a":1e200000}'],
  ] as const)('a signed body %s is refused', async ([, body]) => {
    expect((await deliver('customers/create', body)).status).toBe(400)
  })

  test('a customer without a number of the platform becomes no customer here', async () => {
    const before = (await merchant.call(listCustomers, { query: {} })).total
    for (const number of ['-5', '0', '1.5', '1e400', '"7"', 'null'])
      await deliver('customers/update', JSON.stringify(customer(7_777_777)).replace('7777777', number))
    await okaeri.settle()
    expect((await merchant.call(listCustomers, { query: {} })).total).toBe(before)
    await okaeri.query`delete from store_webhooks where merchant_id = ${merchant.id} and processed_at is null`
  })

  test('a webhook with a time in the future does not win over later ones', async () => {
    await deliver('customers/update', customer(9100), { 'x-shopify-triggered-at': '9999-12-31T23:59:59Z' })
    await okaeri.settle()
    okaeri.advance(1000)
    await deliver('customers/update', customer(9100, { first_name: '後', updated_at: '2026-03-01T00:00:00Z' }))
    await okaeri.settle()
    expect((await find('c9100@'))?.first_name).toBe('後')
  })

  test('an unknown store is answered with success, so that the platform does not retry for hours', async () => {
    const response = await deliver('customers/create', customer(1), {
      'x-shopify-shop-domain': 'stranger.myshopify.com',
    })
    expect([response.status, await response.json()]).toEqual([200, { stored: false }])
  })

  test('a repetition changes nothing', async () => {
    const event = { 'x-shopify-event-id': randomUUID() }
    expect(await (await deliver('customers/create', customer(9001), event)).json()).toEqual({ stored: true })
    expect(await (await deliver('customers/create', customer(9001), event)).json()).toEqual({ stored: false })
    await okaeri.settle()
    expect((await merchant.call(listCustomers, { query: { q: 'c9001@' } })).total).toBe(1)
  })

  test('a late or out-of-order webhook does not overwrite newer data', async () => {
    const update = (second: number, first_name: string) =>
      deliver('customers/update', customer(9002, { first_name, updated_at: `2026-02-01T00:00:0${second}Z` }), {
        'x-shopify-triggered-at': `2026-02-01T00:00:0${second}.500Z`,
      })
    await update(3, '三')
    await update(2, '二')
    await okaeri.settle()
    expect((await find('c9002@'))?.first_name).toBe('三')
    await update(1, '一')
    await okaeri.settle()
    expect((await find('c9002@'))?.first_name).toBe('三')
  })

  test('a customer the store deleted does not come back through a late webhook', async () => {
    await deliver('customers/create', customer(9003), { 'x-shopify-triggered-at': '2026-02-01T00:00:00Z' })
    await deliver('customers/delete', { id: 9003 }, { 'x-shopify-triggered-at': '2026-02-01T00:00:09Z' })
    await okaeri.settle()
    await deliver('customers/update', customer(9003), { 'x-shopify-triggered-at': '2026-02-01T00:00:05Z' })
    await deliver(
      'customer.tags_added',
      { customerId: 'gid://shopify/Customer/9003', tags: ['x'], occurredAt: '2026-02-01T00:00:04Z' },
      { 'x-shopify-triggered-at': '2026-02-01T00:00:04Z' },
    )
    await okaeri.settle()
    expect(await find('c9003@')).toBeUndefined()
  })

  test('consent that arrives before its customer is kept for them', async () => {
    await deliver('customers_email_marketing_consent/update', {
      customer_id: 9004,
      email_address: 'c9004@example.com',
      email_marketing_consent: { state: 'subscribed', consent_updated_at: '2026-02-01T00:00:00Z' },
    })
    await deliver('customers/create', customer(9004))
    await okaeri.settle()
    expect(await find('c9004@')).toMatchObject({ name: '中村 翔', accepts_marketing: true })
  })

  test('one that cannot be processed is retried, then dead-lettered, and delays no others', async () => {
    const at = '2026-02-01T00:00:00Z'
    const price = { shop_money: { amount: '1', currency_code: 'JPY' } }
    const totals = { total_price_set: price, current_total_price_set: price }
    // More than the column of a line can hold.
    const line_items = [{ title: 'x', quantity: 3_000_000_000, price_set: price }]
    await deliver('orders/create', { id: 77, name: '#77', created_at: at, updated_at: at, ...totals, line_items })
    await deliver('customers/create', customer(9005))
    await okaeri.settle()
    expect(await find('c9005@')).toBeDefined()
    expect((await syncOf()).webhooks_waiting).toBe(1)
    for (let tries = 1; tries < 10; tries += 1) {
      okaeri.advance(600_000)
      await okaeri.settle()
    }
    expect((await syncOf()).webhooks_waiting).toBe(0)
    const rows = await okaeri.query<{ attempts: number; error: string }>`
      select attempts, error from store_webhooks where merchant_id = ${merchant.id} and subject = 'order:77'`
    expect(rows).toMatchObject([{ attempts: 10, error: expect.stringContaining('out of range') }])
  })

  test('one that cannot be read is dead-lettered at once, also for an id beyond 2^53, which rounded would be another object’s', async () => {
    const absurd = '9007199254740993'
    const bodies: [string, string][] = [
      ['customers/create', JSON.stringify(customer(9006)).replace('9006', absurd)],
      ['customers/delete', `{"id":${absurd}}`],
      ['checkouts/delete', `{"id":820982911946154508}`],
      ['products/delete', `{"id":${absurd}${'0'.repeat(300)}}`],
      ['customer.tags_added', `{"customerId":"gid://shopify/Customer/${absurd}","tags":["x"]}`],
      ['orders/create', '{"id":78}'],
    ]
    for (const [topic, body] of bodies) expect([topic, (await deliver(topic, body)).status]).toEqual([topic, 200])
    await okaeri.settle()
    const rows = await okaeri.query<{ topic: string; attempts: number; is_dead: boolean }>`
      select topic, attempts, parked_at is not null as is_dead from store_webhooks
      where merchant_id = ${merchant.id} and (error like 'ZodError%' or error like 'UnusableId%')`
    expect(rows.toSorted((one, other) => one.topic.localeCompare(other.topic))).toEqual(
      bodies
        .map(([topic]) => ({ topic, attempts: 1, is_dead: true }))
        .toSorted((one, other) => one.topic.localeCompare(other.topic)),
    )
    const taken = await okaeri.query`select from customers where store_customer_id >= 9007199254740992`
    expect(taken).toEqual([])
  })

  const samples = path.join(import.meta.dirname, '../../../../../shared/reference/webhooks/payloads')
  test.skipIf(!fs.existsSync(samples))('every documented sample is stored and processed', async () => {
    for (const name of fs.readdirSync(samples)) {
      const topic = name.replace('.json', '').replace('__', '/')
      // Those about personal data name another store, and belong to privacy.
      if (topic === 'index' || topic === 'app/uninstalled' || /redact|data_request/.test(topic)) continue
      const response = await deliver(topic, fs.readFileSync(path.join(samples, name), 'utf8'))
      expect(response.status, topic).toBe(200)
    }
    await okaeri.settle()
    const rows = await okaeri.query<{ topic: string; error: string }>`
      select topic, error from store_webhooks where merchant_id = ${merchant.id} and processed_at is null and parked_at is null`
    expect(rows).toEqual([])
  })
})

test('revoking our access in the store ends the connection', async () => {
  const { sync } = await merchant.call(startSync, {})
  expect(sync.status).toBe('running')
  await play('switches.json', { uninstall: true })
  await okaeri.settle()
  expect((await findStore(merchant.scope()))?.status).toBe('disconnected')
  expect(await syncOf()).toMatchObject({ status: 'failed', error: 'store_not_connected' })
})
