import type { SyncProgress } from '@okaeri/contract/customers/customer'
import { BULK_NODE, type BulkNodeResult, type BulkRunResult } from '../../integrations/shopify/operations.ts'
import {
  BULK_NEWEST,
  BULK_RUN_GROUPED,
  type BulkNewestResult,
  SYNC_CUSTOMERS,
  SYNC_ORDERS,
  SYNC_PRODUCTS,
} from '../../integrations/shopify/sync-operations.ts'
import { AppError, conflict, IntegrationError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore, getStoreClient, type StoreClient } from '../stores/index.ts'
import { BATCH_SIZE, type Exported, loadBatch, readExport } from './loading.ts'
import { secondsLeft } from './progress.ts'
import {
  analyzeCopy,
  changeStep,
  claimRun,
  findNewestRun,
  holdRun,
  insertRun,
  listSteps,
  markFinished,
  releaseRun,
  type RunRow,
  type StepKind,
  type StepRow,
  stepKinds,
} from './queries.ts'
import { subscribeToStore } from './subscribing.ts'
import { countWaiting } from './webhook-queries.ts'

const exportQueries: Record<StepKind, string> = {
  products: SYNC_PRODUCTS,
  customers: SYNC_CUSTOMERS,
  orders: SYNC_ORDERS,
}
/** How often a running export is asked about. The platform's finish webhook usually comes first. */
const POLL_MS = 700
const RETRY_MS = 2000
/** An export that failed is asked for again, an unreachable platform tried again, this often per step. */
const MAX_ATTEMPTS = 5
const DEADLOCK = '40P01'
const MAX_DEADLOCKS = 5

/** Starts copying the store. Throws `store_not_connected`, or `sync_running` when a copy is under way. */
export async function startSync(scope: MerchantScope): Promise<SyncProgress> {
  const store = await findStore(scope)
  if (store?.status !== 'connected') throw conflict('store_not_connected', 'no store is connected')
  if (!(await beginRun(scope))) throw conflict('sync_running', 'the store is being copied already')
  return getSync(scope)
}

/** A store was connected: it is copied, unless that is under way. */
export async function copyConnectedStore(scope: MerchantScope): Promise<void> {
  await beginRun(scope)
}

/** The worker finds the new run by itself (schedule.ts). */
const beginRun = (scope: MerchantScope): Promise<boolean> => scope.transaction((scope) => insertRun(scope, newId()))

/** A copy without a store goes nowhere. */
export async function endSyncOfLostStore(scope: MerchantScope): Promise<void> {
  const run = await findNewestRun(scope)
  if (run?.status === 'running') await markFinished(scope, run.id, { status: 'failed', error: 'store_not_connected' })
}

export async function getSync(scope: MerchantScope): Promise<SyncProgress> {
  const run = await findNewestRun(scope)
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
    : stepKinds.map((kind) => ({ kind, status: 'waiting', exported_count: 0, loaded_count: 0 }))
  return {
    status: run?.status ?? 'idle',
    started_at: run?.startedAt.toISOString() ?? null,
    finished_at: run?.finishedAt?.toISOString() ?? null,
    error: run?.error ?? null,
    steps,
    seconds_left: run?.status === 'running' ? secondsLeft(steps, scope.now.getTime() - run.startedAt.getTime()) : null,
    webhooks_waiting: waiting,
  }
}

/** This worker's hold on a run. */
interface Hold {
  runId: string
  id: string
}
const leaseOf = (scope: MerchantScope, hold: Hold) => ({
  ...hold,
  until: new Date(scope.context.clock.realNow().getTime() + scope.context.settings.leaseSeconds * 1000),
})
const after = (scope: MerchantScope, ms: number): Date => new Date(scope.context.clock.realNow().getTime() + ms)

/** Another worker has the run, or it was ended. Whoever finds this stops without a trace. */
class RunLost extends Error {
  override readonly name = 'RunLost'
}

/**
 * Takes a run as far as it goes now: asks for the next export, looks whether it is finished, loads it. Everything it needs to go on
 * is in the database, so whoever comes after a killed worker goes on from there. Exports run in turn: the platform runs one at a time.
 */
export async function advanceSync(scope: MerchantScope, runId: string): Promise<void> {
  const hold: Hold = { runId, id: newId() }
  if (!(await claimRun(scope, leaseOf(scope, hold)))) return
  let nextMs = RETRY_MS
  try {
    const waitMs = await advance(scope, hold)
    if (waitMs === null) await markFinished(scope, runId, { status: 'done', error: null })
    else nextMs = waitMs
  } catch (error) {
    if (error instanceof RunLost) return
    await giveUpOrRetry(scope, runId, error)
  } finally {
    await releaseRun(scope, hold, after(scope, nextMs))
  }
}

/** Answers after how long to look again; null when all is done. */
async function advance(scope: MerchantScope, hold: Hold): Promise<number | null> {
  const store = await getStoreClient(scope)
  for (;;) {
    const step = (await listSteps(scope, hold.runId)).find(({ status }) => status !== 'done')
    if (!step) return null
    if (step.status === 'waiting') {
      // Before the first export, so that nothing happens between what is exported and what is told.
      if (step.kind === stepKinds[0]) await subscribeToStore(scope, store)
      if (!(await startExport(scope, hold, step, store))) return RETRY_MS
    } else {
      const waitMs = await followExport(scope, hold, step, store)
      if (waitMs !== null) return waitMs
    }
  }
}

/** Answers false when the platform is busy with another export of ours. */
async function startExport(scope: MerchantScope, { runId }: Hold, step: StepRow, store: StoreClient): Promise<boolean> {
  const query = exportQueries[step.kind]
  const { bulkOperationRunQuery: answer } = await store.graphql<BulkRunResult>(BULK_RUN_GROUPED, { query })
  let id = answer.bulkOperation?.id ?? null
  const [refusal] = answer.userErrors
  if (refusal?.code === 'OPERATION_IN_PROGRESS' || (refusal && /in progress/i.test(refusal.message))) {
    // Ours, if a worker died between asking for it and writing that down.
    const { bulkOperations } = await store.graphql<BulkNewestResult>(BULK_NEWEST)
    id = bulkOperations.nodes.find((node) => node.query.trim() === query.trim())?.id ?? null
    if (!id) return false
  } else if (refusal) throw new IntegrationError('shopify', false, `export of ${step.kind} refused: ${refusal.message}`)
  await changeStep(scope, runId, step.kind, {
    status: 'exporting',
    bulkOperationId: id,
    exportedCount: 0,
    loadedCount: 0,
    startedAt: scope.context.clock.now(),
  })
  return true
}

/** Answers null when the step has gone on, else after how long to look again. */
async function followExport(
  scope: MerchantScope,
  hold: Hold,
  step: StepRow,
  store: StoreClient,
): Promise<number | null> {
  const change = (changes: Parameters<typeof changeStep>[3]) => changeStep(scope, hold.runId, step.kind, changes)
  const { node } = await store.graphql<BulkNodeResult>(BULK_NODE, { id: step.bulkOperationId })
  const exportedCount = Number(node?.rootObjectCount ?? 0)
  if (node?.status === 'COMPLETED') {
    await change({ status: 'loading', exportedCount })
    // Without a file nothing was found.
    if (node.url) await load(scope, hold, step, node.url)
    await change({ status: 'done', finishedAt: scope.context.clock.now() })
    await analyzeCopy(scope)
    return null
  }
  if (node && (node.status === 'CREATED' || node.status === 'RUNNING' || node.status === 'CANCELING')) {
    await change({ exportedCount })
    return POLL_MS
  }
  const told = node?.errorCode ?? node?.status ?? 'EXPIRED'
  // What is forbidden stays forbidden: the merchant has to grant the access.
  if (told === 'ACCESS_DENIED') throw new IntegrationError('shopify', false, `export of ${step.kind}: ${told}`)
  await change({ status: 'waiting', bulkOperationId: null })
  throw new IntegrationError('shopify', true, `export of ${step.kind}: ${told}`)
}

/** Loads a file batch by batch; each batch and how far it got are stored together, so a resumed load goes on where it stopped. */
async function load(scope: MerchantScope, hold: Hold, step: StepRow, url: string): Promise<void> {
  let position = 0
  let batch: Exported[] = []
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await storeBatch(scope, hold, { kind: step.kind, batch, loadedCount: position })
    batch = []
  }
  for await (const exported of readExport(url)) {
    position += 1
    if (position <= step.loadedCount) continue
    batch.push(exported)
    if (batch.length >= BATCH_SIZE) await flush()
  }
  await flush()
}

async function storeBatch(
  scope: MerchantScope,
  hold: Hold,
  { kind, batch, loadedCount }: { kind: StepKind; batch: readonly Exported[]; loadedCount: number },
): Promise<void> {
  for (let deadlocks = 0; ; deadlocks += 1)
    try {
      return await scope.transaction(async (scope) => {
        await loadBatch[kind](scope, batch)
        await changeStep(scope, hold.runId, kind, { loadedCount, attempts: 0 })
        // Last, so that the run's row is locked for a moment only.
        if (!(await holdRun(scope, leaseOf(scope, hold)))) throw new RunLost()
      })
    } catch (error) {
      // Webhooks work on the same customers meanwhile; the database ends one of two that wait for each other.
      if (!(error instanceof Error && 'code' in error && error.code === DEADLOCK) || deadlocks >= MAX_DEADLOCKS)
        throw error
    }
}

/** A passing failure is tried again some times; for good are refusals, a lost store, and passing failures that do not pass. */
async function giveUpOrRetry(scope: MerchantScope, runId: string, error: unknown): Promise<void> {
  const step = (await listSteps(scope, runId)).find(({ status }) => status !== 'done')
  const attempts = (step?.attempts ?? 0) + 1
  const passing = error instanceof IntegrationError ? error.retryable : !(error instanceof AppError)
  scope.context.log.warn({ merchantId: scope.merchantId, runId, attempts, error }, 'copying the store met an error')
  if (step) await changeStep(scope, runId, step.kind, { attempts })
  if (passing && attempts < MAX_ATTEMPTS) return
  await markFinished(scope, runId, { status: 'failed', error: reasonOf(error) })
}

/** What the page shows: the platform's own words where it gave some, nothing of our insides. */
function reasonOf(error: unknown): string {
  if (error instanceof IntegrationError) return error.detail
  if (error instanceof AppError) return error.reason
  return 'internal'
}
