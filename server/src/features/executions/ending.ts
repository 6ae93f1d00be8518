import { lateBefore } from '@okaeri/contract/late'
import type { EndReason } from '@okaeri/contract/scenarios/execution-status'
import { job } from '../../kernel/work/jobs.ts'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { cancelMessagesOfExecutions } from '../deliveries/index.ts'
import {
  CHANGED_AT_ONCE,
  type ChangeOfMany,
  changeSome,
  dropPendingEffects,
  endFinished,
  endExecutionRows,
} from './ending-queries.ts'
import { markDirtyById } from './membership.ts'

/** A million executions are not changed in one transaction, nor while a request waits. */
export const changeManyExecutions = job<{ scenarioId: string; change: ChangeOfMany }>(
  'change_many_executions',
  ({ scenarioId, change }) => `${scenarioId} ${change}`,
  async (scope, { scenarioId, change }) => {
    while ((await scope.transaction((scope) => changeOnce(scope, scenarioId, change))) === CHANGED_AT_ONCE);
  },
)

const endsThem = new Set<ChangeOfMany>(['stop', 'skip_late', 'resolve_failed'])

async function changeOnce(scope: TransactionScope, scenarioId: string, change: ChangeOfMany): Promise<number> {
  const ids = await changeSome(scope, scenarioId, change, lateBefore('scenario', scope.now))
  if (endsThem.has(change)) {
    await cancelPendingWork(scope, ids)
    await markDirtyById(scope, ids)
  }
  return ids.length
}

/** The first thousands at once, the rest in a job. */
export async function changeMany(scope: TransactionScope, scenarioId: string, change: ChangeOfMany): Promise<void> {
  const count = await changeOnce(scope, scenarioId, change)
  if (count === CHANGED_AT_ONCE) await scope.context.jobs.later(scope, changeManyExecutions, { scenarioId, change })
}

/** For executions that end early: cancels effects and mails that are not done or sent yet. */
export async function cancelPendingWork(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await dropPendingEffects(scope, ids)
  await cancelMessagesOfExecutions(scope, ids)
}

/**
 * Called in the transaction that enables the scenario. (Stopping needs nothing: what falls due meanwhile is marked when it is found.)
 * Executions more than a day late ask first.
 */
export const resumeStopped = (scope: TransactionScope, scenarioId: string): Promise<void> =>
  changeMany(scope, scenarioId, 'unhold')

/** The scenario is deleted: all its executions end. */
export const endAllExecutions = (scope: TransactionScope, scenarioId: string): Promise<void> =>
  changeMany(scope, scenarioId, 'stop')

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
