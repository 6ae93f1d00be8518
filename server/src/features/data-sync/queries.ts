import type { SyncProgress } from '@okaeri/contract/customers/customer'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export type StepKind = SyncProgress['steps'][number]['kind']
/** In the order they are copied: orders name customers and products. */
export const stepKinds = ['products', 'customers', 'orders'] as const satisfies readonly StepKind[]

export interface RunRow {
  id: string
  status: 'running' | 'done' | 'failed'
  error: string | null
  startedAt: Date
  finishedAt: Date | null
}
export interface StepRow {
  kind: StepKind
  status: SyncProgress['steps'][number]['status']
  bulkOperationId: string | null
  attempts: number
  exportedCount: number
  loadedCount: number
}

/** Answers false when a run is under way: there is one at a time. */
export async function insertRun(scope: MerchantScope, id: string): Promise<boolean> {
  const { rows } = await sql`
    insert into sync_runs (merchant_id, id, status, started_at) values (${scope.merchantId}, ${id}, 'running', ${scope.now})
    on conflict (merchant_id) where status = 'running' do nothing returning id
  `.execute(scope.db)
  if (rows.length === 0) return false
  await sql`
    insert into sync_steps (merchant_id, sync_run_id, kind, position, status)
    select ${scope.merchantId}, ${id}, kind, position, 'waiting' from unnest(${[...stepKinds]}::text[]) with ordinality as k(kind, position)
  `.execute(scope.db)
  return true
}

export async function findNewestRun(scope: MerchantScope): Promise<RunRow | null> {
  const { rows } = await sql<RunRow>`
    select id, status, error, started_at as "startedAt", finished_at as "finishedAt" from sync_runs
    where merchant_id = ${scope.merchantId} order by started_at desc, id desc limit 1
  `.execute(scope.db)
  return rows[0] ?? null
}

export async function listSteps(scope: MerchantScope, runId: string): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`
    select kind, status, bulk_operation_id as "bulkOperationId", attempts, exported_count as "exportedCount",
      loaded_count as "loadedCount"
    from sync_steps where merchant_id = ${scope.merchantId} and sync_run_id = ${runId} order by position
  `.execute(scope.db)
  return rows
}

/**
 * Takes the run for this worker, unless another holds it whose lease has not run out. Leases live in real time. Answers whether it
 * was taken.
 */
export async function claimRun(
  scope: MerchantScope,
  lease: { runId: string; id: string; until: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update sync_runs set lease_id = ${lease.id}, lease_expires_at = ${lease.until}
    where merchant_id = ${scope.merchantId} and id = ${lease.runId} and status = 'running'
      and (lease_expires_at is null or lease_expires_at < ${scope.context.clock.realNow()})
    returning id
  `.execute(scope.db)
  return rows.length > 0
}

/** Prolongs the lease; false when the run was taken over or ended. In a transaction it also keeps others from taking it over. */
export async function holdRun(
  scope: MerchantScope,
  lease: { runId: string; id: string; until: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update sync_runs set lease_expires_at = ${lease.until}
    where merchant_id = ${scope.merchantId} and id = ${lease.runId} and lease_id = ${lease.id} and status = 'running'
    returning id
  `.execute(scope.db)
  return rows.length > 0
}

/** Lets go of the run until it is to be looked at again. */
export async function releaseRun(
  scope: MerchantScope,
  lease: { runId: string; id: string },
  nextStepAt: Date,
): Promise<void> {
  await sql`
    update sync_runs set lease_id = null, lease_expires_at = null, next_step_at = ${nextStepAt}
    where merchant_id = ${scope.merchantId} and id = ${lease.runId} and lease_id = ${lease.id}
  `.execute(scope.db)
}

/** The run to be looked at, put off so that it is not asked for again at once; null when somebody works at it. */
export async function takeDueRun(scope: MerchantScope, putOffUntil: Date): Promise<string | null> {
  const now = scope.context.clock.realNow()
  const { rows } = await sql<{ id: string }>`
    update sync_runs set next_step_at = ${putOffUntil}
    where merchant_id = ${scope.merchantId} and status = 'running' and (next_step_at is null or next_step_at <= ${now})
      and (lease_expires_at is null or lease_expires_at < ${now})
    returning id
  `.execute(scope.db)
  return rows[0]?.id ?? null
}

/** The run under way is to be looked at now. */
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
      lease_id = null, lease_expires_at = null
    where merchant_id = ${scope.merchantId} and id = ${runId} and status = 'running'
  `.execute(scope.db)
  if (result.status === 'failed')
    await sql`
      update sync_steps set status = 'failed', finished_at = ${scope.context.clock.now()}
      where merchant_id = ${scope.merchantId} and sync_run_id = ${runId} and status in ('exporting', 'loading')
    `.execute(scope.db)
}

export interface StepChange {
  status?: StepRow['status']
  bulkOperationId?: string | null
  attempts?: number
  exportedCount?: number
  loadedCount?: number
  startedAt?: Date
  finishedAt?: Date
}
export async function changeStep(
  scope: MerchantScope,
  runId: string,
  kind: StepKind,
  change: StepChange,
): Promise<void> {
  const set = Object.entries({
    status: change.status,
    bulk_operation_id: change.bulkOperationId,
    attempts: change.attempts,
    exported_count: change.exportedCount,
    loaded_count: change.loadedCount,
    started_at: change.startedAt,
    finished_at: change.finishedAt,
  }).filter(([, value]) => value !== undefined)
  await sql`
    update sync_steps set ${sql.join(set.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
    where merchant_id = ${scope.merchantId} and sync_run_id = ${runId} and kind = ${kind}
  `.execute(scope.db)
}

/** Tells the planner what has just been copied: until then it takes a store for empty, and the first segment for nothing to count. */
export async function analyzeCopy(scope: MerchantScope): Promise<void> {
  await sql`analyze products, customers, orders, order_lines`.execute(scope.db)
}
