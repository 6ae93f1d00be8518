import type { RestockStatus } from '@okaeri/contract/restocks/routes'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { markAnswering, markBought, markSent, markUnknown } from './answering-queries.ts'
import { countMoved } from './counting.ts'
import { lockRequests, type StoredRequest } from './queries.ts'

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
  const before = await lockRequests(
    scope,
    sent.map(({ id }) => id),
  )
  await markSent(scope, sent)
  await tell(scope, before, (was) => (was === 'deleted' ? was : 'sent'))
}

/** Their message may have been sent. */
export async function endUnknownRequests(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const before = await lockRequests(scope, ids)
  await markUnknown(scope, ids)
  await tell(scope, before, (was) => (was === 'active' ? 'unknown' : was))
}

export async function endBoughtRequests(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  const before = (await lockRequests(scope, ids)).filter(({ status }) => status === 'active' || status === 'sent')
  await markBought(
    scope,
    before.map(({ id }) => id),
  )
  await tell(scope, before, () => 'deleted')
}

async function tell(
  scope: TransactionScope,
  before: readonly StoredRequest[],
  now: (was: RestockStatus) => RestockStatus,
): Promise<void> {
  await countMoved(
    scope,
    before.map((one) => ({ ...one, was: one.status, status: now(one.status) })),
  )
  const customerIds = [...new Set(before.flatMap(({ customerId }) => customerId ?? []))]
  if (customerIds.length > 0) await scope.context.publish(scope, 'customers.changed', { customerIds })
}
