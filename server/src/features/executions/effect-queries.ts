import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import type { StepError } from '@okaeri/contract/scenarios/execution-status'
import { sql } from 'kysely'
import { newIds } from '../../kernel/ids.ts'
import { isFree, leaseEnd } from '../../kernel/work/leases.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { wakeVisits } from './step-queries.ts'

export type Effect =
  | { kind: 'webhook'; payload: { url: string } }
  | { kind: 'tags'; payload: { add: string[]; remove: string[] } }
interface Visit {
  id: string
  round: number
}

/** Effects of these executions, one per visit of the node. One that failed or was held too long starts again. */
export async function insertEffects(
  scope: TransactionScope,
  nodeId: string,
  executions: readonly Visit[],
  { kind, payload }: Effect,
): Promise<void> {
  await sql`
    insert into execution_effects as f (merchant_id, id, execution_id, node_id, round, kind, payload, next_attempt_at, created_at)
    select ${scope.merchantId}, r.id, r.execution_id, ${nodeId}, r.round, ${kind}, ${JSON.stringify(payload)}::jsonb, ${scope.now}, ${scope.now}
    from unnest(${newIds(executions.length)}::uuid[], ${executions.map(({ id }) => id)}::uuid[],
      ${executions.map(({ round }) => round)}::smallint[]) as r (id, execution_id, round)
    on conflict (merchant_id, execution_id, node_id, round) do update
      set payload = excluded.payload, status = 'pending', attempts = 0, next_attempt_at = excluded.next_attempt_at, error = null
      where f.status in ('failed', 'held')`.execute(scope.db)
}

export interface EffectResult {
  /** `held`: it fell due while the scenario was stopped. */
  status: 'pending' | 'held' | 'done' | 'failed'
  error: StepError | null
  answer: string | null
}
/** By execution: the result of its effect at this node. */
export async function selectEffects(
  scope: TransactionScope,
  nodeId: string,
  executions: readonly Visit[],
): Promise<Map<string, EffectResult>> {
  const { rows } = await sql<EffectResult & { execution_id: string }>`
    select f.execution_id, f.status, f.error, f.answer
    from unnest(${executions.map(({ id }) => id)}::uuid[], ${executions.map(({ round }) => round)}::smallint[])
      as r (execution_id, round)
    join execution_effects f on f.merchant_id = ${scope.merchantId} and f.execution_id = r.execution_id
      and f.node_id = ${nodeId} and f.round = r.round`.execute(scope.db)
  return new Map(rows.map(({ execution_id, ...result }) => [execution_id, result]))
}

export type ClaimedEffect = Effect & {
  id: string
  execution_id: string
  node_id: string
  round: number
  /** Tries before this one. */
  attempts: number
  lease_expires_at: Date
}

export interface DueEffect {
  id: string
  /** Null: its execution was deleted. */
  scenario_id: string | null
}

/** Due effects, the longest due first; locked, without those another worker holds. */
export async function lockDueEffects(scope: TransactionScope, limit: number): Promise<DueEffect[]> {
  const { rows } = await sql<DueEffect>`
    select f.id, e.scenario_id from execution_effects f
    left join executions e on e.merchant_id = ${scope.merchantId} and e.id = f.execution_id
    where f.merchant_id = ${scope.merchantId} and f.status = 'pending' and f.next_attempt_at <= ${scope.now}
      and ${isFree}
    order by f.next_attempt_at limit ${limit} for update of f skip locked`.execute(scope.db)
  return rows
}

/** Claims them for this long. If a worker dies, another may claim them after that. */
export async function leaseEffects(
  scope: TransactionScope,
  ids: readonly string[],
  leaseMs: number,
): Promise<ClaimedEffect[]> {
  const { rows } = await sql<ClaimedEffect>`
    update execution_effects f set lease_expires_at = ${leaseEnd(leaseMs)}, attempts = f.attempts + 1
    where f.merchant_id = ${scope.merchantId} and f.id = any(${[...ids]}::uuid[])
    returning f.id, f.execution_id, f.node_id, f.round, f.kind, f.payload, f.attempts - 1 as attempts, f.lease_expires_at`.execute(
    scope.db,
  )
  return rows
}

/** Their scenario is stopped, so they are set aside until it is enabled. */
export async function markEffectsStopped(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  await sql`update execution_effects set status = 'held', lease_expires_at = null
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(scope.db)
}

/**
 * The scenario is enabled again, so held effects are done now. An effect due since before `wantedFrom` stays held, and its execution
 * becomes due, so that it can ask.
 */
export async function releaseEffects(scope: TransactionScope, scenarioId: string, wantedFrom: Date): Promise<void> {
  const { merchantId, now } = scope
  const held = sql`f.merchant_id = ${merchantId} and f.status = 'held' and e.merchant_id = ${merchantId} and e.id = f.execution_id
    and e.scenario_id = ${scenarioId}`
  await sql`
    update execution_effects f set status = 'pending', next_attempt_at = ${now}
    from executions e where ${held} and f.next_attempt_at >= ${wantedFrom}`.execute(scope.db)
  await sql`
    update executions e set held = true, wake_at = f.next_attempt_at
    from execution_effects f where ${held} and e.node_id = f.node_id and e.round = f.round and e.asleep and e.awaits = 'effect'`.execute(
    scope.db,
  )
}

/**
 * Stores the result if the worker still holds the effect; a final result lets the execution continue. Returns whether it was still
 * held.
 */
export async function updateEffect(
  scope: TransactionScope,
  effect: ClaimedEffect,
  result: {
    status: 'pending' | 'done' | 'failed'
    error: StepError | null
    answer: string
    nextAttemptAt: Date | null
  },
): Promise<boolean> {
  const final = result.status !== 'pending'
  const { rows } = await sql<{ execution_id: string; node_id: string; round: number }>`
    update execution_effects set status = ${result.status}, error = ${result.error}, answer = ${result.answer},
      next_attempt_at = coalesce(${result.nextAttemptAt}::timestamptz, next_attempt_at), lease_expires_at = null,
      done_at = ${final ? scope.now : null}
    where merchant_id = ${scope.merchantId} and id = ${effect.id} and lease_expires_at = ${effect.lease_expires_at}
    returning execution_id, node_id, round`.execute(scope.db)
  const [held] = rows
  if (held && final)
    await wakeVisits(scope, [{ executionId: held.execution_id, nodeId: held.node_id, round: held.round }])
  return held !== undefined
}

export interface EffectSubject {
  execution_id: string
  created_at: Date
  scenario_id: string
  scenario_name: string
  node_name: string | null
  customer_id: string | null
  store_customer_id: number | null
  email: string | null
  first_name: string | null
  last_name: string | null
  tags: string[] | null
  guest_id: string | null
  event_kind: EventKind | null
  event_subject: EventSubject | null
  event_occurred_at: Date | null
}
/** The customer and execution of an effect, as they are now; null if the execution was deleted or has ended. */
export async function findEffectSubject(
  scope: MerchantScope,
  { execution_id, node_id }: { execution_id: string; node_id: string },
): Promise<EffectSubject | null> {
  const { rows } = await sql<EffectSubject>`
    select e.id as execution_id, e.created_at, e.scenario_id, s.name as scenario_name, (
        select n ->> 'name' from jsonb_array_elements(w.flow -> 'nodes') as n where n ->> 'id' = ${node_id}
      ) as node_name,
      c.id as customer_id, c.store_customer_id, c.email, c.first_name, c.last_name, c.tags, e.guest_id,
      v.kind as event_kind, v.subject as event_subject, v.occurred_at as event_occurred_at
    from executions e
    join scenarios s on s.merchant_id = e.merchant_id and s.id = e.scenario_id
    join scenario_versions w on w.merchant_id = e.merchant_id and w.scenario_id = e.scenario_id and w.number = e.version
    left join customers c on c.merchant_id = e.merchant_id and c.id = e.customer_id
    left join events v on v.merchant_id = e.merchant_id and v.id = e.event_id
    where e.merchant_id = ${scope.merchantId} and e.id = ${execution_id} and e.ended_at is null`.execute(scope.db)
  return rows[0] ?? null
}
