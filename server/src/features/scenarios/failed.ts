import type { Page } from '@okaeri/contract/paging'
import type { FailedEntry } from '@okaeri/contract/scenarios/entering-routes'
import { retriedTransaction } from '../../kernel/deadlocks.ts'
import { conflict } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { changeMany } from './ending.ts'
import { countFailedEntries, markDropped, markToRetry, selectFailedEntries } from './failed-queries.ts'
import { countStuck, getScenarioForUpdate, getScenarioRow } from './queries.ts'

/** What people decide about all that failed in a scenario, once its cause is mended. Each answers how many it was about. */

export const playFailed = (scope: MerchantScope, scenarioId: string): Promise<number> =>
  answerFailed(scope, scenarioId, 'play_failed')
export const resolveFailed = (scope: MerchantScope, scenarioId: string): Promise<number> =>
  answerFailed(scope, scenarioId, 'resolve_failed')

function answerFailed(
  scope: MerchantScope,
  scenarioId: string,
  change: 'play_failed' | 'resolve_failed',
): Promise<number> {
  return retriedTransaction(scope, async (scope) => {
    await getScenarioRow(scope, scenarioId)
    const count = (await countStuck(scope, [scenarioId])).get(scenarioId)?.failed ?? 0
    if (count > 0) await changeMany(scope, scenarioId, change)
    return count
  })
}

export async function listFailedEntries(
  scope: MerchantScope,
  scenarioId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<FailedEntry>> {
  await getScenarioRow(scope, scenarioId)
  const rows = await selectFailedEntries(scope, scenarioId, { limit, offset })
  const total = (await countFailedEntries(scope, [scenarioId])).get(scenarioId)?.count ?? 0
  const data = rows.map(({ occurred_at, failed_at, ...row }) => ({
    ...row,
    occurred_at: occurred_at.toISOString(),
    failed_at: failed_at.toISOString(),
  }))
  return { data, limit, offset, total }
}

/** Their events are looked at once more, past the brake: a person saw how many they are. */
export const retryFailedEntries = (scope: MerchantScope, scenarioId: string): Promise<number> =>
  scope.transaction(async (scope) => {
    const { status } = await getScenarioForUpdate(scope, scenarioId)
    // Nobody enters one that does not run.
    if (status !== 'active') throw conflict('scenario_not_active')
    return markToRetry(scope, scenarioId)
  })

export const dropFailedEntries = (scope: MerchantScope, scenarioId: string): Promise<number> =>
  scope.transaction(async (scope) => {
    await getScenarioForUpdate(scope, scenarioId)
    return markDropped(scope, scenarioId)
  })
