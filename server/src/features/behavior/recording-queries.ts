import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Looks closer together than this are one. */
const ONE_LOOK_MINUTES = 10
const ONE_LOOK = sql`make_interval(mins => ${sql.lit(ONE_LOOK_MINUTES)})`
/**
 * A time so far ahead was stored before a clock was set back, and is ignored. The limit is written out: on Citus a parameter in what an
 * "insert … select" does on a conflict has no type.
 */
const isAhead = ({ now }: MerchantScope, at: string): RawBuilder<boolean> =>
  sql`${sql.ref(at)} > ${sql.lit(new Date(now.getTime() + ONE_LOOK_MINUTES * 60_000))}`

export interface NewView {
  customerId: string
  storeProductId: number
  at: Date
}
export interface WholeCart {
  customerId: string
  at: Date
}
export interface CartLine extends WholeCart {
  storeProductId: number
  quantity: number
}

/**
 * Those of these customers who have the marketing permission, which is locked until the transaction ends, and since when (null: not
 * known).
 */
export async function lockPermitted(
  scope: MerchantScope,
  customerIds: readonly string[],
): Promise<Map<string, Date | null>> {
  const { rows } = await sql<{ id: string; since: Date | null }>`
    select id, marketing_changed_at as since from customers where merchant_id = ${scope.merchantId} and id = any(${customerIds}::uuid[])
      and marketing_state = 'granted'
    order by id for share
  `.execute(scope.db)
  return new Map(rows.map(({ id, since }) => [id, since]))
}

/** Those of these products that the store sells. */
export async function selectOwnProducts(scope: MerchantScope, storeProductIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select store_product_id::float8 as number from products
    where merchant_id = ${scope.merchantId} and store_product_id = any(${storeProductIds}::bigint[])
  `.execute(scope.db)
  return rows.map(({ number }) => number)
}

/**
 * For the store's own products; each customer and product only once in the list. Returns for whom anything was written: a page that is
 * reloaded writes nothing.
 */
export async function insertViews(scope: MerchantScope, views: readonly NewView[]): Promise<string[]> {
  if (views.length === 0) return []
  const { merchantId } = scope
  const { rows } = await sql<{ id: string }>`
    insert into product_views as v (merchant_id, customer_id, store_product_id, first_viewed_at, viewed_at, views)
    select ${merchantId}, r.customer, r.product, r.at, r.at, 1
    from unnest(${views.map(({ customerId }) => customerId)}::uuid[],
      ${views.map(({ storeProductId }) => storeProductId)}::bigint[],
      ${views.map(({ at }) => at)}::timestamptz[]) as r (customer, product, at)
    order by r.customer, r.product
    on conflict (merchant_id, customer_id, store_product_id) do update
      set first_viewed_at = least(v.first_viewed_at, excluded.first_viewed_at), viewed_at = excluded.viewed_at, views = v.views + 1
      where excluded.viewed_at - v.viewed_at > ${ONE_LOOK} or ${isAhead(scope, 'v.viewed_at')}
    returning customer_id as id
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}

/**
 * What lies in these customers' carts now: `lines`, and nothing else. An older cart than the one that is known changes nothing. Returns for whom
 * anything changed.
 */
export async function upsertCartLines(
  scope: MerchantScope,
  carts: readonly WholeCart[],
  lines: readonly CartLine[],
): Promise<string[]> {
  if (carts.length === 0) return []
  const { merchantId } = scope
  const [whose, products] = [lines.map(({ customerId }) => customerId), lines.map((line) => line.storeProductId)]
  const { rows } = await sql<{ id: string }>`
    insert into cart_products as k (merchant_id, customer_id, store_product_id, quantity, first_seen_at, seen_at, changed_at)
    select ${merchantId}, r.customer, r.product, r.quantity, r.at, r.at, r.at
    from unnest(${whose}::uuid[], ${products}::bigint[], ${lines.map(({ quantity }) => quantity)}::int[],
      ${lines.map(({ at }) => at)}::timestamptz[]) as r (customer, product, quantity, at)
    order by r.customer, r.product
    on conflict (merchant_id, customer_id, store_product_id) do update
      set quantity = excluded.quantity, seen_at = excluded.seen_at, first_seen_at = least(k.first_seen_at, excluded.first_seen_at),
        changed_at = case when k.quantity = excluded.quantity then least(k.changed_at, excluded.changed_at) else excluded.changed_at end
      where (k.seen_at <= excluded.seen_at and k.changed_at <= excluded.seen_at
        and (k.quantity <> excluded.quantity or excluded.seen_at - k.seen_at > ${ONE_LOOK}))
        or ${isAhead(scope, 'k.seen_at')}
    returning customer_id as id
  `.execute(scope.db)
  const { rows: emptied } = await sql<{ id: string }>`
    update cart_products k set quantity = 0, changed_at = r.at, seen_at = least(k.seen_at, r.at), first_seen_at = least(k.first_seen_at, r.at)
    from unnest(${carts.map(({ customerId }) => customerId)}::uuid[], ${carts.map(({ at }) => at)}::timestamptz[]) as r (customer, at)
    where k.merchant_id = ${merchantId} and k.customer_id = r.customer and k.quantity > 0 and (k.seen_at <= r.at or ${isAhead(scope, 'k.seen_at')})
      and not exists (
        select from unnest(${whose}::uuid[], ${products}::bigint[]) as h (customer, product)
        where h.customer = k.customer_id and h.product = k.store_product_id)
    returning k.customer_id as id
  `.execute(scope.db)
  return [...rows, ...emptied].map(({ id }) => id)
}

/** Keeps only so many products for each of these customers, those of the newest looks; the same for carts. */
export async function deleteBeyond(scope: MerchantScope, customerIds: readonly string[], most: number): Promise<void> {
  const { merchantId } = scope
  for (const [table, at] of [
    ['product_views', 'viewed_at'],
    ['cart_products', 'seen_at'],
  ] as const)
    await sql`
      delete from ${sql.table(table)} v
      where v.merchant_id = ${merchantId} and v.customer_id = any(${customerIds}::uuid[]) and ${sql.ref(`v.${at}`)} <= (
        select ${sql.ref(`w.${at}`)} from ${sql.table(table)} w
        where w.merchant_id = ${merchantId} and w.customer_id = v.customer_id
        order by ${sql.ref(`w.${at}`)} desc offset ${most} limit 1)
    `.execute(scope.db)
}
