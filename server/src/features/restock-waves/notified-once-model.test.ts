import { deleteRestock, listRestocks } from '@okaeri/contract/restocks/routes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TestMerchant } from '../../../test/harness.ts'
import { addAwaitedProduct, addRestockScenario, addWaiting, buy, setStock } from '../../../test/restock.ts'
import { dropped, got, withScenarioMail } from '../../../test/scenario-mail.ts'
import { thorough } from '../../../test/thorough.ts'
import { okaeri } from '../../../test/with-okaeri.ts'
import { mergeCustomers } from '../customers/index.ts'
import { updateScenario } from '../flows/queries.ts'
import { changeRestockSettings } from './settings.ts'

withScenarioMail()

const MINUTE = 60_000
const PEOPLE = 9
const who = fc.integer({ min: 0, max: PEOPLE - 1 })

type Step =
  | { do: 'stock'; quantity: number }
  | { do: 'pass'; minutes: number }
  | { do: 'buy'; who: number }
  | { do: 'take back'; who: number }
  | { do: 'lose answer'; who: number }
  | { do: 'merge'; who: number; into: number }
  | { do: 'scenario'; on: boolean }
  | { do: 'test mode'; on: boolean }
  | { do: 'pause mailer' }

/** With even chances no one would be notified in three of five cases. */
const mostly = (value: boolean): fc.Arbitrary<boolean> => fc.constantFrom(value, value, value, !value)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('stock' as const), quantity: fc.integer({ min: 0, max: 2 }) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(1, 6, 31, 61) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('buy' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('take back' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose answer' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('merge' as const), who, into: who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('scenario' as const), on: mostly(true) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('test mode' as const), on: mostly(false) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'pause mailer' as const }) },
)

/** People are certainly notified in it, whatever the other draws are. */
const inStockForTwoWaves: Step[] = [
  { do: 'stock', quantity: 2 },
  { do: 'pass', minutes: 6 },
  { do: 'pass', minutes: 31 },
]

/** Lives through the steps and looks at each mail as it comes. Returns how many came. */
async function live(merchant: TestMerchant, steps: readonly Step[]): Promise<number> {
  const scope = () => merchant.scope()
  const prefix = merchant.id.slice(-8)
  await addAwaitedProduct(scope())
  const scenarioId = await addRestockScenario(scope())
  await changeRestockSettings(scope(), { people_per_unit: 2, wave_minutes: 30, settle_minutes: 5 })
  const customers: string[] = await addWaiting(scope(), PEOPLE, { prefix })
  const addressOf = (at: number): string => `${prefix}${String(at).padStart(3, '0')}@example.test`
  /** Whose registration it is now, of each that there was at the beginning. */
  const person = customers.map((_, at) => at)
  const customerOf = (at: number): string => customers[person[at] ?? 0] ?? ''
  const notified = new Set<number>()
  const out = new Set<number>()
  let stock = 0
  for (const one of steps) {
    switch (one.do) {
      case 'stock':
        stock = one.quantity
        break
      case 'pass':
        okaeri.advance(one.minutes * MINUTE)
        break
      case 'lose answer':
        dropped.add(addressOf(one.who))
        break
      case 'scenario':
        await updateScenario(scope(), scenarioId, { status: one.on ? 'active' : 'stopped' })
        break
      case 'test mode':
        await okaeri.query`update merchants set test_mode = ${one.on} where id = ${merchant.id}`
        break
      case 'pause mailer':
        await okaeri.query`insert into channel_pauses (merchant_id, channel, route, until, by_quota)
          values (${merchant.id}, 'email', 'global', ${new Date(okaeri.clock.now().getTime() + 50 * MINUTE)}, true)
          on conflict do nothing`
        break
      case 'buy':
        await buy(scope(), customerOf(one.who))
        out.add(person[one.who] ?? 0)
        break
      case 'take back': {
        const { data } = await merchant.call(listRestocks, { query: { customer_id: customerOf(one.who) } })
        for (const { id } of data) await merchant.call(deleteRestock, { params: { restockId: id } })
        out.add(person[one.who] ?? 0)
        break
      }
      case 'merge': {
        const [at = 0, into = 0] = [person[one.who], person[one.into]]
        if (into === at) break
        await mergeCustomers(scope(), { fromId: customerOf(one.who), intoId: customerOf(one.into) })
        person.forEach((each, index) => {
          if (each === at) person[index] = into
        })
        // Two registrations of one person may be answered in two returns; what one of the two took back the other did not.
        for (const set of [notified, out]) if (!set.has(at) || !set.has(into)) set.delete(into)
        break
      }
    }
    await setStock(scope(), stock)
    const before = got.length
    await okaeri.settle()
    // What came of the mails is looked at soon after.
    okaeri.advance(3000)
    await okaeri.settle()
    const now = got.slice(before).flatMap(({ recipients }) => recipients.filter((to) => to.startsWith(prefix)))
    if (now.length > 0) expect(stock).toBeGreaterThan(0)
    for (const address of now) {
      const at = person[Number(address.slice(8, 11))] ?? 0
      expect([at, notified.has(at), out.has(at)]).toEqual([at, false, false])
      notified.add(at)
    }
  }
  return notified.size
}

test('whatever stock, people, mailer, scenario and test mode do: no one is notified twice, when it is sold out, or after they bought or cancelled', async () => {
  let all = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
      all += await live(await okaeri.merchant(), steps)
    }),
    { numRuns: thorough ? 60 : 5, endOnFailure: true, examples: [[inStockForTwoWaves]] },
  )
  expect(all).toBeGreaterThan(0)
})
