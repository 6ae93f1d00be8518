import { getHoldout } from '@okaeri/contract/scenarios/holdout'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { aScenario } from '../../../test/builders/scenario.ts'
import { newId } from '../../kernel/ids.ts'
import { incrementalOf } from './holdout.ts'

withOkaeri()

const sumsOf = (amounts: readonly number[]) => ({
  executions: amounts.length,
  revenue: amounts.reduce((sum, amount) => sum + amount, 0),
  revenue_squares: amounts.reduce((sum, amount) => sum + amount ** 2, 0),
})
const repeated = (amounts: readonly number[], times: number) => Array.from({ length: times }, () => amounts).flat()

test('the increment is the difference of the means times the treated, with Welch’s interval', () => {
  // Means 100 and 50. Variances 10,000 * 80/79 and 2,500 * 40/39: values 0 or 200, and 0 or 100, half each.
  const treated = sumsOf(repeated([0, 200], 40))
  const heldOut = sumsOf(repeated([0, 100], 20))
  const margin = 1.96 * Math.sqrt(10_000 / 79 + 2_500 / 39)
  const result = incrementalOf(treated, heldOut)
  expect(result?.estimate).toBeCloseTo(50 * 80)
  expect(result?.low).toBeCloseTo((50 - margin) * 80)
  expect(result?.high).toBeCloseTo((50 + margin) * 80)
})

test('the interval is zero if everyone buys the same, and absent if a group is small', () => {
  expect(incrementalOf(sumsOf(repeated([300], 50)), sumsOf(repeated([100], 30)))).toEqual({
    estimate: 10_000,
    low: 10_000,
    high: 10_000,
  })
  expect(incrementalOf(sumsOf(repeated([300], 50)), sumsOf(repeated([100], 29)))).toBeNull()
})

test('there is no interval before the first order, however many entered', () => {
  const nothing = sumsOf(repeated([0], 500))
  expect(incrementalOf(nothing, sumsOf(repeated([0], 50)))).toBeNull()
  expect(incrementalOf(nothing, sumsOf([...repeated([0], 49), 1000]))?.low).toBeLessThan(0)
})

test('orders within thirty days of entering count in both groups; the starting order, tests and cancelled orders do not', async () => {
  const merchant = await okaeri.merchant()
  const { db, clock } = okaeri.context
  const action = await aScenario(merchant, { name: 'お礼' })
  const entered = new Date(clock.now().getTime() - 60 * 86_400_000)
  const after = (days: number): Date => new Date(entered.getTime() + days * 86_400_000)
  let number = 0
  const execution = async (given: { heldOut?: boolean; test?: boolean }): Promise<string> => {
    const customerId = newId()
    await sql`insert into executions (merchant_id, id, scenario_id, version, customer_id, status, end_reason, held_out, test, created_at, ended_at)
      values (${merchant.id}, ${newId()}, ${action.id}, 1, ${customerId}, 'done', 'finished', ${given.heldOut ?? false},
        ${given.test ?? false}, ${entered}, ${entered})`.execute(db)
    return customerId
  }
  const order = (customerId: string, at: Date, cancelled = false): Promise<unknown> => {
    number += 1
    return sql`insert into orders (merchant_id, id, store_order_id, customer_id, name, processed_at, total_amount, current_amount, currency, cancelled_at)
      values (${merchant.id}, ${newId()}, ${number}, ${customerId}, '#1', ${at}, 1000, 1000, 'JPY', ${cancelled ? at : null})`.execute(
      db,
    )
  }
  const [treated, heldOut, tried] = [
    await execution({}),
    await execution({ heldOut: true }),
    await execution({ test: true }),
  ]
  await order(treated, after(0))
  await order(treated, after(1))
  await order(treated, after(29.9))
  await order(treated, after(31))
  await order(treated, after(2), true)
  await order(heldOut, after(3))
  await order(tried, after(3))
  const { holdout } = await merchant.call(getHoldout, { params: { id: action.id } })
  expect(holdout).toMatchObject({
    window_days: 30,
    treated: { executions: 1, orders: 2, revenue: { amount: 2000, currency: 'JPY' } },
    held_out: { executions: 1, orders: 1, revenue: { amount: 1000, currency: 'JPY' } },
    incremental: null,
  })
})
