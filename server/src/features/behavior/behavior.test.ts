import { getCustomer, getTimeline } from '@okaeri/contract/customers/routes'
import { previewConditions } from '@okaeri/contract/segments/routes'
import { changeStorefrontSettings } from '@okaeri/contract/storefront-settings/routes'
import { getWidgetSettings } from '@okaeri/contract/visitors/routes'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { SHOP } from '../../../test/sandbox-store.ts'
import { holdRows, untilWaiting } from '../../../test/locks.ts'
import { aSignedInCustomer, onPage } from '../../../test/signed-proxy.ts'
import { merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { changeConsent } from '../consent/index.ts'
import { findStoreCustomers, mergeCustomers } from '../customers/index.ts'
import { newId } from '../../kernel/ids.ts'
import { productsOfCustomers } from '../product-rules/index.ts'
import { createBehaviorQueue, MAX_TOLD_A_DAY, MAX_WAITING_OF_MERCHANT, storeAll, type PageReport } from './recording.ts'

withSandboxStore({ seed: { customers: 0, products: 5, orders: 0 } })

const DAY = 86_400_000
const VIEWS = '/frontend/views'
const record = (records_behavior: boolean, records_carts = false) =>
  merchant.call(changeStorefrontSettings, { body: { storefront_settings: { records_behavior, records_carts } } })
/** For the store too, as permissions are sent to it. */
function pass(ms: number): void {
  okaeri.advance(ms)
  sandbox.clock.advance(ms)
}
let products: { id: string; number: number }[]
beforeAll(async () => {
  await okaeri.settle()
  products = await okaeri.query<{ id: string; number: number }>`
      select id, store_product_id::float8 as number from products where merchant_id = ${merchant.id} order by id`
})
beforeEach(() => record(true))

async function aCustomer({ agrees = true } = {}) {
  const { storeCustomerId } = await aSignedInCustomer()
  const page = await onPage(storeCustomerId)
  const id = (await findStoreCustomers(merchant.scope(), [storeCustomerId])).get(storeCustomerId) ?? ''
  const decide = (to: 'granted' | 'withdrawn') =>
    changeConsent(merchant.scope(), { customerId: id, kind: 'marketing', to, source: 'storefront' })
  if (agrees) await decide('granted')
  const numberOf = (index: number) => products[index]?.number ?? index
  const lookAgo = async (seconds_ago: number, ...at: number[]) =>
    (
      await page('POST', VIEWS, {
        views: at.map((index) => [numberOf(index), seconds_ago]),
        cart: null,
      })
    ).status
  const look = (...at: number[]) => lookAgo(0, ...at)
  /** All that lies in it. */
  const fill = async (...lines: [number, number][]) =>
    (
      await page('POST', VIEWS, {
        views: [],
        cart: lines.map(([index, quantity]) => [numberOf(index), quantity]),
      })
    ).status
  const cart = async () =>
    (
      await okaeri.query<{ number: number; quantity: number }>`
        select store_product_id::float8 as number, quantity from cart_products
        where merchant_id = ${merchant.id} and customer_id = ${id} order by store_product_id`
    ).map(({ number, quantity }) => [products.findIndex((product) => product.number === number), quantity])
  const seen = async () =>
    (
      await okaeri.query<{ number: number; views: number }>`
        select store_product_id::float8 as number, views from product_views
        where merchant_id = ${merchant.id} and customer_id = ${id} order by viewed_at, store_product_id`
    ).map(({ number, views }) => [products.findIndex((product) => product.number === number), views])
  return { id, storeCustomerId, page, decide, look, lookAgo, fill, seen, cart }
}
const pageReport = (customerId: string, index: number, at = okaeri.clock.now()): PageReport => ({
  merchantId: merchant.id,
  customerId,
  views: [{ storeProductId: products[index % products.length]?.number ?? 0, at }],
  cart: null,
  at,
})

const whoHas = async (name: 'viewed' | 'in_cart' | 'cart_seen', at: number) => {
  const condition = {
    type: 'condition' as const,
    id: 'c',
    category: 'interests',
    name,
    operator: 'has',
    value: { products: [products[at]?.id ?? ''], min_amount: null, window: null },
  }
  const { customers } = await merchant.call(previewConditions, {
    body: { conditions: { type: 'group', id: 'g', operator: 'and', children: [condition] } },
  })
  return customers.map(({ id }) => id)
}

test('what a customer looks at is kept once, counted, found by segments and chosen for mails', async () => {
  const one = await aCustomer()
  expect(await one.look(0)).toBe(204)
  pass(60_000)
  await one.look(0)
  pass(11 * 60_000)
  await one.look(0)
  pass(60_000)
  await one.look(1, 1)
  expect(await one.seen()).toEqual([
    [0, 2],
    [1, 1],
  ])
  expect(await whoHas('viewed', 1)).toEqual([one.id])
  expect(await whoHas('viewed', 2)).toEqual([])
  const found = await productsOfCustomers(merchant.scope(), { customerIds: [one.id], wants: ['viewed'] })
  expect(found.get(one.id)?.viewed).toEqual([products[1]?.number, products[0]?.number])
})

test('what was stored while the clock was far ahead holds up nothing once it is set back', async () => {
  await record(true, true)
  const [one, other] = [await aCustomer(), await aCustomer()]
  okaeri.advance(400 * DAY)
  await okaeri.query`update customers set marketing_changed_at = ${okaeri.clock.now()} where id = ${other.id}`
  await one.look(0)
  await one.fill([0, 1], [1, 2])
  okaeri.advance(-400 * DAY)
  await one.look(0)
  await one.fill([1, 3])
  await other.look(2)
  expect([await one.seen(), await one.cart(), await other.seen()]).toEqual([
    [[0, 2]],
    [
      [0, 0],
      [1, 3],
    ],
    [[2, 1]],
  ])
  const rows = await okaeri.query`
    select from product_views where merchant_id = ${merchant.id} and greatest(first_viewed_at, viewed_at) > ${okaeri.clock.now()}
    union all select from cart_products where merchant_id = ${merchant.id} and greatest(first_seen_at, seen_at, changed_at) > ${okaeri.clock.now()}`
  expect(rows).toEqual([])
  for (const { decide } of [one, other]) await decide('withdrawn')
})

test('nothing is kept of who did not agree, of guests, of products that do not exist, or while it is off', async () => {
  const silent = await aCustomer({ agrees: false })
  expect([await silent.look(0), await silent.seen()]).toEqual([204, []])
  const guest = await onPage(null)
  const views = [[products[0]?.number, 0]]
  expect((await guest('POST', VIEWS, { views, cart: [[products[0]?.number, 1]] })).status).toBe(204)
  const one = await aCustomer()
  expect([await one.look(99_999), await one.seen()]).toEqual([204, []])
  await record(false)
  expect([await one.look(0), await one.seen()]).toEqual([204, []])
  const wrong: object[] = [
    {},
    { views: [[1, 0]] },
    { views: [['1', 0]], cart: null },
    { views: [[0, 0]], cart: null },
    { views: [[2 ** 60, 0]], cart: null },
    { views: [[1, 1e9]], cart: null },
    { views: [[1]], cart: null },
    { views: [[1, 0, 0]], cart: null },
    { views: Array(21).fill([1, 0]), cart: null },
    { views: [], cart: Array(51).fill([1, 1]) },
    { views: [], cart: [[1, 0]] },
    { views: [], cart: [[1, 1e9]] },
    { views: [], cart: { 1: 1 } },
  ]
  for (const body of wrong) expect([body, (await one.page('POST', VIEWS, body)).status]).toEqual([body, 400])
})

test('it goes after 90 days, with the permission, when it is switched off, and with the customer', async () => {
  const one = await aCustomer()
  const left = await aCustomer()
  await one.look(0)
  await left.look(0)
  pass(50 * DAY)
  await one.look(1)
  pass(41 * DAY)
  await okaeri.settle()
  expect([await one.seen(), await left.seen()]).toEqual([[[1, 1]], []])
  const other = await aCustomer()
  await other.look(2)
  await other.decide('withdrawn')
  expect(await other.seen()).toEqual([])
  await record(false)
  await okaeri.settle()
  expect(await one.seen()).toEqual([])
})

test('a look in the very moment in which the permission is taken back leaves nothing', async () => {
  const one = await aCustomer()
  let withdrawn: Promise<unknown> = Promise.resolve()
  await merchant.scope().transaction(async (scope) => {
    await storeAll(scope, [{ isBusy: false, report: { ...pageReport(one.id, 0), at: scope.now } }])
    withdrawn = one.decide('withdrawn')
    await untilWaiting(okaeri, { over: withdrawn })
  })
  await withdrawn
  expect(await one.seen()).toEqual([])
})

test('of two customers who became one, both their views count', async () => {
  const [from, into] = [await aCustomer(), await aCustomer()]
  await from.look(0, 1)
  await into.look(1, 2)
  await mergeCustomers(merchant.scope(), { fromId: from.id, intoId: into.id })
  expect([await from.seen(), (await into.seen()).toSorted(([a = 0], [b = 0]) => a - b)]).toEqual([
    [],
    [
      [0, 1],
      [1, 2],
      [2, 1],
    ],
  ])
})

test('a look of before the permission was given is not kept, however late it is sent', async () => {
  const one = await aCustomer()
  await one.lookAgo(3600, 0)
  expect(await one.seen()).toEqual([])
  pass(60_000)
  await one.lookAgo(30, 0)
  expect(await one.seen()).toEqual([[0, 1]])
})

test('what a page held back is kept with the time of the look; sent twice, or late, it counts once', async () => {
  const one = await aCustomer()
  pass(3 * 3_600_000)
  await one.lookAgo(3600, 0)
  await one.lookAgo(3600, 0)
  await one.lookAgo(7200, 0)
  await one.lookAgo(2 * 86_400, 2)
  await one.look(1)
  expect(await one.seen()).toEqual([
    [0, 1],
    [1, 1],
  ])
  const rows = await okaeri.query<{ at: Date }>`
    select viewed_at as at from product_views where merchant_id = ${merchant.id} and customer_id = ${one.id} order by 1`
  const ages = rows.map(({ at }) => Math.round((okaeri.clock.now().getTime() - at.getTime()) / 60_000))
  expect(ages).toEqual([60, 0])
})

test('what lies in the cart is kept where that is on: the whole of it each time, until it is bought', async () => {
  const one = await aCustomer()
  await one.fill([0, 2])
  expect(await one.cart()).toEqual([])
  await record(false, true)
  // Only carts are on.
  await one.look(0)
  expect(await one.seen()).toEqual([])
  // A product in two variants is two lines.
  await one.fill([0, 2], [1, 1], [0, 1], [99_999, 1])
  expect(await one.cart()).toEqual([
    [0, 3],
    [1, 1],
  ])
  pass(60_000)
  await one.fill([1, 4])
  expect(await one.cart()).toEqual([
    [0, 0],
    [1, 4],
  ])
  expect([await whoHas('in_cart', 0), await whoHas('in_cart', 1)]).toEqual([[], [one.id]])
  expect(await whoHas('cart_seen', 0)).toEqual([one.id])
  const { customer, cart } = await merchant.call(getCustomer, { params: { id: one.id } })
  expect([customer.id, cart.map(({ quantity }) => quantity)]).toEqual([one.id, [4]])
  const { data } = await merchant.call(getTimeline, { params: { id: one.id }, query: { part: 'interest' } })
  expect(data.map((entry) => `${entry.kind} ${'quantity' in entry ? entry.quantity : ''}`).sort()).toEqual([
    'cart_seen 0',
    'cart_seen 4',
  ])
  pass(60_000)
  await play('orders.json', { customer_id: one.storeCustomerId, items: [{ product_id: products[2]?.number }] })
  await okaeri.settle()
  expect(await one.cart()).toEqual([
    [0, 0],
    [1, 0],
  ])
  await one.fill([2, 1])
  await one.fill()
  expect((await one.cart()).at(-1)).toEqual([2, 0])
  await one.fill([2, 1])
  await record(false, false)
  await okaeri.settle()
  expect(await one.cart()).toEqual([])
})

test('an earlier setting of the widget turns nothing on', async () => {
  await record(false)
  await okaeri.query`insert into widget_settings (merchant_id, parts, updated_at)
    values (${merchant.id}, '{"views": {"on": true, "selector": "", "where": "after"}}', now())
    on conflict (merchant_id) do update set parts = excluded.parts`
  const { status } = (await (await fetch(`${okaeri.url}/frontend/status?shop=${SHOP}`)).json()) as {
    status: { parts: Record<string, { on: boolean }>; facts: Record<string, unknown> }
  }
  expect([status.parts['views']?.on, status.facts['behavior']]).toEqual([false, { views: false, carts: false }])
  const { widgetSettings } = await merchant.call(getWidgetSettings, {})
  expect(Object.keys(widgetSettings.parts)).not.toContain('views')
})

describe('many at once', () => {
  /** However slow the machine is: how long a page waits has a test of its own. */
  const aPatientQueue = () => createBehaviorQueue(okaeri.context, { storeWithinMs: 600_000 })
  const manyCustomers = async (n: number): Promise<string[]> => {
    const ids = await addCustomers(
      merchant.scope(),
      Array.from({ length: n }, () => ({})),
    )
    await okaeri.query`update customers set marketing_state = 'granted' where merchant_id = ${merchant.id} and id = any(${ids}::uuid[])`
    return ids
  }

  test('two thousand calls that arrive together are a few transactions, and each is stored before it is answered', async () => {
    const ids = await manyCustomers(400)
    const queue = aPatientQueue()
    await Promise.all(
      Array.from({ length: 2000 }, (_, at) => queue.record(pageReport(ids[at % 400] ?? '', Math.floor(at / 400)))),
    )
    const rows = await okaeri.query<{ views: number; transactions: number }>`
      select count(*)::int as views, count(distinct xmin::text)::int as transactions from product_views
      where merchant_id = ${merchant.id} and customer_id = any(${ids}::uuid[])`
    expect(rows[0]?.views).toBe(2000)
    expect(rows[0]?.transactions).toBeLessThanOrEqual(6)
  })

  test('two processes store looks of the same people without a deadlock or a look too many', async () => {
    const ids = await manyCustomers(50)
    const queues = [aPatientQueue(), aPatientQueue()]
    const at = okaeri.clock.now()
    await Promise.all(
      queues.flatMap((queue, turn) =>
        (turn === 0 ? ids : ids.toReversed()).flatMap((id) =>
          [0, 1, 2].map((index) => queue.record(pageReport(id, index, at))),
        ),
      ),
    )
    const rows = await okaeri.query<{ n: number; most: number }>`
      select count(*)::int as n, max(views) as most from product_views
      where merchant_id = ${merchant.id} and customer_id = any(${ids}::uuid[])`
    expect(rows[0]).toEqual({ n: 150, most: 1 })
  })

  test('more than one person looks at in a day is not kept', async () => {
    const [one = ''] = await manyCustomers(1)
    const queue = aPatientQueue()
    // All of it on one day, at whatever hour the test runs.
    const at = new Date(okaeri.clock.now())
    at.setUTCHours(1, 0, 0, 0)
    const seen = async () =>
      (await okaeri.query`select from product_views where merchant_id = ${merchant.id} and customer_id = ${one}`).length
    await Promise.all(
      Array.from({ length: MAX_TOLD_A_DAY - 1 }, (_, call) =>
        queue.record(pageReport(one, 0, new Date(at.getTime() + call * 10_000))),
      ),
    )
    await queue.record(pageReport(one, 1, at))
    expect(await seen()).toBe(2)
    await queue.record(pageReport(one, 2, at))
    expect(await seen()).toBe(2)
  })

  test('of a merchant more than there is room for is refused at once, and what waits is stored', async () => {
    const queue = aPatientQueue()
    const rush = await Promise.allSettled(
      Array.from({ length: MAX_WAITING_OF_MERCHANT + 200 }, (_, each) => queue.record(pageReport(newId(), each))),
    )
    const refused = rush.flatMap((each) => (each.status === 'rejected' ? [each.reason as { code?: string }] : []))
    expect(refused.map(({ code }) => code)).toEqual(Array(200).fill('unavailable'))
  })

  test('a page that would wait too long for the database is asked to come again', async () => {
    const [one = ''] = await manyCustomers(1)
    const held = await holdRows(okaeri, 'select from storefront_settings where merchant_id = $1 for update', [
      merchant.id,
    ])
    const queue = createBehaviorQueue(okaeri.context, { storeWithinMs: 1 })
    await expect(queue.record(pageReport(one, 0))).rejects.toMatchObject({ code: 'unavailable' })
    await held.release()
  })

  test('a permission that is taken back at the same moment leaves nothing behind', async () => {
    const one = await aCustomer()
    const queue = aPatientQueue()
    await Promise.all([
      queue.record(pageReport(one.id, 0)),
      one.decide('withdrawn'),
      queue.record(pageReport(one.id, 1)),
    ])
    await queue.record(pageReport(one.id, 2))
    expect(await one.seen()).toEqual([])
  })
})

test('merged into a customer who took the permission back, no look stays', async () => {
  await record(true, true)
  const from = await aCustomer()
  const into = await aCustomer()
  await from.look(0)
  await from.fill([1, 2])
  expect([await from.seen(), await from.cart()]).toEqual([[[0, 1]], [[1, 2]]])
  // Later than the other agreed: no is what holds.
  pass(60_000)
  await into.decide('withdrawn')
  await mergeCustomers(merchant.scope(), { fromId: from.id, intoId: into.id })
  for (const one of [from, into]) expect([await one.seen(), await one.cart()]).toEqual([[], []])
})
