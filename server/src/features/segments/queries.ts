import type { PageQuery } from '@okaeri/contract/paging'
import type { Condition } from '@okaeri/contract/segments/condition'
import type { SegmentFailure, SegmentOrigin } from '@okaeri/contract/segments/segment'
import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export interface SegmentRow {
  id: string
  name: string
  origin: SegmentOrigin
  /** Null for remote segments: the store decides who is in them. */
  conditions: Condition | null
  status: 'calculating' | 'ready' | 'failed'
  failure: SegmentFailure | null
  customer_count: number | null
  customers_total: number | null
  counted_at: Date | null
  /** Numbers of the last request to calculate (or fetch) and of the last answered one. */
  count_number: number
  answered_number: number
  count_requested_at: Date | null
  members_at: Date | null
  /** The day, in the merchant's zone, of the last evaluation. */
  members_day: string | null
  store_segment_id: number | null
  store_query: string | null
  store_count: number | null
  store_counted_at: Date | null
  store_fetched_count: number | null
  store_unknown_count: number
  /** The next result reports no customer: its cause was only learned (decision 56). */
  is_quiet: boolean
  created_at: Date
  updated_at: Date
  /** A change of a customer, or of the day, is not processed yet. */
  behind: boolean
}

const columns = sql`s.id, s.name, s.origin, s.conditions, s.status, s.failure, s.customer_count, s.customers_total, s.counted_at,
  s.count_number, s.answered_number, s.count_requested_at, s.members_at, s.members_day, s.store_segment_id, s.store_query,
  s.store_count, s.store_counted_at, s.store_fetched_count, s.store_unknown_count,
  s.tells_of_nobody as is_quiet, s.created_at, s.updated_at`
const isBehind = (scope: MerchantScope) => sql<boolean>`s.origin = 'own' and (
  exists (select from changed_customers x where x.merchant_id = ${scope.merchantId})
  or s.members_day <> (select (${scope.now}::timestamptz at time zone m.timezone)::date from merchants m where m.id = ${scope.merchantId}))`

export interface SegmentListQuery extends PageQuery {
  q?: string | undefined
  origin?: SegmentOrigin | undefined
  status?: SegmentRow['status'] | undefined
  sort: 'created_at' | 'updated_at' | 'name' | 'customer_count'
  direction: 'asc' | 'desc'
}

export async function selectSegments(
  scope: MerchantScope,
  query: SegmentListQuery,
): Promise<{ rows: SegmentRow[]; total: number }> {
  const wanted = query.q?.normalize('NFKC').trim() ?? ''
  const chosen = sql`s.merchant_id = ${scope.merchantId} and s.deleted_at is null
    and strpos(lower(normalize(s.name, nfkc)), lower(${wanted})) > 0
    ${query.origin ? sql`and s.origin = ${query.origin}` : sql``} ${query.status ? sql`and s.status = ${query.status}` : sql``}`
  const direction = query.direction === 'asc' ? sql`asc nulls first` : sql`desc nulls last`
  const { rows } = await sql<SegmentRow>`
    select ${columns}, ${isBehind(scope)} as behind from segments s where ${chosen}
    order by ${sql.ref(`s.${query.sort}`)} ${direction}, s.id ${direction} limit ${query.limit} offset ${query.offset}`.execute(
    scope.db,
  )
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from segments s where ${chosen}`.execute(scope.db)
  return { rows, total: counted[0]?.total ?? 0 }
}

export async function findSegment(
  scope: MerchantScope,
  id: string,
  options: { lock?: boolean } = {},
): Promise<SegmentRow | null> {
  const { rows } = await sql<SegmentRow>`
    select ${columns}, ${isBehind(scope)} as behind from segments s
    where s.merchant_id = ${scope.merchantId} and s.id = ${id} and s.deleted_at is null
    ${options.lock ? sql`for update of s` : sql``}`.execute(scope.db)
  return rows[0] ?? null
}

/** Until the transaction ends, no other can write conditions that refer to something, or delete what conditions refer to. */
export async function lockReferences(scope: MerchantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`naming ${scope.merchantId}`}, 0))`.execute(scope.db)
}

/** The number of other own segments, and the size of all conditions with these. Exact until the transaction ends, after {@link lockReferences}. */
export async function measureOwn(
  scope: MerchantScope,
  one: { id: string; conditions: Condition },
): Promise<{ others: number; conditionBytes: number }> {
  const { rows } = await sql<{ others: number; bytes: number }>`
    select count(*)::int as others,
      (coalesce(sum(octet_length(conditions::text)), 0) + octet_length(${JSON.stringify(one.conditions)}::jsonb::text))::int as bytes
    from segments
    where merchant_id = ${scope.merchantId} and origin = 'own' and deleted_at is null and id <> ${one.id}`.execute(
    scope.db,
  )
  return { others: rows[0]?.others ?? 0, conditionBytes: rows[0]?.bytes ?? 0 }
}

export type ReferencingRow = Pick<SegmentRow, 'id' | 'name' | 'status' | 'conditions'>
/** Own segments whose conditions contain the id. */
export async function selectReferencing(scope: MerchantScope, segmentId: string): Promise<ReferencingRow[]> {
  const { rows } = await sql<ReferencingRow>`
    select id, name, status, conditions from segments
    where merchant_id = ${scope.merchantId} and origin = 'own' and deleted_at is null and id <> ${segmentId}
      and strpos(conditions::text, ${segmentId}) > 0
    order by created_at`.execute(scope.db)
  return rows
}

/** Whether own segments ask about scenarios. The predicate is that of a partial index, which is mostly empty. */
export async function selectWhetherScenariosAreAsked(scope: MerchantScope): Promise<boolean> {
  const { rows } = await sql`
    select from segments
    where merchant_id = ${scope.merchantId} and deleted_at is null and conditions @? '$.** ? (@.category == "scenarios")' limit 1`.execute(
    scope.db,
  )
  return rows.length > 0
}

/** `shared`: any number at once, until the transaction ends. `alone`: waits for these, and later ones wait for it. */
export async function lockScenariosAsked(scope: TransactionScope, how: 'shared' | 'alone'): Promise<void> {
  const take = how === 'shared' ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`
  await sql`select ${take}(hashtextextended(${`scenarios asked ${scope.merchantId}`}, 0))`.execute(scope.db)
}

export async function insertSegment(
  scope: MerchantScope,
  segment: { id: string; name: string; conditions: Condition },
): Promise<void> {
  await sql`
    insert into segments (merchant_id, id, name, conditions, status, created_at, updated_at)
    values (${scope.merchantId}, ${segment.id}, ${segment.name}, ${JSON.stringify(segment.conditions)}, 'calculating',
      ${scope.now}, ${scope.now})`.execute(scope.db)
}

export async function updateSegment(
  scope: MerchantScope,
  id: string,
  change: { name: string; conditions?: Condition | undefined },
): Promise<void> {
  // With other conditions it is another segment: its first members did not enter because something happened.
  const meaning = change.conditions
    ? sql`, conditions = ${JSON.stringify(change.conditions)}, members_at = null`
    : sql``
  await sql`
    update segments set name = ${change.name}, updated_at = ${scope.now} ${meaning}
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

export async function markDeleted(scope: MerchantScope, id: string): Promise<void> {
  await sql`
    update segments set deleted_at = ${scope.now} where merchant_id = ${scope.merchantId} and id = ${id}`.execute(
    scope.db,
  )
}

/** The zone and currency of conditions. */
export async function readMerchantCalendar(scope: MerchantScope): Promise<{ timezone: string; currency: string }> {
  const { rows } = await sql<{ timezone: string; currency: string }>`
    select timezone, currency from merchants where id = ${scope.merchantId}`.execute(scope.db)
  if (!rows[0]) throw new Error(`no merchant ${scope.merchantId}`)
  return rows[0]
}
