import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { markAnswering, markBought, markSent, markUnknown } from './answering-queries.ts'

/** Held for a return in which it is being answered, so that no other wave takes it. */
export const holdRequests = (scope: TransactionScope, ids: readonly string[], returnId: string): Promise<void> =>
  markAnswering(scope, ids, returnId)

/** They wait on, at their old place. */
export const releaseRequests = (scope: TransactionScope, ids: readonly string[]): Promise<void> =>
  markAnswering(scope, ids, null)

/** Their message was sent. */
export async function answerRequests(
  scope: TransactionScope,
  sent: readonly { id: string; at: Date }[],
): Promise<void> {
  await publishChanged(scope, await markSent(scope, sent))
}

/** Their message may have been sent. */
export async function endUnknownRequests(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await publishChanged(scope, await markUnknown(scope, ids))
}

export async function endBoughtRequests(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  await publishChanged(scope, await markBought(scope, ids))
}

async function publishChanged(scope: TransactionScope, customerIds: readonly string[]): Promise<void> {
  const once = [...new Set(customerIds)]
  if (once.length > 0) await scope.context.publish(scope, 'customers.changed', { customerIds: once })
}
