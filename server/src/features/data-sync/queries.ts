import type { SyncProgress } from '@okaeri/contract/customers/customer'
import { sql } from 'kysely'
import type { CopiedKind } from '../../integrations/shopify/sync-operations.ts'
import { isFree, type Lease, leasedWork, usualLeaseEnd } from '../../kernel/work/leases.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** `copy`: everything of some kinds. `repair`: changes since a time. `sweep`: which ids still exist. */
export type RunPurpose = 'copy' | 'repair' | 'sweep'
export interface RunRow {
  id: string
  purpose: RunPurpose
  since: Date | null
  status: 'running' | 'done' | 'failed'
  error: string | null
  startedAt: Date
  finishedAt: Date | null
  trouble: CopyTrouble | null
  troubleSince: Date | null
  /** Product time. */
  nextStepAt: Date | null
}
/** Why a copy that keeps trying does not progress. */
export type CopyTrouble = NonNullable<SyncProgress['trouble']>['reason']
export interface StepRow {
  kind: CopiedKind
  status: SyncProgress['steps'][number]['status']
  bulkOperationId: string | null
  attempts: number
  exportedCount: number
  loadedCount: number
  missing: number
  outdated: number
  consent: number
  gone: number
  startedAt: Date | null
  /** When its export last came further. */
  progressedAt: Date | null
  /** A person said that its export is not waited for. */
  givenUp: boolean
}

/**
 * Returns false if a run is in progress, because there is one at a time. A copy does not wait for a run that the clock began: it ends that
 * run, which is repeated later.
 */
export async function insertRun(
  scope: MerchantScope,
  run: { id: string; purpose: RunPurpose; kinds: readonly CopiedKind[]; since: Date | null },
): Promise<boolean> {
  if (run.purpose === 'copy') {
    const { rows: ended } = await sql<{ id: string }>`
      update sync_runs set status = 'failed', error = 'superseded', finished_at = ${scope.now}, lease_id = null, lease_expires_at = null
      where merchant_id = ${scope.merchantId} and status = 'running' and purpose <> 'copy' returning id
    `.execute(scope.db)
    await endSteps(
      scope,
      ended.map(({ id }) => id),
    )
  }
  const { rows } = await sql`
    insert into sync_runs (merchant_id, id, status, purpose, since, started_at)
    values (${scope.merchantId}, ${run.id}, 'running', ${run.purpose}, ${run.since}, ${scope.now})
    on conflict (merchant_id) where status = 'running' do nothing returning id
  `.execute(scope.db)
  if (rows.length === 0) return false
  await sql`
    insert into sync_steps (merchant_id, sync_run_id, kind, position, status)
    select ${scope.merchantId}, ${run.id}, kind, position, 'waiting'
    from unnest(${[...run.kinds]}::text[]) with ordinality as k(kind, position)
  `.execute(scope.db)
  return true
}

const runColumns = sql`id, purpose, since, status, error, started_at as "startedAt", finished_at as "finishedAt",
  trouble, trouble_since as "troubleSince", next_step_at as "nextStepAt"`

/** The newest copy, without repairs and sweeps, which the clock begins. */
export async function findNewestCopy(scope: MerchantScope): Promise<RunRow | null> {
  const { rows } = await sql<RunRow>`
    select ${runColumns} from sync_runs where merchant_id = ${scope.merchantId} and purpose = 'copy'
    order by started_at desc, id desc limit 1
  `.execute(scope.db)
  return rows[0] ?? null
}

export async function findRun(scope: MerchantScope, runId: string): Promise<RunRow | null> {
  const { rows } = await sql<RunRow>`
    select ${runColumns} from sync_runs where merchant_id = ${scope.merchantId} and id = ${runId}
  `.execute(scope.db)
  return rows[0] ?? null
}

/** For any purpose. */
export async function findRunningRun(scope: MerchantScope): Promise<RunRow | null> {
  const { rows } = await sql<RunRow>`
    select ${runColumns} from sync_runs where merchant_id = ${scope.merchantId} and status = 'running'
  `.execute(scope.db)
  return rows[0] ?? null
}

/** When a kind was last copied completely; null if never. */
export async function findLastCopied(scope: MerchantScope, kind: CopiedKind): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(s.finished_at) as at from sync_steps s
    join sync_runs r on r.merchant_id = ${scope.merchantId} and r.id = s.sync_run_id and r.purpose = 'copy'
    where s.merchant_id = ${scope.merchantId} and s.kind = ${kind} and s.status = 'done'
  `.execute(scope.db)
  return rows[0]?.at ?? null
}

export async function listSteps(scope: MerchantScope, runId: string): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`
    select kind, status, bulk_operation_id as "bulkOperationId", attempts, exported_count as "exportedCount",
      loaded_count as "loadedCount", missing_count as missing, outdated_count as outdated, consent_count as consent,
      gone_count as gone, started_at as "startedAt",
      progressed_at as "progressedAt", given_up as "givenUp"
    from sync_steps where merchant_id = ${scope.merchantId} and sync_run_id = ${runId} order by position
  `.execute(scope.db)
  return rows
}

/**
 * Claims the run for this worker, unless another holds an unexpired lease. Returns whether it was claimed.
 */
export async function claimRun(scope: MerchantScope, lease: Lease): Promise<boolean> {
  const { rows } = await sql`
    update sync_runs set lease_id = ${lease.id}, lease_expires_at = ${usualLeaseEnd(scope)}
    where merchant_id = ${scope.merchantId} and id = ${lease.rowId} and status = 'running'
      and ${isFree}
    returning id
  `.execute(scope.db)
  return rows.length > 0
}

export const { hold: holdRun, release: releaseRun, takeDue: takeDueRun } = leasedWork('sync_runs')

/** Stores the run's trouble, or null; the time since when is kept while there is any. */
export async function markRunTrouble(scope: MerchantScope, runId: string, trouble: CopyTrouble | null): Promise<void> {
  await sql`
    update sync_runs set trouble = ${trouble},
      trouble_since = ${trouble === null ? null : sql`coalesce(trouble_since, ${scope.context.clock.now()})`}
    where merchant_id = ${scope.merchantId} and id = ${runId} and status = 'running' and trouble is distinct from ${trouble}
  `.execute(scope.db)
}

/** Makes the current run due now. */
export async function makeDue(scope: MerchantScope): Promise<void> {
  await sql`
    update sync_runs set next_step_at = null where merchant_id = ${scope.merchantId} and status = 'running'
  `.execute(scope.db)
}

export async function markFinished(
  scope: MerchantScope,
  runId: string,
  result: { status: 'done' | 'failed'; error: string | null },
): Promise<void> {
  await sql`
    update sync_runs set status = ${result.status}, error = ${result.error}, finished_at = ${scope.context.clock.now()},
      lease_id = null, lease_expires_at = null, trouble = null, trouble_since = null
    where merchant_id = ${scope.merchantId} and id = ${runId} and status = 'running'
  `.execute(scope.db)
  if (result.status === 'failed') await endSteps(scope, [runId])
}

async function endSteps(scope: MerchantScope, runIds: readonly string[]): Promise<void> {
  await sql`
    update sync_steps set status = 'failed', finished_at = ${scope.context.clock.now()}
    where merchant_id = ${scope.merchantId} and sync_run_id = any(${runIds}::uuid[]) and status in ('exporting', 'loading')
  `.execute(scope.db)
}

export interface StepChange {
  status?: StepRow['status']
  bulkOperationId?: string | null
  attempts?: number
  exportedCount?: number
  loadedCount?: number
  missing?: number
  outdated?: number
  consent?: number
  gone?: number
  startedAt?: Date
  progressedAt?: Date
  givenUp?: boolean
  finishedAt?: Date
}
export async function changeStep(
  scope: MerchantScope,
  runId: string,
  kind: CopiedKind,
  change: StepChange,
): Promise<void> {
  const set = Object.entries({
    status: change.status,
    bulk_operation_id: change.bulkOperationId,
    attempts: change.attempts,
    exported_count: change.exportedCount,
    loaded_count: change.loadedCount,
    missing_count: change.missing,
    outdated_count: change.outdated,
    consent_count: change.consent,
    gone_count: change.gone,
    started_at: change.startedAt,
    progressed_at: change.progressedAt,
    given_up: change.givenUp,
    finished_at: change.finishedAt,
  }).filter(([, value]) => value !== undefined)
  await sql`
    update sync_steps set ${sql.join(set.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
    where merchant_id = ${scope.merchantId} and sync_run_id = ${runId} and kind = ${kind}
  `.execute(scope.db)
}

/**
 * Commits this transaction asynchronously: a batch and the progress of the load are kept or lost together, even if the database's machine
 * fails.
 */
export async function commitLater(scope: MerchantScope): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(scope.db)
}

/** Updates the planner's statistics after a copy. Without them it plans the first segments for empty tables. */
export async function analyzeCopy(scope: MerchantScope): Promise<void> {
  await sql`analyze products, product_variants, collection_products, customers, customer_search, orders, order_lines, checkouts`.execute(
    scope.db,
  )
}

/** Those of these customers who were sent a mail since then. */
export async function listMailedLately(
  scope: MerchantScope,
  people: { storeCustomerIds: readonly number[]; emailKeys: readonly string[]; since: Date },
): Promise<{ storeCustomerIds: Set<number>; emailKeys: Set<string> }> {
  const { rows } = await sql<{ number: number | null; key: string | null }>`
    select c.store_customer_id as number, c.email_key as key from customers c
    where c.merchant_id = ${scope.merchantId}
      and (c.store_customer_id = any(${people.storeCustomerIds}::bigint[]) or c.email_key = any(${people.emailKeys}::text[]))
      and exists (
        select from deliveries d
        where d.merchant_id = ${scope.merchantId} and d.customer_id = c.id and d.sent_at >= ${people.since})
  `.execute(scope.db)
  return {
    storeCustomerIds: new Set(rows.flatMap(({ number }) => number ?? [])),
    emailKeys: new Set(rows.flatMap(({ key }) => key ?? [])),
  }
}
