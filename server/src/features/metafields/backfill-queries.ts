import { sql } from 'kysely'
import { isFree, type Lease, leasedWork, usualLeaseEnd } from '../../kernel/work/leases.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface FillRow {
  id: string
  settingIds: string[]
  status: 'running' | 'done' | 'failed'
  bulkOperationId: string | null
  exportedAt: Date | null
  exportedCount: number
  loadedCount: number
  attempts: number
}
const columns = sql`id, setting_ids as "settingIds", status, bulk_operation_id as "bulkOperationId", exported_at as "exportedAt",
  exported_count as "exportedCount", loaded_count as "loadedCount", attempts`

/** Returns false if one is in progress, because there is one at a time. */
export async function insertFill(scope: MerchantScope, id: string, settingIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    insert into metafield_fills (merchant_id, id, setting_ids, started_at)
    values (${scope.merchantId}, ${id}, ${[...settingIds]}::uuid[], ${scope.now})
    on conflict (merchant_id) where status = 'running' do nothing returning id
  `.execute(scope.db)
  return rows.length > 0
}

/** The one in progress. */
export async function findRunningFill(scope: MerchantScope): Promise<FillRow | null> {
  const { rows } = await sql<FillRow>`
    select ${columns} from metafield_fills where merchant_id = ${scope.merchantId} and status = 'running'
  `.execute(scope.db)
  return rows[0] ?? null
}

/** When the newest began. */
export async function findNewestStart(scope: MerchantScope): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(started_at) as at from metafield_fills where merchant_id = ${scope.merchantId}
  `.execute(scope.db)
  return rows[0]?.at ?? null
}

/** Claims it for this worker, unless another holds an unexpired lease. */
export async function claimFill(scope: MerchantScope, lease: Lease): Promise<FillRow | null> {
  const { rows } = await sql<FillRow>`
    update metafield_fills set lease_id = ${lease.id}, lease_expires_at = ${usualLeaseEnd(scope)}
    where merchant_id = ${scope.merchantId} and id = ${lease.rowId} and status = 'running'
      and ${isFree}
    returning ${columns}
  `.execute(scope.db)
  return rows[0] ?? null
}

export const { hold: holdFill, release: releaseFill, takeDue: takeDueFill } = leasedWork('metafield_fills')

/** Makes the current one due now. */
export async function makeFillDue(scope: MerchantScope): Promise<void> {
  await sql`
    update metafield_fills set next_step_at = null where merchant_id = ${scope.merchantId} and status = 'running'
  `.execute(scope.db)
}

export async function changeFill(
  scope: MerchantScope,
  fillId: string,
  change: Partial<Pick<FillRow, 'bulkOperationId' | 'exportedAt' | 'exportedCount' | 'loadedCount' | 'attempts'>>,
): Promise<void> {
  const set = Object.entries({
    bulk_operation_id: change.bulkOperationId,
    exported_at: change.exportedAt,
    exported_count: change.exportedCount,
    loaded_count: change.loadedCount,
    attempts: change.attempts,
  }).filter(([, value]) => value !== undefined)
  await sql`
    update metafield_fills set ${sql.join(set.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
    where merchant_id = ${scope.merchantId} and id = ${fillId}
  `.execute(scope.db)
}

/** Ends the current one, if it is this one (or any); the newest few are kept. Returns its settings. */
export async function markFillFinished(
  scope: MerchantScope,
  fillId: string | null,
  result: { status: 'done' | 'failed'; error: string | null },
): Promise<string[] | null> {
  const { rows } = await sql<{ settingIds: string[] }>`
    update metafield_fills set status = ${result.status}, error = ${result.error}, finished_at = ${scope.context.clock.now()},
      lease_id = null, lease_expires_at = null
    where merchant_id = ${scope.merchantId} and status = 'running' and (${fillId}::uuid is null or id = ${fillId})
    returning setting_ids as "settingIds"
  `.execute(scope.db)
  await sql`
    delete from metafield_fills where merchant_id = ${scope.merchantId} and status <> 'running' and id not in (
      select id from metafield_fills where merchant_id = ${scope.merchantId} order by started_at desc limit 10
    )
  `.execute(scope.db)
  return rows[0]?.settingIds ?? null
}

/** Updates the planner's statistics after a backfill. */
export async function analyzeValues(scope: MerchantScope): Promise<void> {
  await sql`analyze customer_metafields`.execute(scope.db)
}
