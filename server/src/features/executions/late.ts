import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getScenarioRow } from '../flows/index.ts'
import { CHANGED_AT_ONCE, type ChangeOfMany, countLate, markDueLate } from './ending-queries.ts'
import { changeMany } from './ending.ts'

/** Marks everything that is due as late, whatever its delay. */
export async function askAboutDueWakeUps(scope: MerchantScope): Promise<void> {
  while ((await scope.transaction((scope) => markDueLate(scope))) === CHANGED_AT_ONCE);
}

export const sendLate = (scope: MerchantScope, scenarioId: string): Promise<number> =>
  answerLate(scope, scenarioId, 'send_late')
export const skipLate = (scope: MerchantScope, scenarioId: string): Promise<number> =>
  answerLate(scope, scenarioId, 'skip_late')

function answerLate(scope: MerchantScope, scenarioId: string, change: ChangeOfMany): Promise<number> {
  return scope.transaction(async (scope) => {
    await getScenarioRow(scope, scenarioId)
    const count = await countLate(scope, scenarioId)
    if (count > 0) await changeMany(scope, scenarioId, change)
    return count
  })
}
