import type { MetafieldOfConditions } from '@okaeri/contract/segments/condition-fields'
import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import type { ReferencedSegment } from '../condition-types/field-sql.ts'

/** The zone, currency and metafields that conditions are evaluated with. */
export async function readConditionSettings(
  scope: MerchantScope,
): Promise<{ timezone: string; currency: string; metafields: MetafieldOfConditions[] }> {
  const { rows } = await sql<{ timezone: string; currency: string; metafields: MetafieldOfConditions[] }>`
    select m.timezone, m.currency, coalesce((
        select jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'value_type', f.value_type) order by f.created_at, f.id)
        from metafield_settings f where f.merchant_id = ${scope.merchantId} and f.deleted_at is null
      ), '[]') as metafields
    from merchants m where m.id = ${scope.merchantId}`.execute(scope.db)
  if (!rows[0]) throw new Error(`no merchant ${scope.merchantId}`)
  return rows[0]
}

/** Those of the ids that are segments, not deleted. */
export async function selectReferencedSegments(
  scope: MerchantScope,
  ids: readonly string[],
): Promise<(ReferencedSegment & { id: string })[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ReferencedSegment & { id: string }>`
    select id, name, origin, conditions from segments
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[]) and deleted_at is null`.execute(scope.db)
  return rows
}

const tables = { products: 'products', variants: 'product_variants', collections: 'collections' } as const

/** Those of the ids that belong to the merchant, also if the store has deleted them since. */
export async function selectKnown(
  scope: MerchantScope,
  kind: keyof typeof tables,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(tables[kind])} where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])
  `.execute(scope.db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Planner settings for subqueries on other tables. Each is hashed once; without enough memory the planner gives up the hash and looks up a
 * million customers one by one. A question about everyone scans whole tables or covering indexes: sequential pages, which cost more than the
 * planner assumes and less than random reads. Each parallel worker builds the hashes again, so one worker is enough. Lasts until the
 * transaction ends.
 */
export async function configurePlanner(scope: TransactionScope, { everyone }: { everyone: boolean }): Promise<void> {
  const reading = everyone
    ? sql`set_config('random_page_cost', '2', true), set_config('max_parallel_workers_per_gather', '1', true),
        set_config('parallel_setup_cost', '100', true), set_config('parallel_tuple_cost', '0.005', true)`
    : sql`null`
  await sql`
    select set_config('work_mem', '256MB', true), set_config('jit', 'off', true), ${reading}`.execute(scope.db)
}
