import { getRestockOutlook } from '@okaeri/contract/restocks/wave-routes'
import type { OpenReturn } from '@okaeri/contract/restocks/waves'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { addRestockScenario } from '../../../test/restock.ts'
import { merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { checkStock } from '../catalog/index.ts'
import { addRestockRequests } from '../restocks/index.ts'
import { restockWork } from './schedule.ts'

withSandboxStore({ seed: { customers: 0, products: 1, orders: 0 } })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
let good: { product: number; variant: number }
const setStock = (available: number) => play('stock.json', { variant_id: good.variant, available })
const isSilent = (silent: boolean) =>
  play('switches.json', { break_calls: { as: 'bad_gateway', times: silent ? 1_000_000 : 0 } })
async function pass(ms: number): Promise<void> {
  sandbox.clock.advance(ms)
  okaeri.advance(ms)
  await okaeri.settle()
}
/** While the store does not answer: the turns of a worker, without other work for which the store is needed. */
async function passInSilence(ms: number): Promise<void> {
  sandbox.clock.advance(ms)
  okaeri.advance(ms)
  const { signal } = new AbortController()
  for (const work of [checkStock, ...restockWork]) while (await work.run(okaeri.context, signal));
}
const open = async (): Promise<OpenReturn | undefined> =>
  (await merchant.call(getRestockOutlook, {})).outlook.open.find(
    ({ store_product_id: id }) => id === String(good.product),
  )
const held = async (): Promise<{ due: Date; since: Date }> => {
  const rows = await okaeri.query<{ due: Date; since: Date }>`
    select due_at as due, unanswered_since as since from stock_returns where merchant_id = ${merchant.id} and ended_at is null`
  if (!rows[0]) throw new Error('nothing is held')
  return rows[0]
}
const pauseMs = async (): Promise<number> => (await held()).due.getTime() - okaeri.clock.now().getTime()
const waves = async (): Promise<number[]> =>
  (
    await okaeri.query<{ told: number }>`
      select w.told from restock_waves w where w.merchant_id = ${merchant.id} order by w.at, w.number`
  ).map(({ told }) => told)

beforeAll(async () => {
  await okaeri.settle()
  const rows = await okaeri.query<{ product: number; variant: number }>`
    select store_product_id as product, store_variant_id as variant from product_variants where merchant_id = ${merchant.id}
    order by store_variant_id limit 1`
  good = rows[0] ?? { product: 0, variant: 0 }
  await addRestockScenario(merchant.scope())
})

/** One more person waits, it comes back, and from then on the store does not answer. */
beforeEach(async () => {
  await isSilent(false)
  await setStock(0)
  await okaeri.settle()
  await pass(20 * MINUTE)
  const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
  await addRestockRequests(merchant.scope(), [
    {
      customerId,
      storeProductId: good.product,
      storeVariantId: good.variant,
      source: 'storefront',
      createdAt: okaeri.clock.now(),
    },
  ])
  await setStock(3)
  await okaeri.settle()
  await isSilent(true)
})

test('a store that does not answer is asked less and less often, and the page says since when', async () => {
  await passInSilence(6 * MINUTE)
  expect(await open()).toMatchObject({ held_by: 'reading', unanswered_since: null })
  const { since } = await held()
  const pauses: number[] = []
  while (okaeri.clock.now().getTime() - since.getTime() < 2 * 24 * HOUR) {
    pauses.push(await pauseMs())
    await passInSilence(pauses.at(-1) ?? 0)
  }
  expect(pauses[0]).toBeLessThanOrEqual(20_000)
  // As long each time as it has not answered so far, up to six hours.
  expect(Math.max(...pauses)).toBeGreaterThan(5 * HOUR)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(6 * HOUR)
  expect(pauses.length).toBeLessThan(25)
  const waiting = await open()
  expect(waiting).toMatchObject({ held_by: 'reading', unanswered_since: since.toISOString() })
  // The question itself is due within minutes, and its answer ends the pause.
  expect(Date.parse(waiting?.due_at ?? '') - okaeri.clock.now().getTime()).toBeLessThanOrEqual(10 * MINUTE)
  expect(await waves()).toEqual([])
  await isSilent(false)
  await pass(10 * MINUTE)
  expect(await waves()).toEqual([1])
  expect(await open()).toBeUndefined()
})

test('a webhook about its stock makes it go on at once, though it had paused for hours', async () => {
  await passInSilence(6 * MINUTE)
  for (let hours = 0; hours < 9; hours += 1) await passInSilence(HOUR)
  // About an hour: the pause began with a question that took some time.
  expect(await pauseMs()).toBeGreaterThan(HOUR / 2)
  const before = (await waves()).length
  await isSilent(false)
  await setStock(2)
  await okaeri.settle()
  expect((await waves()).length).toBe(before + 1)
})
