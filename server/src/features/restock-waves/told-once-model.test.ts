import { deleteRestock, listRestocks } from '@okaeri/contract/restocks/routes'
import fc from 'fast-check'
import { sql } from 'kysely'
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
  | { do: 'buy' | 'take back' | 'lose answer'; who: number }
  | { do: 'merge'; who: number; into: number }
  | { do: 'scenario' | 'test mode'; on: boolean }
  | { do: 'pause mailer' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('stock' as const), quantity: fc.integer({ min: 0, max: 2 }) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.constantFrom(1, 6, 31, 61) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('buy' as const, 'take back' as const, 'lose answer' as const), who }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('merge' as const), who, into: who }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('scenario' as const, 'test mode' as const), on: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'pause mailer' as const }) },
)

/** Lives through the steps and looks at each mail as it comes. Answers how many came. */
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
  const told = new Set<number>()
  const out = new Set<number>()
  let stock = 0
  for (const one of steps) {
    if (one.do === 'stock') stock = one.quantity
    else if (one.do === 'pass') okaeri.advance(one.minutes * MINUTE)
    else if (one.do === 'lose answer') dropped.add(addressOf(one.who))
    else if (one.do === 'scenario') await updateScenario(scope(), scenarioId, { status: one.on ? 'active' : 'stopped' })
    else if (one.do === 'test mode')
      await sql`update merchants set test_mode = ${one.on} where id = ${merchant.id}`.execute(okaeri.context.db)
    else if (one.do === 'pause mailer')
      await sql`insert into channel_pauses (merchant_id, channel, route, until, by_quota)
        values (${merchant.id}, 'email', 'global', ${new Date(okaeri.clock.now().getTime() + 50 * MINUTE)}, true)
        on conflict do nothing`.execute(okaeri.context.db)
    else {
      const at = person[one.who] as number
      if (one.do === 'buy') {
        await buy(scope(), customers[at] as string)
        out.add(at)
      } else if (one.do === 'take back') {
        const { data } = await merchant.call(listRestocks, { query: { customer_id: customers[at] as string } })
        for (const { id } of data) await merchant.call(deleteRestock, { params: { restockId: id } })
        out.add(at)
      } else {
        const into = person[one.into] as number
        if (into === at) continue
        await mergeCustomers(scope(), { fromId: customers[at] as string, intoId: customers[into] as string })
        person.forEach((each, index) => {
          if (each === at) person[index] = into
        })
        // Two registrations of one person may be answered in two returns.
        if (!told.has(at) || !told.has(into)) told.delete(into)
        // What one of the two took back the other did not.
        if (!out.has(at) || !out.has(into)) out.delete(into)
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
      const at = person[Number(address.slice(8, 11))] as number
      expect([at, told.has(at), out.has(at)]).toEqual([at, false, false])
      told.add(at)
    }
  }
  return told.size
}

test('whatever stock, people, mailer, scenario and test mode do: nobody is told twice, nor when it is sold out, nor after they bought or took it back', async () => {
  let all = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
      all += await live(await okaeri.merchant(), steps)
    }),
    { numRuns: thorough ? 60 : 8, endOnFailure: true },
  )
  expect(all).toBeGreaterThan(0)
}, 300_000)
