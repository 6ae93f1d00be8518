import type { EndsOn } from '@okaeri/contract/scenarios/flow/flow'
import type { Facts } from '../../kernel/facts.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { listExecutionsWithWaitingMessages } from '../deliveries/index.ts'
import type { ClaimedEvent } from '../events/index.ts'
import { endExecutions, withdrawMails } from '../executions/index.ts'
import { readFlows } from '../flows/index.ts'
import {
  type Endable,
  type EndableOnes,
  findCustomerOf,
  selectBeforeOrders,
  selectBegunBy,
  selectBegunByProduct,
  selectById,
  selectOfCustomers,
  selectOvertaken,
} from './early-end-queries.ts'
import type { Candidate } from './entering-rules.ts'

/**
 * Ends executions early. The flow version of an execution says whether `why` ends it. `find` answers the candidates: running ones, and
 * finished ones whose mail still waits for the sending hours.
 */
async function end(
  scope: TransactionScope,
  why: EndsOn,
  customerIds: readonly string[],
  find: (which: EndableOnes) => Promise<readonly Endable[]>,
): Promise<void> {
  await endExecutions(scope, await endedBy(scope, await find('on_their_way'), why))
  if (customerIds.length === 0) return
  // After the first lock: executions that were running then may have finished.
  const finished = await listExecutionsWithWaitingMessages(scope, customerIds)
  if (finished.length > 0) await withdrawMails(scope, await endedBy(scope, await find({ finished }), why))
}

async function endedBy(
  scope: TransactionScope,
  found: readonly Endable[],
  why: EndsOn,
): Promise<{ executionId: string; reason: EndsOn }[]> {
  if (found.length === 0) return []
  const flows = await readFlows(
    scope,
    found.map(({ scenario_id: scenarioId, version }) => ({ scenarioId, version })),
  )
  return found
    .filter(({ scenario_id, version }) => flows(scenario_id, version)?.ends_on.includes(why))
    .map(({ id }) => ({ executionId: id, reason: why }))
}

/** The events must be of different customers. */
export async function endBy(scope: TransactionScope, events: readonly ClaimedEvent[]): Promise<void> {
  const of = (...kinds: ClaimedEvent['kind'][]): ClaimedEvent[] => events.filter(({ kind }) => kinds.includes(kind))
  const whose = (those: readonly ClaimedEvent[]): string[] => those.flatMap(({ customer_id }) => customer_id ?? [])
  const orders = of('order_created', 'order_paid')
  const bought = orders.flatMap(({ customer_id, subject, occurred_at }) =>
    customer_id ? { customerId: customer_id, storeOrderId: subject.store_order_id ?? null, at: occurred_at } : [],
  )
  await end(scope, 'bought', whose(orders), (which) => selectBeforeOrders(scope, which, bought))
  const cancellations = of('order_cancelled')
  const keys = cancellations
    .flatMap(({ subject }) => subject.store_order_id ?? [])
    .flatMap((number) => [`order_created:${number}`, `order_paid:${number}`, `order_fulfilled:${number}`])
  await end(scope, 'order_cancelled', whose(cancellations), (which) => selectBegunBy(scope, which, keys))
  const left = whose(of('checkout_abandoned'))
  if (left.length > 0) await end(scope, 'checkout_left', left, (which) => selectOfCustomers(scope, which, left))
}

/** Why a customer leaves again right after entering: the event is old, and they have bought since or its order was cancelled. */
export async function findOvertaken(
  scope: TransactionScope,
  candidates: readonly Candidate[],
): Promise<Map<Candidate, EndsOn>> {
  const overtaken = new Map<Candidate, EndsOn>()
  for (const why of ['order_cancelled', 'bought'] as const) {
    const asked = candidates.filter(
      ({ event, scenario }) => scenario.flow?.ends_on.includes(why) && mayOvertake[why](event),
    )
    const events = new Map(asked.map(({ event }) => [event.id, event]))
    const ids = await selectOvertaken(
      scope,
      [...events.values()].map(({ id, customer_id, subject, occurred_at }) => ({
        id,
        customerId: customer_id,
        storeOrderId: subject.store_order_id ?? null,
        at: occurred_at,
      })),
      why,
    )
    const those = new Set(ids)
    for (const candidate of asked) if (those.has(candidate.event.id)) overtaken.set(candidate, why)
  }
  return overtaken
}
const mayOvertake = {
  bought: ({ customer_id }) => customer_id !== null,
  order_cancelled: ({ kind, subject }) =>
    subject.store_order_id !== undefined && ['order_created', 'order_paid', 'order_fulfilled'].includes(kind),
} satisfies Partial<Record<EndsOn, (event: ClaimedEvent) => boolean>>

/** Reaction to `coupon.used`: ends the execution that issued it, if its flow says so. */
export const endForUsedCoupon = (scope: MerchantScope, { executionId }: Facts['coupon.used']): Promise<void> =>
  scope.transaction(async (scope) => {
    if (executionId === null) return
    const customerId = await findCustomerOf(scope, executionId)
    await end(scope, 'coupon_used', customerId === null ? [] : [customerId], (which) =>
      selectById(scope, which, executionId),
    )
  })

/** Reaction to `favorite.removed`: what a favorite of this product started ends, if its flow says so. */
export const endForRemovedFavorite = (scope: MerchantScope, removed: Facts['favorite.removed']): Promise<void> =>
  scope.transaction((scope) =>
    end(scope, 'favorite_removed', removed.customerId === null ? [] : [removed.customerId], (which) =>
      selectBegunByProduct(scope, which, removed),
    ),
  )

/** Reaction to `consent.changed`: a customer who may no longer be mailed leaves, whatever changed it. */
export async function endForUnsubscribed(
  scope: MerchantScope,
  { kind, changes }: Facts['consent.changed'],
): Promise<void> {
  const gone = changes.flatMap(({ customerId, to }) => (to === 'withdrawn' ? customerId : []))
  if (kind !== 'marketing' || gone.length === 0) return
  await scope.transaction((scope) => end(scope, 'unsubscribed', gone, (which) => selectOfCustomers(scope, which, gone)))
}
