import type { FavoritesOfProduct, productSorts } from '@okaeri/contract/favorites/routes'
import { type RawBuilder, sql } from 'kysely'
import { copyIn, copyRows } from '../../kernel/database/copy-in.ts'
import type { Copy } from '../../kernel/database/copying-client.ts'
import { newIds } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** What one or several favorites of a product add to its counts. */
export interface CountChange {
  storeProductId: number
  active: number
  removed: number
  /** Of active ones: the seconds since 1970 at which they were set. */
  setSeconds: number
  /** Of removed ones: how long they lasted. */
  keptSeconds: number
  firstAt: Date | null
  /** Both null: a row was deleted, so the first and the latest have to be looked up. */
  latestAt: Date | null
}

export function copyChanges(scope: MerchantScope, changes: readonly CountChange[]): Copy {
  const rows = copyRows(
    scope,
    'copy favorite_changes (merchant_id, id, store_product_id, active, removed, set_seconds, kept_seconds, first_at, latest_at) from stdin (format binary)',
  )
  const ids = newIds(changes.length)
  for (const [index, change] of changes.entries()) {
    rows.row()
    rows.uuid(ids[index] ?? null)
    rows.int8(change.storeProductId)
    rows.int4(change.active)
    rows.int4(change.removed)
    rows.int8(change.setSeconds)
    rows.int8(change.keptSeconds)
    rows.timestamptz(change.firstAt)
    rows.timestamptz(change.latestAt)
  }
  return { rows }
}

export async function insertChanges(scope: MerchantScope, changes: readonly CountChange[]): Promise<void> {
  const copy = copyChanges(scope, changes)
  await copyIn(scope, [copy])
  copy.rows.release()
}

/** Only one process sums up a merchant's changes, so that they are summed up in their order; false if another one does. */
export async function tryCounting(scope: TransactionScope): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${scope.merchantId}, 475)) as mine`.execute(scope.db)
  return rows[0]?.mine ?? false
}

/** Takes the oldest changes out of the table. */
export async function takeChanges(scope: TransactionScope, limit: number): Promise<CountChange[]> {
  const { rows } = await sql<CountChange>`
    delete from favorite_changes
    where merchant_id = ${scope.merchantId} and id = any(array(
      select id from favorite_changes where merchant_id = ${scope.merchantId} order by id limit ${limit}))
    returning store_product_id as "storeProductId", active, removed, set_seconds as "setSeconds", kept_seconds as "keptSeconds",
      first_at as "firstAt", latest_at as "latestAt"`.execute(scope.db)
  return rows
}

const firstOf = (scope: MerchantScope, product: RawBuilder<unknown>, which: 'min' | 'max'): RawBuilder<Date> =>
  sql`(select ${sql.raw(which)}(f.created_at) from favorites f where f.merchant_id = ${scope.merchantId} and f.store_product_id = ${product})`

/** Adds them to the counts, each product once. Where a row was deleted, the first and the latest are looked up by an index. */
export async function addToCounts(scope: TransactionScope, sums: readonly CountChange[]): Promise<void> {
  await sql`
    insert into favorite_counts as k (merchant_id, store_product_id, active_count, removed_count, set_seconds, kept_seconds, first_at,
      latest_at)
    select ${scope.merchantId}, r.product, r.active, r.removed, r.set_seconds, r.kept_seconds,
      coalesce(r.first_at, ${firstOf(scope, sql`r.product`, 'min')}, ${scope.now}),
      coalesce(r.latest_at, ${firstOf(scope, sql`r.product`, 'max')}, ${scope.now})
    from unnest(${sums.map((c) => c.storeProductId)}::bigint[], ${sums.map((c) => c.active)}::int[],
      ${sums.map((c) => c.removed)}::int[], ${sums.map((c) => c.setSeconds)}::bigint[], ${sums.map((c) => c.keptSeconds)}::bigint[],
      ${sums.map((c) => c.firstAt)}::timestamptz[], ${sums.map((c) => c.latestAt)}::timestamptz[])
      as r (product, active, removed, set_seconds, kept_seconds, first_at, latest_at)
    order by r.product
    on conflict (merchant_id, store_product_id) do update set
      active_count = k.active_count + excluded.active_count, removed_count = k.removed_count + excluded.removed_count,
      set_seconds = k.set_seconds + excluded.set_seconds, kept_seconds = k.kept_seconds + excluded.kept_seconds,
      first_at = least(k.first_at, excluded.first_at), latest_at = greatest(k.latest_at, excluded.latest_at)`.execute(
    scope.db,
  )
}

/** After rows of these products were deleted. */
export async function lookUpDates(scope: TransactionScope, storeProductIds: readonly number[]): Promise<void> {
  if (storeProductIds.length === 0) return
  await sql`
    update favorite_counts k set first_at = ${firstOf(scope, sql`k.store_product_id`, 'min')},
      latest_at = ${firstOf(scope, sql`k.store_product_id`, 'max')}
    where k.merchant_id = ${scope.merchantId} and k.store_product_id = any(${[...storeProductIds]}::bigint[])
      and exists (select from favorites f where f.merchant_id = ${scope.merchantId} and f.store_product_id = k.store_product_id)`.execute(
    scope.db,
  )
}

export interface ProductFilter {
  /** Folded; each is found in the product's title, or the title or SKU of a variant. */
  words?: readonly string[]
  storeProductId?: number | undefined
}
type Row = Omit<FavoritesOfProduct, 'first_favorited_at' | 'latest_favorited_at'> & {
  first_favorited_at: Date
  latest_favorited_at: Date
  total: number
}

/** The counts with the changes that are not summed up yet, so what was set a moment ago is in it. */
export async function selectAggregated(
  scope: MerchantScope,
  filter: ProductFilter,
  page: {
    limit: number | null
    offset: number
    sort: (typeof productSorts)[number]
    direction: 'asc' | 'desc'
  },
): Promise<{ rows: FavoritesOfProduct[]; total: number }> {
  const { merchantId, now } = scope
  const named = (filter.words ?? []).map(
    (word) => sql`(strpos(coalesce(p.search_text, ''), ${word}) > 0 or s.store_product_id in (
      select v.store_product_id from product_variants v where v.merchant_id = ${merchantId}
        and (strpos(lower(coalesce(v.sku, '')), ${word}) > 0 or strpos(lower(v.title), ${word}) > 0)))`,
  )
  const one = filter.storeProductId === undefined ? [] : [sql`s.store_product_id = ${filter.storeProductId}`]
  const key = sql.ref(page.sort === 'product_name' ? 'p.title' : `s.${page.sort}`)
  const way = sql.raw(page.direction)
  const nowSeconds = Math.floor(now.getTime() / 1000)
  const { rows } = await sql<Row>`
    with sums as (
      select store_product_id, active_count + active as active_count, removed_count + removed as removed_count,
        greatest(round((kept_seconds + (active_count + active) * ${nowSeconds}::bigint - set_seconds)
          / 86400.0 / nullif(active_count + active + removed_count + removed, 0), 1), 0) as average_retention_days,
        case when is_moved then ${firstOf(scope, sql`c.store_product_id`, 'min')} else first_at end as first_favorited_at,
        case when is_moved then ${firstOf(scope, sql`c.store_product_id`, 'max')} else latest_at end as latest_favorited_at
      from (
        select store_product_id, coalesce(k.active_count, 0) as active_count, coalesce(l.active, 0) as active,
          coalesce(k.removed_count, 0) as removed_count, coalesce(l.removed, 0) as removed,
          coalesce(k.set_seconds, 0) + coalesce(l.set_seconds, 0) as set_seconds,
          coalesce(k.kept_seconds, 0) + coalesce(l.kept_seconds, 0) as kept_seconds,
          least(k.first_at, l.first_at) as first_at, greatest(k.latest_at, l.latest_at) as latest_at, l.is_moved
        from (select * from favorite_counts where merchant_id = ${merchantId}) k
        full join (
          select store_product_id, sum(active)::int as active, sum(removed)::int as removed, sum(set_seconds)::bigint as set_seconds,
            sum(kept_seconds)::bigint as kept_seconds, min(first_at) as first_at, max(latest_at) as latest_at,
            bool_or(first_at is null) as is_moved
          from favorite_changes where merchant_id = ${merchantId} group by store_product_id
        ) l using (store_product_id)
      ) c
    )
    select s.store_product_id::text, p.title as product_name, p.image_url,
      coalesce(p.deleted_at is null and p.status = 'ACTIVE', false) as on_sale, s.active_count, s.removed_count,
      s.average_retention_days::float8 as average_retention_days, s.first_favorited_at, s.latest_favorited_at,
      (count(*) over ())::int as total
    from sums s left join products p on p.merchant_id = ${merchantId} and p.store_product_id = s.store_product_id
    where ${sql.join([sql`s.active_count + s.removed_count > 0`, ...one, ...named], sql` and `)}
    order by ${key} ${way} nulls last, s.store_product_id limit ${page.limit} offset ${page.offset}`.execute(scope.db)
  // Behind the last page: how many there are is said nevertheless.
  if (rows.length === 0 && page.offset > 0)
    return { rows: [], total: (await selectAggregated(scope, filter, { ...page, limit: 1, offset: 0 })).total }
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map((each) => {
      const { total: _total, ...row } = each
      return {
        ...row,
        first_favorited_at: row.first_favorited_at.toISOString(),
        latest_favorited_at: row.latest_favorited_at.toISOString(),
      }
    }),
  }
}
