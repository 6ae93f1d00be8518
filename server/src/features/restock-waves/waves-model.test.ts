import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addAwaitedProduct, addRestockScenario, addWaiting, buy, setStock } from '../../../test/restock.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { thorough } from '../../../test/thorough.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { changeRestockSettings } from './settings.ts'
import { advanceReturn } from './wave.ts'

withOkaeri()
let merchant: TestMerchant

const MINUTE = 60_000
const PEOPLE = 14

type Step =
  | { do: 'stock'; quantity: number }
  | { do: 'buy'; who: number }
  | { do: 'pass'; minutes: number }
  /** The process dies before the transaction of a wave commits. */
  | { do: 'die' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('stock' as const), quantity: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ do: fc.constant('buy' as const), who: fc.integer({ min: 0, max: PEOPLE - 1 }) }),
  fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(1, 6, 31) }),
  fc.constant({ do: 'die' as const }),
)

/** People are certainly notified in it, whatever the other draws are. */
const inStockForTwoWaves: Step[] = [
  { do: 'stock', quantity: 3 },
  { do: 'pass', minutes: 6 },
  { do: 'pass', minutes: 31 },
]

class Died extends Error {}

/** Whom an event tells, in the order in which they were written. */
const notified = async (): Promise<string[]> =>
  (
    await okaeri.query<{ id: string }>`
      select customer_id as id from events where merchant_id = ${merchant.id} and kind = 'product_restocked' order by id`
  ).map(({ id }) => id)

/** Everything due for the returns, without sending: notifications are not marked as sent here. */
async function doDue(dies: boolean): Promise<void> {
  for (let more = true; more; ) {
    try {
      more = await merchant.scope().transaction(async (scope) => {
        const worked = await advanceReturn(scope)
        if (dies && worked) throw new Died()
        return worked
      })
    } catch (error) {
      if (!(error instanceof Died)) throw error
      return
    }
  }
}

test('whatever stock, orders and deaths do: no one twice in a return, in the order of registration, never more than stock × factor, none who bought', async () => {
  let total = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 18 }), async (steps) => {
      merchant = await okaeri.merchant()
      const scope = () => merchant.scope()
      await addAwaitedProduct(scope())
      await addRestockScenario(scope())
      await changeRestockSettings(scope(), { people_per_unit: 2, wave_minutes: 30, settle_minutes: 5 })
      const people = await addWaiting(scope(), PEOPLE)
      const place = new Map(people.map((id, index) => [id, index]))
      const bought = new Set<string>()
      let stock = 0
      for (const one of steps) {
        const before = await notified()
        if (one.do === 'stock') {
          stock = one.quantity
          await setStock(scope(), stock)
        } else if (one.do === 'buy') {
          const id = people[one.who] as string
          await buy(scope(), id)
          bought.add(id)
        } else if (one.do === 'pass') {
          okaeri.advance(one.minutes * MINUTE)
          // The store says the same again.
          await setStock(scope(), stock)
        }
        await doDue(one.do === 'die')
        if (one.do === 'die') expect(await notified()).toEqual(before)
        const now = (await notified()).slice(before.length)
        total += now.length
        // Each is new, and none of them had bought it.
        expect(new Set([...before, ...now]).size).toBe(before.length + now.length)
        expect(now.filter((id) => bought.has(id))).toEqual([])
        expect(now.length).toBeLessThanOrEqual(stock * 2)
        const order = now.map((id) => place.get(id) as number)
        expect(order).toEqual(order.toSorted((a, b) => a - b))
        // People who were passed over had bought it.
        const last = order.at(-1) ?? -1
        const all = new Set([...before, ...now])
        for (const id of people.slice(0, last + 1)) expect(all.has(id) || bought.has(id)).toBe(true)
      }
    }),
    { numRuns: thorough ? 300 : 40, examples: [[inStockForTwoWaves]] },
  )
  expect(total).toBeGreaterThan(0)
})
