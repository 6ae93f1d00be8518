import type { Facts } from '../../kernel/events.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { endExecutions } from './ending.ts'
import { listGoingOn, moveExecutions, moveExecutionsFromGuest } from './execution-queries.ts'

/** Whose executions they are. */
export const joinExecutions = (scope: MerchantScope, { guestId, customerId }: Facts['guest.joined']): Promise<void> =>
  moveExecutionsFromGuest(scope, guestId, customerId)
export const mergeExecutions = (scope: MerchantScope, { fromId, intoId }: Facts['customers.merged']): Promise<void> =>
  moveExecutions(scope, fromId, intoId)

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
