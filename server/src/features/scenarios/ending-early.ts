import type { EndsOn } from '@okaeri/contract/scenarios/flow'
import type { Facts } from '../../kernel/events.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import type { ClaimedEvent } from '../events/index.ts'
import { endExecutions } from './ending.ts'
import { type Endable, selectBeforeOrders, selectBegunBy, selectOfCustomers } from './entering-queries.ts'
import { readFlows } from './reading-flows.ts'

/** What ends executions before their last node; the version an execution is on says what does. */

/** The same words as reasons. */
async function end(scope: TransactionScope, found: readonly Endable[], why: EndsOn): Promise<void> {
  if (found.length === 0) return
  const flows = await readFlows(
    scope,
    found.map(({ scenario_id: scenarioId, version }) => ({ scenarioId, version })),
  )
  const those = found.filter(({ scenario_id, version }) => flows(scenario_id, version)?.ends_on.includes(why))
  await endExecutions(
    scope,
    those.map(({ id }) => ({ executionId: id, reason: why })),
  )
}

/** For events of different people. */
export async function endBy(scope: TransactionScope, events: readonly ClaimedEvent[]): Promise<void> {
  const of = (...kinds: ClaimedEvent['kind'][]): ClaimedEvent[] => events.filter(({ kind }) => kinds.includes(kind))
  const bought = of('order_created', 'order_paid').flatMap(({ customer_id, subject, occurred_at }) =>
    customer_id ? { customerId: customer_id, storeOrderId: subject.store_order_id ?? null, at: occurred_at } : [],
  )
  await end(scope, await selectBeforeOrders(scope, bought), 'bought')
  const cancelled = of('order_cancelled').flatMap(({ subject }) => subject.store_order_id ?? [])
  const keys = cancelled.flatMap((number) => [
    `order_created:${number}`,
    `order_paid:${number}`,
    `order_fulfilled:${number}`,
  ])
  await end(scope, await selectBegunBy(scope, keys), 'order_cancelled')
}

/** Reaction to `consent.changed`: who may not be mailed any more has left, whatever the source. */
export async function endForUnsubscribed(
  scope: MerchantScope,
  { kind, changes }: Facts['consent.changed'],
): Promise<void> {
  const gone = changes.flatMap(({ customerId, to }) => (to === 'withdrawn' ? customerId : []))
  if (kind !== 'marketing' || gone.length === 0) return
  await scope.transaction(async (scope) => end(scope, await selectOfCustomers(scope, gone), 'unsubscribed'))
}
