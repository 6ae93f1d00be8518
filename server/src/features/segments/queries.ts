import type { PageQuery } from '@okaeri/contract/paging'
import type { Condition } from '@okaeri/contract/segments/condition'
import type { TargetCounts } from '@okaeri/contract/segments/segment'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { isDuplicateAddress, whyNotMailable } from '../consent/index.ts'
import { searchWords } from '../customers/index.ts'

export interface SegmentRow {
  id: string
  name: string
  origin: 'own' | 'remote'
  /** Null for remote segments: the store decides who is in them. */
  conditions: Condition | null
  status: 'calculating' | 'ready' | 'failed'
  customer_count: number | null
  customers_total: number | null
  counted_at: Date | null
  count_number: number
  count_requested_at: Date | null
  created_at: Date
  updated_at: Date
}

const columns = sql`id, name, origin, conditions, status, customer_count, customers_total, counted_at, count_number,
  count_requested_at, created_at, updated_at`

export interface SegmentListQuery extends PageQuery {
  q?: string | undefined
  sort: 'created_at' | 'name' | 'customer_count'
  direction: 'asc' | 'desc'
}

export async function selectSegments(
  scope: MerchantScope,
  query: SegmentListQuery,
): Promise<{ rows: SegmentRow[]; total: number }> {
  const wanted = query.q?.normalize('NFKC').trim() ?? ''
  const chosen = sql`merchant_id = ${scope.merchantId} and deleted_at is null
    and strpos(lower(normalize(name, nfkc)), lower(${wanted})) > 0`
  const direction = query.direction === 'asc' ? sql`asc nulls first` : sql`desc nulls last`
  const { rows } = await sql<SegmentRow>`
    select ${columns} from segments where ${chosen}
    order by ${sql.ref(query.sort)} ${direction}, id ${direction} limit ${query.limit} offset ${query.offset}`.execute(
    scope.db,
  )
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from segments where ${chosen}`.execute(scope.db)
  return { rows, total: counted[0]?.total ?? 0 }
}

export async function findSegment(
  scope: MerchantScope,
  id: string,
  options: { lock?: boolean } = {},
): Promise<SegmentRow | null> {
  const { rows } = await sql<SegmentRow>`
    select ${columns} from segments where merchant_id = ${scope.merchantId} and id = ${id} and deleted_at is null
    ${options.lock ? sql`for update` : sql``}`.execute(scope.db)
  return rows[0] ?? null
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
  change: { name: string; conditions: Condition | null },
): Promise<void> {
  await sql`
    update segments set name = ${change.name}, conditions = ${change.conditions && JSON.stringify(change.conditions)},
      updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

export async function markDeleted(scope: MerchantScope, id: string): Promise<void> {
  await sql`
    update segments set deleted_at = ${scope.now} where merchant_id = ${scope.merchantId} and id = ${id}`.execute(
    scope.db,
  )
}

/** Answers the number of this request to count. */
export async function markCalculating(scope: MerchantScope, id: string): Promise<number> {
  const { rows } = await sql<{ count_number: number }>`
    update segments set status = 'calculating', count_number = count_number + 1, count_requested_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id} returning count_number`.execute(scope.db)
  return rows[0]?.count_number ?? 0
}

/** The result of a count; of none but the last one asked for. */
export async function markCounted(
  scope: MerchantScope,
  { id, count_number }: Pick<SegmentRow, 'id' | 'count_number'>,
  result: { total: number; customersTotal: number } | 'failed',
): Promise<void> {
  const what =
    result === 'failed'
      ? sql`status = 'failed'`
      : sql`status = 'ready', customer_count = ${result.total}, customers_total = ${result.customersTotal},
          counted_at = ${scope.now}`
  await sql`
    update segments set ${what}
    where merchant_id = ${scope.merchantId} and id = ${id} and count_number = ${count_number}`.execute(scope.db)
}

/** Zone and currency that conditions are read in. */
export async function readMerchantCalendar(scope: MerchantScope): Promise<{ timezone: string; currency: string }> {
  const { rows } = await sql<{ timezone: string; currency: string }>`
    select timezone, currency from merchants where id = ${scope.merchantId}`.execute(scope.db)
  if (!rows[0]) throw new Error(`no merchant ${scope.merchantId}`)
  return rows[0]
}

type Counts = Omit<TargetCounts, 'customer_percentage'> & { customersTotal: number }
export interface ChosenCounts extends Counts {
  /** The newest of the chosen customers. */
  firstIds: string[]
}

/**
 * Everyone the conditions choose, each with the reason why they cannot be mailed; then the duplicates among those who can be, which
 * only shows over all of them together; then the sums. With the newest customers and the number of all customers in the same
 * statement, so that what is shown together is true together.
 */
export async function countChosen(
  scope: MerchantScope,
  where: RawBuilder<boolean>,
  { sendToAll, firstIds }: { sendToAll: boolean; firstIds: number },
): Promise<ChosenCounts> {
  const { merchantId } = scope
  const { rows } = await sql<ChosenCounts>`
    with chosen as (
      select c.id, c.email_key, c.created_at, ${whyNotMailable(merchantId, { sendToAll })} as reason
      from customers c where c.merchant_id = ${merchantId} and ${where}
    ), judged as (
      select c.reason, ${isDuplicateAddress(sql`c.reason`)} as duplicate from chosen c
    )
    select count(*)::int as total,
      count(*) filter (where reason is null and not duplicate)::int as reachable,
      count(*) filter (where reason = 'no_consent')::int as no_consent,
      count(*) filter (where reason = 'no_address')::int as no_address,
      count(*) filter (where reason = 'suppressed')::int as suppressed,
      count(*) filter (where duplicate)::int as duplicate_address,
      (select count(*)::int from customers where merchant_id = ${merchantId}) as "customersTotal",
      array(select id from chosen order by created_at desc, id desc limit ${firstIds})::text[] as "firstIds"
    from judged`.execute(scope.db)
  if (!rows[0]) throw new Error('a count answers one row')
  return rows[0]
}

/** How many the conditions choose, whether they can be mailed or not. */
export async function countMembers(
  scope: MerchantScope,
  where: RawBuilder<boolean>,
): Promise<{ total: number; customersTotal: number }> {
  const { rows } = await sql<{ total: number; customersTotal: number }>`
    select count(*)::int as total,
      (select count(*)::int from customers where merchant_id = ${scope.merchantId}) as "customersTotal"
    from customers c where c.merchant_id = ${scope.merchantId} and ${where}`.execute(scope.db)
  if (!rows[0]) throw new Error('a count answers one row')
  return rows[0]
}

/** The customers chosen, newest first. */
export async function selectChosenIds(
  scope: MerchantScope,
  where: RawBuilder<boolean>,
  query: PageQuery & { q?: string | undefined },
): Promise<{ ids: string[]; total: number }> {
  const words = query.q ? searchWords(query.q) : []
  const chosen = sql.join(
    [sql`c.merchant_id = ${scope.merchantId}`, where, ...words.map((word) => sql`strpos(c.search_text, ${word}) > 0`)],
    sql` and `,
  )
  const { rows } = await sql<{ id: string }>`
    select c.id from customers c where ${chosen}
    order by c.created_at desc, c.id desc limit ${query.limit} offset ${query.offset}`.execute(scope.db)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from customers c where ${chosen}`.execute(scope.db)
  return { ids: rows.map((row) => row.id), total: counted[0]?.total ?? 0 }
}

/** Those of the ids that are products of the merchant, also ones the store has deleted since. */
export async function selectKnownProducts(scope: MerchantScope, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from products where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(scope.db)
  return new Set(rows.map(({ id }) => id))
}
