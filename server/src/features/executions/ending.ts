import { lateBefore } from '@okaeri/contract/late'
import type { EndReason } from '@okaeri/contract/scenarios/execution'
import { job } from '../../kernel/jobs.ts'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { cancelMailOfExecutions } from '../deliveries/index.ts'
import {
  CHANGED_AT_ONCE,
  type ChangeOfMany,
  changeSome,
  dropPendingEffects,
  endFinished,
  endThose,
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
    await leaveNothingBehind(scope, ids)
    await markDirtyById(scope, ids)
  }
  return ids.length
}

/** The first thousands at once, the others in a job. */
export async function changeMany(scope: TransactionScope, scenarioId: string, change: ChangeOfMany): Promise<void> {
  const count = await changeOnce(scope, scenarioId, change)
  if (count === CHANGED_AT_ONCE) await scope.context.jobs.later(scope, changeManyExecutions, { scenarioId, change })
}

/** Of executions that end before their last node: what was still to be done outside is not done, and mails not sent yet are not sent. */
export async function leaveNothingBehind(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await dropPendingEffects(scope, ids)
  await cancelMailOfExecutions(scope, ids)
}

/**
 * The scenario runs again, in the transaction that enables it. (Stopping it needs nothing: what falls due while it is stopped is held when
 * it is found.) What has become more than a day late meanwhile asks first.
 */
export const resumeStopped = (scope: TransactionScope, scenarioId: string): Promise<void> =>
  changeMany(scope, scenarioId, 'unhold')

/** The scenario is deleted: all its executions end. */
export const endAllExecutions = (scope: TransactionScope, scenarioId: string): Promise<void> =>
  changeMany(scope, scenarioId, 'stop')

/** Those of these executions that have not ended yet end now, wherever they are; answers which. */
export async function endExecutions(
  scope: TransactionScope,
  ends: readonly { executionId: string; reason: EndReason }[],
): Promise<string[]> {
  const ids = await endThose(scope, ends)
  await leaveNothingBehind(scope, ids)
  await markDirtyById(scope, ids)
  return ids
}

/**
 * These came to their last node, and a mail of theirs has not left yet: it leaves no more, and they have ended for this reason. Answers
 * which.
 */
export async function withdrawMails(
  scope: TransactionScope,
  ends: readonly { executionId: string; reason: EndReason }[],
): Promise<string[]> {
  const ids = await endFinished(scope, ends)
  if (ids.length > 0) await cancelMailOfExecutions(scope, ids)
  await markDirtyById(scope, ids)
  return ids
}
