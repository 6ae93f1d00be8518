import { lateBefore } from '@okaeri/contract/late'
import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import type { EndReason, ExecutionStatus, StepError } from '@okaeri/contract/scenarios/execution-status'
import { type RawBuilder, sql } from 'kysely'
import { setLocally } from '../../kernel/local-settings.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { distinctRows } from './distinct-rows-sql.ts'

export interface DueRow {
  id: string
  scenario_id: string
  version: number
  event_id: string | null
  customer_id: string | null
  guest_id: string | null
  node_id: string | null
  asleep: boolean
  woken_by: 'event' | 'effect' | null
  asleep_since: Date | null
  round: number
  attempts: number
  steps: number
  test: boolean
  held_out: boolean
  coupon_id: string | null
  created_at: Date
  event_kind: EventKind | null
  event_subject: EventSubject | null
  event_occurred_at: Date | null
}
/**
 * `is_late`: too late to continue without asking, and no one has accepted it yet. An execution that gives up an effect is never late,
 * because it sends nothing.
 */
export type FoundRow = DueRow & { is_late: boolean }

/** Until the transaction ends, waiting longer for a lock fails (55P03), and the work is tried later. */
export async function limitLockWaits(scope: TransactionScope, limitMs: number): Promise<void> {
  await setLocally(scope, 'lock_timeout', String(limitMs))
}

/** Due executions, the longest due first; locked, without those another worker holds. `only`: of these alone. */
export async function claimDueExecutions(
  scope: TransactionScope,
  { limit, only }: { limit: number; only?: readonly string[] },
): Promise<FoundRow[]> {
  const which = only ? sql`and id = any(${[...only]}::uuid[])` : sql``
  const { rows } = await sql<FoundRow>`
    with due as materialized (
      select * from executions
      where merchant_id = ${scope.merchantId} and status = 'running' and not held and wake_at <= ${scope.now} ${which}
      order by wake_at limit ${limit} for update skip locked
    )
    select d.id, d.scenario_id, d.version, d.event_id, d.customer_id, d.guest_id, d.node_id, d.asleep, d.woken_by, d.asleep_since,
      d.round, d.attempts, d.steps, d.test, d.held_out, d.coupon_id, d.created_at,
      d.wake_at < ${lateBefore('scenario', scope.now)} and not d.late_accepted and not d.test
        and d.awaits is distinct from 'effect' as is_late,
      v.kind as event_kind, v.subject as event_subject, v.occurred_at as event_occurred_at
    from due d left join events v on v.merchant_id = ${scope.merchantId} and v.id = d.event_id
    order by d.wake_at, d.id`.execute(scope.db)
  return rows
}

/** Due, but the scenario is stopped: set aside until it is enabled. */
export async function markStopped(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  await sql`update executions set held = true where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(
    scope.db,
  )
}

export interface StateRow {
  id: string
  status: ExecutionStatus
  end_reason: EndReason | null
  node_id: string | null
  asleep: boolean
  wake_at: Date | null
  awaits: string | null
  asleep_since: Date | null
  round: number
  attempts: number
  steps: number
  coupon_id: string | null
  last_error: StepError | null
  last_error_detail: string | null
}

/** Stores where executions came to rest, and clears their wake-up. An accepted delay stays accepted until they sleep for a future time. */
export async function updateStates(scope: TransactionScope, states: readonly StateRow[]): Promise<void> {
  const { distinct, numbers } = distinctRows(states.map(({ id: _own, ...state }) => state))
  const ids = states.map(({ id }) => id)
  await sql`
    update executions e set status = r.status, end_reason = r.end_reason, node_id = r.node_id, asleep = r.asleep,
      wake_at = r.wake_at, awaits = r.awaits, asleep_since = r.asleep_since, woken_by = null, round = r.round,
      attempts = r.attempts, steps = r.steps, coupon_id = r.coupon_id,
      late_accepted = coalesce(e.late_accepted and r.wake_at <= ${scope.now}, false),
      last_error = r.last_error, last_error_detail = r.last_error_detail,
      last_error_at = case when r.last_error is null then null else ${scope.now}::timestamptz end,
      ended_at = case when r.status = 'done' then ${scope.now}::timestamptz end
    from unnest(${ids}::uuid[], ${numbers}::int[]) as k (id, number)
    join ${distinct} as r (${stateColumns}) on r.number = k.number
    where e.merchant_id = ${scope.merchantId} and e.id = any(${ids}::uuid[]) and e.id = k.id
  `.execute(scope.db)
}

const stateColumns = sql`number int, status text, end_reason text, node_id text, asleep boolean, wake_at timestamptz, awaits text,
  asleep_since timestamptz, round smallint, attempts smallint, steps int, coupon_id uuid, last_error text, last_error_detail text`

export interface StepRow {
  execution_id: string
  seq: number
  round: number
  node_id: string
  node_kind: string
  outcome: string
  detail: Record<string, unknown> | null
  delivery_id: string | null
}

export async function insertSteps(scope: TransactionScope, steps: readonly StepRow[]): Promise<void> {
  if (steps.length === 0) return
  const { distinct, numbers } = distinctRows(steps.map(({ execution_id: _whose, delivery_id: _own, ...step }) => step))
  await sql`
    insert into execution_steps (merchant_id, execution_id, seq, round, node_id, node_kind, outcome, detail, delivery_id, at)
    select ${scope.merchantId}, k.execution_id, r.seq, r.round, r.node_id, r.node_kind, r.outcome, r.detail, k.delivery_id,
      ${scope.now}
    from unnest(${steps.map(({ execution_id: id }) => id)}::uuid[], ${steps.map(({ delivery_id: id }) => id)}::uuid[],
      ${numbers}::int[]) as k (execution_id, delivery_id, number)
    join ${distinct} as r (number int, seq int, round smallint, node_id text, node_kind text, outcome text, detail jsonb)
      on r.number = k.number`.execute(scope.db)
}

export interface CountRow {
  scenario_id: string
  node_id: string
  entered: number
  passed: number
  failed: number
}

/**
 * Last in a transaction, and always in the same order: every worker writes these few rows, and the first to lock them makes the others
 * wait until it commits.
 */
export async function addNodeCounts(scope: TransactionScope, counts: readonly CountRow[]): Promise<void> {
  if (counts.length === 0) return
  await sql`
    insert into scenario_node_counts as k (merchant_id, scenario_id, node_id, entered, passed, failed)
    select ${scope.merchantId}, r.* from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as r (scenario_id uuid, node_id text,
      entered bigint, passed bigint, failed bigint)
    order by scenario_id, node_id
    on conflict (merchant_id, scenario_id, node_id) do update
      set entered = k.entered + excluded.entered, passed = k.passed + excluded.passed, failed = k.failed + excluded.failed
  `.execute(scope.db)
}

/** Which executions: these, or those of these customers or guests that wait for events of a kind. */
type Waiting =
  | { executionIds: readonly string[] }
  | { customerId: string }
  | { kind: EventKind; customerIds: readonly string[] }
  | { kind: EventKind; guestIds: readonly string[] }

function thoseWaiting(which: Waiting): RawBuilder<boolean> {
  if ('executionIds' in which) return sql`e.id = any(${[...which.executionIds]}::uuid[]) and e.awaits is not null`
  if ('customerId' in which) return sql`e.customer_id = ${which.customerId} and e.awaits is not null`
  if ('guestIds' in which) return sql`e.guest_id = any(${[...which.guestIds]}::uuid[]) and e.awaits = ${which.kind}`
  return sql`e.customer_id = any(${[...which.customerIds]}::uuid[]) and e.awaits = ${which.kind}`
}

/**
 * Wakes those of the executions whose awaited event has happened since they began to wait. The event that started an execution does not
 * count.
 */
export async function wakeByEvents(scope: MerchantScope, which: Waiting): Promise<void> {
  await sql`
    update executions e set wake_at = ${scope.now}, awaits = null, woken_by = 'event'
    where e.merchant_id = ${scope.merchantId} and ${thoseWaiting(which)} and e.asleep and e.ended_at is null
      and (exists (
        select from events v
        where v.merchant_id = ${scope.merchantId} and v.customer_id = e.customer_id and v.kind = e.awaits
          and v.occurred_at >= e.asleep_since and v.id is distinct from e.event_id
      ) or e.customer_id is null and exists (
        select from events v
        where v.merchant_id = ${scope.merchantId} and v.guest_id = e.guest_id and v.kind = e.awaits
          and v.occurred_at >= e.asleep_since and v.id is distinct from e.event_id
      ))`.execute(scope.db)
}

/** Makes them due. If their scenario is stopped or deleted, that shows when they are found. */
export async function wakeNow(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  await sql`
    update executions set wake_at = ${scope.now}, awaits = null, status = case when status = 'late' then 'running' else status end
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[]) and (asleep or status = 'late') and ended_at is null`.execute(
    scope.db,
  )
}

/** Executions that wait for something outside at these visits continue. */
export async function wakeVisits(
  scope: TransactionScope,
  visits: readonly { executionId: string; nodeId: string; round: number }[],
): Promise<void> {
  await sql`
    update executions e set woken_by = 'effect', awaits = null, wake_at = ${scope.now}
    from unnest(${visits.map(({ executionId }) => executionId)}::uuid[], ${visits.map(({ nodeId }) => nodeId)}::text[],
      ${visits.map(({ round }) => round)}::smallint[]) as v (id, node_id, round)
    where e.merchant_id = ${scope.merchantId} and e.id = v.id and e.node_id = v.node_id and e.round = v.round
      and e.asleep and e.awaits = 'effect' and e.ended_at is null`.execute(scope.db)
}

/** Executions that wait at a step for something outside continue; returns how many. */
export async function wakeStep(
  scope: TransactionScope,
  { scenarioId, nodeId }: { scenarioId: string; nodeId: string },
): Promise<number> {
  const { rows } = await sql`
    update executions set woken_by = 'effect', awaits = null, wake_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and node_id = ${nodeId} and asleep and awaits = 'effect'
      and ended_at is null
    returning id`.execute(scope.db)
  return rows.length
}

/** How many wait at these steps for something outside, up to a limit each, in their order. */
export async function countWaitingAtSteps(
  scope: MerchantScope,
  steps: readonly { scenarioId: string; nodeId: string }[],
  limit: number,
): Promise<number[]> {
  const counts: number[] = []
  for (const { scenarioId, nodeId } of steps) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from (
        select from executions
        where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and node_id = ${nodeId} and asleep and awaits = 'effect'
          and ended_at is null limit ${limit}) e`.execute(scope.db)
    counts.push(rows[0]?.count ?? 0)
  }
  return counts
}

export interface NewExecution {
  id: string
  scenario_id: string
  version: number
  event_id: string | null
  customer_id: string | null
  guest_id: string | null
  node_id: string | null
  held_out: boolean
  test: boolean
  /** A member accepted the delay already. */
  late_accepted: boolean
}

export const BEGINNING = {
  status: 'running',
  end_reason: null,
  asleep: false,
  awaits: null,
  asleep_since: null,
  round: 1,
  attempts: 0,
  steps: 0,
  coupon_id: null,
  last_error: null,
  last_error_detail: null,
} as const satisfies Omit<StateRow, 'id' | 'node_id' | 'wake_at'>

/** Inserts them where they came to rest; the others at their first node, due now. */
export async function insertExecutions(
  scope: TransactionScope,
  executions: readonly NewExecution[],
  rests: ReadonlyMap<string, StateRow> = new Map(),
): Promise<void> {
  if (executions.length === 0) return
  const { distinct, numbers } = distinctRows(
    executions.map(({ id, scenario_id, version, node_id, held_out, test, late_accepted }) => {
      const { id: _own, ...state } = rests.get(id) ?? { id, ...BEGINNING, node_id, wake_at: scope.now }
      return { ...state, scenario_id, version, held_out, test, late_accepted }
    }),
  )
  await sql`
    insert into executions (merchant_id, id, event_id, customer_id, guest_id, scenario_id, version, held_out, test, status, end_reason,
      node_id, asleep, wake_at, awaits, asleep_since, round, attempts, steps, coupon_id, last_error, last_error_detail, last_error_at,
      late_accepted, created_at, ended_at)
    select ${scope.merchantId}, k.id, k.event_id, k.customer_id, k.guest_id, r.scenario_id, r.version, r.held_out, r.test, r.status,
      r.end_reason, r.node_id, r.asleep, r.wake_at, r.awaits, r.asleep_since, r.round, r.attempts, r.steps, r.coupon_id, r.last_error,
      r.last_error_detail, case when r.last_error is not null then ${scope.now}::timestamptz end,
      coalesce(r.late_accepted and r.wake_at <= ${scope.now}, false), ${scope.now}::timestamptz,
      case when r.status = 'done' then ${scope.now}::timestamptz end
    from unnest(${executions.map(({ id }) => id)}::uuid[], ${executions.map(({ event_id: id }) => id)}::uuid[],
      ${executions.map(({ customer_id: id }) => id)}::uuid[], ${executions.map(({ guest_id: id }) => id)}::uuid[], ${numbers}::int[])
      as k (id, event_id, customer_id, guest_id, number)
    join ${distinct} as r (${stateColumns}, scenario_id uuid, version int, held_out boolean, test boolean, late_accepted boolean)
      on r.number = k.number
    order by k.id`.execute(scope.db)
}
