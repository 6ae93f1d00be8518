import { listDiscounts } from '@okaeri/contract/coupons/routes'
import { beforeEach, expect, test } from 'vitest'
import { EMPTY, merchant, okaeri, play, withSandboxStore } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { type IssuedCoupon, issueCoupons, makeCoupons } from './index.ts'

withSandboxStore({ seed: EMPTY, settings: { timezone: 'Asia/Tokyo' }, switches: { throttling: false } })

const MINUTE = 60_000
const scenarioId = newId()
let number = 0
beforeEach(async () => {
  number += 1
  await play('switches.json', { bulk_duration_ms: 0 })
  await okaeri.settle()
})

const visits = (count: number) =>
  Array.from({ length: count }, () => ({ executionId: newId(), round: 1, customerId: null }))
/** Each test has terms of its own. */
const issue = (some: ReturnType<typeof visits>): Promise<IssuedCoupon[]> =>
  merchant.scope().transaction((scope) =>
    issueCoupons(
      scope,
      {
        scenarioId,
        nodeId: 'c',
        terms: {
          prefix: `T${number}`,
          ratio_percent: 20,
          valid_days: 7,
          minimum: { kind: 'none' },
          applies_to: { kind: 'all' },
        },
      },
      some,
    ),
  )
interface StoreDiscount {
  id: number
  title: string
  codes: number
}
const inStore = async (): Promise<StoreDiscount[]> =>
  (await play<{ discounts: StoreDiscount[] }>('discounts.json')).discounts.filter(({ title }) =>
    title.includes(`T${number} `),
  )
const troublesOf = async (query = {}) => {
  const { troubles } = await merchant.call(listDiscounts, { query })
  return troubles.filter(({ terms }) => terms.prefix === `T${number}`)
}

test('a scenario’s discount that was deleted in the store is noticed: no one gets its codes, and the pages say which no longer work', async () => {
  const some = visits(2)
  await issue(some)
  await okaeri.settle()
  expect((await issue(some)).map(({ status }) => status)).toEqual(['made', 'made'])
  expect(await troublesOf()).toEqual([])
  const deleted = await inStore()
  for (const { id } of deleted) await play(`discounts/${id}/delete.json`, {})
  okaeri.advance(16 * MINUTE)
  await okaeri.settle()
  expect(await issue(some)).toMatchObject([
    { status: 'failed', error: 'discount_gone' },
    { status: 'failed', error: 'discount_gone' },
  ])
  // Today's, two of which were issued, and tomorrow's.
  const found = await troublesOf()
  expect(found.map(({ codes }) => codes).sort((one, other) => one - other)).toEqual([0, 2])
  for (const trouble of found) expect(trouble).toMatchObject({ kind: 'changed', flaw: 'discount_gone' })
  expect(await troublesOf({ action_id: scenarioId })).toMatchObject([{ kind: 'changed', codes: 2 }])
  expect(await troublesOf({ action_id: newId() })).toEqual([])
  // The next codes belong to a new one.
  const next = await issue(visits(1))
  await okaeri.settle()
  expect(next.map(({ status }) => status)).not.toContain('failed')
  const now = await inStore()
  expect(now.length).toBeGreaterThan(0)
  expect(now.map(({ id }) => id)).not.toContain(deleted[0]?.id)
})

test('what people have of a discount that was only changed stays; the pool of it does not', async () => {
  const some = visits(2)
  await issue(some)
  await okaeri.settle()
  for (const { id } of await inStore()) await play(`discounts/${id}/update.json`, { percent: 5 })
  okaeri.advance(16 * MINUTE)
  await okaeri.settle()
  expect((await issue(some)).map(({ status }) => status)).toEqual(['made', 'made'])
  expect(await troublesOf({ action_id: scenarioId })).toMatchObject([
    { kind: 'changed', flaw: 'discount_worth_other', codes: 0 },
  ])
  const before = (await inStore()).length
  expect(before).toBeGreaterThan(2)
})

test('a pool that could not be checked at the store for an hour is not used: each code is requested', async () => {
  await issue(visits(1))
  await okaeri.settle()
  okaeri.advance(59 * MINUTE)
  expect(await issue(visits(1))).toMatchObject([{ status: 'made' }])
  okaeri.advance(2 * MINUTE)
  expect(await issue(visits(1))).toMatchObject([{ status: 'wanted' }])
})

/** Not all that is due: the store takes as long for all else that it is asked. */
async function makeDue(): Promise<void> {
  while (await makeCoupons.run(okaeri.context, new AbortController().signal));
}

test('a store that does not finish is asked less and less often, the page says so, and it goes on when it has', async () => {
  await play('switches.json', { bulk_duration_ms: 3_600_000 })
  const some = visits(4)
  await issue(some)
  await makeDue()
  expect(await troublesOf()).toEqual([])
  const nextInMs = async (): Promise<number> => {
    const rows = await okaeri.query<{ at: Date }>`select next_step_at as at from discounts
      where merchant_id = ${merchant.id} and terms ->> 'prefix' = ${`T${number}`} and bulk_id is not null and last_issued_at is not null`
    return (rows[0]?.at.getTime() ?? Number.NaN) - okaeri.clock.now().getTime()
  }
  expect(await nextInMs()).toBeLessThanOrEqual(10_000)
  okaeri.advance(10 * MINUTE)
  await makeDue()
  expect(await nextInMs()).toBeGreaterThan(45_000)
  expect(await nextInMs()).toBeLessThan(75_000)
  expect(await troublesOf({ action_id: scenarioId })).toMatchObject([
    { kind: 'waiting', codes: 3, next_look_at: expect.any(String) },
  ])
  okaeri.advance(24 * 60 * MINUTE)
  await makeDue()
  expect(await nextInMs()).toBeGreaterThan(14 * MINUTE)
  expect(await nextInMs()).toBeLessThanOrEqual(15 * MINUTE)
  await play('switches.json', { bulk_duration_ms: 0 })
  okaeri.advance(15 * MINUTE)
  await makeDue()
  expect((await issue(some)).map(({ status }) => status)).toEqual(['made', 'made', 'made', 'made'])
  expect(await troublesOf({ action_id: scenarioId })).toEqual([])
})
