import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import type { EndReason, ExecutionStatus, StepError } from '@okaeri/contract/scenarios/execution-status'
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

/** With the names of what it refers to. */
export interface NamedExecutionRow extends ExecutionRow {
  scenario_name: string
  event_kind: EventKind | null
  event_subject: EventSubject | null
  event_occurred_at: Date | null
  customer_name: string | null
  customer_email: string | null
  /** The node of the last message that was sent; a skipped or waiting one does not count. */
  sent_node_id: string | null
}

const named = ({
  merchantId,
}: MerchantScope): RawBuilder<unknown> => sql`e.*, s.name as scenario_name, coalesce(v.kind, e.kept_event ->> 'kind') as event_kind,
  coalesce(v.subject, e.kept_event -> 'subject') as event_subject,
  coalesce(v.occurred_at, (e.kept_event ->> 'occurred_at')::timestamptz) as event_occurred_at, c.display_name as customer_name, c.email as customer_email, (
    select t.node_id from execution_steps t
    join deliveries d on d.merchant_id = ${merchantId} and d.id = t.delivery_id and d.status in ('sent', 'sending', 'uncertain')
    where t.merchant_id = ${merchantId} and t.execution_id = e.id and t.node_kind in ('send_email', 'send_line')
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
  error?: StepError | undefined
  /** Customers that match the search words. */
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
    // An index contains only these.
    if (filter.status !== 'done' && filter.status !== 'resolved') parts.push(sql`ended_at is null`)
  }
  if (filter.node_id) parts.push(sql`node_id = ${filter.node_id}`)
  if (filter.test) parts.push(sql`test = ${filter.test === 'true'}`)
  // Only failed executions: an accepted or retried one also keeps its error.
  if (filter.error) parts.push(sql`last_error = ${filter.error} and status = 'failed' and ended_at is null`)
  if (filter.found) parts.push(sql`customer_id = any(${[...filter.found]}::uuid[])`)
  const where = sql.join(parts, sql` and `)
  const those = sql`select * from executions where ${where} order by id desc limit ${page.limit} offset ${page.offset}`
  const [rows, count] = await Promise.all([
    sql<NamedExecutionRow>`select ${named(scope)} from ${withNames(scope, those)} order by e.id desc`.execute(scope.db),
    sql<{ total: number }>`
      select count(*)::int as total from (select from executions where ${where} limit ${EXECUTIONS_COUNTED_TO}) as few`.execute(
      scope.db,
    ),
  ])
  return { rows: rows.rows, total: count.rows[0]?.total ?? 0 }
}

export async function getNamedExecution(scope: MerchantScope, id: string): Promise<NamedExecutionRow> {
  const those = sql`select * from executions where merchant_id = ${scope.merchantId} and id = ${id}`
  const { rows } = await sql<NamedExecutionRow>`select ${named(scope)} from ${withNames(scope, those)}`.execute(
    scope.db,
  )
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

/** Of emails and LINE messages. */
export async function selectContentNames(scope: MerchantScope, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from emails where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])
    union all
    select id, name from line_messages where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(
    scope.db,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
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

/** Deletes the execution with its history and its effects. */
export async function deleteExecutionRows(scope: TransactionScope, id: string): Promise<void> {
  const { merchantId } = scope
  await sql`delete from execution_effects where merchant_id = ${merchantId} and execution_id = ${id}`.execute(scope.db)
  await sql`delete from execution_steps where merchant_id = ${merchantId} and execution_id = ${id}`.execute(scope.db)
  await sql`delete from executions where merchant_id = ${merchantId} and id = ${id}`.execute(scope.db)
}

/** Executions asleep until a time of day, with their new end according to `ends`. */
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

/** Skips those that have left the node meanwhile. */
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

/** Versions with sleeping executions. */
export async function listVersionsInUse(scope: MerchantScope): Promise<{ scenarioId: string; version: number }[]> {
  const { rows } = await sql<{ scenarioId: string; version: number }>`
    select distinct scenario_id as "scenarioId", version from executions
    where merchant_id = ${scope.merchantId} and ended_at is null and asleep`.execute(scope.db)
  return rows
}

export const isExecutionOf = (who: { customerId: string } | { guestId: string }): RawBuilder<boolean> =>
  'customerId' in who
    ? sql`e.customer_id = ${who.customerId}`
    : sql`(e.guest_id = ${who.guestId} and e.customer_id is null)`

/** Running executions of a person who is about to become this customer, in scenarios where the customer has one too. */
export async function selectDoubled(
  scope: MerchantScope,
  from: { customerId: string } | { guestId: string },
  intoId: string,
): Promise<{ id: string; scenario_id: string; version: number }[]> {
  const { rows } = await sql<{ id: string; scenario_id: string; version: number }>`
    select e.id, e.scenario_id, e.version from executions e
    where e.merchant_id = ${scope.merchantId} and ${isExecutionOf(from)} and e.ended_at is null and not e.test and exists (
      select from executions o
      where o.merchant_id = ${scope.merchantId} and o.customer_id = ${intoId} and o.scenario_id = e.scenario_id
        and o.ended_at is null and not o.test)`.execute(scope.db)
  return rows
}

export async function reassignExecutions(scope: MerchantScope, fromId: string, intoId: string): Promise<void> {
  await sql`update executions set customer_id = ${intoId}
    where merchant_id = ${scope.merchantId} and customer_id = ${fromId}`.execute(scope.db)
}

/** A guest became a customer. Returns which executions were the guest's. */
export async function reassignGuestExecutions(
  scope: MerchantScope,
  guestId: string,
  customerId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update executions set customer_id = ${customerId}, guest_id = null
    where merchant_id = ${scope.merchantId} and guest_id = ${guestId} and customer_id is null returning id`.execute(
    scope.db,
  )
  return rows.map(({ id }) => id)
}

/** The ids that exist. */
export async function executionsKnown(scope: MerchantScope, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from executions where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(
    scope.db,
  )
  return new Set(rows.map(({ id }) => id))
}
