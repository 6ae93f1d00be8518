import type { Page } from '@okaeri/contract/paging'
import type { FailedEntry } from '@okaeri/contract/scenarios/entering-routes'
import { conflict } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getScenarioForUpdate, getScenarioRow } from '../flows/index.ts'
import { countFailedEntries, markDropped, markToRetry, selectFailedEntries } from './failed-entry-queries.ts'

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

/** Processes their events again, past the entry limit: a member saw how many they are. */
export const retryFailedEntries = (scope: MerchantScope, scenarioId: string): Promise<number> =>
  scope.transaction(async (scope) => {
    const { status } = await getScenarioForUpdate(scope, scenarioId)
    // A stopped scenario lets no one in.
    if (status !== 'active') throw conflict('scenario_not_active')
    return markToRetry(scope, scenarioId)
  })

export const dropFailedEntries = (scope: MerchantScope, scenarioId: string): Promise<number> =>
  scope.transaction(async (scope) => {
    await getScenarioForUpdate(scope, scenarioId)
    return markDropped(scope, scenarioId)
  })
