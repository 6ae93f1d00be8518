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
  STUCK_EXPORT_MS,
} from '../../integrations/shopify/operations.ts'
import {
  BULK_NEWEST,
  BULK_RUN_GROUPED,
  type BulkNewestResult,
  bulkIdQuery,
  bulkQuery,
  type CopiedKind,
} from '../../integrations/shopify/sync-operations.ts'
import { stopwatch } from '../../kernel/clock.ts'
import { crashPoint } from '../../kernel/crash-point.ts'
import { isOutage } from '../../kernel/database/database-trouble.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { IntegrationError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { collectGarbage, limitYoungGeneration } from '../../kernel/memory.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { heavyWork } from '../../kernel/work/heavy-work.ts'
import type { Lease } from '../../kernel/work/leases.ts'
import { recountAllOrders } from '../orders/index.ts'
import { getStoreClient, type StoreClient } from '../stores/index.ts'
import { type Batch, BATCH_CHARACTERS, BATCH_SIZES, beginBatch, type Differences } from './export-load.ts'
import { type ExportFile, readExport } from './exported-objects.ts'
import {
  analyzeCopy,
  changeStep,
  claimRun,
  commitLater,
  findLastCopied,
  findRun,
  holdRun,
  listSteps,
  markFinished,
  markRunTrouble,
  releaseRun,
  type RunRow,
  type StepRow,
} from './queries.ts'
import { sweep } from './reconciliation.ts'
import { clearConnectionTrouble, ENOUGH_GARBAGE_BYTES, giveUpOrRetry, RETRY_MS } from './run-trouble.ts'
import { recordCheck, watchCopied, watchSwept } from './watch-queries.ts'
import { subscribeToStore } from './webhooks/webhook-subscriptions.ts'

/** After this, other merchants' copies get their turn. Later the file is read from its beginning, and stored objects are skipped. */
const TURN_MS = 45_000

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

async function storeBatch(
  scope: MerchantScope,
  hold: Hold,
  {
    kind,
    batch,
    loadedCount,
    counts,
    handedOver,
  }: { kind: CopiedKind; batch: Batch; loadedCount: number; counts: Differences; handedOver: () => void },
): Promise<Differences> {
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
