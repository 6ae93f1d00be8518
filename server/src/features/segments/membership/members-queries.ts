import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import type { CustomerInFile } from '../../customers/index.ts'
import { textMatches } from '../../customers/index.ts'
import type { SegmentRow } from '../queries.ts'

/**
 * Writers of a segment's members hold this lock until the end of the transaction: a calculation and incremental updates take turns, and
 * each begins its statement after the other's commit. It is not the row lock: a calculation takes seconds, and renaming the segment must not
 * wait for it. Taken in the order of ids against deadlocks.
 */
export async function lockMembers(scope: MerchantScope, segmentIds: readonly string[]): Promise<void> {
  for (const id of segmentIds.toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${scope.merchantId}:${id}`}, 115))`.execute(scope.db)
}

/** A new request to calculate or fetch; returns its number. */
export async function markCalculating(scope: MerchantScope, id: string): Promise<number> {
  const { rows } = await sql<{ count_number: number }>`
    update segments set status = 'calculating', count_number = count_number + 1, count_requested_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id} returning count_number`.execute(scope.db)
  return rows[0]?.count_number ?? 0
}

/**
 * The same for every own segment. Rows are locked in the same order as by incremental updates. `learned`: neither the resulting changes nor
 * those of the next fetch of a remote segment are reported.
 */
export async function markAllCalculating(scope: MerchantScope, { learned }: { learned: boolean }): Promise<number> {
  const { rows } = await sql<{ origin: 'own' | 'remote' }>`
    with locked as (
      select id from segments
      where merchant_id = ${scope.merchantId} and deleted_at is null and (origin = 'own' or ${learned}::boolean)
      order by id for update
    )
    update segments s set tells_of_nobody = s.tells_of_nobody or ${learned}::boolean,
      status = case s.origin when 'own' then 'calculating' else s.status end,
      count_number = s.count_number + case s.origin when 'own' then 1 else 0 end,
      count_requested_at = case s.origin when 'own' then ${scope.now}::timestamptz else s.count_requested_at end
    from locked where s.merchant_id = ${scope.merchantId} and s.id = locked.id returning s.origin`.execute(scope.db)
  return rows.filter(({ origin }) => origin === 'own').length
}

/** Own segments with an unanswered request, the oldest request first. */
export async function listWaitingIds(scope: MerchantScope): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from segments
    where merchant_id = ${scope.merchantId} and origin = 'own' and deleted_at is null and answered_number < count_number
      and status = 'calculating'
    order by count_requested_at, id`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** Stores a failure, unless a newer request exists. */
export async function markFailed(
  scope: MerchantScope,
  { id, count_number }: Pick<SegmentRow, 'id' | 'count_number'>,
  failure: NonNullable<SegmentRow['failure']>,
): Promise<void> {
  await sql`
    update segments set status = 'failed', failure = ${failure}
    where merchant_id = ${scope.merchantId} and id = ${id} and count_number = ${count_number}`.execute(scope.db)
}

export interface MembersResult {
  total: number
  customersTotal: number
}

/** Stores a result. Returns false if a newer request exists. */
export async function markCalculated(
  scope: MerchantScope,
  { id, count_number }: Pick<SegmentRow, 'id' | 'count_number'>,
  { total, customersTotal }: MembersResult,
  { day, timezone }: { day: string; timezone: string },
): Promise<boolean> {
  const { rows } = await sql`
    update segments set status = 'ready', failure = null, answered_number = count_number, customer_count = ${total},
      customers_total = ${customersTotal}, counted_at = ${scope.now}, members_at = ${scope.now}, members_day = ${day},
      members_zone = ${timezone}, tells_of_nobody = false
    where merchant_id = ${scope.merchantId} and id = ${id} and count_number = ${count_number} and deleted_at is null
    returning id`.execute(scope.db)
  return rows.length > 0
}

export interface Difference {
  entered: string[]
  left: string[]
}

/** Up to this many entering customers are passed on by id; more are evaluated again while they are written. */
const MAX_ENTERING_IDS = 50_000

/**
 * Replaces the stored members by the customers that `where` (SQL over `c`) chooses now. `except` never becomes a nested loop, however wrong the
 * estimates are. Members who stay keep their time of entering. The ids of the differences are answered only on request: there may be a million.
 * Who leaves and who enters are two statements: one that does both needs, on Citus, nodes on which nothing of the merchant is. A customer who
 * changes between them is dirty, and looked at next.
 */
export async function replaceMembers(
  scope: TransactionScope,
  segmentId: string,
  where: RawBuilder<boolean>,
  { withIds }: { withIds: boolean },
): Promise<MembersResult & Difference> {
  const { merchantId } = scope
  const matching = sql`select c.merchant_id, c.id from customers c where c.merchant_id = ${merchantId} and ${where}`
  if (!(await hasMembers(scope, segmentId)))
    return {
      left: [],
      entered: await insertMembers(scope, segmentId, matching, { withIds, noneIsMember: true }),
      ...(await countMembersAndCustomers(scope, segmentId)),
    }
  const { left, enteringIds, enteringCount } = await deleteLeaving(scope, segmentId, where, { withIds })
  const byId = sql`select ${merchantId}::uuid as merchant_id, id from unnest(${enteringIds}::uuid[]) as c (id)`
  const isNamed = enteringCount <= MAX_ENTERING_IDS
  const entered = await insertMembers(scope, segmentId, isNamed ? byId : matching, { withIds, noneIsMember: isNamed })
  return { left, entered, ...(await countMembersAndCustomers(scope, segmentId)) }
}

async function hasMembers({ db, merchantId }: TransactionScope, segmentId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from segment_members where merchant_id = ${merchantId} and segment_id = ${segmentId} limit 1`.execute(db)
  return rows.length > 0
}

/** Deletes members who no longer match; returns how many customers enter, and the ids of the first of them. */
async function deleteLeaving(
  { db, merchantId }: TransactionScope,
  segmentId: string,
  where: RawBuilder<boolean>,
  { withIds }: { withIds: boolean },
): Promise<{ left: string[]; enteringIds: string[]; enteringCount: number }> {
  const { rows } = await sql<{ left: string[]; enteringIds: string[]; enteringCount: number }>`
    with matching as materialized (
      select c.id from customers c where c.merchant_id = ${merchantId} and ${where}
    ), stored as materialized (
      select m.customer_id as id from segment_members m
      where m.merchant_id = ${merchantId} and m.segment_id = ${segmentId}
    ), leaving as (
      select id from stored except select id from matching
    ), entering as materialized (
      select id from matching except select id from stored
    ), deleted as (
      delete from segment_members m
      where m.merchant_id = ${merchantId} and m.segment_id = ${segmentId} and (m.customer_id in (select id from leaving)) is true
      returning m.customer_id
    )
    select ${withIds ? sql`array(select customer_id from deleted)::text[]` : sql`'{}'::text[]`} as "left",
      array(select id from entering limit ${MAX_ENTERING_IDS})::text[] as "enteringIds",
      (select count(*)::int from entering) as "enteringCount"`.execute(db)
  if (!rows[0]) throw new Error('a calculation answers one row')
  return rows[0]
}

/**
 * `customers`: with merchant_id and id. Those who are members already stay as they are; with `noneIsMember` that is not checked, which saves a third of the time.
 * Returns the ids of the others, if they are asked for. Without `m` Citus returns a column of a table that its nodes do not know.
 */
export async function insertMembers(
  { db, now }: TransactionScope,
  segmentId: string,
  customers: RawBuilder<unknown>,
  { withIds, noneIsMember = false }: { withIds: boolean; noneIsMember?: boolean },
): Promise<string[]> {
  const { rows } = await sql<{ customer_id: string }>`
    insert into segment_members as m (merchant_id, segment_id, customer_id, entered_at)
    select c.merchant_id, ${segmentId}::uuid, c.id, ${now}::timestamptz from (${customers}) as c order by c.id
    ${noneIsMember ? sql`` : sql`on conflict (merchant_id, segment_id, customer_id) do nothing`} ${withIds ? sql`returning m.customer_id` : sql``}`.execute(
    db,
  )
  return rows.map(({ customer_id }) => customer_id)
}

/** Its members, and all customers. */
export async function countMembersAndCustomers(
  { db, merchantId }: MerchantScope,
  segmentId: string,
): Promise<MembersResult> {
  const { rows } = await sql<MembersResult>`
    select (select count(*)::int from segment_members where merchant_id = ${merchantId} and segment_id = ${segmentId}) as total,
      (select count(*)::int from customers where merchant_id = ${merchantId}) as "customersTotal"`.execute(db)
  if (!rows[0]) throw new Error('counting answers one row')
  return rows[0]
}

export interface MemberRow {
  customer_id: string
  entered_at: Date
}

/** A search among members: the ids if few customers match the words, else the words. */
export type MemberSearch = { ids: readonly string[] } | { words: readonly string[] } | null

const searchedMembers = (scope: MerchantScope, segmentId: string, search: MemberSearch) => {
  const members = sql`m.merchant_id = ${scope.merchantId} and m.segment_id = ${segmentId}`
  if (search === null) return sql`segment_members m where ${members}`
  if ('ids' in search)
    return sql`segment_members m where ${members} and m.customer_id = any(${[...search.ids]}::uuid[])`
  return sql`segment_members m join customers c on c.merchant_id = m.merchant_id and c.id = m.customer_id
    where ${members} and ${sql.join(textMatches({ words: search.words, tag: undefined }), sql` and `)}`
}

/**
 * Members, the newest customers first (ids ascend with time): any page is one step into the index. `after` continues after an id; `before`
 * answers the page that ends before one, or (`end`) the last page.
 */
export async function selectMembers(
  scope: MerchantScope,
  segmentId: string,
  page: { search: MemberSearch; after?: string; before?: string; limit: number; offset: number },
): Promise<MemberRow[]> {
  const backwards = page.before !== undefined
  const from = page.after
    ? sql`and m.customer_id < ${page.after}`
    : backwards && page.before !== 'end'
      ? sql`and m.customer_id > ${page.before}`
      : sql``
  const { rows } = await sql<MemberRow>`
    select m.customer_id, m.entered_at from ${searchedMembers(scope, segmentId, page.search)} ${from}
    order by m.customer_id ${backwards ? sql`asc` : sql`desc`} limit ${page.limit} offset ${page.offset}`.execute(
    scope.db,
  )
  return backwards ? rows.reverse() : rows
}

/** Counts all matches by ids; for words, only among the newest `among` members. */
export async function countMatchingMembers(
  scope: MerchantScope,
  segmentId: string,
  { search, among }: { search: NonNullable<MemberSearch>; among: number },
): Promise<number> {
  const { merchantId } = scope
  const found =
    'ids' in search
      ? searchedMembers(scope, segmentId, search)
      : sql`(
          select n.customer_id from segment_members n where n.merchant_id = ${merchantId} and n.segment_id = ${segmentId}
          order by n.customer_id desc limit ${among}
        ) as m join customers c on c.merchant_id = ${merchantId} and c.id = m.customer_id
        where ${sql.join(textMatches({ words: search.words, tag: undefined }), sql` and `)}`
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from ${found}`.execute(scope.db)
  return rows[0]?.total ?? 0
}

/** Whether `c` is a stored member. `is true` keeps it a subquery at any depth of nesting, hashed once. */
export const isMemberOf = (scope: MerchantScope, segmentId: string): RawBuilder<boolean> =>
  sql<boolean>`(c.id in (select m.customer_id from segment_members m
    where m.merchant_id = ${scope.merchantId} and m.segment_id = ${segmentId})) is true`

export type MemberToWrite = CustomerInFile & { entered_at: Date }

/** Members with the columns of a file, by id. */
export async function selectMembersToWrite(
  scope: MerchantScope,
  segmentId: string,
  { after, limit }: { after: string; limit: number },
): Promise<MemberToWrite[]> {
  const { rows } = await sql<MemberToWrite>`
    select c.id, m.entered_at, c.store_customer_id, c.display_name, c.first_name, c.last_name, c.email, c.phone,
      c.address, c.province_code, c.marketing_state, c.notification_state, c.tags, c.email_sent_count, c.orders_count, c.orders_amount, c.orders_other_currency, c.last_order_at,
      c.created_at
    from segment_members m join customers c on c.merchant_id = m.merchant_id and c.id = m.customer_id
    where m.merchant_id = ${scope.merchantId} and m.segment_id = ${segmentId} and m.customer_id > ${after}
    order by m.customer_id limit ${limit}`.execute(scope.db)
  return rows
}

/**
 * Those of these segments that exist, and which of these customers are their stored members. A segment that was never calculated is left
 * out, because its members are not known.
 */
export async function selectMembersAmong(
  scope: MerchantScope,
  { segmentIds, customerIds }: { segmentIds: readonly string[]; customerIds: readonly string[] },
): Promise<{ id: string; is_ready: boolean; members: string[] }[]> {
  const { rows } = await sql<{ id: string; is_ready: boolean; members: string[] }>`
    select s.id, s.members_at is not null as is_ready, array(
      select m.customer_id::text from segment_members m
      where m.merchant_id = ${scope.merchantId} and m.segment_id = s.id and m.customer_id = any(${[...customerIds]}::uuid[])
    ) as members
    from segments s
    where s.merchant_id = ${scope.merchantId} and s.id = any(${[...segmentIds]}::uuid[]) and s.deleted_at is null`.execute(
    scope.db,
  )
  return rows
}
