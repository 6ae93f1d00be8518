import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** What is kept of people's behavior: a row for a customer and a product, with the time that decides how long. */
export const kinds = {
  views: { table: 'product_views', at: 'viewed_at' },
  carts: { table: 'cart_products', at: 'seen_at' },
} as const
export type Kind = keyof typeof kinds

/** The oldest first; returns whose rows went. `before` null: any. */
export async function deleteBefore(
  scope: MerchantScope,
  kind: Kind,
  { before, limit }: { before: Date | null; limit: number },
): Promise<string[]> {
  const [table, at] = [sql.table(kinds[kind].table), sql.ref(kinds[kind].at)]
  const { rows } = await sql<{ customer_id: string }>`
    delete from ${table} where merchant_id = ${scope.merchantId}
      and (customer_id, store_product_id) in (
        select customer_id, store_product_id from ${table}
        where merchant_id = ${scope.merchantId} and (${before}::timestamptz is null or ${at} < ${before})
        order by ${at} limit ${limit})
    returning customer_id
  `.execute(scope.db)
  return rows.map(({ customer_id }) => customer_id)
}

export async function deleteOf(scope: MerchantScope, customerIds: readonly string[]): Promise<void> {
  for (const { table } of Object.values(kinds))
    await sql`
      delete from ${sql.table(table)} where merchant_id = ${scope.merchantId} and customer_id = any(${customerIds}::uuid[])
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

/** Where a product is in both carts, the one seen last counts. */
export async function moveCarts(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  const { rows } = await sql<{ n: number; quantity: number; first: Date; seen: Date; changed: Date }>`
    delete from cart_products where merchant_id = ${scope.merchantId} and customer_id = ${fromId}
    returning store_product_id::float8 as n, quantity, first_seen_at as first, seen_at as seen, changed_at as changed
  `.execute(scope.db)
  if (rows.length === 0) return
  await sql`
    insert into cart_products as k (merchant_id, customer_id, store_product_id, quantity, first_seen_at, seen_at, changed_at)
    select ${scope.merchantId}, ${intoId}, r.n, r.quantity, r.first, r.seen, r.changed
    from unnest(${rows.map(({ n }) => n)}::bigint[], ${rows.map(({ quantity }) => quantity)}::int[],
      ${rows.map(({ first }) => first)}::timestamptz[], ${rows.map(({ seen }) => seen)}::timestamptz[],
      ${rows.map(({ changed }) => changed)}::timestamptz[]) as r (n, quantity, first, seen, changed)
    on conflict (merchant_id, customer_id, store_product_id) do update set
      quantity = case when excluded.seen_at > k.seen_at then excluded.quantity else k.quantity end,
      first_seen_at = least(k.first_seen_at, excluded.first_seen_at), seen_at = greatest(k.seen_at, excluded.seen_at),
      changed_at = greatest(k.changed_at, excluded.changed_at)
  `.execute(scope.db)
}

/** Who ordered has nothing in the cart that was seen before. Returns who they are. */
export async function emptyCartsOf(scope: MerchantScope, orderIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update cart_products k set quantity = 0, changed_at = o.processed_at
    from orders o
    where k.merchant_id = ${scope.merchantId} and o.merchant_id = ${scope.merchantId} and o.id = any(${orderIds}::uuid[])
      and k.customer_id = o.customer_id and k.quantity > 0 and k.seen_at <= o.processed_at
    returning k.customer_id as id
  `.execute(scope.db)
  return [...new Set(rows.map(({ id }) => id))]
}
