import type { DatasetId } from '@okaeri/contract/datasets/dataset'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Orders: all are counted in the smallest index, and the deleted ones, few and indexed, are subtracted. */
const countsOf = ({ merchantId }: MerchantScope): Record<DatasetId, RawBuilder<{ count: number }>> => ({
  customers: sql`select count(*) as count from customers where merchant_id = ${merchantId}`,
  orders: sql`select (select count(*) from orders where merchant_id = ${merchantId})
    - (select count(*) from orders where merchant_id = ${merchantId} and deleted_at is not null) as count`,
  products: sql`select count(*) as count from products where merchant_id = ${merchantId} and deleted_at is null`,
  collections: sql`select count(*) as count from collections where merchant_id = ${merchantId} and deleted_at is null`,
  checkouts: sql`select count(*) as count from checkouts where merchant_id = ${merchantId}`,
  segments: sql`select count(*) as count from segments where merchant_id = ${merchantId} and origin = 'remote' and deleted_at is null`,
  metafields: sql`select coalesce(sum(value_count), 0)::bigint as count from metafield_settings
    where merchant_id = ${merchantId} and deleted_at is null`,
})

export async function countRows(scope: MerchantScope, id: DatasetId): Promise<number> {
  const { rows } = await countsOf(scope)[id].execute(scope.db)
  return rows[0]?.count ?? 0
}

export interface FetchState {
  status: 'never_fetched' | 'fetching' | 'done' | 'failed'
  error: string | null
  lastFetchedAt: Date | null
  running: {
    phase: 'waiting' | 'exporting' | 'loading'
    exportedCount: number
    loadedCount: number
    startedAt: Date | null
    now: Date
  } | null
}

interface StepState {
  kind: DatasetId
  status: 'waiting' | 'exporting' | 'loading' | 'done' | 'failed'
  runStatus: 'running' | 'done' | 'failed'
  error: string | null
  exportedCount: number
  loadedCount: number
  startedAt: Date | null
  lastFetchedAt: Date | null
}

/**
 * The state of the newest fetch of each dataset. In a failed copy, the kinds before the failed step are done and those after it are unchanged.
 */
export async function findFetchStates(scope: MerchantScope): Promise<Map<DatasetId, FetchState>> {
  const [steps, segments, metafields] = await Promise.all([
    selectNewestSteps(scope),
    findSegmentsState(scope),
    findMetafieldsState(scope),
  ])
  const states = new Map<DatasetId, FetchState>([
    ['segments', segments],
    ['metafields', metafields],
  ])
  for (const step of steps) {
    const { status, lastFetchedAt } = step
    const running = step.runStatus === 'running' && status !== 'done' && status !== 'failed'
    states.set(step.kind, {
      status: running ? 'fetching' : status === 'failed' ? 'failed' : lastFetchedAt ? 'done' : 'never_fetched',
      error: step.error,
      lastFetchedAt,
      running: running
        ? {
            phase: status,
            exportedCount: step.exportedCount,
            loadedCount: step.loadedCount,
            startedAt: step.startedAt,
            now: scope.now,
          }
        : null,
    })
  }
  return states
}

async function selectNewestSteps(scope: MerchantScope): Promise<StepState[]> {
  const { rows } = await sql<StepState>`
    select distinct on (s.kind) s.kind, s.status, r.status as "runStatus", r.error, s.exported_count as "exportedCount",
      s.loaded_count as "loadedCount", s.started_at as "startedAt",
      max(s.finished_at) filter (where s.status = 'done') over (partition by s.kind) as "lastFetchedAt"
    from sync_steps s join sync_runs r on r.merchant_id = ${scope.merchantId} and r.id = s.sync_run_id and r.purpose = 'copy'
    where s.merchant_id = ${scope.merchantId}
    order by s.kind, r.started_at desc, r.id desc
  `.execute(scope.db)
  return rows
}

async function findSegmentsState(scope: MerchantScope): Promise<FetchState> {
  const { rows } = await sql<{ status: string; failure: string | null; listedAt: Date | null }>`
    select remote_status as status, remote_failure as failure, remote_listed_at as "listedAt" from segment_following
    where merchant_id = ${scope.merchantId}
  `.execute(scope.db)
  const [state] = rows
  return {
    status:
      state?.status === 'listing'
        ? 'fetching'
        : state?.status === 'failed'
          ? 'failed'
          : state?.listedAt
            ? 'done'
            : 'never_fetched',
    error: state?.failure ?? null,
    lastFetchedAt: state?.listedAt ?? null,
    running:
      state?.status === 'listing'
        ? { phase: 'waiting', exportedCount: 0, loadedCount: 0, startedAt: null, now: scope.now }
        : null,
  }
}

async function findMetafieldsState(scope: MerchantScope): Promise<FetchState> {
  const { rows } = await sql<{
    status: 'running' | 'done' | 'failed'
    error: string | null
    exportedCount: number
    loadedCount: number
    isLoading: boolean
    startedAt: Date
    filledAt: Date | null
  }>`
    select status, error, exported_count as "exportedCount", loaded_count as "loadedCount", exported_at is not null as "isLoading",
      started_at as "startedAt", (
        select max(finished_at) from metafield_fills where merchant_id = ${scope.merchantId} and status = 'done') as "filledAt"
    from metafield_fills where merchant_id = ${scope.merchantId} order by started_at desc, id desc limit 1
  `.execute(scope.db)
  const [fill] = rows
  if (!fill) return { status: 'never_fetched', error: null, lastFetchedAt: null, running: null }
  const { exportedCount, loadedCount, startedAt } = fill
  const isRunning = fill.status === 'running'
  return {
    status: isRunning ? 'fetching' : fill.status === 'failed' ? 'failed' : 'done',
    error: fill.error,
    lastFetchedAt: fill.filledAt,
    running: isRunning
      ? { phase: fill.isLoading ? 'loading' : 'exporting', exportedCount, loadedCount, startedAt, now: scope.now }
      : null,
  }
}

export interface CheckRow {
  id: string
  method: 'window' | 'sweep' | 'copy'
  from: Date | null
  until: Date
  status: 'running' | 'done' | 'failed'
  checked: number
  missing: number
  outdated: number
  consent: number
  gone: number
  startedAt: Date
  finishedAt: Date | null
}
const checkColumns = sql`id, method, from_at as "from", until_at as until, status, checked_count as checked, missing_count as missing,
  outdated_count as outdated, consent_count as consent, gone_count as gone, started_at as "startedAt", finished_at as "finishedAt"`

export async function listChecks(scope: MerchantScope, id: DatasetId, limit: number): Promise<CheckRow[]> {
  const { rows } = await sql<CheckRow>`
    select ${checkColumns} from store_checks where merchant_id = ${scope.merchantId} and kind = ${id}
    order by started_at desc, id desc limit ${limit}
  `.execute(scope.db)
  return rows
}

export async function findLastChecked(scope: MerchantScope, id: DatasetId): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select finished_at as at from store_checks where merchant_id = ${scope.merchantId} and kind = ${id} and status = 'done'
    order by started_at desc limit 1
  `.execute(scope.db)
  return rows[0]?.at ?? null
}

/** Comparisons without differences are deleted after some days, so this finds one quickly. */
export async function findLastDifference(scope: MerchantScope, id: DatasetId): Promise<CheckRow | null> {
  const { rows } = await sql<CheckRow>`
    select ${checkColumns} from store_checks
    where merchant_id = ${scope.merchantId} and kind = ${id} and missing_count + outdated_count + consent_count + gone_count > 0
    order by started_at desc, id desc limit 1
  `.execute(scope.db)
  return rows[0] ?? null
}
