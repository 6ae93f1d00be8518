import type { RestocksOfProduct, RestockStatus } from '@okaeri/contract/restocks/routes'
import { type RawBuilder, sql } from 'kysely'
import { newIds } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** What one or several registrations of a product add to its counts. */
export interface CountChange extends Record<RestockStatus, number> {
  storeProductId: number
  firstAt: Date | null
  /** Both null: a row was deleted, so the first and the latest have to be looked up. */
  latestAt: Date | null
}

const columnsOf = (changes: readonly CountChange[]): RawBuilder<unknown> => sql`
  ${changes.map((c) => c.storeProductId)}::bigint[], ${changes.map((c) => c.active)}::int[], ${changes.map((c) => c.sent)}::int[],
  ${changes.map((c) => c.deleted)}::int[], ${changes.map((c) => c.unknown)}::int[], ${changes.map((c) => c.firstAt)}::timestamptz[],
  ${changes.map((c) => c.latestAt)}::timestamptz[]`

export async function insertChanges(scope: MerchantScope, changes: readonly CountChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into restock_changes (merchant_id, id, store_product_id, active, sent, deleted, unknown, first_at, latest_at)
    select ${scope.merchantId}, r.* from unnest(${newIds(changes.length)}::uuid[], ${columnsOf(changes)}) as r`.execute(
    scope.db,
  )
}

/** Only one process sums up a merchant's changes, so that they are summed up in their order; false if another one does. */
export async function tryCounting(scope: TransactionScope): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${scope.merchantId}, 513)) as mine`.execute(scope.db)
  return rows[0]?.mine ?? false
}

/** Takes the oldest changes out of the table. */
export async function takeChanges(scope: TransactionScope, limit: number): Promise<CountChange[]> {
  const { rows } = await sql<CountChange>`
    delete from restock_changes
    where merchant_id = ${scope.merchantId} and id = any(array(
      select id from restock_changes where merchant_id = ${scope.merchantId} order by id limit ${limit}))
    returning store_product_id as "storeProductId", active, sent, deleted, unknown, first_at as "firstAt", latest_at as "latestAt"`.execute(
    scope.db,
  )
  return rows
}

const ofAll = (scope: MerchantScope, product: RawBuilder<unknown>, which: 'min' | 'max'): RawBuilder<Date> =>
  sql`(select ${sql.raw(which)}(f.created_at) from restock_requests f
    where f.merchant_id = ${scope.merchantId} and f.store_product_id = ${product})`

/** Adds them to the counts, each product once. Where a row was deleted, the first and the latest are looked up by an index. */
export async function addToCounts(scope: TransactionScope, sums: readonly CountChange[]): Promise<void> {
  await sql`
    insert into restock_counts as k (merchant_id, store_product_id, active_count, sent_count, deleted_count, unknown_count, first_at,
      latest_at)
    select ${scope.merchantId}, r.product, r.active, r.sent, r.deleted, r.unknown,
      coalesce(r.first_at, ${ofAll(scope, sql`r.product`, 'min')}, ${scope.now}),
      coalesce(r.latest_at, ${ofAll(scope, sql`r.product`, 'max')}, ${scope.now})
    from unnest(${columnsOf(sums)}) as r (product, active, sent, deleted, unknown, first_at, latest_at)
    order by r.product
    on conflict (merchant_id, store_product_id) do update set
      active_count = k.active_count + excluded.active_count, sent_count = k.sent_count + excluded.sent_count,
      deleted_count = k.deleted_count + excluded.deleted_count, unknown_count = k.unknown_count + excluded.unknown_count,
      first_at = least(k.first_at, excluded.first_at), latest_at = greatest(k.latest_at, excluded.latest_at)`.execute(
    scope.db,
  )
}

/** After rows of these products were deleted. */
export async function lookUpDates(scope: TransactionScope, storeProductIds: readonly number[]): Promise<void> {
  if (storeProductIds.length === 0) return
  await sql`
    update restock_counts k set first_at = ${ofAll(scope, sql`k.store_product_id`, 'min')},
      latest_at = ${ofAll(scope, sql`k.store_product_id`, 'max')}
    where k.merchant_id = ${scope.merchantId} and k.store_product_id = any(${[...storeProductIds]}::bigint[])
      and exists (
        select from restock_requests f where f.merchant_id = ${scope.merchantId} and f.store_product_id = k.store_product_id)`.execute(
    scope.db,
  )
}

/** Reads from now on, in this transaction, what was there at one moment. Before anything else in it. */
export async function readOneMoment(scope: TransactionScope): Promise<void> {
  await sql`set transaction isolation level repeatable read`.execute(scope.db)
}

/** Counts the rows themselves, with the changes that are in the log at this moment. */
export async function recountAll(scope: TransactionScope): Promise<void> {
  const { merchantId } = scope
  await sql`delete from restock_changes where merchant_id = ${merchantId}`.execute(scope.db)
  await sql`delete from restock_counts where merchant_id = ${merchantId}`.execute(scope.db)
  await sql`
    insert into restock_counts (merchant_id, store_product_id, active_count, sent_count, deleted_count, unknown_count, first_at, latest_at)
    select merchant_id, store_product_id, count(*) filter (where status = 'active'), count(*) filter (where status = 'sent'),
      count(*) filter (where status = 'deleted'), count(*) filter (where status = 'unknown'), min(created_at), max(created_at)
    from restock_requests where merchant_id = ${merchantId} group by merchant_id, store_product_id`.execute(scope.db)
  await sql`delete from restock_recounts where merchant_id = ${merchantId}`.execute(scope.db)
}

type Row = Omit<RestocksOfProduct, 'first_registered_at' | 'latest_registered_at'> & {
  first_registered_at: Date
  latest_registered_at: Date
  total: number
}

/** The counts with the changes that are not summed up yet, so who registered a moment ago is in it. */
export async function selectAggregated(
  scope: MerchantScope,
  words: readonly string[],
  page: { limit: number; offset: number },
): Promise<{ rows: RestocksOfProduct[]; total: number }> {
  const { merchantId } = scope
  const named = words.map((word) => sql`strpos(coalesce(p.search_text, ''), ${word}) > 0`)
  const { rows } = await sql<Row>`
    with sums as (
      select store_product_id, coalesce(k.active_count, 0) + coalesce(l.active, 0) as active_count,
        coalesce(k.sent_count, 0) + coalesce(l.sent, 0) as sent_count,
        coalesce(k.deleted_count, 0) + coalesce(l.deleted, 0) as deleted_count,
        coalesce(k.unknown_count, 0) + coalesce(l.unknown, 0) as unknown_count,
        least(k.first_at, l.first_at) as first_at, greatest(k.latest_at, l.latest_at) as latest_at, coalesce(l.is_moved, false) as is_moved
      from (select * from restock_counts where merchant_id = ${merchantId}) k
      full join (
        select store_product_id, sum(active)::int as active, sum(sent)::int as sent, sum(deleted)::int as deleted,
          sum(unknown)::int as unknown, min(first_at) as first_at, max(latest_at) as latest_at, bool_or(first_at is null) as is_moved
        from restock_changes where merchant_id = ${merchantId} group by store_product_id
      ) l using (store_product_id)
    )
    select s.store_product_id::text, p.title as product_name, p.image_url, s.active_count, s.sent_count, s.deleted_count,
      case when s.is_moved then ${ofAll(scope, sql`s.store_product_id`, 'min')} else s.first_at end as first_registered_at,
      case when s.is_moved then ${ofAll(scope, sql`s.store_product_id`, 'max')} else s.latest_at end as latest_registered_at, s.total
    from (
      select s.*, (count(*) over ())::int as total
      from sums s left join products p on p.merchant_id = ${merchantId} and p.store_product_id = s.store_product_id
      where ${sql.join([sql`s.active_count + s.sent_count + s.deleted_count + s.unknown_count > 0`, ...named], sql` and `)}
      order by s.active_count desc, s.sent_count desc, s.store_product_id limit ${page.limit} offset ${page.offset}
    ) s
    left join products p on p.merchant_id = ${merchantId} and p.store_product_id = s.store_product_id
    order by s.active_count desc, s.sent_count desc, s.store_product_id`.execute(scope.db)
  // Behind the last page: how many there are is said nevertheless.
  if (rows.length === 0 && page.offset > 0)
    return { rows: [], total: (await selectAggregated(scope, words, { limit: 1, offset: 0 })).total }
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ total: _total, ...row }) => ({
      ...row,
      first_registered_at: row.first_registered_at.toISOString(),
      latest_registered_at: row.latest_registered_at.toISOString(),
    })),
  }
}
