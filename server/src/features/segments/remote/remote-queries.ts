import type { RemoteSegments } from '@okaeri/contract/segments/segment'
import { sql } from 'kysely'
import { newId } from '../../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import {
  countMembersAndCustomers,
  type Difference,
  insertMembers,
  type MembersResult,
} from '../membership/members-queries.ts'
import type { SegmentRow } from '../queries.ts'

export interface ListState {
  remote_status: Exclude<RemoteSegments['status'], 'unavailable'>
  remote_failure: SegmentRow['failure']
  remote_requested_at: Date | null
  remote_listed_at: Date | null
}

export async function findListState(scope: MerchantScope): Promise<ListState | null> {
  const { rows } = await sql<ListState>`
    select remote_status, remote_failure, remote_requested_at, remote_listed_at from segment_following
    where merchant_id = ${scope.merchantId}`.execute(scope.db)
  return rows[0] ?? null
}

export async function markListing(scope: MerchantScope): Promise<void> {
  await sql`
    insert into segment_following (merchant_id, remote_status, remote_requested_at)
    values (${scope.merchantId}, 'listing', ${scope.now})
    on conflict (merchant_id) do update set remote_status = 'listing', remote_failure = null,
      remote_requested_at = excluded.remote_requested_at`.execute(scope.db)
}

export async function markListed(scope: MerchantScope, failure: SegmentRow['failure']): Promise<void> {
  await sql`
    update segment_following set remote_failure = ${failure},
      ${failure ? sql`remote_status = 'failed'` : sql`remote_status = 'ready', remote_listed_at = ${scope.now}`}
    where merchant_id = ${scope.merchantId}`.execute(scope.db)
}

export interface ListedSegment {
  storeSegmentId: number
  name: string
  query: string
}

/** Stores new segments, names and queries; returns the ids of those whose members have to be fetched. */
export async function upsertRemote(scope: MerchantScope, listed: readonly ListedSegment[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into segments as s (merchant_id, id, name, origin, conditions, status, store_segment_id, store_query, created_at,
      updated_at)
    select ${scope.merchantId}, l.id, l.name, 'remote', null, 'calculating', l.store_segment_id, l.query, ${scope.now}, ${scope.now}
    from unnest(${listed.map(() => newId())}::uuid[], ${listed.map(({ name }) => name)}::text[],
      ${listed.map(({ storeSegmentId }) => storeSegmentId)}::bigint[], ${listed.map(({ query }) => query)}::text[])
      as l (id, name, store_segment_id, query)
    on conflict (merchant_id, store_segment_id) where store_segment_id is not null do update
      set name = excluded.name, store_query = excluded.store_query, deleted_at = null,
        members_at = case when s.store_query = excluded.store_query and s.deleted_at is null then s.members_at end,
        updated_at = case
          when (s.name, s.store_query) is distinct from (excluded.name, excluded.store_query) or s.deleted_at is not null
          then excluded.updated_at else s.updated_at end
    returning case when members_at is null then id end as id`.execute(scope.db)
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}

/** Deletes those the platform no longer has. */
export async function deleteOtherRemote(scope: MerchantScope, storeSegmentIds: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update segments set deleted_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and origin = 'remote' and deleted_at is null
      and store_segment_id <> all(${[...storeSegmentIds]}::bigint[]) returning id`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** Deletes everything stored about the members of these segments. */
export async function forgetMembers(scope: MerchantScope, segmentIds: readonly string[]): Promise<void> {
  for (const table of ['segment_members', 'remote_segment_members'])
    await sql`delete from ${sql.table(table)} where merchant_id = ${scope.merchantId}
      and segment_id = any(${[...segmentIds]}::uuid[])`.execute(scope.db)
}

export interface FetchState {
  store_members_query: string | null
  store_cursor: string | null
}
export async function findFetchState(
  scope: MerchantScope,
  { id, count_number }: Pick<SegmentRow, 'id' | 'count_number'>,
): Promise<FetchState | null> {
  const { rows } = await sql<FetchState>`
    select store_members_query, store_cursor from segments
    where merchant_id = ${scope.merchantId} and id = ${id} and count_number = ${count_number} and deleted_at is null
      and answered_number < count_number`.execute(scope.db)
  return rows[0] ?? null
}

/** Discards what an earlier fetch left. */
export async function beginFetch(
  scope: MerchantScope,
  { id, count_number }: Pick<SegmentRow, 'id' | 'count_number'>,
  membersQuery: string | null,
): Promise<void> {
  const { rows } = await sql`
    update segments set store_members_query = ${membersQuery}, store_cursor = null, store_fetched_count = 0
    where merchant_id = ${scope.merchantId} and id = ${id} and count_number = ${count_number} returning id`.execute(
    scope.db,
  )
  if (rows.length === 0) return
  await sql`delete from remote_segment_members where merchant_id = ${scope.merchantId} and segment_id = ${id}`.execute(
    scope.db,
  )
}

/** Stores a page with its cursor: a page read twice after a crash is stored once. False: another fetch was requested. */
export async function keepPage(
  scope: MerchantScope,
  { id, count_number }: Pick<SegmentRow, 'id' | 'count_number'>,
  page: { storeCustomerIds: readonly number[]; total: number; cursor: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    update segments set store_cursor = ${page.cursor}, store_count = ${page.total}, store_counted_at = ${scope.now},
      store_fetched_count = coalesce(store_fetched_count, 0) + ${page.storeCustomerIds.length}
    where merchant_id = ${scope.merchantId} and id = ${id} and count_number = ${count_number} returning id`.execute(
    scope.db,
  )
  if (rows.length === 0) return false
  await sql`
    insert into remote_segment_members (merchant_id, segment_id, store_customer_id)
    select ${scope.merchantId}, ${id}, n from unnest(${[...page.storeCustomerIds]}::bigint[]) as n
    on conflict do nothing`.execute(scope.db)
  return true
}

/**
 * Fetched members who are customers here become the stored members; the others are known only to the platform. In several statements: one that
 * does all needs, on Citus, nodes on which nothing of the merchant is.
 */
export async function storeFetchedMembers(
  scope: TransactionScope,
  segmentId: string,
): Promise<Difference & MembersResult & { unknown: number }> {
  const { db, merchantId } = scope
  const fetched = sql`
    select c.merchant_id, c.id from remote_segment_members r
    join customers c on c.merchant_id = ${merchantId} and c.store_customer_id = r.store_customer_id
    where r.merchant_id = ${merchantId} and r.segment_id = ${segmentId}`
  const entered = await insertMembers(scope, segmentId, fetched, { withIds: true })
  const { rows: left } = await sql<{ customer_id: string }>`
    delete from segment_members m
    where m.merchant_id = ${merchantId} and m.segment_id = ${segmentId}
      and (m.customer_id in (select id from (${fetched}) as fetched)) is not true
    returning m.customer_id`.execute(db)
  await sql`
    delete from remote_segment_members r using customers c, segment_members m
    where r.merchant_id = ${merchantId} and r.segment_id = ${segmentId}
      and c.merchant_id = ${merchantId} and c.store_customer_id = r.store_customer_id
      and m.merchant_id = ${merchantId} and m.segment_id = ${segmentId} and m.customer_id = c.id`.execute(db)
  const counted = await countMembersAndCustomers(scope, segmentId)
  return {
    ...counted,
    entered,
    left: left.map(({ customer_id }) => customer_id),
    unknown: await countUnknown(scope, segmentId),
  }
}

async function countUnknown(scope: MerchantScope, segmentId: string): Promise<number> {
  const { rows } = await sql<{ unknown: number }>`
    select count(*)::int as unknown from remote_segment_members
    where merchant_id = ${scope.merchantId} and segment_id = ${segmentId}`.execute(scope.db)
  return rows[0]?.unknown ?? 0
}

/** False: another fetch was requested since. */
export async function markFetched(
  scope: MerchantScope,
  { id, count_number }: Pick<SegmentRow, 'id' | 'count_number'>,
  result: MembersResult & { unknown: number },
): Promise<boolean> {
  const { rows } = await sql`
    update segments set status = 'ready', failure = null, answered_number = count_number, customer_count = ${result.total},
      customers_total = ${result.customersTotal}, counted_at = ${scope.now}, members_at = ${scope.now},
      store_unknown_count = ${result.unknown}, tells_of_nobody = false, store_members_query = null, store_cursor = null, store_fetched_count = null
    where merchant_id = ${scope.merchantId} and id = ${id} and count_number = ${count_number} and deleted_at is null
    returning id`.execute(scope.db)
  return rows.length > 0
}

/** The first few customers the platform listed that are unknown here, by segment. */
export async function selectUnknown(
  scope: MerchantScope,
  segmentIds: readonly string[],
  limit: number,
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ segment_id: string; ids: string[] }>`
    select s.id as segment_id, array(
      select r.store_customer_id from remote_segment_members r
      where r.merchant_id = ${scope.merchantId} and r.segment_id = s.id order by r.store_customer_id limit ${limit})::text[] as ids
    from unnest(${[...segmentIds]}::uuid[]) as s (id)`.execute(scope.db)
  return new Map(rows.map(({ segment_id, ids }) => [segment_id, ids]))
}
