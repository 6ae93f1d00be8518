import { listEvents } from '@okaeri/contract/scenarios/event'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addFavorite } from '../../../test/favorites.ts'
import { addCustomers } from '../../../test/fixtures.ts'
import { merchant, okaeri, store, withWebhookStores } from '../../../test/with-okaeri.ts'
import { setOnlineStock } from '../catalog/index.ts'
import { addScenario, endNode, flowOf } from '../../../test/scenarios.ts'
import { recordPriceChanges } from './index.ts'

withWebhookStores()

const MINUTE = 60_000
const pass = async (ms: number): Promise<void> => {
  okaeri.advance(ms)
  await okaeri.settle()
}
/** `online`: what of the stock sells online; by default all of it. */
type Variant = { id: number; price: number; stock: number; online?: number }
const tell = async (id: number, ...variants: Variant[]): Promise<void> => {
  okaeri.advance(MINUTE)
  await store.tell('products/update', store.product({ id, variants }))
  await okaeri.settle()
  await setOnlineStock(
    merchant.scope(),
    variants.map(({ id: storeVariantId, stock, online = stock }) => ({ storeVariantId, quantity: online })),
  )
}
const events = async () =>
  (await merchant.call(listEvents, { query: { limit: 200 } })).data.filter(({ kind }) => kind !== 'favorite_added')
const said = async () => (await events()).map(({ kind, customer_id }) => `${kind} ${customer_id}`).sort()

test('customers get an event when the price of a favorite fell or its stock is back, as a whole by its cheapest variant and by all stock', async () => {
  const [one = '', other = '', third = ''] = await addCustomers(merchant.scope(), [{}, {}, {}])
  await tell(9001, { id: 9101, price: 1200, stock: 0 }, { id: 9102, price: 900, stock: 3 })
  await addFavorite(merchant.scope(), { customerId: one }, { storeProductId: 9001, storeVariantId: 9101 })
  await addFavorite(merchant.scope(), { customerId: other }, { storeProductId: 9001 })
  await addFavorite(merchant.scope(), { customerId: third }, { storeProductId: 9001, storeVariantId: 9102 })
  // The cheapest variant still costs 900 and was always in stock.
  await tell(9001, { id: 9101, price: 1000, stock: 5 }, { id: 9102, price: 900, stock: 3 })
  expect(await said()).toEqual([])
  await pass(10 * MINUTE)
  expect(await said()).toEqual([`favorite_back_in_stock ${one}`, `favorite_price_dropped ${one}`])
  await tell(9001, { id: 9101, price: 800, stock: 0 }, { id: 9102, price: 900, stock: 0 })
  await pass(10 * MINUTE)
  await tell(9001, { id: 9101, price: 800, stock: 1 }, { id: 9102, price: 900, stock: 0 })
  await pass(10 * MINUTE)
  expect(await said()).toEqual(
    [
      `favorite_price_dropped ${one}`,
      `favorite_price_dropped ${one}`,
      `favorite_price_dropped ${other}`,
      `favorite_back_in_stock ${one}`,
      `favorite_back_in_stock ${one}`,
      `favorite_back_in_stock ${other}`,
    ].sort(),
  )
})

test('a price that goes down and up again, and stock that flutters, are no event; what lasts is one, also if something changes all the time', async () => {
  const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
  await tell(9001, { id: 9101, price: 1200, stock: 0 })
  await addFavorite(merchant.scope(), { customerId }, { storeProductId: 9001 })
  await tell(9001, { id: 9101, price: 12, stock: 3 })
  await tell(9001, { id: 9101, price: 1200, stock: 0 })
  await pass(11 * MINUTE)
  expect(await said()).toEqual([])
  for (let price = 1100; price > 1050; price -= 1) await tell(9001, { id: 9101, price, stock: 0 })
  expect(await said()).toEqual([])
  for (let price = 1050; price > 1030; price -= 1) await tell(9001, { id: 9101, price, stock: 0 })
  expect(await said()).toEqual([`favorite_price_dropped ${customerId}`])
})

test('what came back at a place that does not sell online is not back in stock; where it sells online, it is', async () => {
  const [one = '', other = ''] = await addCustomers(merchant.scope(), [{}, {}])
  await tell(9001, { id: 9101, price: 1200, stock: 0 }, { id: 9102, price: 900, stock: 0 })
  await addFavorite(merchant.scope(), { customerId: one }, { storeProductId: 9001, storeVariantId: 9101 })
  await addFavorite(merchant.scope(), { customerId: other }, { storeProductId: 9001 })
  await tell(9001, { id: 9101, price: 1200, stock: 7, online: 0 }, { id: 9102, price: 900, stock: 0 })
  await pass(10 * MINUTE)
  expect(await said()).toEqual([])
  await tell(9001, { id: 9101, price: 1200, stock: 7, online: 4 }, { id: 9102, price: 900, stock: 0 })
  await pass(10 * MINUTE)
  expect(await said()).toEqual([`favorite_back_in_stock ${one}`, `favorite_back_in_stock ${other}`].sort())
})

test('of a variant that was nowhere in stock before the store was first asked, the first answer is a return', async () => {
  const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
  const body = (stock: number) => store.product({ id: 9001, variants: [{ id: 9101, price: 1200, stock }] })
  await store.tell('products/update', body(0))
  await okaeri.settle()
  await addFavorite(merchant.scope(), { customerId }, { storeProductId: 9001 })
  okaeri.advance(MINUTE)
  await store.tell('products/update', body(5))
  await okaeri.settle()
  await setOnlineStock(merchant.scope(), [{ storeVariantId: 9101, quantity: 5 }])
  await pass(10 * MINUTE)
  expect(await said()).toEqual([`favorite_back_in_stock ${customerId}`])
})

test('many prices changed at once are one event for a customer, with all of their favorites, the largest fall first', async () => {
  const [customerId = '', other = ''] = await addCustomers(merchant.scope(), [{}, {}])
  for (const id of [1, 2, 3]) {
    await tell(id, { id: id * 10, price: 1000, stock: 1 })
    await addFavorite(merchant.scope(), { customerId }, { storeProductId: id })
  }
  await addFavorite(merchant.scope(), { customerId: other }, { storeProductId: 3 })
  for (const [id, price] of [
    [1, 900],
    [2, 500],
    [3, 1100],
  ] as const)
    await tell(id, { id: id * 10, price, stock: 1 })
  await pass(10 * MINUTE)
  expect(await events()).toMatchObject([
    {
      kind: 'favorite_price_dropped',
      customer_id: customerId,
      subject: {
        store_product_id: 2,
        changes: [
          { store_product_id: 2, store_variant_id: null, before: 1000, after: 500 },
          { store_product_id: 1, store_variant_id: null, before: 1000, after: 900 },
        ],
        lines: [
          { store_product_id: 2, store_variant_id: 20, quantity: 1 },
          { store_product_id: 1, store_variant_id: 10, quantity: 1 },
        ],
      },
    },
  ])
})

test('a scenario starts only when the price fell by as much as it says', async () => {
  const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
  await tell(1, { id: 10, price: 1000, stock: 1 })
  await addFavorite(merchant.scope(), { customerId }, { storeProductId: 1 })
  const falling = (unit: 'percent' | 'amount', least: number) =>
    addScenario(
      merchant.scope(),
      flowOf([endNode('e')], { trigger: { kind: 'favorite_price_dropped', fall: { unit, least } } }),
    )
  const scenarios = [
    await falling('percent', 10),
    await falling('percent', 11),
    await falling('amount', 100),
    await falling('amount', 101),
  ]
  await tell(1, { id: 10, price: 900, stock: 1 })
  await pass(10 * MINUTE)
  const rows = await okaeri.query<{ id: string }>`
    select scenario_id as id from executions where merchant_id = ${merchant.id}`
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([scenarios[0], scenarios[2]]))
  expect(rows).toHaveLength(2)
})

test('a round that a process did not end is done again, and no one gets its event twice', async () => {
  const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
  await tell(1, { id: 10, price: 1000, stock: 1 })
  await addFavorite(merchant.scope(), { customerId }, { storeProductId: 1 })
  await recordPriceChanges(merchant.scope(), {
    changes: [{ storeProductId: 1, storeVariantId: 10, before: 1000, after: 700 }],
  })
  const roundId = '0198b0aa-0000-7000-8000-000000000001'
  const begun = sql`update settling_goods set round_id = ${roundId} where merchant_id = ${merchant.id}`
  await begun.execute(okaeri.context.db)
  const rows = await okaeri.query<{ row: string }>`select to_jsonb(g)::text as row from settling_goods g
    where merchant_id = ${merchant.id}`
  await okaeri.settle()
  expect(await said()).toEqual([`favorite_price_dropped ${customerId}`])
  // As if it had died before the round was deleted.
  await okaeri.query`insert into settling_goods select r.* from jsonb_populate_record(null::settling_goods, ${rows[0]?.row}::jsonb) r`
  await okaeri.settle()
  expect(await said()).toHaveLength(1)
})
