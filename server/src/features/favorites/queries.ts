import type { Favorite, FavoritesOfProduct } from '@okaeri/contract/favorites/routes'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { Holder, Wanted } from './favorite.ts'

const heldBy = (holder: Holder): RawBuilder<boolean> =>
  'customerId' in holder ? sql`f.customer_id = ${holder.customerId}` : sql`f.guest_id = ${holder.guestId}`

export async function insertFavorite(
  scope: MerchantScope,
  id: string,
  holder: Holder,
  { storeProductId, storeVariantId = 0 }: Wanted,
): Promise<boolean> {
  const [customerId, guestId] = 'customerId' in holder ? [holder.customerId, null] : [null, holder.guestId]
  const { rows } = await sql`
    insert into favorites (merchant_id, id, customer_id, guest_id, store_product_id, store_variant_id, created_at)
    values (${scope.merchantId}, ${id}, ${customerId}, ${guestId}, ${storeProductId}, ${storeVariantId}, ${scope.now})
    on conflict do nothing returning id
  `.execute(scope.db)
  return rows.length > 0
}

export async function markRemoved(
  scope: MerchantScope,
  holder: Holder,
  { storeProductId, storeVariantId = 0 }: Wanted,
): Promise<boolean> {
  const { rows } = await sql`
    update favorites f set status = 'removed', removed_at = ${scope.now}
    where f.merchant_id = ${scope.merchantId} and ${heldBy(holder)} and f.status = 'active'
      and f.store_product_id = ${storeProductId} and f.store_variant_id = ${storeVariantId}
    returning id
  `.execute(scope.db)
  return rows.length > 0
}

export interface FavoriteFilter {
  storeProductId?: number | undefined
  status?: 'active' | 'removed' | undefined
  holder?: Holder | undefined
}

/**
 * The rows of one person, product and variant are one line: active if one of them is, with the id of the latest. Includes the product and
 * the customer if known.
 */
export async function selectFavorites(
  scope: MerchantScope,
  filter: FavoriteFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: Favorite[]; total: number }> {
  const lines = sql`
    select (array_agg(f.id order by f.created_at desc, f.id desc))[1] as id,
      case when bool_or(f.status = 'active') then 'active' else 'removed' end as status,
      f.customer_id, f.guest_id, f.store_product_id, f.store_variant_id, count(*)::int as favorite_count,
      min(f.created_at) as first_favorited_at, max(f.created_at) as latest_favorited_at,
      case when bool_or(f.status = 'active') then null else max(f.removed_at) end as removed_at
    from favorites f
    where f.merchant_id = ${scope.merchantId}
      ${filter.holder ? sql`and ${heldBy(filter.holder)}` : sql``}
      ${filter.storeProductId === undefined ? sql`` : sql`and f.store_product_id = ${filter.storeProductId}`}
    group by f.customer_id, f.guest_id, f.store_product_id, f.store_variant_id
    ${filter.status ? sql`having bool_or(f.status = 'active') = ${filter.status === 'active'}` : sql``}`
  type Row = Omit<Favorite, 'first_favorited_at' | 'latest_favorited_at' | 'removed_at' | 'created_at'> & {
    first_favorited_at: Date
    latest_favorited_at: Date
    removed_at: Date | null
  }
  const [{ rows }, counted] = await Promise.all([
    sql<Row>`
      select l.id, l.status, l.store_product_id::text, p.title as product_name, nullif(l.store_variant_id, 0)::text as store_variant_id,
        v.title as variant, v.sku, c.id as customer_id, case when c.id is null then coalesce(l.guest_id, l.customer_id) end as guest_id,
        c.display_name as customer_name, c.email as customer_email, l.favorite_count, l.first_favorited_at, l.latest_favorited_at,
        l.removed_at,
        exists (
          select from restock_requests r where r.merchant_id = ${scope.merchantId} and r.customer_id = c.id
            and r.store_product_id = l.store_product_id and r.status = 'active'
        ) as restock_registered
      from (select * from (${lines}) a order by a.latest_favorited_at desc, a.id desc limit ${page.limit} offset ${page.offset}) l
      left join customers c on c.merchant_id = ${scope.merchantId} and c.id = l.customer_id
      left join products p on p.merchant_id = ${scope.merchantId} and p.store_product_id = l.store_product_id
      left join product_variants v on v.merchant_id = ${scope.merchantId} and v.store_variant_id = l.store_variant_id
      order by l.latest_favorited_at desc, l.id desc
    `.execute(scope.db),
    sql<{ count: number }>`select count(*) as count from (${lines}) a`.execute(scope.db),
  ])
  return { rows: rows.map(present), total: counted.rows[0]?.count ?? 0 }
  function present(row: Row): Favorite {
    const first = row.first_favorited_at.toISOString()
    return {
      ...row,
      created_at: first,
      first_favorited_at: first,
      latest_favorited_at: row.latest_favorited_at.toISOString(),
      removed_at: row.removed_at?.toISOString() ?? null,
    }
  }
}

export async function selectAggregated(
  scope: MerchantScope,
  words: readonly string[],
  page: { limit: number; offset: number },
): Promise<{ rows: FavoritesOfProduct[]; total: number }> {
  const named = sql.join(
    [sql`true`, ...words.map((word) => sql`strpos(coalesce(p.search_text, ''), ${word}) > 0`)],
    sql` and `,
  )
  const sums = sql`
    select f.store_product_id, count(*) filter (where f.status = 'active')::int as active_count,
      count(*) filter (where f.status = 'removed')::int as removed_count,
      round(avg(extract(epoch from coalesce(f.removed_at, ${scope.now}) - f.created_at) / 86400)::numeric, 1) as average_retention_days,
      min(f.created_at) as first_favorited_at, max(f.created_at) as latest_favorited_at
    from favorites f
    left join products p on p.merchant_id = ${scope.merchantId} and p.store_product_id = f.store_product_id
    where f.merchant_id = ${scope.merchantId} and ${named}
    group by f.store_product_id`
  type Row = Omit<FavoritesOfProduct, 'first_favorited_at' | 'latest_favorited_at'> & {
    first_favorited_at: Date
    latest_favorited_at: Date
  }
  const [{ rows }, counted] = await Promise.all([
    sql<Row>`
      select s.store_product_id::text, p.title as product_name, p.image_url, s.active_count, s.removed_count,
        greatest(s.average_retention_days, 0) as average_retention_days, s.first_favorited_at, s.latest_favorited_at
      from (${sums}) s
      left join products p on p.merchant_id = ${scope.merchantId} and p.store_product_id = s.store_product_id
      order by s.active_count desc, s.removed_count desc, s.store_product_id limit ${page.limit} offset ${page.offset}
    `.execute(scope.db),
    sql<{ count: number }>`select count(*) as count from (${sums}) s`.execute(scope.db),
  ])
  const data = rows.map((row) => ({
    ...row,
    first_favorited_at: row.first_favorited_at.toISOString(),
    latest_favorited_at: row.latest_favorited_at.toISOString(),
  }))
  return { rows: data, total: counted.rows[0]?.count ?? 0 }
}

/** If guest and customer both have it, the customer's row takes the earlier date and the guest's is deleted. Answers how many. */
export async function deleteDoubled(scope: MerchantScope, guestId: string, customerId: string): Promise<number> {
  const { rows } = await sql`
    with doubled as (
      delete from favorites g using favorites k
      where g.merchant_id = ${scope.merchantId} and g.guest_id = ${guestId} and g.status = 'active'
        and k.merchant_id = ${scope.merchantId} and k.customer_id = ${customerId} and k.status = 'active'
        and k.store_product_id = g.store_product_id and k.store_variant_id = g.store_variant_id
      returning k.id, g.created_at
    )
    update favorites k set created_at = least(k.created_at, d.created_at)
    from doubled d where k.merchant_id = ${scope.merchantId} and k.id = d.id returning k.id
  `.execute(scope.db)
  return rows.length
}

export async function moveToCustomer(scope: MerchantScope, guestId: string, customerId: string): Promise<number> {
  const { rows } = await sql`
    update favorites set customer_id = ${customerId}, guest_id = null
    where merchant_id = ${scope.merchantId} and guest_id = ${guestId} returning id
  `.execute(scope.db)
  return rows.length
}

export async function disownFavorites(scope: MerchantScope, customerId: string, anonymousId: string): Promise<void> {
  await sql`
    update favorites set guest_id = ${anonymousId}, customer_id = null
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId}
  `.execute(scope.db)
}
