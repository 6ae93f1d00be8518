import type { Context } from '../../kernel/context.ts'
import { eachMerchantWithDue } from '../../kernel/due-merchants.ts'
import { readLastAlive } from '../../kernel/installation.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { LATE_WAKE_HOURS } from '@okaeri/contract/scenarios/scenario'
import { changeMany, lateBefore } from './ending.ts'
import { pullBrakesOfWaiting } from './entering-queries.ts'
import { CHANGED_AT_ONCE, type ChangeOfMany, countLate, markLate } from './ending-queries.ts'
import { getScenarioRow } from './queries.ts'

/**
 * Before a worker begins: when none was alive for more than a day (an outage, a restored backup), wake-ups that should have been more than a
 * day ago ask whether they are still wanted. Lateness is real time without a sign of life, so the sandbox's clock may be moved by a
 * month and nothing is late; and while workers are alive, even one with a long backlog sends what is due. What happened meanwhile and
 * nobody looked at would flood people just so: the brakes of the scenarios it starts are pulled.
 */
export async function askAboutLateWakeUps(context: Context): Promise<void> {
  const lastAlive = await readLastAlive(context)
  if (!lastAlive || context.clock.realNow().getTime() - lastAlive.getTime() <= LATE_WAKE_HOURS * 3_600_000) return
  await eachMerchantWithDue(context, 'executions', null, async (scope) => {
    while ((await scope.transaction((scope) => markLate(scope, lateBefore(scope.now)))) === CHANGED_AT_ONCE);
    return true
  })
  await eachMerchantWithDue(context, 'events', null, async (scope) => {
    await pullBrakesOfWaiting(scope, lateBefore(scope.now))
    return true
  })
}

/** Everything that is due asks, however late it is. */
export async function askAboutDueWakeUps(scope: MerchantScope): Promise<void> {
  while ((await scope.transaction((scope) => markLate(scope, scope.now))) === CHANGED_AT_ONCE);
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
