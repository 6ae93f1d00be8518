import { lateBefore } from '@okaeri/contract/late'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { job } from '../../kernel/work/jobs.ts'
import { getScenarioRow } from '../flows/index.ts'
import { countStuck } from './count-queries.ts'
import { type BulkChange, changeBatchRows, CHANGED_AT_ONCE, countLate, markDueLate } from './ending-queries.ts'
import { cancelPendingWork } from './ending.ts'
import { markDirtyById } from './membership.ts'

// Changes of all executions of a scenario in some state. A million are not changed in one transaction, nor while a request waits.

/** The rest of a change, batch by batch. */
export const changeManyExecutions = job<{ scenarioId: string; change: BulkChange }>(
  'change_many_executions',
  ({ scenarioId, change }) => `${scenarioId} ${change}`,
  async (scope, { scenarioId, change }) => {
    while ((await scope.transaction((scope) => changeBatch(scope, scenarioId, change))) === CHANGED_AT_ONCE);
  },
)

/** The first thousands at once, the rest in a job. */
async function changeAll(scope: TransactionScope, scenarioId: string, change: BulkChange): Promise<void> {
  const count = await changeBatch(scope, scenarioId, change)
  if (count === CHANGED_AT_ONCE) await scope.context.jobs.later(scope, changeManyExecutions, { scenarioId, change })
}

const endingChanges = new Set<BulkChange>(['stop', 'skip_late', 'resolve_failed'])

async function changeBatch(scope: TransactionScope, scenarioId: string, change: BulkChange): Promise<number> {
  const ids = await changeBatchRows(scope, scenarioId, change, lateBefore('scenario', scope.now))
  if (endingChanges.has(change)) {
    await cancelPendingWork(scope, ids)
    await markDirtyById(scope, ids)
  }
  return ids.length
}

/**
 * Called in the transaction that enables the scenario. (Stopping needs nothing: what falls due meanwhile is marked when it is found.)
 * Executions more than a day late ask first.
 */
export const resumeStopped = (scope: TransactionScope, scenarioId: string): Promise<void> =>
  changeAll(scope, scenarioId, 'unhold')

/** The scenario is deleted: all its executions end. */
export const endAllExecutions = (scope: TransactionScope, scenarioId: string): Promise<void> =>
  changeAll(scope, scenarioId, 'stop')

/** Marks everything that is due as late, whatever its delay. */
export async function askAboutDueWakeUps(scope: MerchantScope): Promise<void> {
  while ((await scope.transaction((scope) => markDueLate(scope))) === CHANGED_AT_ONCE);
}

const countFailed = async (scope: MerchantScope, scenarioId: string): Promise<number> =>
  (await countStuck(scope, [scenarioId])).get(scenarioId)?.failed ?? 0

/** What a member decides about all late or all failed executions of a scenario; answers how many there were. */
const decision =
  (change: BulkChange, count: (scope: MerchantScope, scenarioId: string) => Promise<number>) =>
  (scope: MerchantScope, scenarioId: string): Promise<number> =>
    retriedTransaction(scope, async (scope) => {
      await getScenarioRow(scope, scenarioId)
      const found = await count(scope, scenarioId)
      if (found > 0) await changeAll(scope, scenarioId, change)
      return found
    })

export const sendLate = decision('send_late', countLate)
export const skipLate = decision('skip_late', countLate)
export const playFailed = decision('play_failed', countFailed)
export const resolveFailed = decision('resolve_failed', countFailed)
