import { lookKinds } from '@okaeri/contract/scenarios/event'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { lockPermitted } from '../behavior/index.ts'
import { type NewEvent, recordEvents } from '../events/index.ts'

/**
 * Records events that were found just now. Some contain what customers looked at: those are recorded only of customers who have the
 * permission, which is locked until the write. So nothing is written after it was taken back, and taking it back then redacts the event.
 */
export async function recordFound(scope: MerchantScope, events: readonly NewEvent[]): Promise<void> {
  const isLook = ({ kind }: NewEvent): boolean => (lookKinds as readonly string[]).includes(kind)
  if (!events.some(isLook)) return void (await recordEvents(scope, events))
  await retriedTransaction(scope, async (scope) => {
    const ids = [...new Set(events.filter(isLook).flatMap(({ customerId }) => customerId ?? []))]
    const permitted = await lockPermitted(scope, ids)
    await recordEvents(
      scope,
      events.filter((event) => !isLook(event) || (event.customerId != null && permitted.has(event.customerId))),
    )
  })
}
