import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** Looks closer together than this are one. */
const ONE_LOOK_MS = 10 * 60_000

/** Whoever takes the permission back at this moment waits for us, and takes along what we keep. Answers whether they have it. */
export async function holdPermission(scope: TransactionScope, customerId: string): Promise<boolean> {
  const { rows } = await sql`
    select from customers where merchant_id = ${scope.merchantId} and id = ${customerId} and marketing_state = 'granted'
    for share`.execute(scope.db)
  return rows.length > 0
}

/**
 * Of products the store sells and a customer who has the permission; nothing else is kept. Answers whether anything was written: a page that
 * is reloaded writes nothing.
 */
export async function insertViews(
  scope: MerchantScope,
  customerId: string,
  storeProductIds: readonly number[],
): Promise<boolean> {
  const { merchantId, now } = scope
  const { rows } = await sql`
    insert into product_views as v (merchant_id, customer_id, store_product_id, first_viewed_at, viewed_at, views)
    select c.merchant_id, c.id, p.store_product_id, ${now}::timestamptz, ${now}::timestamptz, 1
    from customers c join products p on p.merchant_id = ${merchantId}
      and p.store_product_id = any(${[...new Set(storeProductIds)]}::bigint[])
    where c.merchant_id = ${merchantId} and c.id = ${customerId} and c.marketing_state = 'granted'
    on conflict (merchant_id, customer_id, store_product_id) do update
      set viewed_at = excluded.viewed_at, views = v.views + 1
      where v.viewed_at < ${new Date(now.getTime() - ONE_LOOK_MS)}
    returning customer_id
  `.execute(scope.db)
  return rows.length > 0
}

/** The oldest first; answers whose views went. */
export async function deleteViewsBefore(scope: MerchantScope, before: Date | null, limit: number): Promise<string[]> {
  const { rows } = await sql<{ customer_id: string }>`
    delete from product_views where merchant_id = ${scope.merchantId}
      and (customer_id, store_product_id) in (
        select customer_id, store_product_id from product_views
        where merchant_id = ${scope.merchantId} and (${before}::timestamptz is null or viewed_at < ${before})
        order by viewed_at limit ${limit})
    returning customer_id
  `.execute(scope.db)
  return rows.map(({ customer_id }) => customer_id)
}

export async function deleteViewsOf(scope: MerchantScope, customerIds: readonly string[]): Promise<void> {
  await sql`
    delete from product_views where merchant_id = ${scope.merchantId} and customer_id = any(${customerIds}::uuid[])
  `.execute(scope.db)
}

/** What both looked at counts for the one who stays. */
export async function moveViews(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  const { rows } = await sql<{ n: number; first: Date; last: Date; views: number }>`
    delete from product_views where merchant_id = ${scope.merchantId} and customer_id = ${fromId}
    returning store_product_id::float8 as n, first_viewed_at as first, viewed_at as last, views
  `.execute(scope.db)
  if (rows.length === 0) return
  await sql`
    insert into product_views as v (merchant_id, customer_id, store_product_id, first_viewed_at, viewed_at, views)
    select ${scope.merchantId}, ${intoId}, r.n, r.first, r.last, r.views
    from unnest(${rows.map(({ n }) => n)}::bigint[], ${rows.map(({ first }) => first)}::timestamptz[],
      ${rows.map(({ last }) => last)}::timestamptz[], ${rows.map(({ views }) => views)}::int[]) as r (n, first, last, views)
    on conflict (merchant_id, customer_id, store_product_id) do update set
      first_viewed_at = least(v.first_viewed_at, excluded.first_viewed_at),
      viewed_at = greatest(v.viewed_at, excluded.viewed_at), views = v.views + excluded.views
  `.execute(scope.db)
}
