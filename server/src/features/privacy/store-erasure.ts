import { SHOP_INFO, type ShopInfoResult } from '../../integrations/shopify/operations.ts'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import { forgetJobs } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { eraseBatch, type TableName } from '../../kernel/personal-data.ts'
import { closeMerchant } from '../merchants/index.ts'
import { findStore, getStoreClient } from '../stores/index.ts'
import { claimRequest, deleteOtherRequests, markWorked } from './queries.ts'

/** Erased first, so that all members are signed out and no new data comes in. */
const FIRST: readonly TableName[] = [
  'refresh_tokens',
  'sessions',
  'one_time_tokens',
  'sign_in_directory',
  'members',
  'store_directory',
  'line_channel_directory',
  'link_host_directory',
]
/**
 * The account's own row is anonymized. The record of this request stays, and so do the positions of transmit logs: without them another
 * machine's log would seem to be ahead of the database.
 */
const KEPT: readonly TableName[] = [
  'merchants',
  'privacy_requests',
  'installation',
  'rate_limits',
  'ledger_state',
  'departure_journals',
]

/**
 * Erases everything of a merchant whose store uninstalled the app, a few thousand rows at a time, so that another worker can continue after a
 * kill; other merchants' rows are not read. A store that is connected again keeps everything.
 */
export async function eraseStore(scope: MerchantScope, id: string, signal: AbortSignal): Promise<void> {
  if (!(await claimRequest(scope, id))) return
  if (await isConnectedAgain(scope)) {
    await markWorked(scope, id, { status: 'skipped', skipReason: 'store_connected', sealed: null, nextAt: null })
    return
  }
  await closeMerchant(scope)
  const outcome: Record<string, number> = {}
  // Again from the start until nothing is left: other work may have written meanwhile.
  for (let erased = 1; erased > 0 && !signal.aborted; ) {
    erased = 0
    for (const table of tablesInOrder(scope))
      for (let rows = 1; rows > 0 && !signal.aborted; ) {
        rows = await eraseBatch(scope, table)
        outcome[table] = (outcome[table] ?? 0) + rows
        erased += rows
      }
    erased += await forgetJobs(scope, null)
    for (const { erase } of scope.context.ports.personalDataInventory().files) erased += await erase(scope)
  }
  if (signal.aborted) return
  await scope.transaction(async (scope) => {
    await deleteOtherRequests(scope, id)
    await markWorked(scope, id, { status: 'done', outcome, sealed: null, nextAt: null })
  })
}

const tablesInOrder = (scope: MerchantScope): TableName[] => {
  const all = scope.context.ports.personalDataInventory().tables.map(({ table }) => table)
  return [...FIRST, ...all.filter((table) => !FIRST.includes(table) && !KEPT.includes(table))]
}

/** The row may say "connected" only because the webhook of the uninstallation was lost, so the platform is asked. */
async function isConnectedAgain(scope: MerchantScope): Promise<boolean> {
  if ((await findStore(scope))?.status !== 'connected') return false
  try {
    const client = await getStoreClient(scope)
    await client.graphql<ShopInfoResult>(SHOP_INFO)
    return true
  } catch (error) {
    if (error instanceof AppError && error.reason === 'store_not_connected') return false
    if (error instanceof IntegrationError && error.detail === 'unauthorized') return false
    throw error
  }
}
