import { lateBefore } from '@okaeri/contract/late'
import type { Context } from '../../kernel/context.ts'
import { eachMerchantWithDue } from '../../kernel/due-merchants.ts'
import { readLastHeartbeat } from '../../kernel/installation.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { changeMany } from './ending.ts'
import { pullBrakesOfWaiting } from './entering-queries.ts'
import { CHANGED_AT_ONCE, type ChangeOfMany, countLate, markDueLate } from './ending-queries.ts'
import { getScenarioRow } from './queries.ts'

/**
 * Before a worker begins: when none was alive for more than a day (an outage, a restored backup), what happened meanwhile and nobody looked at
 * would flood people: the brakes of the scenarios it starts are pulled. (Wake-ups found late ask one by one where they are found,
 * advancing.ts.)
 */
export async function askAboutMissedEvents(context: Context): Promise<void> {
  const lastAlive = await readLastHeartbeat(context)
  if (!lastAlive || lastAlive >= lateBefore('scenario', context.clock.realNow())) return
  await eachMerchantWithDue(context, 'events', null, async (scope) => {
    await pullBrakesOfWaiting(scope, lateBefore('scenario', scope.now))
    return true
  })
}

/** Everything that is due asks, however late it is. */
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
