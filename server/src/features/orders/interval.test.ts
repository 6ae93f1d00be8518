import { beforeEach, expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { countUsualIntervals, findUsualIntervals, learnIntervals } from './index.ts'

let merchant: TestMerchant
let people: string[] = []
let number = 0
withOkaeri()
beforeEach(async () => {
  merchant = await okaeri.merchant()
  people = await addCustomers(
    merchant.scope(),
    Array.from({ length: 6 }, () => ({})),
  )
})

const DAY_MS = 86_400_000
const TEA = 9001
const daysAgo = (days: number): Date => new Date(okaeri.clock.now().getTime() - days * DAY_MS)

async function buy(
  customerId: string | undefined,
  days: number,
  { product = TEA, cancelled = false }: { product?: number; cancelled?: boolean } = {},
): Promise<void> {
  const id = newId()
  number += 1
  await okaeri.query`
    insert into orders (merchant_id, id, store_order_id, customer_id, name, processed_at, total_amount, current_amount, currency, cancelled_at)
    values (${merchant.id}, ${id}, ${number}, ${customerId}, '#', ${daysAgo(days)}, 1000, 1000, 'JPY', ${cancelled ? daysAgo(days) : null})`
  await okaeri.query`
    insert into order_lines (merchant_id, order_id, position, customer_id, store_product_id, title, quantity, amount, processed_at)
    values (${merchant.id}, ${id}, 0, ${customerId}, ${product}, '茶', 1, 1000, ${daysAgo(days)})`
}
/** All of them buy it on these days. */
async function everyoneBuys(days: readonly number[], given: { product?: number; people?: number } = {}): Promise<void> {
  for (const person of people.slice(0, given.people ?? 5)) for (const day of days) await buy(person, day, given)
}
const intervalOf = async (product = TEA): Promise<number | null> => {
  await learnIntervals(merchant.scope())
  return (await findUsualIntervals(merchant.scope(), [product, 1])).get(product) ?? null
}

test('a product’s usual interval is the median of the days until the same customer buys it again', async () => {
  await everyoneBuys([100, 70, 50])
  await everyoneBuys([180, 120, 60], { product: 9002 })
  // One customer who waits far longer changes nothing.
  await buy(people[5], 700)
  await buy(people[5], 1)
  expect(await intervalOf()).toBe(30)
  expect(await intervalOf(9002)).toBe(60)
  expect(await countUsualIntervals(merchant.scope())).toBe(2)
  expect(await countUsualIntervals((await okaeri.merchant()).scope())).toBe(0)
})

test('ten repeats by five customers are needed', async () => {
  await everyoneBuys([100, 80, 60], { people: 4 })
  await buy(people[4], 50)
  expect(await intervalOf()).toBeNull()
  await buy(people[4], 30)
  // Nine repeats of five people.
  expect(await intervalOf()).toBeNull()
  await buy(people[4], 10)
  expect(await intervalOf()).toBe(20)
})

test('purchases on the same day count as one, and cancelled ones do not count', async () => {
  await everyoneBuys([100, 99.9, 60, 20])
  for (const person of people.slice(0, 5)) await buy(person, 40, { cancelled: true })
  expect(await intervalOf()).toBe(40)
})

test('a product bought again only after more than a year, or only years ago, has no interval', async () => {
  people = await addCustomers(
    merchant.scope(),
    Array.from({ length: 10 }, () => ({})),
  )
  await everyoneBuys([700, 300], { product: 9003, people: 10 })
  await everyoneBuys([900, 850, 800, 760], { product: 9004 })
  expect(await intervalOf(9003)).toBeNull()
  expect(await intervalOf(9004)).toBeNull()
})

test('it is learned again each night: habits change, and end', async () => {
  await everyoneBuys([600, 560, 520])
  await okaeri.settle()
  expect((await findUsualIntervals(merchant.scope(), [TEA])).get(TEA)).toBe(40)
  await everyoneBuys([60, 50, 40, 30, 20, 10])
  okaeri.advance(DAY_MS)
  await okaeri.settle()
  expect((await findUsualIntervals(merchant.scope(), [TEA])).get(TEA)).toBe(10)
  await okaeri.query`update orders set cancelled_at = now() where merchant_id = ${merchant.id}`
  expect((await findUsualIntervals(merchant.scope(), [TEA])).get(TEA)).toBe(10)
  okaeri.advance(DAY_MS)
  await okaeri.settle()
  expect((await findUsualIntervals(merchant.scope(), [TEA])).size).toBe(0)
})
