import type { SyncProgress } from '@okaeri/contract/customers/customer'
import { type CopiedKind, copiedKinds } from '../../integrations/shopify/sync-operations.ts'
import { conflict } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore } from '../stores/index.ts'
import { secondsLeft, slowExport } from './progress.ts'
import {
  changeStep,
  findNewestCopy,
  findRunningRun,
  insertRun,
  listSteps,
  makeDue,
  markFinished,
  type RunPurpose,
  type RunRow,
  type StepRow,
} from './queries.ts'
import { sweptKinds } from './reconciliation.ts'
import { makeCheckDue, markAnotherStoresRows, startWatching } from './watch-queries.ts'
import { countWaiting } from './webhooks/webhook-queries.ts'

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
