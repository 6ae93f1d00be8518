import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** One process at a time learns a merchant's intervals; the next one waits. */
export async function lockIntervals(scope: TransactionScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${scope.merchantId}, 196))`.execute(scope.db)
}

/**
 * For each product, the median of the days between two purchases by the same customer, if there are enough. Purchases on the same day count as
 * one. Only changed rows are written; products that are no longer bought again lose theirs.
 */
export async function writeIntervals(
  scope: TransactionScope,
  {
    since,
    minRepeats,
    minCustomers,
    maxDays,
  }: { since: Date; minRepeats: number; minCustomers: number; maxDays: number },
): Promise<void> {
  const { db, merchantId, now } = scope
  const { rows: fit } = await sql<{ store_product_id: number; days: number; repeats: number }>`
    with gaps as (
      select l.store_product_id, l.customer_id, round(extract(epoch from l.processed_at
        - lag(l.processed_at) over (partition by l.store_product_id, l.customer_id order by l.processed_at)) / 86400)::int as days
      from order_lines l
      where l.merchant_id = ${merchantId} and l.customer_id is not null and l.store_product_id is not null
        and l.processed_at >= ${since} and l.quantity > 0
        and not exists (
          select from orders o where o.merchant_id = ${merchantId} and o.id = l.order_id and o.cancelled_at is not null)
    ), learned as (
      select store_product_id, percentile_disc(0.5) within group (order by days) as days, count(*)::int as repeats
      from gaps where days >= 1
      group by store_product_id having count(*) >= ${minRepeats} and count(distinct customer_id) >= ${minCustomers}
    )
    select store_product_id, days, repeats from learned where days <= ${maxDays}`.execute(db)
  const products = fit.map(({ store_product_id }) => store_product_id)
  // Statements of their own: one that does all needs, on Citus, nodes on which nothing of the merchant is.
  await sql`
    delete from product_intervals where merchant_id = ${merchantId} and store_product_id <> all(${products}::bigint[])`.execute(
    db,
  )
  await sql`
    insert into product_intervals as p (merchant_id, store_product_id, days, repeats, computed_at)
    select ${merchantId}, f.store_product_id, f.days, f.repeats, ${now}::timestamptz
    from unnest(${products}::bigint[], ${fit.map(({ days }) => days)}::int[], ${fit.map(({ repeats }) => repeats)}::int[])
      as f (store_product_id, days, repeats)
    on conflict (merchant_id, store_product_id) do update set days = excluded.days, repeats = excluded.repeats,
      computed_at = excluded.computed_at
    where (p.days, p.repeats) is distinct from (excluded.days, excluded.repeats)`.execute(db)
  await sql`
    insert into interval_runs as r (merchant_id, computed_at) values (${merchantId}, ${now})
    on conflict (merchant_id) do update set computed_at = excluded.computed_at`.execute(db)
}

/** They are learned again soon, not only tomorrow. */
export async function forgetIntervalRun(scope: MerchantScope): Promise<void> {
  await sql`delete from interval_runs where merchant_id = ${scope.merchantId}`.execute(scope.db)
}

/** Days by the store's number of the product; products without a known interval are missing. */
export async function selectIntervals(
  scope: MerchantScope,
  storeProductIds: readonly number[],
): Promise<Map<number, number>> {
  if (storeProductIds.length === 0) return new Map()
  const { rows } = await sql<{ id: number; days: number }>`
    select store_product_id as id, days from product_intervals
    where merchant_id = ${scope.merchantId} and store_product_id = any(${[...storeProductIds]}::bigint[])`.execute(
    scope.db,
  )
  return new Map(rows.map(({ id, days }) => [id, days]))
}

/** The number of products with a known interval. */
export async function countIntervals(scope: MerchantScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from product_intervals where merchant_id = ${scope.merchantId}`.execute(scope.db)
  return rows[0]?.count ?? 0
}
