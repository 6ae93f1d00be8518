import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import type { EndReason, ExecutionStatus, StepError } from '@okaeri/contract/scenarios/execution'
import { EXECUTIONS_COUNTED_TO } from '@okaeri/contract/scenarios/scenario'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

export interface ExecutionRow {
  id: string
  scenario_id: string
  version: number
  event_id: string | null
  customer_id: string | null
  guest_id: string | null
  status: ExecutionStatus
  end_reason: EndReason | null
  node_id: string | null
  asleep: boolean
  wake_at: Date | null
  awaits: string | null
  woken_by: 'event' | 'effect' | null
  asleep_since: Date | null
  held: boolean
  round: number
  attempts: number
  steps: number
  test: boolean
  held_out: boolean
  late_accepted: boolean
  coupon_id: string | null
  last_error: StepError | null
  last_error_detail: string | null
  last_error_at: Date | null
  created_at: Date
  ended_at: Date | null
}

/** With what it refers to, for people. */
export interface NamedExecutionRow extends ExecutionRow {
  scenario_name: string
  event_kind: EventKind | null
  event_subject: EventSubject | null
  event_occurred_at: Date | null
  customer_name: string | null
  customer_email: string | null
  /** Where a mail was sent last. */
  sent_node_id: string | null
}

const named = sql`e.*, s.name as scenario_name, v.kind as event_kind, v.subject as event_subject,
  v.occurred_at as event_occurred_at, c.display_name as customer_name, c.email as customer_email, (
    select t.node_id from execution_steps t
    where t.merchant_id = e.merchant_id and t.execution_id = e.id and t.node_kind = 'send_email' and t.delivery_id is not null
    order by t.seq desc limit 1
  ) as sent_node_id`
const withNames = (scope: MerchantScope, those: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${those}) e
  join scenarios s on s.merchant_id = ${scope.merchantId} and s.id = e.scenario_id
  left join events v on v.merchant_id = ${scope.merchantId} and v.id = e.event_id
  left join customers c on c.merchant_id = ${scope.merchantId} and c.id = e.customer_id`

export interface ExecutionFilter {
  action_id?: string | undefined
  customer_id?: string | undefined
  status?: ExecutionStatus | undefined
  node_id?: string | undefined
  test?: 'true' | 'false' | undefined
  /** Customers found by the words looked for. */
  found?: readonly string[] | undefined
}

export async function selectExecutions(
  scope: MerchantScope,
  filter: ExecutionFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: NamedExecutionRow[]; total: number }> {
  const parts = [sql`merchant_id = ${scope.merchantId}`]
  if (filter.action_id) parts.push(sql`scenario_id = ${filter.action_id}`)
  if (filter.customer_id) parts.push(sql`customer_id = ${filter.customer_id}`)
  if (filter.status) {
    parts.push(sql`status = ${filter.status}`)
    // An index has these alone.
    if (filter.status !== 'done' && filter.status !== 'resolved') parts.push(sql`ended_at is null`)
  }
  if (filter.node_id) parts.push(sql`node_id = ${filter.node_id}`)
  if (filter.test) parts.push(sql`test = ${filter.test === 'true'}`)
  if (filter.found) parts.push(sql`customer_id = any(${[...filter.found]}::uuid[])`)
  const where = sql.join(parts, sql` and `)
  const those = sql`select * from executions where ${where} order by id desc limit ${page.limit} offset ${page.offset}`
  const [rows, count] = await Promise.all([
    sql<NamedExecutionRow>`select ${named} from ${withNames(scope, those)} order by e.id desc`.execute(scope.db),
    sql<{ total: number }>`
      select count(*)::int as total from (select from executions where ${where} limit ${EXECUTIONS_COUNTED_TO}) as few`.execute(
      scope.db,
    ),
  ])
  return { rows: rows.rows, total: count.rows[0]?.total ?? 0 }
}

export async function getNamedExecution(scope: MerchantScope, id: string): Promise<NamedExecutionRow> {
  const those = sql`select * from executions where merchant_id = ${scope.merchantId} and id = ${id}`
  const { rows } = await sql<NamedExecutionRow>`select ${named} from ${withNames(scope, those)}`.execute(scope.db)
  if (!rows[0]) throw notFound('there is no such execution')
  return rows[0]
}

/** Locked until the transaction ends. */
export async function getExecutionForUpdate(scope: TransactionScope, id: string): Promise<ExecutionRow> {
  const { rows } = await sql<ExecutionRow>`
    select * from executions where merchant_id = ${scope.merchantId} and id = ${id} for update`.execute(scope.db)
  if (!rows[0]) throw notFound('there is no such execution')
  return rows[0]
}

export interface StepView {
  at: Date
  round: number
  node_id: string
  node_kind: string
  outcome: string
  detail: Record<string, unknown> | null
  delivery_id: string | null
}

/** A loop may have left thousands; the newest are shown. */
const MAX_STEPS_SHOWN = 1000
export async function selectSteps(scope: MerchantScope, executionId: string): Promise<StepView[]> {
  const { rows } = await sql<StepView>`
    select at, round, node_id, node_kind, outcome, detail, delivery_id from execution_steps
    where merchant_id = ${scope.merchantId} and execution_id = ${executionId}
    order by seq desc limit ${MAX_STEPS_SHOWN}`.execute(scope.db)
  return rows.reverse()
}

export async function selectEmailNames(scope: MerchantScope, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from emails where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(
    scope.db,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The present version of a scenario; null when it was deleted. */
export async function findPresentVersion(scope: MerchantScope, scenarioId: string): Promise<number | null> {
  const { rows } = await sql<{ version: number }>`
    select version from scenarios where merchant_id = ${scope.merchantId} and id = ${scenarioId} and status <> 'deleted'`.execute(
    scope.db,
  )
  return rows[0]?.version ?? null
}

export type ExecutionChange = Partial<Omit<ExecutionRow, 'id' | 'scenario_id' | 'created_at'>>

export async function updateExecution(scope: TransactionScope, id: string, change: ExecutionChange): Promise<void> {
  await scope.db
    .updateTable('executions')
    .set(change)
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

/** The execution with its history and what was still to be done outside for it. */
export async function deleteExecutionRows(scope: TransactionScope, id: string): Promise<void> {
  const { merchantId } = scope
  await sql`delete from execution_effects where merchant_id = ${merchantId} and execution_id = ${id}`.execute(scope.db)
  await sql`delete from execution_steps where merchant_id = ${merchantId} and execution_id = ${id}`.execute(scope.db)
  await sql`delete from executions where merchant_id = ${merchantId} and id = ${id}`.execute(scope.db)
}

export async function dropPendingEffects(scope: TransactionScope, executionIds: readonly string[]): Promise<void> {
  await sql`delete from execution_effects
    where merchant_id = ${scope.merchantId} and execution_id = any(${[...executionIds]}::uuid[]) and status = 'pending'`.execute(
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

/** Found due more than a day late after nobody was there to wake them: they ask. Answers how many. */
export async function markLate(scope: TransactionScope, lateBefore: Date): Promise<number> {
  const ids = await changeThose(
    scope,
    sql`select id from executions
      where merchant_id = ${scope.merchantId} and status = 'running' and not held and wake_at < ${lateBefore}
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

/** Executions asleep until a time of day: those nodes of which `ends` tells the new end for when each fell asleep. */
export async function listAsleepAt(
  scope: MerchantScope,
  at: { scenarioId: string; version: number; nodeIds: readonly string[]; after: string; limit: number },
): Promise<{ id: string; node_id: string; asleep_since: Date }[]> {
  const { rows } = await sql<{ id: string; node_id: string; asleep_since: Date }>`
    select id, node_id, asleep_since from executions
    where merchant_id = ${scope.merchantId} and scenario_id = ${at.scenarioId} and version = ${at.version}
      and ended_at is null and asleep and asleep_since is not null and node_id = any(${[...at.nodeIds]}::text[]) and id > ${at.after}
    order by id limit ${at.limit}`.execute(scope.db)
  return rows
}

/** Unless one has left its node meanwhile. */
export async function updateWakeTimes(
  scope: MerchantScope,
  times: readonly { id: string; node_id: string; asleep_since: Date; wake_at: Date }[],
): Promise<void> {
  await sql`
    update executions e set wake_at = r.wake_at
    from unnest(${times.map(({ id }) => id)}::uuid[], ${times.map(({ node_id }) => node_id)}::text[],
      ${times.map(({ asleep_since }) => asleep_since)}::timestamptz[], ${times.map(({ wake_at }) => wake_at)}::timestamptz[])
      as r (id, node_id, asleep_since, wake_at)
    where e.merchant_id = ${scope.merchantId} and e.id = any(${times.map(({ id }) => id)}::uuid[]) and e.id = r.id
      and e.node_id = r.node_id and e.asleep and e.asleep_since = r.asleep_since`.execute(scope.db)
}

/** Versions on which executions are asleep now. */
export async function listVersionsInUse(scope: MerchantScope): Promise<{ scenarioId: string; version: number }[]> {
  const { rows } = await sql<{ scenarioId: string; version: number }>`
    select distinct scenario_id as "scenarioId", version from executions
    where merchant_id = ${scope.merchantId} and ended_at is null and asleep`.execute(scope.db)
  return rows
}

/** Executions of a customer that have not ended. */
export async function listGoingOn(scope: MerchantScope, customerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from executions where merchant_id = ${scope.merchantId} and customer_id = ${customerId} and ended_at is null`.execute(
    scope.db,
  )
  return rows.map(({ id }) => id)
}

/** Executions on their way of somebody who is to become this customer, of scenarios in which the customer is on the way too. */
export async function selectDoubled(
  scope: MerchantScope,
  from: { customerId: string } | { guestId: string },
  intoId: string,
): Promise<{ id: string; scenario_id: string; version: number }[]> {
  const theirs =
    'customerId' in from
      ? sql`e.customer_id = ${from.customerId}`
      : sql`e.guest_id = ${from.guestId} and e.customer_id is null`
  const { rows } = await sql<{ id: string; scenario_id: string; version: number }>`
    select e.id, e.scenario_id, e.version from executions e
    where e.merchant_id = ${scope.merchantId} and ${theirs} and e.ended_at is null and not e.test and exists (
      select from executions o
      where o.merchant_id = ${scope.merchantId} and o.customer_id = ${intoId} and o.scenario_id = e.scenario_id
        and o.ended_at is null and not o.test)`.execute(scope.db)
  return rows
}

export async function moveExecutions(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`update executions set customer_id = ${intoId}
    where merchant_id = ${scope.merchantId} and customer_id = ${fromId}`.execute(scope.db)
}

/** A guest who turned out to be a customer. */
export async function moveExecutionsFromGuest(
  scope: MerchantScope,
  guestId: string,
  customerId: string,
): Promise<void> {
  await sql`update executions set customer_id = ${customerId}, guest_id = null
    where merchant_id = ${scope.merchantId} and guest_id = ${guestId} and customer_id is null`.execute(scope.db)
}
