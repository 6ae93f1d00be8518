import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { type Difference, lockMembers } from './members-queries.ts'
import type { SegmentRow } from '../queries.ts'

/**
 * One row per customer: a change while the row is being processed gives it a new number. In the order of ids, so that writers do not
 * deadlock.
 */
export async function upsertChanged(
  scope: MerchantScope,
  customerIds: readonly string[],
  { learned = false } = {},
): Promise<void> {
  if (customerIds.length === 0) return
  await upsertChangedOf(scope, sql`select distinct id from unnest(${[...customerIds]}::uuid[]) as id`, { learned })
}

/** The same for customers (`c`) for whom `where` is true. Returns nothing, because there may be many. */
export const upsertChangedWhere = (scope: MerchantScope, where: RawBuilder<boolean>): Promise<void> =>
  upsertChangedOf(scope, sql`select c.id from customers c where c.merchant_id = ${scope.merchantId} and ${where}`, {
    learned: false,
  })

async function upsertChangedOf(
  scope: MerchantScope,
  ids: RawBuilder<unknown>,
  { learned }: { learned: boolean },
): Promise<void> {
  await sql`
    insert into changed_customers as x (merchant_id, customer_id, changed_at, learned)
    select ${scope.merchantId}, chosen.id, ${scope.now}, ${learned}::boolean from (${ids}) as chosen order by chosen.id
    on conflict (merchant_id, customer_id) do update set change_number = excluded.change_number, changed_at = excluded.changed_at,
      learned = x.learned and excluded.learned`.execute(scope.db)
}

/** One process at a time updates a merchant's memberships; false while another does. */
export async function tryLockMembership(scope: MerchantScope): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${scope.merchantId}, 116)) as mine`.execute(scope.db)
  return rows[0]?.mine ?? false
}

export interface Change {
  customer_id: string
  change_number: number
  /** All changes since the last evaluation were only learned (decision 56). */
  learned: boolean
}

/** The oldest changes. Not locked, so that other writers of these customers do not wait. */
export async function listChanges(scope: MerchantScope, limit: number): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select customer_id, change_number, learned from changed_customers
    where merchant_id = ${scope.merchantId} order by change_number limit ${limit}`.execute(scope.db)
  return rows
}

/**
 * Removes processed changes. One that changed again has another number and stays. One that is being changed just now is skipped without
 * waiting, because it will get another number too.
 */
export async function deleteChanges(scope: MerchantScope, changes: readonly Change[]): Promise<void> {
  await sql`
    delete from changed_customers x using (
      select y.customer_id, y.change_number from changed_customers y
      join unnest(${changes.map(({ customer_id }) => customer_id)}::uuid[],
        ${changes.map(({ change_number }) => change_number)}::bigint[]) as done (customer_id, change_number)
        on done.customer_id = y.customer_id and done.change_number = y.change_number
      where y.merchant_id = ${scope.merchantId} for update of y skip locked
    ) as free
    where x.merchant_id = ${scope.merchantId} and x.customer_id = free.customer_id and x.change_number = free.change_number`.execute(
    scope.db,
  )
}

export async function setSavepoint(scope: MerchantScope): Promise<void> {
  await sql`savepoint update_segment`.execute(scope.db)
}
export async function rollBackToSavepoint(scope: MerchantScope): Promise<void> {
  await sql`rollback to savepoint update_segment`.execute(scope.db)
}

export async function listAllIds(scope: MerchantScope): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from segments where merchant_id = ${scope.merchantId} and deleted_at is null`.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** A transaction that changes several segments locks all of them first, in the order of ids. */
export async function lockSegments(scope: MerchantScope): Promise<void> {
  await sql`select id from segments where merchant_id = ${scope.merchantId} order by id for update`.execute(scope.db)
}

export type SegmentToUpdate = Pick<
  SegmentRow,
  'id' | 'origin' | 'conditions' | 'members_at' | 'members_day' | 'store_fetched_count'
> & { members_zone: string | null }

const columnsToUpdate = sql`id, origin, conditions, members_at, members_day, members_zone, store_fetched_count`

/**
 * Segments with stored members; remote ones first, because own ones may refer to them. A failed segment is not updated: it has to be
 * calculated as a whole first.
 */
export async function listSegmentsToUpdate(scope: MerchantScope): Promise<SegmentToUpdate[]> {
  const { rows } = await sql<SegmentToUpdate>`
    select ${columnsToUpdate} from segments
    where merchant_id = ${scope.merchantId} and deleted_at is null and members_at is not null
      and (status <> 'failed' or origin = 'remote')
    order by origin desc, id`.execute(scope.db)
  return rows
}

/** Own segments that were last evaluated on another day or in another zone, or never. */
export async function listOfAnotherDay(
  scope: MerchantScope,
  { day, timezone }: { day: string; timezone: string },
): Promise<SegmentToUpdate[]> {
  const { rows } = await sql<SegmentToUpdate>`
    select ${columnsToUpdate} from segments
    where merchant_id = ${scope.merchantId} and deleted_at is null and origin = 'own'
      and ((members_at is null and status = 'ready') or members_day <> ${day} or members_zone <> ${timezone})
    order by id`.execute(scope.db)
  return rows
}

export async function markDay(
  scope: MerchantScope,
  ids: readonly string[],
  { day, timezone }: { day: string; timezone: string },
): Promise<void> {
  await sql`
    update segments set members_day = ${day}, members_zone = ${timezone}
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(scope.db)
}

export interface MembershipQuery {
  id: string
  /** SQL over `c`. */
  where: RawBuilder<boolean>
}

/** Customers of a segment, as PostgreSQL writes an array: what is read is passed on, since there may be a hundred thousand. */
interface SegmentCustomers {
  segment_id: string
  customers: string
}

/**
 * Evaluates only these customers, once for all the segments: the segments each belongs to now, those each is stored in, and the differences,
 * which are written. `except` uses one hash and never becomes a nested loop, however wrong the estimates are. Returns the differences by
 * segment. In several statements: one that does all needs, on Citus, nodes on which nothing of the merchant is. The caller holds the locks of
 * the members, so between them no one else writes any.
 */
export async function updateMembers(
  scope: TransactionScope,
  segments: readonly MembershipQuery[],
  customerIds: readonly string[],
): Promise<Map<string, Difference>> {
  const { leaving, entering } = await findDifferences(scope, segments, customerIds)
  await deleteMemberships(scope, leaving)
  await insertMemberships(scope, entering)
  const differences = new Map<string, Difference>(segments.map(({ id }) => [id, { entered: [], left: [] }]))
  for (const { segment_id, customers } of leaving) differences.get(segment_id)?.left.push(...idsIn(customers))
  for (const { segment_id, customers } of entering) differences.get(segment_id)?.entered.push(...idsIn(customers))
  return differences
}

/** The ids in an array as PostgreSQL writes it: they need no quotes. */
const idsIn = (ids: string): string[] => ids.slice(1, -1).split(',')

async function findDifferences(
  { db, merchantId }: MerchantScope,
  segments: readonly MembershipQuery[],
  customerIds: readonly string[],
): Promise<{ leaving: SegmentCustomers[]; entering: SegmentCustomers[] }> {
  const customers = [...customerIds]
  const segmentIds = segments.map(({ id }) => id)
  const memberOf = sql.join(segments.map(({ id, where }) => sql`case when ${where} then ${id}::uuid end`))
  const { rows } = await sql<SegmentCustomers & { enters: boolean }>`
    with evaluated as materialized (
      select c.id, array[${memberOf}] as segment_ids
      from customers c where c.merchant_id = ${merchantId} and c.id = any(${customers}::uuid[])
    ), matching as materialized (
      select s.id as segment_id, e.id as customer_id from evaluated e cross join lateral unnest(e.segment_ids) as s (id) where s.id is not null
    ), stored as materialized (
      select m.segment_id, m.customer_id from segment_members m
      where m.merchant_id = ${merchantId} and m.customer_id = any(${customers}::uuid[]) and m.segment_id = any(${segmentIds}::uuid[])
    ), leaving as (
      select segment_id, customer_id from stored except select segment_id, customer_id from matching
    ), entering as (
      select segment_id, customer_id from matching except select segment_id, customer_id from stored
    )
    select segment_id, enters, array_agg(customer_id)::text as customers
    from (
      select segment_id, customer_id, true as enters from entering union all select segment_id, customer_id, false from leaving
    ) as differences
    group by segment_id, enters`.execute(db)
  return { leaving: rows.filter(({ enters }) => !enters), entering: rows.filter(({ enters }) => enters) }
}

/** One row for each customer of each segment: `segment_id`, `customer_id`. */
const rowsOf = (differences: readonly SegmentCustomers[]): RawBuilder<unknown> => sql`(
  select s.id as segment_id, c.id as customer_id
  from unnest(${differences.map(({ segment_id }) => segment_id)}::uuid[], ${differences.map(({ customers }) => customers)}::text[]) as s (id, customers)
  cross join lateral unnest(s.customers::uuid[]) as c (id)
)`

async function deleteMemberships(
  { db, merchantId }: TransactionScope,
  leaving: readonly SegmentCustomers[],
): Promise<void> {
  if (leaving.length === 0) return
  await sql`
    delete from segment_members m using ${rowsOf(leaving)} as l
    where m.merchant_id = ${merchantId} and m.segment_id = l.segment_id and m.customer_id = l.customer_id`.execute(db)
}

/** A row that is there already is an error: by the locks there is none, and the count would be wrong. */
async function insertMemberships(
  { db, merchantId, now }: TransactionScope,
  entering: readonly SegmentCustomers[],
): Promise<void> {
  if (entering.length === 0) return
  await sql`
    insert into segment_members (merchant_id, segment_id, customer_id, entered_at)
    select ${merchantId}, e.segment_id, e.customer_id, ${now}::timestamptz from ${rowsOf(entering)} as e
    order by e.segment_id, e.customer_id`.execute(db)
}

/** Remote segments: a customer who became known enters if the platform listed them; a deleted customer leaves. */
export async function updateRemoteMembers(
  scope: TransactionScope,
  segmentId: string,
  customerIds: readonly string[],
): Promise<Difference> {
  const { db, merchantId } = scope
  const ids = [...customerIds]
  const { rows: known } = await sql<{ id: string }>`
    delete from remote_segment_members r using customers c
    where r.merchant_id = ${merchantId} and r.segment_id = ${segmentId}
      and c.merchant_id = ${merchantId} and c.id = any(${ids}::uuid[]) and c.store_customer_id = r.store_customer_id
    returning c.id`.execute(db)
  const { rows: left } = await sql<{ customer_id: string }>`
    delete from segment_members m
    where m.merchant_id = ${merchantId} and m.segment_id = ${segmentId} and m.customer_id = any(${ids}::uuid[])
      and not exists (select from customers c where c.merchant_id = ${merchantId} and c.id = m.customer_id)
    returning m.customer_id`.execute(db)
  const { rows: entered } = await sql<{ customer_id: string }>`
    insert into segment_members (merchant_id, segment_id, customer_id, entered_at)
    select ${merchantId}, ${segmentId}, k.id, ${scope.now}::timestamptz from unnest(${known.map(({ id }) => id)}::uuid[]) as k (id) order by k.id
    on conflict do nothing returning customer_id`.execute(db)
  return {
    entered: entered.map(({ customer_id }) => customer_id),
    left: left.map(({ customer_id }) => customer_id),
  }
}

/** Adds each difference to its segment's count, and marks all of them as current. */
export async function markMembersUpdated(
  scope: MerchantScope,
  updated: readonly { id: string; difference: number; known: number }[],
  customersTotal: number | null,
): Promise<void> {
  await lockSegments(scope)
  await sql`
    update segments s set members_at = ${scope.now}, customer_count = s.customer_count + u.difference,
      counted_at = ${scope.now}, customers_total = coalesce(${customersTotal}::int, s.customers_total),
      store_unknown_count = s.store_unknown_count - u.known
    from unnest(${updated.map(({ id }) => id)}::uuid[], ${updated.map(({ difference }) => difference)}::int[],
      ${updated.map(({ known }) => known)}::int[]) as u (id, difference, known)
    where s.merchant_id = ${scope.merchantId} and s.id = u.id`.execute(scope.db)
}

/** Counts all customers again if the last count is older than `maxAgeMs` or small; null if the last count is still good. */
export async function recountCustomers(
  scope: MerchantScope,
  { maxAgeMs, few }: { maxAgeMs: number; few: number },
): Promise<number | null> {
  const since = new Date(scope.now.getTime() - maxAgeMs)
  const { rows: recent } = await sql`
    select from segment_following where merchant_id = ${scope.merchantId} and customers_total > ${few}
      and customers_counted_at between ${since} and ${scope.now}`.execute(scope.db)
  if (recent.length > 0) return null
  const { rows } = await sql<{ customers_total: number }>`
    insert into segment_following (merchant_id, customers_total, customers_counted_at)
    select ${scope.merchantId}, count(*)::int, ${scope.now} from customers where merchant_id = ${scope.merchantId}
    on conflict (merchant_id) do update set customers_total = excluded.customers_total,
      customers_counted_at = excluded.customers_counted_at
    returning customers_total`.execute(scope.db)
  return rows[0]?.customers_total ?? null
}

/** Removes customers from every segment and its count; returns how many memberships that were. */
export async function removeMembers(scope: MerchantScope, customerIds: readonly string[]): Promise<number> {
  await lockMembers(scope, await listAllIds(scope))
  await lockSegments(scope)
  const { rows } = await sql<{ removed: number }>`
    with deleted as (
      delete from segment_members m
      where m.merchant_id = ${scope.merchantId} and m.customer_id = any(${[...customerIds]}::uuid[]) returning m.segment_id
    ), fewer as (
      update segments s set customer_count = greatest(0, s.customer_count - d.people)
      from (select segment_id, count(*)::int as people from deleted group by segment_id) as d
      where s.merchant_id = ${scope.merchantId} and s.id = d.segment_id
    )
    select count(*)::int as removed from deleted`.execute(scope.db)
  return rows[0]?.removed ?? 0
}
