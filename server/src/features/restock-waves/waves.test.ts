import { deleteRestock, listRestocks } from '@okaeri/contract/restocks/routes'
import { continueRestocks } from '@okaeri/contract/restocks/wave-routes'
import { beforeEach, expect, test } from 'vitest'
import { addCustomers, setSendingHours } from '../../../test/fixtures.ts'
import {
  addAwaitedProduct,
  addRestockScenario,
  addWaiting,
  buy,
  PRODUCT,
  setStock,
  VARIANT,
} from '../../../test/restock.ts'
import { withScenarioMail } from '../../../test/scenario-mail.ts'
import { addSlowScenario, comesBack, notified, pass, skips, statuses, upTo } from '../../../test/waves.ts'
import { eachWithMerchant, merchant, okaeri } from '../../../test/with-okaeri.ts'
import { changeConsent, suppress } from '../consent/index.ts'
import { updateScenario } from '../flows/queries.ts'
import { setOnlineStock } from '../catalog/index.ts'
import { addRestockRequests } from '../restocks/index.ts'
import { changeRestockSettings } from './settings.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
withScenarioMail()
eachWithMerchant()
beforeEach(() => addAwaitedProduct(merchant.scope()))

const returns = async () =>
  await okaeri.query<{ held_by: string | null; ended_as: string | null }>`
      select held_by, ended_as from stock_returns where merchant_id = ${merchant.id} order by began_at`

test('people are notified in the order of registration, five for each piece, wave by wave, and only those to whom it was sent count as notified', async () => {
  await addRestockScenario(merchant.scope())
  await addWaiting(merchant.scope(), 23)
  await setStock(merchant.scope(), 2)
  await okaeri.settle()
  expect(notified()).toEqual([])
  expect(await returns()).toEqual([{ held_by: 'settling', ended_as: null }])
  await pass(5, 2)
  expect(notified()).toEqual(upTo(10))
  expect(await statuses()).toEqual([...upTo(10).map(() => 'sent'), ...upTo(13).map(() => 'active')])
  await pass(30, 2)
  expect(notified()).toEqual(upTo(10))
  await pass(31, 1)
  expect(notified()).toEqual(upTo(15))
  await pass(60, 3)
  expect(notified()).toEqual(upTo(23))
  expect(await returns()).toEqual([{ held_by: null, ended_as: 'all_told' }])
})

test('a person who registered while the clock was far ahead is notified once it is set back', async () => {
  await addRestockScenario(merchant.scope())
  await addWaiting(merchant.scope(), 2)
  okaeri.advance(400 * DAY)
  await setStock(merchant.scope(), 3)
  okaeri.advance(-400 * DAY)
  expect(await returns()).toEqual([{ held_by: 'settling', ended_as: null }])
  await pass(5, 3)
  expect(notified()).toEqual(upTo(2))
  expect(await returns()).toEqual([{ held_by: null, ended_as: 'all_told' }])
})

test('sold out again before the next wave: the rest wait, and are the first to be notified at the next return', async () => {
  await addRestockScenario(merchant.scope())
  await addWaiting(merchant.scope(), 12)
  await comesBack(1)
  await pass(60, 0)
  await pass(600, 0)
  expect(notified()).toEqual(upTo(5))
  expect(await returns()).toEqual([{ held_by: null, ended_as: 'sold_out' }])
  await comesBack(1)
  expect(notified()).toEqual(upTo(10))
})

test('sold out between the wave and the message: no one is notified, and they keep their place', async () => {
  await addSlowScenario()
  await addWaiting(merchant.scope(), 7)
  await comesBack(1)
  await pass(8, 0)
  await pass(3, 0)
  expect(notified()).toEqual([])
  expect(await skips()).toEqual({ out_of_stock: 5 })
  expect(new Set(await statuses())).toEqual(new Set(['active']))
  await pass(60, 0)
  await comesBack(1)
  await pass(11, 1)
  expect(notified()).toEqual(upTo(5))
})

test('a person who cancelled, opted out or bought between the wave and the message is not notified', async () => {
  await addSlowScenario()
  const [, optedOut = '', bought = ''] = await addWaiting(merchant.scope(), 4)
  await comesBack(1)
  const { data } = await merchant.call(listRestocks, { query: { status: 'active' } })
  await merchant.call(deleteRestock, { params: { restockId: data.at(-1)?.id ?? '' } })
  await changeConsent(merchant.scope(), {
    customerId: optedOut,
    kind: 'notification',
    to: 'withdrawn',
    source: 'storefront',
  })
  await buy(merchant.scope(), bought)
  await pass(11, 1)
  expect(notified()).toEqual([3])
  expect(await skips()).toEqual({ cancelled: 1, no_consent: 1, already_bought: 1 })
})

test('a message is put off while the stock it speaks of was read too long ago', async () => {
  await addSlowScenario()
  await addWaiting(merchant.scope(), 2)
  await comesBack(1)
  okaeri.advance(11 * MINUTE)
  await okaeri.settle()
  expect(notified()).toEqual([])
  expect(await skips()).toEqual({})
  await pass(2, 1)
  expect(notified()).toEqual([0, 1])
})

test('a person who bought it meanwhile is not notified, and the registration ends', async () => {
  await addRestockScenario(merchant.scope())
  const [, second = ''] = await addWaiting(merchant.scope(), 3)
  await buy(merchant.scope(), second)
  await comesBack(5)
  expect(notified()).toEqual([0, 2])
  expect(await statuses()).toEqual(['sent', 'deleted', 'sent'])
})

test('stock that fluctuates is announced once, when it stays', async () => {
  await addRestockScenario(merchant.scope())
  await addWaiting(merchant.scope(), 3)
  for (const stock of [3, 0, 3, 0, 3]) await pass(2, stock)
  expect(notified()).toEqual([])
  await pass(5, 3)
  expect(notified()).toEqual([0, 1, 2])
  for (const stock of [0, 3, 0, 3]) await pass(10, stock)
  expect(notified()).toEqual([0, 1, 2])
})

test('stock that flutters all day holds up no later wave for good', async () => {
  await addRestockScenario(merchant.scope())
  await addWaiting(merchant.scope(), 12)
  await comesBack(1)
  expect(notified()).toEqual(upTo(5))
  // Another program sets it to none and back, more often than it settles.
  for (let minutes = 0; minutes < 96; minutes += 4) {
    await setStock(merchant.scope(), 0)
    await pass(4, 1)
  }
  expect(notified()).toEqual(upTo(10))
})

test('of two scenarios the one activated first answers, and no one is notified twice', async () => {
  await addRestockScenario(merchant.scope(), '先')
  okaeri.advance(1000)
  const later = await addRestockScenario(merchant.scope(), '後')
  await addWaiting(merchant.scope(), 3)
  await comesBack(9)
  expect(notified()).toEqual([0, 1, 2])
  const rows = await okaeri.query`select from executions where merchant_id = ${merchant.id} and scenario_id = ${later}`
  expect(rows).toHaveLength(0)
})

test('without a scenario, and in test mode, no one is notified and no one loses a place', async () => {
  await addWaiting(merchant.scope(), 3)
  await comesBack(9)
  expect(await returns()).toEqual([{ held_by: 'no_scenario', ended_as: null }])
  const id = await addRestockScenario(merchant.scope())
  await okaeri.query`update merchants set test_mode = true where id = ${merchant.id}`
  await pass(11, 9)
  expect(await returns()).toEqual([{ held_by: 'test_mode', ended_as: null }])
  await okaeri.query`update merchants set test_mode = false where id = ${merchant.id}`
  await updateScenario(merchant.scope(), id, { status: 'stopped' })
  await pass(11, 9)
  expect(await returns()).toEqual([{ held_by: 'no_scenario', ended_as: null }])
  await updateScenario(merchant.scope(), id, { status: 'active' })
  await pass(11, 9)
  expect(notified()).toEqual([0, 1, 2])
})

test('outside the sending hours no wave begins, so that several do not leave together in the morning', async () => {
  await setSendingHours(merchant.scope(), 3, 10)
  await changeRestockSettings(merchant.scope(), { wave_minutes: 10 })
  await addRestockScenario(merchant.scope())
  await addWaiting(merchant.scope(), 12)
  await comesBack(1)
  expect(await returns()).toEqual([{ held_by: 'hours', ended_as: null }])
  await pass(60, 1)
  expect(notified()).toEqual([])
  await pass(150, 1)
  expect(notified()).toEqual(upTo(5))
})

test('stock that was read long ago is read again from the store before people are notified', async () => {
  await addRestockScenario(merchant.scope())
  await addWaiting(merchant.scope(), 3)
  await setStock(merchant.scope(), 3)
  okaeri.advance(20 * MINUTE)
  await okaeri.settle()
  expect(await returns()).toEqual([{ held_by: 'reading', ended_as: null }])
  expect(notified()).toEqual([])
  await pass(1, 3)
  expect(notified()).toEqual([0, 1, 2])
})

test('those who did not buy are asked again at the next return where the merchant wants it, a day later at the soonest', async () => {
  await changeRestockSettings(merchant.scope(), { asks_again: true })
  await addRestockScenario(merchant.scope())
  const [first = ''] = await addWaiting(merchant.scope(), 3)
  await comesBack(1)
  expect(notified()).toEqual([0, 1, 2])
  await buy(merchant.scope(), first)
  await pass(60, 0)
  await comesBack(1)
  expect(notified()).toEqual([0, 1, 2])
  await pass(60, 0)
  okaeri.advance(DAY)
  await comesBack(1)
  expect(notified()).toEqual([0, 1, 1, 2, 2])
  expect(await statuses()).toEqual(['deleted', 'sent', 'sent'])
})

test('stock that becomes known is no return for imported registrations; what comes back after it is', async () => {
  await addRestockScenario(merchant.scope())
  await addWaiting(merchant.scope(), 1)
  const source = async (of: 'import' | 'storefront') => {
    await okaeri.query`update restock_requests set source = ${of} where merchant_id = ${merchant.id}`
    await okaeri.query`update product_variants set online_quantity = null where merchant_id = ${merchant.id}`
  }
  await source('import')
  await comesBack(3)
  expect([notified(), await returns()]).toEqual([[], []])
  await setStock(merchant.scope(), 0)
  await comesBack(3)
  expect(notified()).toEqual([0])
  // People registered on the storefront while it was sold out.
  await okaeri.query`delete from stock_returns where merchant_id = ${merchant.id}`
  await addWaiting(merchant.scope(), 1, { prefix: 'n' })
  await source('storefront')
  await comesBack(3)
  expect(notified()).toEqual([0, 0])
})

test('a person who registered twice, signed in and with only the address, gets one message, which answers both', async () => {
  await addRestockScenario(merchant.scope())
  await addWaiting(merchant.scope(), 1)
  const it = { storeProductId: PRODUCT, storeVariantId: VARIANT, source: 'import', createdAt: new Date(1) } as const
  await addRestockRequests(merchant.scope(), [
    { ...it, email: 'nobody@example.test' },
    { ...it, email: 'W000@example.test' },
  ])
  await comesBack(3)
  expect(notified()).toEqual([0])
  const { data } = await merchant.call(listRestocks, { query: {} })
  expect(data.map(({ customer_email, status }) => `${customer_email} ${status}`).toSorted()).toEqual([
    'W000@example.test sent',
    'nobody@example.test active',
    'w000@example.test sent',
  ])
})

test('who cannot be reached is not tried again while the stock stays, and is when it comes back', async () => {
  await addRestockScenario(merchant.scope())
  await addWaiting(merchant.scope(), 2)
  await suppress(merchant.scope(), { address: 'w000@example.test', reason: 'hard_bounce' })
  await comesBack(3)
  expect(notified()).toEqual([1])
  for (let hour = 0; hour < 3; hour += 1) await pass(61, 3)
  expect(await returns()).toEqual([{ held_by: null, ended_as: 'all_told' }])
  expect(await statuses()).toEqual(['active', 'sent'])
  await pass(10, 0)
  await comesBack(3)
  expect(await returns()).toHaveLength(2)
})

// The last: its returns would all be looked at again whenever a later test moves the clock.
test('a hundred products that come back within an hour wait for a person', async () => {
  const scope = merchant.scope()
  await addRestockScenario(scope)
  const numbers = Array.from({ length: 102 }, (_, index) => 1000 + index)
  // The first has left since: no one can be notified, and no look finds the product missed.
  const customers = [
    null,
    ...(await addCustomers(
      scope,
      numbers.slice(1).map((n) => ({ email: `p${n}@example.test` })),
    )),
  ]
  for (const n of numbers) await addAwaitedProduct(scope, { product: n, variant: n })
  await addRestockRequests(
    scope,
    numbers.map((n, index) => ({
      customerId: customers[index] ?? null,
      email: `p${n}@example.test`,
      storeProductId: n,
      storeVariantId: n,
      source: 'storefront' as const,
      createdAt: new Date(0),
    })),
  )
  const all = numbers.map((n) => ({ storeVariantId: n, quantity: 1 }))
  await setOnlineStock(scope, all)
  okaeri.advance(5 * MINUTE)
  await setOnlineStock(merchant.scope(), all)
  await okaeri.settle()
  expect((await returns()).filter(({ held_by }) => held_by === 'many')).toHaveLength(2)

  // A person looks later than the stock was read: it is read again, and the brake does not ask a second time.
  okaeri.advance(10 * MINUTE)
  await merchant.call(continueRestocks, { body: { returns: 2 } })
  await okaeri.settle()
  expect((await returns()).filter(({ held_by }) => held_by === 'reading')).not.toHaveLength(0)
  okaeri.advance(MINUTE)
  await setOnlineStock(merchant.scope(), all)
  await okaeri.settle()
  okaeri.advance(3000)
  await okaeri.settle()
  expect((await returns()).filter(({ held_by }) => held_by === 'many')).toEqual([])
  expect((await statuses()).filter((status) => status === 'sent')).toHaveLength(101)
  expect(await returns()).toHaveLength(102)
})
