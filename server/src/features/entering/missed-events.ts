import { lateBefore } from '@okaeri/contract/late'
import type { Context } from '../../kernel/context.ts'
import { eachMerchantWithDue } from '../../kernel/due-merchants.ts'
import { readLastHeartbeat } from '../../kernel/installation.ts'
import { limitEntriesOfWaiting } from '../flows/index.ts'
import { dueEvents } from './due-queries.ts'

/**
 * Before a worker begins: if none was alive for more than a day (an outage, a restored backup), the events of that time would flood people,
 * so the entry limits of the scenarios they start are reached at once. (Wake-ups found late ask one by one, in steps/time-slice.ts.)
 */
export async function askAboutMissedEvents(context: Context): Promise<void> {
  const lastAlive = await readLastHeartbeat(context)
  if (!lastAlive || lastAlive >= lateBefore('scenario', context.clock.realNow())) return
  await eachMerchantWithDue(context, dueEvents, null, async (scope) => {
    await limitEntriesOfWaiting(scope, lateBefore('scenario', scope.now))
    return true
  })
}
