import type { Facts } from '../../kernel/facts.ts'
import { type RawBuilder, sql } from 'kysely'
import { inAnHour } from '../../kernel/work/due-merchants.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Goods are at rest when nothing of the merchant's changed for so long … */
export const QUIET_MS = 10 * 60_000
/** … and are recorded at the latest so long after the first change. */
export const LONGEST_MS = 60 * 60_000

/** A stock without limit, as the store's own numbers never are. */
const MAX_STOCK = 2_000_000_000
const asStock = (stock: number): number => Math.max(-MAX_STOCK, Math.min(MAX_STOCK, stock))

/** What a variant was before its first change stays, what it is now is the last one's. */
export async function recordVariantChanges(
  scope: MerchantScope,
  what: 'price' | 'stock',
  changes: Facts['price.changed']['changes'],
): Promise<void> {
  if (changes.length === 0) return
  const [before, after] = [sql.ref(`${what}_before`), sql.ref(`${what}_after`)]
  const value = (each: number): number => (what === 'stock' ? asStock(each) : each)
  await sql`
    insert into settling_goods as g (merchant_id, round_id, store_variant_id, store_product_id, ${before}, ${after}, first_at, changed_at)
    select ${scope.merchantId}, ${NIL_ID}::uuid, r.variant, r.product, r.before, r.after, ${scope.now}, ${scope.now}
    from unnest(${changes.map((c) => c.storeVariantId)}::bigint[], ${changes.map((c) => c.storeProductId)}::bigint[],
      ${changes.map((c) => value(c.before))}::bigint[], ${changes.map((c) => value(c.after))}::bigint[])
      as r (variant, product, before, after) order by r.variant
    on conflict (merchant_id, round_id, store_variant_id) do update set
      ${before} = coalesce(g.${before}, excluded.${before}), ${after} = excluded.${after}, changed_at = excluded.changed_at`.execute(
    scope.db,
  )
}

/** What is at rest becomes a round. */
export async function beginRound(scope: MerchantScope, roundId: string): Promise<void> {
  const { merchantId, now } = scope
  const quiet = new Date(now.getTime() - QUIET_MS)
  const long = new Date(now.getTime() - LONGEST_MS)
  await sql`
    update settling_goods set round_id = ${roundId}
    where merchant_id = ${merchantId} and round_id = ${NIL_ID} and (
      select max(changed_at) <= ${quiet} or min(first_at) <= ${long} or min(first_at) > ${inAnHour(now)} from settling_goods
      where merchant_id = ${merchantId} and round_id = ${NIL_ID})`.execute(scope.db)
}

export async function listRounds(scope: MerchantScope): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct round_id as id from settling_goods
    where merchant_id = ${scope.merchantId} and round_id <> ${NIL_ID} order by 1`.execute(scope.db)
  return rows.map(({ id }) => id)
}

export async function endRound(scope: MerchantScope, roundId: string): Promise<void> {
  await sql`delete from settling_goods where merchant_id = ${scope.merchantId} and round_id = ${roundId}`.execute(
    scope.db,
  )
}

/** A variant of a product that changed; of one that did not change itself, before and after are the same. Null: not known, not counted. */
export interface SettledVariant {
  storeProductId: number
  storeVariantId: number
  title: string
  priceBefore: number | null
  priceAfter: number | null
  stockBefore: number | null
  stockAfter: number | null
}

/** What sells online of a variant `v`. */
const online = sql`case when v.sells_without_stock then ${sql.lit(MAX_STOCK)} else v.online_quantity end`

/** All variants of the products of a round which the store sells. */
export async function selectSettled(scope: MerchantScope, roundId: string): Promise<SettledVariant[]> {
  const { merchantId } = scope
  const { rows } = await sql<SettledVariant>`
    select v.store_product_id as "storeProductId", v.store_variant_id as "storeVariantId", p.title,
      coalesce(g.price_before, v.price_amount) as "priceBefore", coalesce(g.price_after, v.price_amount) as "priceAfter",
      coalesce(g.stock_before, ${online}) as "stockBefore", coalesce(g.stock_after, ${online}) as "stockAfter"
    from products p
    join product_variants v on v.merchant_id = ${merchantId} and v.store_product_id = p.store_product_id
    left join settling_goods g on g.merchant_id = ${merchantId} and g.round_id = ${roundId} and g.store_variant_id = v.store_variant_id
    where p.merchant_id = ${merchantId} and p.status = 'ACTIVE' and p.deleted_at is null and p.store_product_id in (
      select store_product_id from settling_goods where merchant_id = ${merchantId} and round_id = ${roundId})
    order by v.store_product_id, v.position, v.store_variant_id`.execute(scope.db)
  return rows
}

/** A product (variant 0) or variant that people may have as a favorite. */
export interface FavoriteItem {
  storeProductId: number
  storeVariantId: number
}

/** Customers after this one, in the order of their ids, with the places of their favorites in the list. */
export async function selectWhoLike(
  scope: MerchantScope,
  goods: readonly FavoriteItem[],
  { after, limit }: { after: string; limit: number },
): Promise<{ customerId: string; places: number[] }[]> {
  const liked: RawBuilder<unknown> = sql`unnest(${goods.map((each) => each.storeProductId)}::bigint[],
    ${goods.map((each) => each.storeVariantId)}::bigint[]) with ordinality as g (product, variant, place)`
  const { rows } = await sql<{ customerId: string; places: number[] }>`
    select f.customer_id as "customerId", array_agg((g.place - 1)::int order by g.place) as places
    from ${liked} join favorites f on f.store_product_id = g.product and f.store_variant_id = g.variant
    where f.merchant_id = ${scope.merchantId} and f.status = 'active' and f.customer_id > ${after}
    group by f.customer_id order by f.customer_id limit ${limit}`.execute(scope.db)
  return rows
}
