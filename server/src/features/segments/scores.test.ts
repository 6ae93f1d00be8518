import { rfmClasses } from '@okaeri/contract/segments/condition-fields'
import * as endpoints from '@okaeri/contract/segments/routes'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TestMerchant } from '../../../test/harness.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { scoreCustomersNow } from './scores.ts'

withOkaeri()

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const noon = (day: string): Date => new Date(`${day}T03:00:00Z`)

interface Bought {
  day: string
  amount?: number
  cancelled?: boolean
}
/** Customers with their orders, and the sums the orders feature keeps on them. */
async function addBuyers(merchant: TestMerchant, buyers: readonly (readonly Bought[])[]): Promise<string[]> {
  const { db } = okaeri.context
  const ids = buyers.map(() => newId())
  for (const [index, orders] of buyers.entries()) {
    const standing = orders.filter(({ cancelled }) => !cancelled)
    const last = standing
      .map(({ day }) => day)
      .toSorted()
      .at(-1)
    await db
      .insertInto('customers')
      .values({
        merchant_id: merchant.id,
        id: ids[index] ?? '',
        orders_count: standing.length,
        orders_amount: standing.reduce((sum, { amount = 1000 }) => sum + amount, 0),
        last_order_at: last ? noon(last) : null,
        created_at: noon('2026-01-01'),
        updated_at: noon('2026-01-01'),
      })
      .execute()
    for (const [number, { day, amount = 1000, cancelled }] of orders.entries())
      await db
        .insertInto('orders')
        .values({
          merchant_id: merchant.id,
          id: newId(),
          store_order_id: index * 100 + number,
          customer_id: ids[index] ?? '',
          name: '#',
          processed_at: noon(day),
          total_amount: amount,
          current_amount: amount,
          currency: 'JPY',
          cancelled_at: cancelled ? noon(day) : null,
        })
        .execute()
  }
  return ids
}

async function scoresOf(merchant: TestMerchant, ids: readonly string[]) {
  const rows = await okaeri.query<{
    customer_id: string
    recency: number
    frequency: number
    monetary: number
    rfm_class: string
    usual_interval_days: number | null
    next_order_on: string | null
  }>`select * from customer_scores where merchant_id = ${merchant.id}`
  return ids.map((id) => rows.find(({ customer_id }) => customer_id === id))
}

describe('scores', () => {
  test('divide buyers into quintiles; equal values get equal scores, customers without orders none', async () => {
    const merchant = await okaeri.merchant()
    const days = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01']
    const ids = await addBuyers(merchant, [
      ...days.map((day, index) => [{ day, amount: (index + 1) * 1000 }]),
      ...days.map((day, index) => [{ day, amount: (index + 1) * 1000 }]),
      [],
      [{ day: '2026-05-01', cancelled: true }],
    ])
    await scoreCustomersNow(merchant.scope())
    const scores = await scoresOf(merchant, ids)
    expect(scores.slice(0, 10).map((score) => score?.recency)).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5])
    expect(scores.slice(0, 10).map((score) => score?.monetary)).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5])
    expect(new Set(scores.slice(0, 10).map((score) => score?.frequency))).toEqual(new Set([1]))
    expect(scores.slice(10)).toEqual([undefined, undefined])
    // No one ordered twice: the usual interval is unknown.
    expect(scores[0]).toMatchObject({ usual_interval_days: null, next_order_on: null, rfm_class: 'lost' })
  })

  test('say when the next order is expected: by the customer’s own orders from three on, else by everyone’s', async () => {
    const merchant = await okaeri.merchant()
    const ids = await addBuyers(merchant, [
      [{ day: '2026-01-01' }, { day: '2026-01-11' }, { day: '2026-01-31' }],
      [{ day: '2026-02-01' }, { day: '2026-02-03' }],
      [{ day: '2026-03-01' }],
      [{ day: '2026-03-01' }, { day: '2026-03-05', cancelled: true }],
      [{ day: '2026-03-01' }, { day: '2026-03-01' }, { day: '2026-03-01' }],
    ])
    await scoreCustomersNow(merchant.scope())
    // The customer's own: 15, between 10 and 20. Everyone's gaps: 0 0 2 10 20.
    expect((await scoresOf(merchant, ids)).map((score) => [score?.usual_interval_days, score?.next_order_on])).toEqual([
      [15, '2026-02-15'],
      [2, '2026-02-05'],
      [2, '2026-03-03'],
      [2, '2026-03-03'],
      [1, '2026-03-02'],
    ])
  })

  test('give each customer one of the classes of the README', async () => {
    const merchant = await okaeri.merchant()
    const buyers = fc.sample(
      fc.array(
        fc.record({
          day: fc.constantFrom('2026-01-05', '2026-02-05', '2026-03-05', '2026-04-05', '2026-05-05'),
          amount: fc.nat(9),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      { numRuns: 80, seed: 3 },
    )
    const ids = await addBuyers(merchant, buyers)
    await scoreCustomersNow(merchant.scope())
    for (const score of await scoresOf(merchant, ids)) {
      if (!score) throw new Error('everyone ordered')
      const { recency, frequency, monetary, rfm_class } = score
      const value = Math.ceil((frequency + monetary) / 2)
      const expected =
        recency >= 4
          ? ['', 'new', 'promising', 'potential', 'champions', 'champions'][value]
          : recency === 3
            ? value >= 4
              ? 'loyal'
              : 'needs_attention'
            : value >= 4
              ? 'at_risk'
              : recency === 2
                ? 'hibernating'
                : 'lost'
      expect(rfm_class).toBe(expected)
      expect(rfmClasses.map(({ value }) => value)).toContain(rfm_class)
    }
  })

  test('are calculated when they are first needed, and again each night at three; segments follow', async () => {
    const merchant = await okaeri.merchant()
    const [buyer] = await addBuyers(merchant, [[{ day: '2026-01-01' }]])
    const conditions = {
      type: 'condition',
      id: 'x',
      category: 'scores',
      name: 'rfm_class',
      operator: 'is_set',
      value: null,
    } as const
    const { customer_segment } = await merchant.call(endpoints.createSegment, { body: { name: 'RFM', conditions } })
    await okaeri.settle()
    const count = async () =>
      (await merchant.call(endpoints.getSegment, { params: { id: customer_segment.id } })).customer_segment
        .customer_count
    expect(await count()).toBe(1)
    const lastScored = async () => {
      const rows = await okaeri.query<{ computed_at: Date }>`
        select computed_at from score_runs where merchant_id = ${merchant.id}`
      return rows[0]?.computed_at.getTime() ?? 0
    }
    const before = await lastScored()
    await okaeri.query`update customers set orders_count = 0 where merchant_id = ${merchant.id} and id = ${buyer}`
    // Tokyo's next three in the morning.
    const three = Math.ceil((okaeri.clock.now().getTime() - 18 * HOUR_MS) / DAY_MS) * DAY_MS + 18 * HOUR_MS
    okaeri.advance(three - okaeri.clock.now().getTime() - 60_000)
    await okaeri.settle()
    expect(await lastScored()).toBe(before)
    okaeri.advance(120_000)
    await okaeri.settle()
    expect(await lastScored()).toBeGreaterThan(before)
    expect(await count()).toBe(0)
  })
})
