import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** An execution that an event may end; its version of the flow decides. */
export interface Endable {
  id: string
  scenario_id: string
  version: number
}

/** Executions that have not ended. Or, of these ids, finished ones with mails that have not all left. */
export type EndableOnes = 'on_their_way' | { finished: readonly string[] }
const endable = (which: EndableOnes): RawBuilder<boolean> =>
  which === 'on_their_way'
    ? sql`e.status in ('running', 'paused', 'late', 'failed') and not e.test`
    : sql`e.id = any(${[...which.finished]}::uuid[]) and e.status = 'done' and e.end_reason = 'finished' and not e.test`

/**
 * Executions of these buyers that began before the order and not by it. An order paid later counts from when it was placed. Of two
 * orders in the same second, the one with the higher number is later, so they do not end each other.
 */
export async function selectBeforeOrders(
  scope: MerchantScope,
  which: EndableOnes,
  orders: readonly { customerId: string; storeOrderId: number | null; at: Date }[],
): Promise<Endable[]> {
  if (orders.length === 0) return []
  const { merchantId } = scope
  const { rows } = await sql<Endable>`
    select distinct e.id, e.scenario_id, e.version
    from unnest(${orders.map(({ customerId }) => customerId)}::uuid[], ${orders.map(({ storeOrderId }) => storeOrderId)}::bigint[],
      ${orders.map(({ at }) => at)}::timestamptz[]) as b (customer_id, store_order_id, at)
    left join lateral (
      select processed_at from orders where merchant_id = ${merchantId} and store_order_id = b.store_order_id limit 1
    ) o on true
    cross join lateral (
      select e.* from executions e where e.merchant_id = ${merchantId} and e.customer_id = b.customer_id and ${endable(which)} offset 0
    ) e
    left join lateral (select * from events where merchant_id = ${merchantId} and id = e.event_id limit 1) x on true
    where (x.subject ->> 'store_order_id')::bigint is distinct from b.store_order_id
      and (coalesce(o.processed_at, b.at) > coalesce(x.occurred_at, e.created_at)
        or (coalesce(o.processed_at, b.at) = coalesce(x.occurred_at, e.created_at)
          and coalesce((x.subject ->> 'store_order_id')::bigint < b.store_order_id, true)))`.execute(scope.db)
  return rows
}

/** Executions that an event with one of these keys started. */
export async function selectBegunBy(
  scope: MerchantScope,
  which: EndableOnes,
  keys: readonly string[],
): Promise<Endable[]> {
  if (keys.length === 0) return []
  const { merchantId } = scope
  const { rows } = await sql<Endable>`
    select e.id, e.scenario_id, e.version from events x
    join scenario_entries n on n.merchant_id = ${merchantId} and n.event_id = x.id and n.execution_id is not null
    join executions e on e.merchant_id = ${merchantId} and e.id = n.execution_id and ${endable(which)}
    where x.merchant_id = ${merchantId} and x.key = any(${[...keys]}::text[])`.execute(scope.db)
  return rows
}

/** Executions of the person that an event about this product started, and about nothing else. Variant 0: the product as a whole. */
export async function selectBegunByProduct(
  scope: MerchantScope,
  which: EndableOnes,
  of: { customerId: string | null; guestId: string | null; storeProductId: number; storeVariantId: number },
): Promise<Endable[]> {
  const { merchantId } = scope
  const theirs = of.customerId ? sql`e.customer_id = ${of.customerId}` : sql`e.guest_id = ${of.guestId}`
  const { rows } = await sql<Endable>`
    select e.id, e.scenario_id, e.version from executions e
    cross join lateral (select * from events where merchant_id = ${merchantId} and id = e.event_id limit 1) x
    where e.merchant_id = ${merchantId} and ${theirs} and ${endable(which)}
      and (x.subject ->> 'store_product_id')::bigint = ${of.storeProductId}::bigint
      and coalesce((x.subject ->> 'store_variant_id')::bigint, 0) = ${of.storeVariantId}::bigint
      and coalesce(jsonb_array_length(x.subject -> 'changes'), 1) = 1`.execute(scope.db)
  return rows
}

export async function selectOfCustomers(
  scope: MerchantScope,
  which: EndableOnes,
  customerIds: readonly string[],
): Promise<Endable[]> {
  const { rows } = await sql<Endable>`
    select e.id, e.scenario_id, e.version from executions e
    where e.merchant_id = ${scope.merchantId} and e.customer_id = any(${[...customerIds]}::uuid[]) and ${endable(which)}`.execute(
    scope.db,
  )
  return rows
}

export async function selectById(scope: MerchantScope, which: EndableOnes, executionId: string): Promise<Endable[]> {
  const { rows } = await sql<Endable>`
    select e.id, e.scenario_id, e.version from executions e
    where e.merchant_id = ${scope.merchantId} and e.id = ${executionId} and ${endable(which)}`.execute(scope.db)
  return rows
}

/** Null: a guest's execution, or it was deleted. */
export async function findCustomerOf(scope: MerchantScope, executionId: string): Promise<string | null> {
  const { rows } = await sql<{ customer_id: string | null }>`
    select customer_id from executions where merchant_id = ${scope.merchantId} and id = ${executionId}`.execute(
    scope.db,
  )
  return rows[0]?.customer_id ?? null
}

/**
 * The events that are outdated: the customer has ordered again, or the event's order was cancelled. This happens when events come late
 * or waited for an entry limit.
 */
export async function selectOvertaken(
  scope: TransactionScope,
  events: readonly { id: string; customerId: string | null; storeOrderId: number | null; at: Date }[],
  why: 'bought' | 'order_cancelled',
): Promise<string[]> {
  if (events.length === 0) return []
  const { merchantId } = scope
  const order =
    why === 'bought'
      ? sql`o.customer_id = k.customer_id and o.cancelled_at is null and o.store_order_id is distinct from k.store_order_id
          and (o.processed_at > k.at or (o.processed_at = k.at and coalesce(k.store_order_id < o.store_order_id, true)))`
      : sql`o.store_order_id = k.store_order_id and o.cancelled_at is not null`
  // Row by row: in a join, the planner reads all orders of the merchant for each batch as long as its statistics are missing.
  const { rows } = await sql<{ id: string }>`
    select k.id from unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ customerId }) => customerId)}::uuid[],
      ${events.map(({ storeOrderId }) => storeOrderId)}::bigint[], ${events.map(({ at }) => at)}::timestamptz[])
      as k (id, customer_id, store_order_id, at)
    cross join lateral (select from orders o where o.merchant_id = ${merchantId} and ${order} limit 1) o`.execute(
    scope.db,
  )
  return rows.map(({ id }) => id)
}
