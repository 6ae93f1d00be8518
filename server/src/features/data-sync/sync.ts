import type { SyncProgress } from '@okaeri/contract/customers/customer'
import { asStoreTrouble } from '../../integrations/shopify/index.ts'
import {
  BULK_CANCEL,
  BULK_NODE,
  type BulkCancelResult,
  type BulkNodeResult,
  type BulkRunResult,
  exportLookMs,
  exportSize,
  isBusy,
  isUnderWay,
  retryPauseMs,
  STUCK_EXPORT_MS,
} from '../../integrations/shopify/operations.ts'
import {
  BULK_NEWEST,
  BULK_RUN_GROUPED,
  type BulkNewestResult,
  bulkIdQuery,
  bulkQuery,
  type CopiedKind,
  copiedKinds,
} from '../../integrations/shopify/sync-operations.ts'
import { isOutage } from '../../kernel/database/database-trouble.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { stopwatch } from '../../kernel/clock.ts'
import { crashPoint } from '../../kernel/crash-point.ts'
import { AppError, conflict, IntegrationError } from '../../kernel/errors.ts'
import { heavyWork } from '../../kernel/work/heavy-work.ts'
import { newId } from '../../kernel/ids.ts'
import type { Lease } from '../../kernel/work/leases.ts'
import { collectGarbage, limitYoungGeneration } from '../../kernel/memory.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { recountAllOrders } from '../orders/index.ts'
import { findStore, getStoreClient, type StoreClient } from '../stores/index.ts'
import { type Batch, BATCH_CHARACTERS, BATCH_SIZES, beginBatch, type ExportFile, readExport } from './export-load.ts'
import { secondsLeft, slowExport } from './progress.ts'
import {
  analyzeCopy,
  changeStep,
  claimRun,
  commitLater,
  type CopyTrouble,
  findLastCopied,
  findNewestCopy,
  findRun,
  findRunningRun,
  holdRun,
  insertRun,
  listSteps,
  makeDue,
  markFinished,
  markRunTrouble,
  releaseRun,
  type RunPurpose,
  type RunRow,
  type StepRow,
} from './queries.ts'
import { subscribeToStore } from './webhook-subscriptions.ts'
import { sweep, sweptKinds } from './reconciliation.ts'
import {
  makeCheckDue,
  markAnotherStoresRows,
  recordCheck,
  startWatching,
  watchCopied,
  watchSwept,
} from './watch-queries.ts'
import { countWaiting } from './webhook-queries.ts'

const RETRY_MS = 2000
/** Tries of a run that the clock began (sweep, repair), because comparisons wait for it. It is repeated later. */
const MAX_ATTEMPTS = 5
/** A fault of ours may be fixed by the next version. After most of a day the run fails, so that a member sees it. */
const MAX_ATTEMPTS_OF_OURS = 40
/** Between tries while someone has to act in the store, which takes longer than this. */
const STORE_PAUSE_MS = 5 * 60_000
/** After this many reads of a broken file the export is repeated. */
const READ_AT_MOST = 3
/** After this, other merchants' copies get their turn. Later the file is read from its beginning, and stored objects are skipped. */
const TURN_MS = 45_000
/** Two batches are in memory at a time, parsed and encoded, so less garbage than usual may accumulate beside them. */
const ENOUGH_GARBAGE_BYTES = 75 * 1024 * 1024

/** Starts copying the store, or retries a waiting copy now. Throws `store_not_connected`, or `sync_running` if a copy is in progress. */
export async function startSync(
  scope: MerchantScope,
  kinds: readonly CopiedKind[] = copiedKinds,
): Promise<SyncProgress> {
  const store = await findStore(scope)
  if (store?.status !== 'connected') throw conflict('store_not_connected', 'no store is connected')
  if (!(await beginRun(scope, { purpose: 'copy', kinds }))) {
    // A waiting copy is retried now; an export that takes long is asked for again.
    const run = await findRunningRun(scope)
    const slow = run && slowExport(await listSteps(scope, run.id), scope.now)
    if (!run?.trouble && !slow) throw conflict('sync_running', 'the store is being copied already')
    if (slow) await changeStep(scope, run.id, slow.kind, { givenUp: true })
    await makeDue(scope)
  }
  return getSync(scope)
}

/** Makes a comparison of these kinds due now. Throws `store_not_connected`. */
export async function checkCopy(scope: MerchantScope, kinds: readonly CopiedKind[]): Promise<void> {
  const store = await findStore(scope)
  if (store?.status !== 'connected') throw conflict('store_not_connected', 'no store is connected')
  await makeCheckDue(scope, kinds)
}

/** A store was connected: copies it, unless a copy is in progress. Until what an earlier store had is removed, no one is chosen. */
export async function copyConnectedStore(
  scope: MerchantScope,
  { replaces }: { replaces: string | null },
): Promise<void> {
  await beginRun(scope, { purpose: 'copy', kinds: copiedKinds })
  if (replaces) await markAnotherStoresRows(scope, sweptKinds)
}

/** A worker finds the new run on its schedule (schedule.ts). Returns false while another is in progress. */
export const beginRun = (
  scope: MerchantScope,
  run: { purpose: RunPurpose; kinds: readonly CopiedKind[]; since?: Date },
): Promise<boolean> =>
  scope.transaction(async (scope) => {
    await startWatching(scope, copiedKinds)
    return insertRun(scope, { id: newId(), since: null, ...run })
  })

/** The store was lost, so its copy ends. */
export async function endSyncOfLostStore(scope: MerchantScope): Promise<void> {
  const run = await findRunningRun(scope)
  if (run) await markFinished(scope, run.id, { status: 'failed', error: 'store_not_connected' })
}

/** The platform runs one export at a time, so others wait. */
export const isCopying = async (scope: MerchantScope): Promise<boolean> => (await findRunningRun(scope)) !== null

export async function getSync(scope: MerchantScope): Promise<SyncProgress> {
  const run = await findNewestCopy(scope)
  const steps = run ? await listSteps(scope, run.id) : []
  return present(scope, run, steps, await countWaiting(scope))
}

function present(scope: MerchantScope, run: RunRow | null, rows: readonly StepRow[], waiting: number): SyncProgress {
  const steps: SyncProgress['steps'] = run
    ? rows.map((row) => ({
        kind: row.kind,
        status: row.status,
        exported_count: row.exportedCount,
        loaded_count: row.loadedCount,
      }))
    : copiedKinds.map((kind) => ({ kind, status: 'waiting', exported_count: 0, loaded_count: 0 }))
  return {
    status: run?.status ?? 'idle',
    started_at: run?.startedAt.toISOString() ?? null,
    finished_at: run?.finishedAt?.toISOString() ?? null,
    error: run?.error ?? null,
    trouble:
      run?.status === 'running' && run.trouble && run.troubleSince
        ? {
            reason: run.trouble,
            since: run.troubleSince.toISOString(),
            next_try_at: run.nextStepAt && run.nextStepAt > scope.now ? run.nextStepAt.toISOString() : null,
          }
        : null,
    slow_export: run?.status === 'running' && !run.trouble ? slowExport(rows, scope.now) : null,
    steps,
    seconds_left:
      run?.status === 'running' && !run.trouble
        ? secondsLeft(steps, scope.now.getTime() - run.startedAt.getTime())
        : null,
    webhooks_waiting: waiting,
  }
}

/** This worker's hold on a run. */
interface Hold extends Lease {
  run: RunRow
}
const after = (scope: MerchantScope, ms: number): Date => new Date(scope.context.clock.now().getTime() + ms)

/** Another worker has the run, or it was ended. This worker stops and writes nothing. */
class RunLost extends Error {
  override readonly name = 'RunLost'
}

/**
 * Advances a run as far as possible now: requests the next export, polls it, loads it. Everything needed to continue is in the database, so
 * another worker continues after one was killed. Exports run one after another, because the platform runs one at a time.
 */
export async function advanceSync(scope: MerchantScope, runId: string): Promise<void> {
  const lease = { rowId: runId, id: newId() }
  if (!(await claimRun(scope, lease))) return
  let nextMs = RETRY_MS
  try {
    const run = await findRun(scope, runId)
    if (!run) return
    try {
      const waitMs = await advance(scope, { ...lease, run })
      if (waitMs === null) await finish(scope, run)
      else {
        nextMs = waitMs
        await clearConnectionTrouble(scope, run)
      }
    } catch (error) {
      if (error instanceof RunLost) return
      if (isOutage(error)) throw error
      nextMs = await giveUpOrRetry(scope, run, error)
    }
  } finally {
    await releaseRun(scope, lease, after(scope, nextMs))
  }
}

const finish = (scope: MerchantScope, run: RunRow): Promise<void> =>
  scope.transaction(async (scope) => {
    await markFinished(scope, run.id, { status: 'done', error: null })
    // A sweep publishes each deletion itself.
    if (run.purpose !== 'sweep') await scope.context.publish(scope, 'customers.changed_widely', { learned: true })
  })

/** Returns when to continue, in milliseconds; null when everything is done. */
async function advance(scope: MerchantScope, hold: Hold): Promise<number | null> {
  const store = await getStoreClient(scope)
  for (;;) {
    const steps = await listSteps(scope, hold.rowId)
    const step = steps.find(({ status }) => status !== 'done')
    if (!step) return null
    if (step.status === 'waiting') {
      // Before the first export, so that no change falls between the export and the first webhook.
      if (step === steps[0]) await subscribeToStore(scope, store)
      await startExport(scope, hold, step, store)
    } else {
      const waitMs = await followExport(scope, hold, step, store)
      if (waitMs !== null) return waitMs
    }
  }
}

async function startExport(
  scope: MerchantScope,
  { rowId, run }: Hold,
  step: StepRow,
  store: StoreClient,
): Promise<void> {
  const idsDo = run.purpose === 'sweep' && !changesSilently(step.kind)
  const query = idsDo ? bulkIdQuery(step.kind) : bulkQuery(step.kind, run.since)
  const { bulkOperationRunQuery: answer } = await store.graphql<BulkRunResult>(BULK_RUN_GROUPED, { query })
  let id = answer.bulkOperation?.id ?? null
  const [refusal] = answer.userErrors
  if (isBusy(refusal)) {
    // Our own export, if a worker died between requesting it and storing its id.
    const { bulkOperations } = await store.graphql<BulkNewestResult>(BULK_NEWEST)
    id = bulkOperations.nodes.find((node) => isUnderWay(node.status) && node.query.trim() === query.trim())?.id ?? null
    if (!id) throw new IntegrationError('shopify', true, 'export_busy')
  } else if (refusal) throw new IntegrationError('shopify', false, `export of ${step.kind} refused: ${refusal.message}`)
  await changeStep(scope, rowId, step.kind, {
    status: 'exporting',
    bulkOperationId: id,
    exportedCount: 0,
    loadedCount: 0,
    startedAt: scope.context.clock.now(),
    progressedAt: scope.context.clock.now(),
    givenUp: false,
  })
}

/** Collections with rules change their products without a webhook or a new `updated_at`, so a sweep reads them completely. */
const changesSilently = (kind: CopiedKind): boolean => kind === 'collections'

/** Returns when to continue, in milliseconds; null when the step is done. */
async function followExport(
  scope: MerchantScope,
  hold: Hold,
  step: StepRow,
  store: StoreClient,
): Promise<number | null> {
  const change = (changes: Parameters<typeof changeStep>[3]) => changeStep(scope, hold.rowId, step.kind, changes)
  const { node } = await store.graphql<BulkNodeResult>(BULK_NODE, { id: step.bulkOperationId })
  const exportedCount = Number(node?.rootObjectCount ?? 0)
  // An empty result has no file. The file of any other result is deleted after some days.
  const isThere = node?.url || Number(node?.objectCount ?? 0) === 0
  if (node?.status === 'COMPLETED' && isThere) {
    await change({ status: 'loading', exportedCount })
    const file = node.url ? { url: node.url, whole: exportSize(node) } : null
    return (await loadExport(scope, hold, { ...step, exportedCount }, { store, file })) ? null : 0
  }
  if (node && (isUnderWay(node.status) || node.status === 'CANCELING')) {
    const hasProgressed = exportedCount > step.exportedCount
    await change({ exportedCount, ...(hasProgressed && { progressedAt: scope.context.clock.now() }) })
    const ageMs = step.startedAt ? scope.context.clock.now().getTime() - step.startedAt.getTime() : 0
    if ((ageMs > STUCK_EXPORT_MS || step.givenUp) && isUnderWay(node.status))
      await store.graphql<BulkCancelResult>(BULK_CANCEL, { id: step.bulkOperationId })
    return exportLookMs(ageMs)
  }
  const failure = node?.errorCode ?? (node && node.status !== 'COMPLETED' ? node.status : 'EXPIRED')
  await change({ status: 'waiting', bulkOperationId: null })
  // A retry cannot help: the merchant has to grant the access.
  if (failure === 'ACCESS_DENIED') throw new IntegrationError('shopify', false, failure)
  throw new IntegrationError('shopify', true, `export_failed: ${failure}`)
}

/** Loads a finished export. Without a file the result is empty. Returns false if there is more to load. */
async function loadExport(
  scope: MerchantScope,
  hold: Hold,
  step: StepRow,
  { store, file }: { store: StoreClient; file: ExportFile | null },
): Promise<boolean> {
  const { run } = hold
  const holdOn = async (scope: MerchantScope): Promise<void> => {
    // Counting a million customers' orders makes as much garbage as copying them.
    collectGarbage(ENOUGH_GARBAGE_BYTES)
    if (!(await holdRun(scope, hold))) throw new RunLost()
  }
  if (run.purpose === 'sweep') {
    if (file && changesSilently(step.kind) && !(await load(scope, hold, step, file))) return false
    const gone = await sweep(scope, { kind: step.kind, file, store, holdOn: () => holdOn(scope) })
    await finishStep(scope, run, step.kind, async (scope) => {
      await changeStep(scope, run.id, step.kind, { gone, loadedCount: step.exportedCount })
      await watchSwept(scope, step.kind)
    })
    return true
  }
  const before = await findLastCopied(scope, step.kind)
  if (file && !(await load(scope, hold, step, file))) return false
  if (step.kind === 'orders') await recountAllOrders(scope, () => holdOn(scope))
  await analyzeCopy(scope)
  await finishStep(scope, run, step.kind, async (scope) => {
    const sweepNow = run.purpose === 'copy' && before !== null
    await watchCopied(scope, step.kind, { since: step.startedAt, sweepNow })
  })
  return true
}

/** Marks the step as done and records its differences, in one transaction. */
function finishStep(
  scope: MerchantScope,
  run: RunRow,
  kind: CopiedKind,
  more: (scope: MerchantScope) => Promise<void>,
): Promise<void> {
  return scope.transaction(async (scope) => {
    const copiedBefore = await findLastCopied(scope, kind)
    await more(scope)
    await changeStep(scope, run.id, kind, { status: 'done', finishedAt: scope.context.clock.now() })
    const step = (await listSteps(scope, run.id)).find((one) => one.kind === kind)
    if (!step) return
    // Rows of the first copy were not missed by webhooks.
    const found = copiedBefore ? step : { missing: 0, outdated: 0, consent: 0, gone: 0 }
    await recordCheck(scope, {
      kind,
      method: run.purpose === 'sweep' ? 'sweep' : run.purpose === 'copy' ? 'copy' : 'window',
      from: run.since,
      until: step.startedAt ?? run.startedAt,
      checked: step.exportedCount,
      missing: found.missing,
      outdated: found.outdated,
      consent: found.consent,
      gone: found.gone,
      startedAt: step.startedAt ?? run.startedAt,
    })
  })
}

/**
 * Loads a file batch by batch. Each batch is stored with the position, so a resumed load continues where it stopped. The next batch is read
 * and prepared while the database writes the previous one. Returns false if its time is over before the end of the file.
 */
async function load(scope: MerchantScope, hold: Hold, step: StepRow, file: ExportFile): Promise<boolean> {
  const { kind } = step
  let position = step.loadedCount
  let counts = { missing: step.missing, outdated: step.outdated, consent: step.consent }
  let mostAreNew = false
  const remembered = new Set<string>()
  let batch = beginBatch(scope, kind, { mostAreNew, remembered })
  let size = { objects: 0, characters: 0 }
  let written: Promise<void> = Promise.resolve()
  const flush = async (): Promise<void> => {
    await written
    if (size.objects === 0) return
    const [full, { objects }, before] = [batch, size, counts]
    const handedOver = Promise.withResolvers<void>()
    const given = { kind, batch: full, loadedCount: position, counts, handedOver: handedOver.resolve }
    const store = () => storeBatch(scope, hold, given)
    // The batches of a small store do not queue.
    written = (objects < BATCH_SIZES[kind] ? store() : heavyWork(store)).then((after) => {
      crashPoint(`copied_${kind}`)
      full.release()
      counts = after
      mostAreNew = after.missing - before.missing > objects / 2
    })
    // Awaited with the next batch; this only prevents an unhandled rejection until then.
    written.catch(() => {})
    // An idle database does not wait for our reading.
    await Promise.race([handedOver.promise, written])
    // While the database works; between two batches it would have to wait.
    collectGarbage(ENOUGH_GARBAGE_BYTES)
    batch = beginBatch(scope, kind, { mostAreNew, remembered })
    size = { objects: 0, characters: 0 }
  }
  limitYoungGeneration()
  const elapsedMs = stopwatch()
  for await (const exported of readExport(file, position)) {
    position += 1
    batch.add(exported)
    size.objects += 1
    size.characters += exported.characters
    if (size.objects < BATCH_SIZES[kind] && size.characters < BATCH_CHARACTERS) continue
    await flush()
    if (elapsedMs() < TURN_MS) continue
    await written
    return false
  }
  await flush()
  await written
  return true
}

interface Counts {
  missing: number
  outdated: number
  consent: number
}

async function storeBatch(
  scope: MerchantScope,
  hold: Hold,
  {
    kind,
    batch,
    loadedCount,
    counts,
    handedOver,
  }: { kind: CopiedKind; batch: Batch; loadedCount: number; counts: Counts; handedOver: () => void },
): Promise<Counts> {
  // Webhooks change the same customers meanwhile.
  return retriedTransaction(scope, async (scope) => {
    await commitLater(scope)
    const found = await batch.write(scope, { bulk: true, handedOver })
    const sums = {
      missing: counts.missing + found.missing,
      outdated: counts.outdated + found.outdated,
      consent: counts.consent + found.consent,
    }
    await changeStep(scope, hold.rowId, kind, { loadedCount, attempts: 0, ...sums })
    if (hold.run.trouble) await markRunTrouble(scope, hold.rowId, null)
    // Last, so that the run's row is locked only for a moment.
    if (!(await holdRun(scope, hold))) throw new RunLost()
    return sums
  })
}

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

async function clearConnectionTrouble(scope: MerchantScope, run: RunRow): Promise<void> {
  if (!run.trouble || !isOfConnection(run.trouble)) return
  await markRunTrouble(scope, run.id, null)
  const step = (await listSteps(scope, run.id)).find(({ status }) => status !== 'done')
  if (step && step.attempts > 0) await changeStep(scope, run.id, step.kind, { attempts: 0 })
}

/**
 * A copy keeps trying, because campaigns wait for it. Only a cause that a retry cannot remove ends it: no store, no permission, a lasting
 * fault of ours. Returns when to try again, in milliseconds.
 */
async function giveUpOrRetry(scope: MerchantScope, run: RunRow, error: unknown): Promise<number> {
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
