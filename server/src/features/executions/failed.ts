import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getScenarioRow } from '../flows/index.ts'
import { countStuck } from './count-queries.ts'
import { changeMany } from './ending.ts'

/** What members decide about all failed executions of a scenario. Each answers how many. */

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
