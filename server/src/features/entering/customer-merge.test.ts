import { listExecutions } from '@okaeri/contract/scenarios/execution'
import type { Reentry } from '@okaeri/contract/scenarios/flow/flow'
import { expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { addScenario, flowOf, waitNode } from '../../../test/scenarios.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { recordEvents } from '../events/index.ts'
import { joinGuest, guestOf } from '../guests/index.ts'

const DAY = 86_400_000
withMerchants()

const cases = (
  [{ mode: 'once' }, { mode: 'every_days', days: 30 }, { mode: 'when_none_runs' }] satisfies Reentry[]
).flatMap((reentry) => (['customer', 'guest', 'merged'] as const).map((who) => ({ reentry, who })))

test.each(cases)(
  'a customer who finished a scenario does not continue in it as another person ($reentry.mode; running: $who)',
  async ({ reentry, who }) => {
    const [one = '', two = ''] = await addCustomers(merchant.scope(), [{}, { email: 'two@example.test' }])
    const { guestId } = await guestOf(merchant.scope(), { token: `guest-${newId()}` })
    const scenarioId = await addScenario(
      merchant.scope(),
      flowOf([waitNode('w', null, 5)], { trigger: { kind: 'favorite_added' }, reentry }),
    )
    const enter = async (person: { customerId: string } | { guestId: string }) => {
      await recordEvents(merchant.scope(), [
        { kind: 'favorite_added', key: newId(), ...person, occurredAt: okaeri.clock.now() },
      ])
      await okaeri.settle()
    }
    const guest = { guestId }
    // The first one finishes before the other begins.
    const [first, second] =
      who === 'guest'
        ? [{ customerId: one }, guest]
        : who === 'customer'
          ? [guest, { customerId: one }]
          : [{ customerId: one }, { customerId: two }]
    await enter(first)
    okaeri.advance(5 * DAY)
    await okaeri.settle()
    await enter(second)
    if (who === 'merged')
      await merchant
        .scope()
        .transaction((scope) => scope.context.publish(scope, 'customers.merged', { fromId: one, intoId: two }))
    else await joinGuest(merchant.scope(), guestId, one)
    await okaeri.settle()
    const { data } = await merchant.call(listExecutions, { query: { action_id: scenarioId } })
    expect(data.map(({ status, end_reason }) => end_reason ?? status)).toEqual([
      reentry.mode === 'when_none_runs' ? 'running' : 'customer_gone',
      'finished',
    ])
  },
)
