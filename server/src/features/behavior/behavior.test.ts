import { previewConditions } from '@okaeri/contract/segments/routes'
import { changeStorefrontSettings } from '@okaeri/contract/storefront-settings/routes'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { untilWaiting } from '../../../test/locks.ts'
import { aSignedInCustomer, onPage } from '../../../test/signed-proxy.ts'
import { merchant, okaeri, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { changeConsent } from '../consent/index.ts'
import { findStoreCustomers, mergeCustomers } from '../customers/index.ts'
import { productsOfCustomers } from '../product-rules/index.ts'
import { recordViews } from './view.ts'

withSandboxStore({ seed: { customers: 0, products: 5, orders: 0 } })

const DAY = 86_400_000
const VIEWS = '/frontend/views'
const record = (records_behavior: boolean) =>
  merchant.call(changeStorefrontSettings, { body: { storefront_settings: { records_behavior } } })
/** For the store too, which is told of permissions. */
function pass(ms: number): void {
  okaeri.advance(ms)
  sandbox.clock.advance(ms)
}
let products: { id: string; number: number }[]
beforeAll(async () => {
  await okaeri.settleWithStore()
  products = (
    await sql<{ id: string; number: number }>`
      select id, store_product_id::float8 as number from products where merchant_id = ${merchant.id} order by id`.execute(
      okaeri.context.db,
    )
  ).rows
})
beforeEach(() => record(true))

async function aCustomer({ agrees = true } = {}) {
  const { storeCustomerId } = await aSignedInCustomer()
  const page = await onPage(storeCustomerId)
  const id = (await findStoreCustomers(merchant.scope(), [storeCustomerId])).get(storeCustomerId) ?? ''
  const decide = (to: 'granted' | 'withdrawn') =>
    changeConsent(merchant.scope(), { customerId: id, kind: 'marketing', to, source: 'storefront' })
  if (agrees) await decide('granted')
  const look = async (...at: number[]) =>
    (await page('POST', VIEWS, { product_ids: at.map((index) => products[index]?.number ?? index) })).status
  const seen = async () =>
    (
      await sql<{ number: number; views: number }>`
        select store_product_id::float8 as number, views from product_views
        where merchant_id = ${merchant.id} and customer_id = ${id} order by viewed_at, store_product_id`.execute(
        okaeri.context.db,
      )
    ).rows.map(({ number, views }) => [products.findIndex((product) => product.number === number), views])
  return { id, page, decide, look, seen }
}
const viewersOf = async (at: number) => {
  const condition = {
    type: 'condition' as const,
    id: 'c',
    category: 'interests',
    name: 'viewed',
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
  expect(await viewersOf(1)).toEqual([one.id])
  expect(await viewersOf(2)).toEqual([])
  const found = await productsOfCustomers(merchant.scope(), { customerIds: [one.id], wants: ['viewed'] })
  expect(found.get(one.id)?.viewed).toEqual([products[1]?.number, products[0]?.number])
})

test('nothing is kept of who did not agree, of guests, of products that do not exist, or while it is off', async () => {
  const silent = await aCustomer({ agrees: false })
  expect([await silent.look(0), await silent.seen()]).toEqual([204, []])
  const guest = await onPage(null)
  expect((await guest('POST', VIEWS, { product_ids: [products[0]?.number] })).status).toBe(204)
  const one = await aCustomer()
  expect([await one.look(99_999), await one.seen()]).toEqual([204, []])
  await record(false)
  expect([await one.look(0), await one.seen()]).toEqual([204, []])
  for (const product_ids of [[], ['1'], [0], [1.5], Array(21).fill(1), [2 ** 60]])
    expect((await one.page('POST', VIEWS, { product_ids })).status).toBe(400)
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
    await recordViews(scope, one.id, [products[0]?.number ?? 0])
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
