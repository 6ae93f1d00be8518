import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { addScenario, asleep, flowOf } from '../../../test/scenarios.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { recordEvents } from '../events/index.ts'
import { enterScenarios } from './entering.ts'
import { EVENTS_AT_ONCE, batchSizeOf } from './batch-size.ts'

// The cost of one merchant's batch is bounded, because other merchants wait for it.

const { first, most, least } = EVENTS_AT_ONCE
withOkaeri()
let heavy: TestMerchant
let light: TestMerchant
beforeEach(async () => {
  heavy = await okaeri.merchant()
  light = await okaeri.merchant()
})
afterEach(async () => {
  await okaeri.query`drop trigger if exists heavy on scenario_entries`
})

/** Each decision about a customer of this merchant takes this long. */
async function slowDown(eachMs: number): Promise<void> {
  const { db } = okaeri.context
  await sql`create or replace function heavy() returns trigger language plpgsql as $$
    begin perform pg_sleep(${sql.lit(eachMs / 1000)}); return new; end $$`.execute(db)
  await sql`create trigger heavy before insert on scenario_entries for each row
    when (new.merchant_id = ${sql.lit(heavy.id)}::uuid) execute function heavy()`.execute(db)
}
async function happen(merchant: TestMerchant, count: number): Promise<void> {
  await addScenario(merchant.scope(), flowOf([asleep]))
  const [customerId = ''] = await addCustomers(merchant.scope(), [{}])
  await recordEvents(
    merchant.scope(),
    Array.from({ length: count }, (_, index) => ({
      kind: 'order_paid' as const,
      key: `${newId()} ${index}`,
      // Each for another customer: of one customer's events only a few are processed at a time.
      customerId: index === 0 ? customerId : newId(),
      occurredAt: okaeri.clock.now(),
    })),
  )
}
const left = async (merchant: TestMerchant): Promise<number> => {
  const rows = await okaeri.query<{ count: number }>`select count(*)::int as count from events
    where merchant_id = ${merchant.id} and looked_at is null`
  return rows[0]?.count ?? 0
}
const turn = () => enterScenarios.run(okaeri.context, new AbortController().signal)

test('a slow merchant gets smaller batches, between the turns of the others', async () => {
  await slowDown(5)
  await happen(heavy, first * 2)
  await turn()
  expect(await left(heavy)).toBe(first)
  await happen(light, 10)
  await turn()
  expect(await left(light)).toBe(0)
  // The first batch took at least two and a half seconds.
  expect(await left(heavy)).toBeGreaterThanOrEqual(first / 5)
  await okaeri.query`update events set looked_at = now() where merchant_id = ${heavy.id}`
})

test('a batch that takes too long is cancelled and repeated with fewer events, and keeps no one out', async () => {
  await slowDown(20)
  await happen(heavy, first)
  await happen(light, 10)
  await turn()
  expect(await left(heavy)).toBe(first)
  expect(await left(light)).toBe(0)
  await turn()
  expect(await left(heavy)).toBe(first - Math.max(least, first / 4))
  const rows =
    await okaeri.query`select from scenario_entries where merchant_id = ${heavy.id} and refused_by = 'failed'`
  expect(rows).toEqual([])
  await okaeri.query`update events set looked_at = now() where merchant_id = ${heavy.id}`
})

test('the batch size grows while batches are fast, up to a limit, and shrinks with their duration', () => {
  const id = newId()
  const batchSize = () => batchSizeOf(okaeri.context, id)
  const after = (count: number, elapsedMs: number): number => {
    batchSize().took(count, elapsedMs)
    return batchSize().atOnce
  }
  expect(batchSize().atOnce).toBe(first)
  expect(after(3, 10)).toBe(first)
  expect(after(first, 10)).toBe(first * 2)
  expect(after(first * 2, 10)).toBe(most)
  expect(after(most, 10)).toBe(most)
  expect(after(most, 3000)).toBe(Math.floor((most * 2) / 3))
  expect(after(7, 60_000)).toBe(Math.floor(most / 3))
  for (let turns = 0; turns < 3; turns += 1) after(7, 60_000)
  expect(batchSize().atOnce).toBe(least)
  expect(batchSize().isTooFast(Object.assign(new Error('broken off'), { code: '57014' }))).toBe(false)
})
