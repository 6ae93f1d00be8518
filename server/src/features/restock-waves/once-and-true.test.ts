import { beforeEach, expect, test } from 'vitest'
import { addEmail, confirmAddresses } from '../../../test/fixtures.ts'
import { addAwaitedProduct, addRestockScenario, addWaiting, PRODUCT, setStock, VARIANT } from '../../../test/restock.ts'
import { untilWaiting } from '../../../test/locks.ts'
import { dropped, got, withScenarioMail } from '../../../test/scenario-mail.ts'
import { addScenario, flowOf, mailNode, waitNode } from '../../../test/scenarios.ts'
import { addSlowScenario, comesBack, notified, pass, skips, statuses, upTo } from '../../../test/waves.ts'
import { eachWithMerchant, merchant, okaeri } from '../../../test/with-okaeri.ts'
import { mergeCustomers } from '../customers/index.ts'
import { addRestockRequests, mergeRestocks } from '../restocks/index.ts'
import { mergeNotices, settleNotices } from './notice.ts'
import { changeRestockSettings, readRestockSettings } from './settings.ts'

// What could tell one person twice, or something untrue, besides the waves themselves.

const MINUTE = 60_000
withScenarioMail()
eachWithMerchant()
beforeEach(() => addAwaitedProduct(merchant.scope()))

const returns = async (): Promise<number> =>
  (await okaeri.query`select from stock_returns where merchant_id = ${merchant.id}`).length

test('a person who may have been notified is not notified again automatically, neither while the product stays in stock nor when it comes back', async () => {
  await addRestockScenario(merchant.scope())
  await addWaiting(merchant.scope(), 2)
  dropped.add('w000@example.test')
  await comesBack(9)
  dropped.clear()
  expect(notified()).toEqual([1])
  await pass(61, 9)
  await pass(61, 9)
  await pass(30, 9)
  expect(notified()).toEqual([1])
  expect(await statuses()).toEqual(['unknown', 'sent'])
  await pass(60, 0)
  await comesBack(9)
  expect(notified()).toEqual([1])
})

test('whom the scenario keeps out is not tried again each hour while the product stays in stock, but at its next return', async () => {
  await addRestockScenario(merchant.scope())
  await addWaiting(merchant.scope(), 1)
  await okaeri.query`insert into suppressions (merchant_id, id, address_key, reason, created_at)
    values (${merchant.id}, gen_random_uuid(), 'w000@example.test', 'hard_bounce', ${okaeri.clock.now()})`
  await comesBack(9)
  for (let hour = 0; hour < 4; hour += 1) await pass(61, 9)
  expect(await skips()).toEqual({ suppressed: 1 })
  expect(await returns()).toBe(1)
  await pass(60, 0)
  await comesBack(9)
  expect(await skips()).toEqual({ suppressed: 2 })
})

test('who registered in the moment in which the product came back is found within the hour', async () => {
  await addRestockScenario(merchant.scope())
  await setStock(merchant.scope(), 9)
  await addWaiting(merchant.scope(), 1)
  await pass(61, 9)
  await pass(5, 9)
  expect(notified()).toEqual([0])
})

test('two customers who became one between the wave and the message are notified once, and not of a product that is sold out', async () => {
  await addSlowScenario()
  const [kept = '', joined = ''] = await addWaiting(merchant.scope(), 2)
  await comesBack(1)
  await mergeCustomers(merchant.scope(), { fromId: joined, intoId: kept })
  await pass(11, 1)
  expect(notified()).toEqual([0])
  expect(await skips()).toEqual({ cancelled: 1 })
})

test('of two customers who became one the earlier place in line counts', async () => {
  await addRestockScenario(merchant.scope())
  const people = await addWaiting(merchant.scope(), 8)
  await mergeCustomers(merchant.scope(), { fromId: people[0] ?? '', intoId: people[7] ?? '' })
  await comesBack(1)
  expect(notified()).toEqual([1, 2, 3, 4, 7])
})

/** They wait for the product as a whole too. */
const waitForWhole = (customerId: string): Promise<number> =>
  addRestockRequests(merchant.scope(), [
    { customerId, storeProductId: PRODUCT, storeVariantId: 0, source: 'storefront', createdAt: merchant.scope().now },
  ])

test('who waits for a variant and for the product as a whole gets one message, and both are answered', async () => {
  await addRestockScenario(merchant.scope())
  const [both = '', ...others] = await addWaiting(merchant.scope(), 3)
  await waitForWhole(both)
  await comesBack(1)
  for (let hour = 0; hour < 2; hour += 1) await pass(61, 1)
  expect(notified()).toEqual(upTo(1 + others.length))
  expect(await statuses()).toEqual(['sent', 'sent', 'sent', 'sent'])
})

test('the message that answers both leaves while one of the two stands, and not when both were taken back', async () => {
  await addSlowScenario()
  const [first = '', second = ''] = await addWaiting(merchant.scope(), 2)
  await waitForWhole(first)
  await waitForWhole(second)
  await comesBack(1)
  const end = (customerId: string, storeVariantId: number) =>
    okaeri.query`update restock_requests set status = 'deleted' where merchant_id = ${merchant.id}
      and customer_id = ${customerId} and store_variant_id = ${storeVariantId}`
  await end(first, VARIANT)
  await end(second, VARIANT)
  await end(second, 0)
  await pass(11, 1)
  expect(notified()).toEqual([0])
  expect(await skips()).toEqual({ cancelled: 1 })
})

test('a person notified of the product as a whole is notified again when a variant comes back the day after', async () => {
  await addRestockScenario(merchant.scope())
  const other = VARIANT + 1
  await okaeri.query`insert into product_variants (merchant_id, id, store_variant_id, store_product_id, title)
    values (${merchant.id}, gen_random_uuid(), ${other}, ${PRODUCT}, 'M')`
  await setStock(merchant.scope(), 0, other)
  const [both = ''] = await addWaiting(merchant.scope(), 1, { variant: other })
  await waitForWhole(both)
  const passes = async (minutes: number, stock: number, otherStock: number): Promise<void> => {
    okaeri.advance(minutes * MINUTE)
    await setStock(merchant.scope(), otherStock, other)
    await pass(0, stock)
  }
  await passes(0, 1, 0)
  await passes(5, 1, 0)
  expect(notified()).toEqual([0])
  await passes(24 * 60, 1, 2)
  await passes(5, 1, 2)
  expect(notified()).toEqual([0, 0])
})

test('what came of notices is looked at while their customers become one, and neither waits for the other', async () => {
  await addSlowScenario()
  const [intoId = '', fromId = ''] = await addWaiting(merchant.scope(), 2)
  await comesBack(1)
  okaeri.advance(11 * MINUTE)
  await merchant.scope().transaction(async (scope) => {
    await mergeRestocks(scope, { fromId, intoId })
    const settling = merchant.scope().transaction(settleNotices)
    await untilWaiting(okaeri, { over: settling })
    await mergeNotices(scope, { fromId, intoId })
    await settling
  })
  await pass(1, 1)
  expect(notified()).toContain(0)
})

test('while the messages of a wave have not left, no more people are notified than there are places', async () => {
  await addRestockScenario(merchant.scope())
  await addWaiting(merchant.scope(), 20)
  await okaeri.query`insert into channel_pauses (merchant_id, channel, route, until, by_quota)
    values (${merchant.id}, 'email', 'global', ${new Date(okaeri.clock.now().getTime() + 150 * MINUTE)}, true)`
  await comesBack(1)
  for (let wave = 0; wave < 2; wave += 1) await pass(61, 1)
  expect(notified()).toEqual([])
  await pass(61, 1)
  expect(notified()).toEqual(upTo(5))
})

test('a message to the test addresses notifies no one: those people keep waiting', async () => {
  await addSlowScenario()
  await addWaiting(merchant.scope(), 3)
  await comesBack(9)
  await okaeri.query`update merchants set test_mode = true, test_emails = array['staff@shop.test'] where id = ${merchant.id}`
  await confirmAddresses(merchant.scope())
  await pass(11, 9)
  await pass(10, 9)
  expect(new Set(got.flatMap(({ recipients }) => recipients))).toEqual(new Set(['staff@shop.test']))
  expect(new Set(await statuses())).toEqual(new Set(['active']))
  await okaeri.query`update merchants set test_mode = false where id = ${merchant.id}`
  got.length = 0
  for (let hour = 0; hour < 3; hour += 1) await pass(61, 9)
  expect(notified()).toEqual(upTo(3))
})

test('where the answer was kept back because it was sold out, nothing that follows it in the scenario is sent either', async () => {
  const [first, second] = [await addEmail(merchant.scope()), await addEmail(merchant.scope())]
  const steps = [
    waitNode('settles', 'answer', 10, 'minutes'),
    mailNode('answer', first, 'later'),
    waitNode('later', 'reminder', 3, 'hours'),
    mailNode('reminder', second, null),
  ]
  await addScenario(merchant.scope(), flowOf(steps, { trigger: { kind: 'product_restocked' } }))
  await addWaiting(merchant.scope(), 1)
  await okaeri.query`update customers set marketing_state = 'granted' where merchant_id = ${merchant.id}`
  await comesBack(1)
  await pass(8, 0)
  await pass(3, 0)
  expect(notified()).toEqual([])
  await comesBack(1)
  for (let hour = 0; hour < 8; hour += 1) await pass(61, 1)
  expect(notified()).toEqual([0, 0])
})

test('the first two changes of the settings, made at once in two tabs, both count', async () => {
  let other: Promise<unknown> = Promise.resolve()
  await merchant.scope().transaction(async (scope) => {
    await changeRestockSettings(scope, { wave_minutes: 17 })
    other = changeRestockSettings(merchant.scope(), { people_per_unit: 2 })
    await untilWaiting(okaeri, { over: other })
  })
  await other
  expect(await readRestockSettings(merchant.scope())).toMatchObject({ wave_minutes: 17, people_per_unit: 2 })
})
