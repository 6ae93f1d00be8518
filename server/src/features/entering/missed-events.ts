import { lateBefore } from '@okaeri/contract/late'
import type { Context } from '../../kernel/context.ts'
import { eachMerchantWithDue } from '../../kernel/work/due-merchants.ts'
import { readLastHeartbeat } from '../../kernel/installation.ts'
import { limitEntriesOfWaiting } from '../flows/index.ts'
import { dueEvents } from './due-queries.ts'

/**
 * Before a worker begins: if none was alive for more than a day (an outage, a restored backup), the events of that time would send too
 * many mails at once. So the entry limits of their scenarios are set. (Late wake-ups ask one by one, in steps/time-slice.ts.)
 */
export async function askAboutMissedEvents(context: Context): Promise<void> {
  const lastAlive = await readLastHeartbeat(context)
  if (!lastAlive || lastAlive >= lateBefore('scenario', context.clock.realNow())) return
  await eachMerchantWithDue(context, dueEvents, null, async (scope) => {
    await limitEntriesOfWaiting(scope, lateBefore('scenario', scope.now))
    return true
  })
}
