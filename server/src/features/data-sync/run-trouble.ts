import { asStoreTrouble } from '../../integrations/shopify/index.ts'
import { retryPauseMs } from '../../integrations/shopify/operations.ts'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import { collectGarbage } from '../../kernel/memory.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { recountAllOrders } from '../orders/index.ts'
import { changeStep, type CopyTrouble, listSteps, markFinished, markRunTrouble, type RunRow } from './queries.ts'

export const RETRY_MS = 2000
/** Tries of a run that the clock began (sweep, repair), because comparisons wait for it. It is repeated later. */
const MAX_ATTEMPTS = 5
/** A fault of ours may be fixed by the next version. After most of a day the run fails, so that a member sees it. */
const MAX_ATTEMPTS_OF_OURS = 40
/** Between tries while someone has to act in the store, which takes longer than this. */
const STORE_PAUSE_MS = 5 * 60_000
/** After this many reads of a broken file the export is repeated. */
const READ_AT_MOST = 3
/** Two batches are in memory at a time, parsed and encoded, so less garbage than usual may accumulate beside them. */
export const ENOUGH_GARBAGE_BYTES = 75 * 1024 * 1024

/** The cause of a failed try. Null: a retry cannot help. */
function troubleOf(error: unknown): CopyTrouble | null {
  if (error instanceof AppError) return null
  if (!(error instanceof IntegrationError)) return 'internal'
  const ofStore = asStoreTrouble(error)
  if (ofStore) return ofStore
  const [word] = error.detail.split(':')
  if (word === 'file_gone') return 'file_broken'
  if (word === 'file_broken' || word === 'export_failed' || word === 'export_busy') return word
  if (word === 'ACCESS_DENIED') return null
  if (word === 'THROTTLED') return 'throttled'
  // The token was just issued, so this is about permissions.
  if (word === 'unauthorized') return 'forbidden'
  return error.retryable ? 'unreachable' : 'internal'
}

/** Trouble of the connection, not of an export: it is over as soon as the store answers. */
const isOfConnection = (trouble: CopyTrouble): boolean =>
  !['file_broken', 'export_failed', 'export_busy', 'internal'].includes(trouble)

export async function clearConnectionTrouble(scope: MerchantScope, run: RunRow): Promise<void> {
  if (!run.trouble || !isOfConnection(run.trouble)) return
  await markRunTrouble(scope, run.id, null)
  const step = (await listSteps(scope, run.id)).find(({ status }) => status !== 'done')
  if (step && step.attempts > 0) await changeStep(scope, run.id, step.kind, { attempts: 0 })
}

/**
 * A copy keeps trying, because campaigns wait for it. Only a cause that a retry cannot remove ends it: no store, no permission, a lasting
 * fault of ours. Returns when to try again, in milliseconds.
 */
export async function giveUpOrRetry(scope: MerchantScope, run: RunRow, error: unknown): Promise<number> {
  const runId = run.id
  const step = (await listSteps(scope, runId)).find(({ status }) => status !== 'done')
  const attempts = (step?.attempts ?? 0) + 1
  const trouble = troubleOf(error)
  scope.context.log.warn({ merchantId: scope.merchantId, runId, attempts, error }, 'copying the store met an error')
  if (step) await changeStep(scope, runId, step.kind, { attempts })
  const atMost =
    run.purpose !== 'copy' ? MAX_ATTEMPTS : trouble === 'internal' ? MAX_ATTEMPTS_OF_OURS : Number.POSITIVE_INFINITY
  if (trouble && attempts < atMost) {
    await markRunTrouble(scope, runId, trouble)
    if (trouble === 'file_broken' && step && attempts % READ_AT_MOST === 0)
      await changeStep(scope, runId, step.kind, { status: 'waiting', bulkOperationId: null })
    return Math.max(retryPauseMs(attempts), asStoreTrouble(error) ? STORE_PAUSE_MS : 0)
  }
  // The orders loaded so far count, though the copy ends here.
  if (step?.kind === 'orders' && step.loadedCount > 0)
    await recountAllOrders(scope, () => Promise.resolve(collectGarbage(ENOUGH_GARBAGE_BYTES)))
  await markFinished(scope, runId, { status: 'failed', error: reasonOf(error) })
  return RETRY_MS
}

/** The reason that the page shows for a failed run. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.reason
  if (error instanceof IntegrationError && error.detail === 'ACCESS_DENIED') return 'access_denied'
  return 'internal'
}
