import type { EndReason } from '@okaeri/contract/scenarios/execution-status'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { cancelMessagesOfExecutions } from '../deliveries/index.ts'
import { dropPendingEffects, endExecutionRows, endFinished } from './ending-queries.ts'
import { markDirtyById } from './membership.ts'

/** For executions that end early: cancels effects and mails that are not done or sent yet. */
export async function cancelPendingWork(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await dropPendingEffects(scope, ids)
  await cancelMessagesOfExecutions(scope, ids)
}

/** Ends those of these executions that have not ended; returns which. */
export async function endExecutions(
  scope: TransactionScope,
  ends: readonly { executionId: string; reason: EndReason }[],
): Promise<string[]> {
  const ids = await endExecutionRows(scope, ends)
  await cancelPendingWork(scope, ids)
  await markDirtyById(scope, ids)
  return ids
}

/**
 * These executions have finished, but a mail of theirs has not left yet. It is not sent, and this becomes their end reason. Answers
 * which.
 */
export async function withdrawMails(
  scope: TransactionScope,
  ends: readonly { executionId: string; reason: EndReason }[],
): Promise<string[]> {
  const ids = await endFinished(scope, ends)
  if (ids.length > 0) await cancelMessagesOfExecutions(scope, ids)
  await markDirtyById(scope, ids)
  return ids
}
