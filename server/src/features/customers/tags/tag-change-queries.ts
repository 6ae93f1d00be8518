import { sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'

export interface TagChangeRow {
  id: string
  add: string[]
  remove: string[]
  status: 'running' | 'done' | 'failed'
  total: number
  refused: number
  left: number
  tries: number
  createdAt: Date
  finishedAt: Date | null
}
const columns = sql`id, add_tags as add, remove_tags as remove, status, total, refused_count as refused,
  cardinality(remaining) as left, tries, created_at as "createdAt", finished_at as "finishedAt"`

export async function findTagChange(scope: MerchantScope, id: string): Promise<TagChangeRow | null> {
  const { rows } = await sql<TagChangeRow>`
    select ${columns} from customer_tag_changes where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
  return rows[0] ?? null
}

export async function selectTagChanges(scope: MerchantScope, endedAfter: Date): Promise<TagChangeRow[]> {
  const { rows } = await sql<TagChangeRow>`
    select ${columns} from customer_tag_changes
    where merchant_id = ${scope.merchantId} and (status = 'running' or finished_at > ${endedAfter})
    order by created_at desc, id desc limit 20
  `.execute(scope.db)
  return rows
}

/** Those in progress; no other transaction can begin one until this ends. */
export async function listRunning(scope: MerchantScope): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${scope.merchantId} tag changes`}, 0))`.execute(scope.db)
  const { rows } = await sql<{ id: string }>`
    select id from customer_tag_changes where merchant_id = ${scope.merchantId} and status = 'running'
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** Whether one of these customers is in the store too. */
export async function areAnyOfStore(scope: MerchantScope, customerIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from customers
    where merchant_id = ${scope.merchantId} and id = any(${[...customerIds]}::uuid[]) and store_customer_id is not null limit 1
  `.execute(scope.db)
  return rows.length > 0
}

export async function insertTagChange(
  scope: MerchantScope,
  change: { id: string; add: readonly string[]; remove: readonly string[]; customerIds: readonly string[] },
): Promise<void> {
  await sql`
    insert into customer_tag_changes (merchant_id, id, add_tags, remove_tags, total, remaining, member_id, created_at)
    values (${scope.merchantId}, ${change.id}, ${[...change.add]}::text[], ${[...change.remove]}::text[],
      ${change.customerIds.length}, ${[...change.customerIds]}::uuid[], ${scope.memberId}, ${scope.now})
  `.execute(scope.db)
}

/** Old ones are deleted when a new one begins. */
export async function deleteTagChanges(scope: MerchantScope, endedBefore: Date): Promise<void> {
  await sql`
    delete from customer_tag_changes where merchant_id = ${scope.merchantId} and finished_at < ${endedBefore}
  `.execute(scope.db)
}

/** The next customers that are left, with the store's numbers; null for deleted customers. */
export async function selectNext(
  scope: MerchantScope,
  id: string,
  limit: number,
): Promise<{ id: string; storeCustomerId: number | null; isKnown: boolean }[]> {
  const { rows } = await sql<{ id: string; storeCustomerId: number | null; isKnown: boolean }>`
    select n.id, c.store_customer_id as "storeCustomerId", c.id is not null as "isKnown"
    from (
      select unnest(remaining[1:${limit}::int]) as id from customer_tag_changes
      where merchant_id = ${scope.merchantId} and id = ${id} and status = 'running'
    ) n
    left join customers c on c.merchant_id = ${scope.merchantId} and c.id = n.id
  `.execute(scope.db)
  return rows
}

/**
 * Marks these as done. A second call (by two workers, or after a crash) changes nothing, because only those still left count. The change ends
 * with the last one.
 */
export async function markTagged(
  scope: MerchantScope,
  id: string,
  { done, refused }: { done: readonly string[]; refused: readonly string[] },
): Promise<void> {
  const over = [...done, ...refused]
  await sql`
    update customer_tag_changes t set remaining = r.remaining,
      tries = case when ${over.length > 0} then 0 else tries end,
      refused_count = refused_count + cardinality(array(select unnest(t.remaining) intersect select unnest(${[...refused]}::uuid[]))),
      status = case when cardinality(r.remaining) = 0 then 'done' else status end,
      finished_at = case when cardinality(r.remaining) = 0 then ${scope.now}::timestamptz end
    from (
      select array(select left_id from unnest(remaining) with ordinality as l(left_id, at)
        where left_id <> all(${over}::uuid[]) order by at) as remaining
      from customer_tag_changes where merchant_id = ${scope.merchantId} and id = ${id} for update
    ) r
    where t.merchant_id = ${scope.merchantId} and t.id = ${id} and t.status = 'running'
  `.execute(scope.db)
}

/**
 * The store was not reached, or not for the next customer, who moves behind the others so as not to delay them. Returns how many tries in a
 * row changed no customer.
 */
export async function markTried(scope: MerchantScope, id: string): Promise<number> {
  const { rows } = await sql<{ tries: number }>`
    update customer_tag_changes set tries = tries + 1, remaining = remaining[2:] || remaining[1:1]
    where merchant_id = ${scope.merchantId} and id = ${id} and status = 'running' returning tries
  `.execute(scope.db)
  return rows[0]?.tries ?? 0
}

export async function markGivenUp(scope: MerchantScope, id: string): Promise<void> {
  await sql`
    update customer_tag_changes set status = 'failed', finished_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id} and status = 'running'
  `.execute(scope.db)
}

/** Removes erased customers from changes in progress. Returns how many changes contained them. */
export async function leaveOut(scope: MerchantScope, customerIds: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update customer_tag_changes set remaining = array(
      select left_id from unnest(remaining) with ordinality as l(left_id, at)
      where left_id <> all(${[...customerIds]}::uuid[]) order by at)
    where merchant_id = ${scope.merchantId} and remaining && ${[...customerIds]}::uuid[]
  `.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}
