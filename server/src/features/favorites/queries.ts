import type { Favorite, favoriteSorts } from '@okaeri/contract/favorites/routes'
import { type RawBuilder, sql } from 'kysely'
import { copyRows } from '../../kernel/database/copy-in.ts'
import type { Copy } from '../../kernel/database/copying-client.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** Exactly one of the two. */
export type Holder = { customerId: string } | { guestId: string }

/** Identifies the person. */
export const idOf = (holder: Holder): string => ('customerId' in holder ? holder.customerId : holder.guestId)

export const heldBy = (holder: Holder): RawBuilder<boolean> =>
  'customerId' in holder ? sql`f.customer_id = ${holder.customerId}` : sql`f.guest_id = ${holder.guestId}`

/** One person's wish, under the id its row would have. */
export interface FavoriteKey {
  id: string
  holder: Holder
  storeProductId: number
  /** 0: the product as a whole. */
  storeVariantId: number
}
const columnsOf = (wishes: readonly FavoriteKey[]): RawBuilder<unknown> => sql`unnest(
  ${wishes.map(({ id }) => id)}::uuid[], ${wishes.map(({ holder }) => ('customerId' in holder ? holder.customerId : null))}::uuid[],
  ${wishes.map(({ holder }) => ('guestId' in holder ? holder.guestId : null))}::uuid[],
  ${wishes.map(({ storeProductId }) => storeProductId)}::bigint[], ${wishes.map(({ storeVariantId }) => storeVariantId)}::bigint[]
) as k (id, customer_id, guest_id, store_product_id, store_variant_id)`

/** Whether the person has other rows for the same product or variant that meet this. */
const siblings = (scope: MerchantScope, of: RawBuilder<unknown>, holds: RawBuilder<unknown>): RawBuilder<boolean> => {
  const some = (who: RawBuilder<unknown>) => sql`exists (
    select from favorites g where g.merchant_id = ${scope.merchantId} and ${who} and g.store_product_id = ${of}.store_product_id
      and g.store_variant_id = ${of}.store_variant_id and ${holds})`
  return sql`case when ${of}.guest_id is null then ${some(sql`g.customer_id = ${of}.customer_id`)}
    else ${some(sql`g.guest_id = ${of}.guest_id`)} end`
}

export interface NewFavorite extends FavoriteKey {
  /** The person had it before. */
  isAgain: boolean
}
/** In the order of the keys: two processes that add the same wait for each other, and never in a circle. */
export function copyNewFavorites(scope: MerchantScope, wishes: readonly NewFavorite[]): Copy {
  const rows = copyRows(
    scope,
    'copy favorites (merchant_id, id, customer_id, guest_id, store_product_id, store_variant_id, created_at, is_again) from stdin (format binary)',
  )
  for (const { id, holder, storeProductId, storeVariantId, isAgain } of wishes.toSorted(byKey)) {
    rows.row()
    rows.uuid(id)
    rows.uuid('customerId' in holder ? holder.customerId : null)
    rows.uuid('guestId' in holder ? holder.guestId : null)
    rows.int8(storeProductId)
    rows.int8(storeVariantId)
    rows.timestamptz(scope.now)
    rows.boolean(isAgain)
  }
  return { rows }
}
const byKey = (one: FavoriteKey, other: FavoriteKey): number => {
  const [a, b] = [idOf(one.holder), idOf(other.holder)]
  if (a !== b) return a < b ? -1 : 1
  return one.storeProductId - other.storeProductId || one.storeVariantId - other.storeVariantId
}

/** Who of the people with these wishes is here: a guest always. The customers are not deleted before the transaction ends. */
export async function lockCustomers(
  scope: TransactionScope,
  wishes: readonly FavoriteKey[],
): Promise<(wish: FavoriteKey) => boolean> {
  const ids = [...new Set(wishes.filter(isOfCustomer).map(({ holder }) => idOf(holder)))]
  if (ids.length === 0) return () => true
  const { rows } = await sql<{ id: string }>`
    select id from customers where merchant_id = ${scope.merchantId} and id = any(${ids}::uuid[]) order by id for key share`.execute(
    scope.db,
  )
  const here = new Set(rows.map(({ id }) => id))
  return (wish) => !isOfCustomer(wish) || here.has(idOf(wish.holder))
}

export interface FavoriteState {
  id: string
  /** Whether the store has the product, and the variant belongs to it. */
  is_known: boolean
  is_favorite: boolean
  /** It was one before. */
  is_again: boolean
  /** Active favorites of the person, counted to `countedTo`. */
  count: number
}
/**
 * Of these wishes those about which there is something to know: all others are of products the store has, are and were no favorites, and their
 * persons have fewer than `countedTo` even with all of these. Each is looked up by an index, whatever the tables' sizes are thought to be: what is
 * asked with `exists` the database might answer by reading a whole table. Customers and guests apart, for each has an index of their own.
 */
export async function selectUnusual(
  scope: MerchantScope,
  wishes: readonly FavoriteKey[],
  countedTo: number,
): Promise<Map<string, FavoriteState>> {
  const { merchantId } = scope
  const found = new Map<string, FavoriteState>()
  const one = async (those: readonly FavoriteKey[], who: RawBuilder<unknown>): Promise<void> => {
    if (those.length === 0) return
    // Counted once for each person: one may have a thousand wishes here, and as many favorites.
    const holders = [...new Set(those.map(({ holder }) => idOf(holder)))]
    const same = (status: 'active' | 'removed') => sql`(
      select true from favorites f where f.merchant_id = ${merchantId} and ${who} = k.holder and f.status = ${sql.lit(status)}
        and f.store_product_id = k.store_product_id and f.store_variant_id = k.store_variant_id limit 1) is true`
    const { rows } = await sql<FavoriteState>`
      select * from (
        select k.id, (
            select true from products p where p.merchant_id = ${merchantId} and p.store_product_id = k.store_product_id and p.deleted_at is null
            limit 1) is true and (k.store_variant_id = 0 or (
            select true from product_variants v where v.merchant_id = ${merchantId} and v.store_variant_id = k.store_variant_id
              and v.store_product_id = k.store_product_id limit 1) is true) as is_known,
          ${same('active')} as is_favorite, ${same('removed')} as is_again, k.count
        from (
          select k.*, h.count
          from unnest(${listOf(those.map(({ id }) => id))}::uuid[], ${listOf(those.map(({ holder }) => idOf(holder)))}::uuid[],
            ${listOf(those.map(({ storeProductId }) => storeProductId))}::bigint[],
            ${listOf(those.map(({ storeVariantId }) => storeVariantId))}::bigint[]) as k (id, holder, store_product_id, store_variant_id)
          join (
            select k.holder, (
              select count(*)::int from (
                select from favorites f where f.merchant_id = ${merchantId} and ${who} = k.holder and f.status = 'active' limit ${countedTo}
              ) few) as count
            from unnest(${listOf(holders)}::uuid[]) as k (holder) offset 0
          ) h on h.holder = k.holder
        ) k
      ) n
      where not is_known or is_favorite or is_again or count + ${wishes.length}::int >= ${countedTo}`.execute(scope.db)
    for (const row of rows) found.set(row.id, row)
  }
  await one(wishes.filter(isOfCustomer), sql`f.customer_id`)
  await one(
    wishes.filter((wish) => !isOfCustomer(wish)),
    sql`f.guest_id`,
  )
  return found
}
/** An array of ids or numbers, in which nothing has to be quoted: the driver would look through each. */
const listOf = (values: readonly (string | number)[]): string => `{${values.join(',')}}`

/** Returns those that were favorites, and since when. */
export async function markRemoved(scope: MerchantScope, wishes: readonly FavoriteKey[]): Promise<Map<string, Date>> {
  const removed = new Map<string, Date>()
  const one = async (those: readonly FavoriteKey[], who: RawBuilder<unknown>): Promise<void> => {
    if (those.length === 0) return
    const { rows } = await sql<{ id: string; created_at: Date }>`
      update favorites f set status = 'removed', removed_at = ${scope.now}
      from ${columnsOf(those)}
      where f.merchant_id = ${scope.merchantId} and ${who} and f.status = 'active'
        and f.store_product_id = k.store_product_id and f.store_variant_id = k.store_variant_id
      returning k.id, f.created_at`.execute(scope.db)
    for (const { id, created_at } of rows) removed.set(id, created_at)
  }
  await one(wishes.filter(isOfCustomer), sql`f.customer_id = k.customer_id`)
  await one(
    wishes.filter((wish) => !isOfCustomer(wish)),
    sql`f.guest_id = k.guest_id`,
  )
  return removed
}
export const isOfCustomer = ({ holder }: FavoriteKey): boolean => 'customerId' in holder

export interface FavoriteFilter {
  storeProductIds?: readonly number[] | undefined
  status?: 'active' | 'removed' | undefined
  holder?: Holder | undefined
  /** Folded; each is found in a customer's name, address or tags. */
  words?: readonly string[]
}
export interface FavoriteOrder {
  sort: (typeof favoriteSorts)[number]
  direction: 'asc' | 'desc'
}
const byLatest: FavoriteOrder = { sort: 'latest_favorited_at', direction: 'desc' }
type FavoriteRow = Omit<Favorite, 'first_favorited_at' | 'latest_favorited_at' | 'removed_at' | 'created_at'> & {
  first_favorited_at: Date
  latest_favorited_at: Date
  removed_at: Date | null
}

interface FavoritePage extends FavoriteOrder {
  limit: number | null
  offset: number
}
type Those = Omit<FavoriteFilter, 'words'>

const rowsOf = ({ merchantId }: MerchantScope, { holder, storeProductIds }: Those): RawBuilder<unknown> =>
  sql`favorites f where f.merchant_id = ${merchantId} ${holder ? sql`and ${heldBy(holder)}` : sql``}
    ${storeProductIds ? sql`and f.store_product_id = any(${[...storeProductIds]}::bigint[])` : sql``}`

/** All rows are grouped before the page is cut. Customers are joined before that only if they are searched or sorted by. */
function groupedLines(
  scope: MerchantScope,
  { words = [], ...filter }: FavoriteFilter,
  { limit, offset, sort, direction }: FavoritePage,
): RawBuilder<unknown> {
  const { merchantId } = scope
  const customersFirst = words.length > 0 || sort === 'customer_name'
  const key = sort === 'customer_name' ? sql`nullif(n.display_name, '')` : sql.ref(`a.${sort}`)
  const way = sql.raw(direction)
  return sql`
    select a.*, ${key} as sort_key, (count(*) over ())::int as total from (
      select (array_agg(f.id order by f.created_at desc, f.id desc))[1] as id,
        case when bool_or(f.status = 'active') then 'active' else 'removed' end as status,
        f.customer_id, f.guest_id, f.store_product_id, f.store_variant_id, count(*)::int as favorite_count,
        min(f.created_at) as first_favorited_at, max(f.created_at) as latest_favorited_at,
        case when bool_or(f.status = 'active') then null else max(f.removed_at) end as removed_at
      from ${rowsOf(scope, filter)}
      group by f.customer_id, f.guest_id, f.store_product_id, f.store_variant_id
      ${filter.status ? sql`having bool_or(f.status = 'active') = ${filter.status === 'active'}` : sql``}
    ) a
    ${customersFirst ? sql`left join customers n on n.merchant_id = ${merchantId} and n.id = a.customer_id` : sql``}
    where ${sql.join([sql`true`, ...words.map((word) => sql`strpos(n.search_text, ${word}) > 0`)], sql` and `)}
    order by sort_key ${way} nulls last, a.id ${way} limit ${limit} offset ${offset}`
}

/** In the order of an index: of all rows only those up to the page's end are looked at. Each line is its latest row; the others are added to it. */
function latestLines(
  scope: MerchantScope,
  filter: Those,
  { limit, offset, direction }: FavoritePage,
): RawBuilder<unknown> {
  const { merchantId } = scope
  const way = sql.raw(direction)
  const isActive = sql`(f.status = 'active' or ${siblings(scope, sql`f`, sql`g.status = 'active'`)})`
  const wanted =
    filter.status === undefined ? sql`` : filter.status === 'active' ? sql`and ${isActive}` : sql`and not ${isActive}`
  return sql`
    select f.id, a.status, f.customer_id, f.guest_id, f.store_product_id, f.store_variant_id, a.favorite_count, a.first_favorited_at,
      f.created_at as latest_favorited_at, a.removed_at, f.created_at as sort_key, null::int as total
    from (
      select f.* from ${rowsOf(scope, filter)} ${wanted}
        and not ${siblings(scope, sql`f`, sql`(g.created_at, g.id) > (f.created_at, f.id)`)}
      order by f.created_at ${way}, f.id ${way} limit ${limit} offset ${offset}
    ) f
    cross join lateral (
      select case when bool_or(g.status = 'active') then 'active' else 'removed' end as status, count(*)::int as favorite_count,
        min(g.created_at) as first_favorited_at, case when bool_or(g.status = 'active') then null else max(g.removed_at) end as removed_at
      from favorites g
      where g.merchant_id = ${merchantId} and (g.customer_id = f.customer_id or g.guest_id = f.guest_id)
        and g.store_product_id = f.store_product_id and g.store_variant_id = f.store_variant_id
    ) a`
}

/** How many lines there are, by the counts of products: no customer has the same product twice among the active ones. */
async function countLines(scope: MerchantScope, { storeProductIds, status }: Those): Promise<number> {
  const { merchantId } = scope
  const of = storeProductIds ? sql`and store_product_id = any(${[...storeProductIds]}::bigint[])` : sql``
  const { rows } = await sql<{ active: number; removed: number; again: number }>`
    select coalesce(sum(active), 0)::int as active, coalesce(sum(removed), 0)::int as removed,
      (select count(*)::int from favorites where merchant_id = ${merchantId} and is_again ${of}) as again
    from (
      select active_count as active, removed_count as removed from favorite_counts where merchant_id = ${merchantId} ${of}
      union all
      select active, removed from favorite_changes where merchant_id = ${merchantId} ${of}
    ) k`.execute(scope.db)
  const { active = 0, removed = 0, again = 0 } = rows[0] ?? {}
  return status === 'active' ? active : active + removed - again - (status === 'removed' ? active : 0)
}

/** The rows of one person, product and variant are one line: active if one of them is, with the id of the latest. */
export async function selectFavorites(
  scope: MerchantScope,
  filter: FavoriteFilter,
  page: FavoritePage = { limit: null, offset: 0, ...byLatest },
): Promise<{ rows: Favorite[]; total: number }> {
  const { merchantId } = scope
  const way = sql.raw(page.direction)
  const isWalked =
    page.sort === 'latest_favorited_at' && page.limit !== null && !filter.holder && (filter.words ?? []).length === 0
  const { rows } = await sql<FavoriteRow & { total: number | null }>`
    select l.id, l.status, l.store_product_id::text, p.title as product_name, nullif(l.store_variant_id, 0)::text as store_variant_id,
      v.title as variant, v.sku, c.id as customer_id, case when c.id is null then coalesce(l.guest_id, l.customer_id) end as guest_id,
      c.display_name as customer_name, c.email as customer_email, l.favorite_count, l.first_favorited_at, l.latest_favorited_at,
      l.removed_at, l.total,
      exists (
        select from restock_requests r where r.merchant_id = ${merchantId} and r.customer_id = c.id
          and r.store_product_id = l.store_product_id and r.status = 'active'
      ) as restock_registered
    from (${isWalked ? latestLines(scope, filter, page) : groupedLines(scope, filter, page)}) l
    left join customers c on c.merchant_id = ${merchantId} and c.id = l.customer_id
    left join products p on p.merchant_id = ${merchantId} and p.store_product_id = l.store_product_id
    left join product_variants v on v.merchant_id = ${merchantId} and v.store_variant_id = l.store_variant_id
    order by l.sort_key ${way} nulls last, l.id ${way}`.execute(scope.db)
  // Behind the last page: how many there are is said nevertheless.
  if (rows.length === 0 && page.offset > 0 && !isWalked)
    return { rows: [], total: (await selectFavorites(scope, filter, { limit: 1, offset: 0, ...byLatest })).total }
  return {
    total: isWalked ? await countLines(scope, filter) : (rows[0]?.total ?? 0),
    rows: rows.map((each) => {
      const { total: _total, ...row } = each
      const first = row.first_favorited_at.toISOString()
      return {
        ...row,
        created_at: first,
        first_favorited_at: first,
        latest_favorited_at: row.latest_favorited_at.toISOString(),
        removed_at: row.removed_at?.toISOString() ?? null,
      }
    }),
  }
}

/** After rows of others became the customer's: which of them are the first of their kind is another now. */
export async function markAgain(scope: MerchantScope, customerId: string): Promise<void> {
  await sql`
    update favorites f set is_again = k.n > 1
    from (
      select id, row_number() over (partition by store_product_id, store_variant_id order by created_at, id) as n
      from favorites where merchant_id = ${scope.merchantId} and customer_id = ${customerId}
    ) k
    where f.merchant_id = ${scope.merchantId} and f.id = k.id and f.is_again <> (k.n > 1)`.execute(scope.db)
}

export interface MergedFavorite {
  store_product_id: number
  /** When the guest set it, and when the customer did. */
  created_at: Date
  kept_at: Date
}
/** If guest and customer both have it, the customer's row takes the earlier date and the guest's is deleted. */
export async function deleteDoubled(
  scope: MerchantScope,
  guestId: string,
  customerId: string,
): Promise<MergedFavorite[]> {
  const { rows } = await sql<MergedFavorite>`
    with doubled as (
      delete from favorites g using favorites k
      where g.merchant_id = ${scope.merchantId} and g.guest_id = ${guestId} and g.status = 'active'
        and k.merchant_id = ${scope.merchantId} and k.customer_id = ${customerId} and k.status = 'active'
        and k.store_product_id = g.store_product_id and k.store_variant_id = g.store_variant_id
      returning k.id, g.created_at, k.created_at as kept_at
    )
    update favorites k set created_at = least(k.created_at, d.created_at)
    from doubled d where k.merchant_id = ${scope.merchantId} and k.id = d.id
    returning k.store_product_id, d.created_at, d.kept_at
  `.execute(scope.db)
  return rows
}

export async function moveToCustomer(scope: MerchantScope, guestId: string, customerId: string): Promise<number> {
  const { rows } = await sql`
    update favorites set customer_id = ${customerId}, guest_id = null
    where merchant_id = ${scope.merchantId} and guest_id = ${guestId} returning id
  `.execute(scope.db)
  return rows.length
}

export async function detachFavorites(scope: MerchantScope, customerId: string, anonymousId: string): Promise<void> {
  await sql`
    update favorites set guest_id = ${anonymousId}, customer_id = null
    where merchant_id = ${scope.merchantId} and customer_id = ${customerId}
  `.execute(scope.db)
}
