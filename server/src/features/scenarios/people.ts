import type { Facts } from '../../kernel/events.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { endExecutions } from './ending.ts'
import { listGoingOn, moveExecutions, moveExecutionsFromGuest, selectDoubled } from './execution-queries.ts'
import { readFlows } from './reading-flows.ts'

/** Whose executions they are. */
export const joinExecutions = (scope: MerchantScope, { guestId, customerId }: Facts['guest.joined']): Promise<void> =>
  scope.transaction(async (scope) => {
    await endDoubled(scope, { guestId }, customerId)
    await moveExecutionsFromGuest(scope, guestId, customerId)
  })
export const mergeExecutions = (scope: MerchantScope, { fromId, intoId }: Facts['customers.merged']): Promise<void> =>
  scope.transaction(async (scope) => {
    await endDoubled(scope, { customerId: fromId }, intoId)
    await moveExecutions(scope, fromId, intoId)
  })

/** Two who turn out to be one are not mailed twice: in a scenario that lets nobody in beside themselves, one way is gone on with. */
async function endDoubled(
  scope: TransactionScope,
  from: { customerId: string } | { guestId: string },
  intoId: string,
): Promise<void> {
  const doubled = await selectDoubled(scope, from, intoId)
  if (doubled.length === 0) return
  const flows = await readFlows(
    scope,
    doubled.map(({ scenario_id: scenarioId, version }) => ({ scenarioId, version })),
  )
  const ending = doubled.filter(({ scenario_id, version }) => flows(scenario_id, version)?.reentry.mode !== 'always')
  await endExecutions(
    scope,
    ending.map(({ id }) => ({ executionId: id, reason: 'customer_gone' as const })),
  )
}

/** Nobody is left to go on with. */
export function endExecutionsOf(scope: MerchantScope, { customerId }: Facts['customer.deleted']): Promise<void> {
  return scope.transaction(async (scope) => {
    const ids = await listGoingOn(scope, customerId)
    await endExecutions(
      scope,
      ids.map((executionId) => ({ executionId, reason: 'customer_gone' as const })),
    )
  })
}
