import type { EventKind } from '@okaeri/contract/scenarios/event'
import type { Flow } from '@okaeri/contract/scenarios/flow'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { whyNotContactable } from '../deliveries/index.ts'
import type { PastEvent } from './simulation.ts'

export interface Span {
  from: Date
  until: Date
}

const ms = (column: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(extract(epoch from ${column}) * 1000)::float8`

/**
 * When things of a kind happened, of everyone together, in the order they happened: from what is kept of orders, customers, carts and
 * consents for as long as there is a store; what is kept nowhere else, from the events of the last 90 days.
 */
export async function selectPast(
  scope: MerchantScope,
  kind: EventKind,
  { from, until }: Span,
  { afterMinutes = 0 }: { afterMinutes?: number } = {},
): Promise<PastEvent[]> {
  const { merchantId } = scope
  const after = sql`make_interval(mins => ${afterMinutes}::int)`
  const within = (column: RawBuilder<unknown>): RawBuilder<boolean> =>
    sql`${column} >= ${from} and ${column} < ${until}`
  const of: Partial<Record<EventKind, RawBuilder<unknown>>> = {
    customer_created: sql`select c.id, c.created_at as at from customers c
      where c.merchant_id = ${merchantId} and ${within(sql`c.created_at`)}`,
    order_created: ordersOf(merchantId, sql`o.processed_at`, within, sql`true`),
    order_paid: ordersOf(merchantId, sql`o.processed_at`, within, sql`o.financial_status is distinct from 'PENDING'`),
    // When it was sent is not kept; it is taken for the day it was ordered.
    order_fulfilled: ordersOf(merchantId, sql`o.processed_at`, within, sql`o.fulfillment_status = 'FULFILLED'`),
    order_cancelled: ordersOf(merchantId, sql`o.cancelled_at`, within, sql`true`),
    consent_given: sql`select h.customer_id as id, h.occurred_at as at from consent_changes h
      where h.merchant_id = ${merchantId} and h.kind = 'marketing' and h.to_state = 'granted' and ${within(sql`h.occurred_at`)}`,
    favorite_added: sql`select f.customer_id as id, f.created_at as at from favorites f
      where f.merchant_id = ${merchantId} and f.customer_id is not null and ${within(sql`f.created_at`)}`,
    cart_abandoned: sql`select k.customer_id as id, k.store_updated_at + ${after} as at from carts k
      where k.merchant_id = ${merchantId} and k.customer_id is not null and k.items_count > 0
        and (k.converted_at is null or k.converted_at > k.store_updated_at + ${after}) and ${within(sql`k.store_updated_at + ${after}`)}`,
    checkout_abandoned: sql`select k.customer_id as id, k.store_updated_at + ${after} as at from checkouts k
      where k.merchant_id = ${merchantId} and k.customer_id is not null
        and (k.completed_at is null or k.completed_at > k.store_updated_at + ${after}) and ${within(sql`k.store_updated_at + ${after}`)}`,
  }
  const source =
    of[kind] ??
    sql`select v.customer_id as id, v.occurred_at as at from events v
      where v.merchant_id = ${merchantId} and v.kind = ${kind} and v.customer_id is not null and ${within(sql`v.occurred_at`)}`
  const { rows } = await sql<PastEvent>`
    select p.id as "customerId", ${ms(sql`p.at`)} as at from (${source}) p order by p.at, p.id`.execute(scope.db)
  return rows
}

const ordersOf = (
  merchantId: string,
  at: RawBuilder<unknown>,
  within: (column: RawBuilder<unknown>) => RawBuilder<boolean>,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`select o.customer_id as id, ${at} as at from orders o
  where o.merchant_id = ${merchantId} and o.customer_id is not null and ${within(at)} and ${where}`

/** Who entered or left a segment within the events kept. */
export async function selectPastOfSegment(
  scope: MerchantScope,
  kind: 'segment_entered' | 'segment_left',
  segmentId: string,
  { from, until }: Span,
): Promise<PastEvent[]> {
  const { rows } = await sql<PastEvent>`
    select v.customer_id as "customerId", ${ms(sql`v.occurred_at`)} as at from events v
    where v.merchant_id = ${scope.merchantId} and v.kind = ${kind} and v.customer_id is not null
      and v.subject ->> 'segment_id' = ${segmentId.toLowerCase()} and v.occurred_at >= ${from} and v.occurred_at < ${until}
    order by v.occurred_at, v.id`.execute(scope.db)
  return rows
}

/** Birthdays as month and day. */
export async function selectBirthdays(scope: MerchantScope): Promise<{ customerId: string; day: string }[]> {
  const { rows } = await sql<{ customerId: string; day: string }>`
    select id as "customerId", to_char(birthday, 'MM-DD') as day from customers
    where merchant_id = ${scope.merchantId} and birthday is not null`.execute(scope.db)
  return rows
}

/** The days that stand in a metafield, in that zone. */
export async function selectMetafieldDates(
  scope: MerchantScope,
  settingId: string,
  timezone: string,
): Promise<{ customerId: string; day: string }[]> {
  const { rows } = await sql<{ customerId: string; day: string }>`
    select customer_id as "customerId", to_char(value_at at time zone ${timezone}, 'YYYY-MM-DD') as day from customer_metafields
    where merchant_id = ${scope.merchantId} and metafield_setting_id = ${settingId} and value_at is not null`.execute(
    scope.db,
  )
  return rows
}

/** Every order followed by none for so many days, with the moment it was placed; of orders that old within the span. */
export async function selectLastOrders(scope: MerchantScope, span: Span, days: number): Promise<PastEvent[]> {
  const { rows } = await sql<PastEvent>`
    select o.customer_id as "customerId", ${ms(sql`o.processed_at`)} as at
    from (
      select customer_id, processed_at, lead(processed_at) over (partition by customer_id order by processed_at) as next_at
      from orders where merchant_id = ${scope.merchantId} and customer_id is not null and cancelled_at is null
        and processed_at >= ${span.from}::timestamptz - make_interval(days => ${days + 1}::int)
    ) o
    where o.processed_at < ${span.until}::timestamptz - make_interval(days => ${days}::int)
      and (o.next_at is null or o.next_at > o.processed_at + make_interval(days => ${days}::int))
    order by o.processed_at, o.customer_id`.execute(scope.db)
  return rows
}

/** Orders before the span, by customer: how many someone had made already. */
export async function countOrdersBefore(scope: MerchantScope, at: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ customerId: string; count: number }>`
    select customer_id as "customerId", count(*)::int as count from orders
    where merchant_id = ${scope.merchantId} and customer_id is not null and cancelled_at is null and processed_at < ${at}
    group by customer_id`.execute(scope.db)
  return new Map(rows.map(({ customerId, count }) => [customerId, count]))
}

/** Of the orders placed within the span: after how many days what was bought is usually bought again, the first of it. */
export async function selectUsualDays(
  scope: MerchantScope,
  { from, until }: Span,
): Promise<(PastEvent & { days: number })[]> {
  const { merchantId } = scope
  const { rows } = await sql<PastEvent & { days: number }>`
    select l.customer_id as "customerId", ${ms(sql`l.processed_at`)} as at, min(i.days) as days
    from product_intervals i
    join order_lines l on l.merchant_id = ${merchantId} and l.store_product_id = i.store_product_id
    where i.merchant_id = ${merchantId} and l.customer_id is not null
      and l.processed_at >= ${from} and l.processed_at < ${until}
    group by l.customer_id, l.processed_at`.execute(scope.db)
  return rows
}

/** The customers for whom `where` (over `c`) holds. */
export async function selectWho(scope: TransactionScope, where: RawBuilder<boolean>): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select c.id from customers c where c.merchant_id = ${scope.merchantId} and ${where}`.execute(scope.db)
  return new Set(rows.map(({ id }) => id))
}

/** Those who could be mailed as they are now. */
export const selectMailable = (scope: TransactionScope, { sendToAll }: { sendToAll: boolean }): Promise<Set<string>> =>
  selectWho(scope, sql`${whyNotContactable(scope, { channel: 'email', sendToAll, ofMany: true })} is null`)

export interface RehearsalRow {
  number: number
  status: 'running' | 'done' | 'failed'
  flow: Flow
  from_at: Date
  until_at: Date
  progress_percent: number
  result: StoredResult | null
  asked_at: Date
}
/** As kept: samples by id, moments as text. */
export interface StoredResult {
  events: number
  entered: number
  kept_out: Record<string, number>
  mails: number
  people: number
  mails_per_day: { day: string; mails: number }[]
  busiest_day: { day: string; mails: number } | null
  most_to_one: number
  by_node: { node_id: string; entered: number; mails: number; stuck: number }[]
  samples: { customer_id: string; entered_at: string; mails: { node_id: string; at: string }[] }[]
}

export async function findRehearsal(scope: MerchantScope, scenarioId: string): Promise<RehearsalRow | null> {
  const { rows } = await sql<RehearsalRow>`select * from scenario_rehearsals
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId}`.execute(scope.db)
  return rows[0] ?? null
}

export async function beginRehearsal(
  scope: MerchantScope,
  scenarioId: string,
  { flow, from, until }: { flow: Flow } & Span,
): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    insert into scenario_rehearsals as r (merchant_id, scenario_id, number, status, flow, from_at, until_at, asked_at)
    values (${scope.merchantId}, ${scenarioId}, 1, 'running', ${JSON.stringify(flow)}::jsonb, ${from}, ${until}, ${scope.now})
    on conflict (merchant_id, scenario_id) do update set number = r.number + 1, status = 'running', flow = excluded.flow,
      from_at = excluded.from_at, until_at = excluded.until_at, progress_percent = 0, result = null, asked_at = excluded.asked_at
    returning number`.execute(scope.db)
  return rows[0]?.number ?? 0
}

/** Answers false when another was asked for meanwhile. */
export async function updateRehearsal(
  scope: MerchantScope,
  { scenarioId, number }: { scenarioId: string; number: number },
  change: { progress: number } | { result: StoredResult } | { failed: true },
): Promise<boolean> {
  const set =
    'progress' in change
      ? sql`progress_percent = ${change.progress}`
      : 'result' in change
        ? sql`status = 'done', progress_percent = 100, result = ${JSON.stringify(change.result)}::jsonb`
        : sql`status = 'failed'`
  const { rows } = await sql`update scenario_rehearsals set ${set}
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and number = ${number} returning number`.execute(
    scope.db,
  )
  return rows.length > 0
}

export async function selectNames(scope: MerchantScope, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; display_name: string }>`
    select id, display_name from customers where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(
    scope.db,
  )
  return new Map(rows.map(({ id, display_name }) => [id, display_name]))
}
