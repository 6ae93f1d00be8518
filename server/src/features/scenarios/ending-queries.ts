import type { EndReason } from '@okaeri/contract/scenarios/execution'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** Executions an event may end; the version they are on says whether it does. */
export interface Endable {
  id: string
  scenario_id: string
  version: number
}

/** Executions that have not ended; or of these ids those that came to their last node, whose mails have not all left. */
export type EndableOnes = 'on_their_way' | { finished: readonly string[] }
const endable = (which: EndableOnes): RawBuilder<boolean> =>
  which === 'on_their_way'
    ? sql`e.status in ('running', 'paused', 'late', 'failed') and not e.test`
    : sql`e.id = any(${[...which.finished]}::uuid[]) and e.status = 'done' and e.end_reason = 'finished' and not e.test`

/**
 * Of the customers who bought: those whose beginning lies before the order, and which the same order did not begin. An order paid later
 * counts from when it was placed. Of two orders of the same second the higher number is the later: they do not end each other.
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

/** Those that an event with one of these keys began. */
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

/** Null: a guest's, or it is no more. */
export async function findCustomerOf(scope: MerchantScope, executionId: string): Promise<string | null> {
  const { rows } = await sql<{ customer_id: string | null }>`
    select customer_id from executions where merchant_id = ${scope.merchantId} and id = ${executionId}`.execute(
    scope.db,
  )
  return rows[0]?.customer_id ?? null
}

/**
 * Of these events those that what has happened since has overtaken: the customer has ordered again, or the order they are about was
 * cancelled. (They were told late, or a brake held their people back.)
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
  // One by one: joined, the planner reads the merchant's orders for each batch while it knows little of how many there are.
  const { rows } = await sql<{ id: string }>`
    select k.id from unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ customerId }) => customerId)}::uuid[],
      ${events.map(({ storeOrderId }) => storeOrderId)}::bigint[], ${events.map(({ at }) => at)}::timestamptz[])
      as k (id, customer_id, store_order_id, at)
    cross join lateral (select from orders o where o.merchant_id = ${merchantId} and ${order} limit 1) o`.execute(
    scope.db,
  )
  return rows.map(({ id }) => id)
}

/** Executions of a customer that have not ended. */
export async function listGoingOn(scope: MerchantScope, customerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from executions where merchant_id = ${scope.merchantId} and customer_id = ${customerId} and ended_at is null`.execute(
    scope.db,
  )
  return rows.map(({ id }) => id)
}

export async function dropPendingEffects(scope: TransactionScope, executionIds: readonly string[]): Promise<void> {
  await sql`delete from execution_effects
    where merchant_id = ${scope.merchantId} and execution_id = any(${[...executionIds]}::uuid[]) and status in ('pending', 'held')`.execute(
    scope.db,
  )
}

/** So many in one statement; the rest goes on in a job. */
export const CHANGED_AT_ONCE = 5000

/** Which executions of a scenario a change of many is about, and what it makes of them. */
const changesOfMany = {
  /** The scenario runs again. What has become a day late meanwhile asks first, for it may be a flood of old mail. */
  unhold: (_scope: MerchantScope, lateBefore: Date) => ({
    which: sql`held`,
    set: sql`held = false,
      status = case when status = 'running' and wake_at < ${lateBefore} and not test then 'late' else status end`,
    outcome: sql`case when status = 'late' then 'late' end`,
  }),
  send_late: () => ({
    which: sql`status = 'late'`,
    set: sql`status = 'running', late_accepted = true`,
    outcome: sql`'played'`,
  }),
  // Those that fail once more while this goes on are not taken up again.
  play_failed: (scope: MerchantScope) => ({
    which: sql`status = 'failed' and ended_at is null and not test and last_error_at <= ${scope.now}`,
    set: sql`status = 'running', held = false, late_accepted = true, wake_at = ${scope.now}`,
    outcome: sql`'played'`,
  }),
  resolve_failed: (scope: MerchantScope) => ({
    which: sql`status = 'failed' and ended_at is null and not test`,
    set: sql`status = 'resolved', asleep = false, wake_at = null, awaits = null, woken_by = null, held = false,
      ended_at = ${scope.now}`,
    outcome: sql`'resolved'`,
  }),
  skip_late: (scope: MerchantScope) => ({ which: sql`status = 'late'`, ...ended(scope, 'late_skipped') }),
  stop: (scope: MerchantScope) => ({ which: sql`ended_at is null`, ...ended(scope, 'stopped') }),
} satisfies Record<
  string,
  (
    scope: MerchantScope,
    lateBefore: Date,
  ) => { which: RawBuilder<unknown>; set: RawBuilder<unknown>; outcome: RawBuilder<unknown> }
>
export type ChangeOfMany = keyof typeof changesOfMany

function ended(scope: MerchantScope, reason: EndReason) {
  return {
    set: sql`status = 'done', end_reason = ${reason}, ended_at = ${scope.now}, asleep = false, wake_at = null, awaits = null,
      woken_by = null, held = false`,
    outcome: sql`'ended'`,
  }
}

/** Changes up to {@link CHANGED_AT_ONCE} executions of a scenario, with a line in the history of each; answers their ids. */
export async function changeSome(
  scope: TransactionScope,
  scenarioId: string,
  change: ChangeOfMany,
  lateBefore: Date,
): Promise<string[]> {
  const { which, set, outcome } = changesOfMany[change](scope, lateBefore)
  return changeThose(
    scope,
    sql`select id from executions where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and ${which}
      order by id limit ${CHANGED_AT_ONCE} for update`,
    sql`${set}`,
    outcome,
  )
}

export async function countLate(scope: MerchantScope, scenarioId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from executions
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and status = 'late'`.execute(scope.db)
  return rows[0]?.count ?? 0
}

/** Those of the executions that have not ended yet end, each for its reason; answers which. */
export async function endThose(
  scope: TransactionScope,
  ends: readonly { executionId: string; reason: EndReason }[],
): Promise<string[]> {
  if (ends.length === 0) return []
  const ids = ends.map(({ executionId }) => executionId)
  const reasons = ends.map(({ reason }) => reason)
  return changeThose(
    scope,
    sql`select id from executions where merchant_id = ${scope.merchantId} and id = any(${ids}::uuid[]) and ended_at is null
      order by id for update`,
    sql`status = 'done', ended_at = ${scope.now}, asleep = false, wake_at = null, awaits = null, woken_by = null, held = false,
      end_reason = (select r.reason from unnest(${ids}::uuid[], ${reasons}::text[]) as r (id, reason) where r.id = e.id limit 1)`,
    sql`'ended'`,
  )
}

/** Those of the executions that came to their last node have ended for these reasons instead; answers which. */
export async function endFinished(
  scope: TransactionScope,
  ends: readonly { executionId: string; reason: EndReason }[],
): Promise<string[]> {
  if (ends.length === 0) return []
  const ids = ends.map(({ executionId }) => executionId)
  const reasons = ends.map(({ reason }) => reason)
  return changeThose(
    scope,
    sql`select id from executions where merchant_id = ${scope.merchantId} and id = any(${ids}::uuid[]) and status = 'done'
        and end_reason = 'finished'
      order by id for update`,
    sql`end_reason = (select r.reason from unnest(${ids}::uuid[], ${reasons}::text[]) as r (id, reason) where r.id = e.id limit 1)`,
    sql`'ended'`,
  )
}

/** They ask. */
export async function markLate(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await changeThose(
    scope,
    sql`select id from executions where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[]) order by id for update`,
    sql`status = 'late'`,
    sql`'late'`,
  )
}

/** All that is due asks, however late it is. Answers how many; no more than {@link CHANGED_AT_ONCE}. */
export async function markDueLate(scope: TransactionScope): Promise<number> {
  const ids = await changeThose(
    scope,
    sql`select id from executions
      where merchant_id = ${scope.merchantId} and status = 'running' and not held and wake_at < ${scope.now}
        and not late_accepted and not test
      order by wake_at limit ${CHANGED_AT_ONCE} for update skip locked`,
    sql`status = 'late'`,
    sql`'late'`,
  )
  return ids.length
}

/**
 * Changes the executions that `which` selects and locks, and writes a line into the history of each where `outcome` (SQL over the
 * changed row) is not null.
 */
async function changeThose(
  scope: TransactionScope,
  which: RawBuilder<unknown>,
  set: RawBuilder<unknown>,
  outcome: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with those as materialized (${which}), changed as (
      update executions e set ${set}, steps = e.steps + 1
      from those where e.merchant_id = ${scope.merchantId} and e.id = those.id
      returning e.*
    ), told as (
      insert into execution_steps (merchant_id, execution_id, seq, round, node_id, node_kind, outcome, detail, at)
      select merchant_id, id, steps, round, coalesce(node_id, ''), '', outcome,
        case outcome when 'ended' then jsonb_build_object('reason', end_reason)
          when 'late' then jsonb_build_object('due', wake_at) end, ${scope.now}
      from (select *, ${outcome} as outcome from changed) as c where outcome is not null
    )
    select id from changed`.execute(scope.db)
  return rows.map(({ id }) => id)
}
