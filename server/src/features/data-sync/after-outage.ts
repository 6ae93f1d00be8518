import type { SendingHold } from '@okaeri/contract/merchants/merchant'
import type { Context } from '../../kernel/context.ts'
import { eachMerchantWithDue } from '../../kernel/due-merchants.ts'
import { readLastHeartbeat } from '../../kernel/installation.ts'
import { allMerchants } from '../merchants/index.ts'
import { findStore } from '../stores/index.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findUnknownOptOuts, markOptOutsUnknown } from './watch-queries.ts'

/** A deployment takes less. After a failed webhook the platform waits longer and longer, for hours, before it sends it again. */
const OUTAGE_MS = 15 * 60_000

/**
 * Before a worker begins: if none was alive for a while, who opted out in the stores meanwhile is not known. It is asked at once, and until
 * then mail to customers waits (`presentUnknownOptOuts`).
 */
export async function askStoresAfterOutage(context: Context): Promise<void> {
  const lastAlive = await readLastHeartbeat(context)
  if (!lastAlive || context.clock.realNow().getTime() - lastAlive.getTime() < OUTAGE_MS) return
  await eachMerchantWithDue(context, allMerchants, null, markOptOutsUnknown)
}

/**
 * Why mail to customers waits for the store's answer, and since when. Null: it is known who opted out, or there is no store to ask, or it did
 * not answer in time: then mail continues, as while a store is away.
 */
export async function presentUnknownOptOuts(scope: MerchantScope): Promise<SendingHold | null> {
  const since = await findUnknownOptOuts(scope)
  if (!since) return null
  const store = await findStore(scope)
  if (store?.status !== 'connected' || store.trouble) return null
  return { since: since.toISOString(), because: 'outage' }
}
