import type { Context } from '../../kernel/context.ts'
import { eachMerchantWithDue } from '../../kernel/work/due-merchants.ts'
import { readLastHeartbeat } from '../../kernel/installation.ts'
import { allMerchants } from '../merchants/index.ts'
import { markOptOutsUnknown } from './watch-queries.ts'

/** A deployment takes less. After a failed webhook the platform waits longer and longer, for hours, before it sends it again. */
const OUTAGE_MS = 15 * 60_000

/**
 * Before a worker begins: if none was alive for a while, who opted out in the stores meanwhile is not known. It is asked at once, and until
 * then mail to customers waits (`waiting-for-store.ts`).
 */
export async function askStoresAfterOutage(context: Context): Promise<void> {
  const lastAlive = await readLastHeartbeat(context)
  if (!lastAlive || context.clock.realNow().getTime() - lastAlive.getTime() < OUTAGE_MS) return
  await eachMerchantWithDue(context, allMerchants, null, markOptOutsUnknown)
}
