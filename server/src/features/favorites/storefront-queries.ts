import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { Holder } from './queries.ts'

export interface Mark {
  product_id: number
  variant_id: number | null
}

/** For each of these people, the latest first. */
export async function selectMarks(scope: MerchantScope, holders: readonly Holder[], limit: number): Promise<Mark[][]> {
  const { merchantId } = scope
  const those = (who: RawBuilder<unknown>) => sql`(
    select f.store_product_id, f.store_variant_id, f.created_at, f.id from favorites f
    where f.merchant_id = ${merchantId} and ${who} and f.status = 'active'
    order by f.created_at desc, f.id desc limit ${limit})`
  const { rows } = await sql<Mark & { n: number }>`
    select k.n::int - 1 as n, m.store_product_id as product_id, nullif(m.store_variant_id, 0) as variant_id
    from unnest(${holders.map((holder) => ('customerId' in holder ? holder.customerId : null))}::uuid[],
      ${holders.map((holder) => ('guestId' in holder ? holder.guestId : null))}::uuid[]) with ordinality as k (customer_id, guest_id, n)
    cross join lateral (
      ${those(sql`k.customer_id is not null and f.customer_id = k.customer_id`)} union all
      ${those(sql`k.guest_id is not null and f.guest_id = k.guest_id`)}
    ) m
    order by k.n, m.created_at desc, m.id desc`.execute(scope.db)
  const marks = holders.map((): Mark[] => [])
  for (const { n, ...mark } of rows) marks[n]?.push(mark)
  return marks
}

export interface ShownProduct {
  product_id: number
  title: string
  handle: string | null
  image_url: string | null
  is_gone: boolean
  currency: string
  count: number
  variants: { variant_id: number; title: string; price_amount: number | null; is_available: boolean }[]
}

const SHOWN_VARIANTS = 100

/** Also deleted ones, as far as they were ever known. What is not counted can be bought; where it is known what sells online, that counts. */
export async function selectShownProducts(
  scope: MerchantScope,
  storeProductIds: readonly number[],
): Promise<ShownProduct[]> {
  const { merchantId } = scope
  const { rows } = await sql<ShownProduct>`
    select p.store_product_id as product_id, p.title, p.handle, p.image_url,
      p.deleted_at is not null or p.status in ('DRAFT', 'ARCHIVED') as is_gone, m.currency, coalesce(k.active_count, 0) as count,
      coalesce(v.variants, '[]') as variants
    from products p join merchants m on m.id = ${merchantId}
    left join favorite_counts k on k.merchant_id = ${merchantId} and k.store_product_id = p.store_product_id
    cross join lateral (
      select jsonb_agg(jsonb_build_object('variant_id', w.store_variant_id, 'title', w.title, 'price_amount', w.price_amount,
        'is_available', w.sells_without_stock or coalesce(w.online_quantity, w.inventory_quantity, 1) > 0) order by w.position) as variants
      from (
        select * from product_variants where merchant_id = ${merchantId} and store_product_id = p.store_product_id
        order by position limit ${SHOWN_VARIANTS}
      ) w
    ) v
    where p.merchant_id = ${merchantId} and p.store_product_id = any(${[...storeProductIds]}::bigint[])`.execute(
    scope.db,
  )
  return rows
}
