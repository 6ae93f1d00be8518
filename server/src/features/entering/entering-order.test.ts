import type { EventKind } from '@okaeri/contract/scenarios/event'
import type { Flow, Reentry } from '@okaeri/contract/scenarios/flow/flow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { addScenario, flowOf } from '../../../test/scenarios.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { type NewEvent, recordEvents } from '../events/index.ts'
import { enterDue } from './entering.ts'

withOkaeri()

interface Happening {
  kind: EventKind
  person: number
  order: number
}
const reentries: Reentry[] = [
  { mode: 'once' },
  { mode: 'every_days', days: 3 },
  { mode: 'when_none_runs' },
  { mode: 'always' },
]
const kinds = ['order_created', 'order_paid', 'favorite_added'] as const
const flows: Flow[] = kinds.flatMap((kind) =>
  reentries.flatMap((reentry) =>
    [[], ['bought' as const]].map((ends_on) =>
      flowOf([{ id: 'end', kind: 'end', settings: {}, next: {} }], { trigger: { kind }, reentry, ends_on }),
    ),
  ),
)
const PEOPLE = 3

/** A second, plain implementation, event by event: who entered which scenario by which event, and how it ended. */
function plainly(happenings: readonly Happening[]): string[] {
  interface Entered {
    flow: number
    person: number
    event: number
    order: number | null
    ended: boolean
  }
  const all: Entered[] = []
  for (const [event, { kind, person, order }] of happenings.entries()) {
    const isOrder = kind !== 'favorite_added'
    for (const one of all)
      if (isOrder && one.person === person && one.order !== order && flows[one.flow]?.ends_on.includes('bought'))
        one.ended = true
    for (const [index, flow] of flows.entries()) {
      if (flow.trigger.kind !== kind) continue
      const before = all.filter((one) => one.flow === index && one.person === person)
      const { mode } = flow.reentry
      const admits =
        mode === 'always' || before.length === 0 || (mode === 'when_none_runs' && before.every(({ ended }) => ended))
      if (admits) all.push({ flow: index, person, event, order: isOrder ? order : null, ended: false })
    }
  }
  return all.map(({ flow, person, event, ended }) => `${flow} ${person} ${event} ${ended ? 'bought' : ''}`).sort()
}

async function entered(merchant: TestMerchant, people: readonly string[], scenarioIds: readonly string[]) {
  const rows = await okaeri.query<{ scenario_id: string; customer_id: string; key: string; end_reason: string | null }>`
    select e.scenario_id, e.customer_id, x.key, e.end_reason from executions e
    join events x on x.merchant_id = e.merchant_id and x.id = e.event_id where e.merchant_id = ${merchant.id}`
  return rows
    .map(
      ({ scenario_id, customer_id, key, end_reason }) =>
        `${scenarioIds.indexOf(scenario_id)} ${people.indexOf(customer_id)} ${key} ${end_reason ?? ''}`,
    )
    .sort()
}

test('the same events give the same executions in any order, with any repetition and in any batches', async () => {
  const happening = fc.record({
    kind: fc.constantFrom(...kinds),
    person: fc.nat(PEOPLE - 1),
    order: fc.integer({ min: 1, max: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { minLength: 1, maxLength: 30 }).chain((happenings) =>
        fc.tuple(
          fc.constant(happenings),
          fc.array(fc.nat(happenings.length - 1), { maxLength: 20 }),
          fc.shuffledSubarray(
            happenings.map((_, index) => index),
            { minLength: happenings.length },
          ),
          fc.integer({ min: 1, max: 7 }),
        ),
      ),
      async ([happenings, repeated, shuffled, size]) => {
        const merchant = await okaeri.merchant()
        const scope = merchant.scope()
        const people = await addCustomers(
          scope,
          Array.from({ length: PEOPLE }, () => ({})),
        )
        const scenarioIds: string[] = []
        for (const flow of flows) scenarioIds.push(await addScenario(scope, flow))
        const arriving = [...shuffled, ...repeated].map((index): NewEvent => {
          const { kind, person, order } = happenings[index] ?? { kind: 'order_paid', person: 0, order: 0 }
          return {
            kind,
            key: String(index),
            customerId: people[person] ?? null,
            subject: kind === 'favorite_added' ? {} : { store_order_id: order },
            occurredAt: new Date(scope.now.getTime() + (index - happenings.length) * 1000),
          }
        })
        for (let at = 0; at < arriving.length; at += size)
          await recordEvents(merchant.scope(), arriving.slice(at, at + size))
        while (await enterDue(merchant.scope()));
        expect(await entered(merchant, people, scenarioIds)).toEqual(plainly(happenings))
      },
    ),
    { numRuns: 25 },
  )
})
