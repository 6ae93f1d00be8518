import type { CanaryResult } from '@okaeri/contract/campaigns/canary'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'

/** A node of a scenario. */
export interface Step {
  scenarioId: string
  nodeId: string
}

/** Of rows of the ledger. Each person counts for one thing, the worst first. */
export async function resultOfRows(scope: MerchantScope, deliveries: RawBuilder<unknown>): Promise<CanaryResult> {
  const { rows } = await sql<CanaryResult>`
    select count(*)::int as tried,
      count(*) filter (where complaint)::int as complaints,
      count(*) filter (where hard and not complaint)::int as hard,
      count(*) filter (where blocked and not hard and not complaint)::int as blocked,
      count(*) filter (where failed and not blocked and not hard and not complaint)::int as failed
    from (
      select d.complained_at is not null as complaint,
        coalesce(d.bounce_kind = 'hard', false) or (d.status = 'failed' and d.reason = 'permanent') as hard,
        coalesce(d.bounce_kind = 'blocked', false) as blocked,
        d.status = 'failed' as failed
      from (${deliveries}) d where d.status in ('sent', 'failed', 'uncertain')
    ) tried`.execute(scope.db)
  return rows[0] ?? { tried: 0, hard: 0, blocked: 0, complaints: 0, failed: 0 }
}

/** Notes the steps whose emails these are, to be looked at then; one that is noted already is left alone, so that no one waits for its row. */
export async function noteTrouble(scope: MerchantScope, deliveryIds: readonly string[], lookAt: Date): Promise<void> {
  const { merchantId } = scope
  await sql`
    insert into step_brakes (merchant_id, scenario_id, node_id, look_at)
    select distinct ${merchantId}::uuid, d.scenario_id, d.node_id, ${lookAt}::timestamptz
    from deliveries d
    where d.merchant_id = ${merchantId} and d.id = any(${[...deliveryIds]}::uuid[]) and d.kind = 'scenario' and d.channel = 'email'
      and not d.test_mode and d.scenario_id is not null and d.node_id is not null
      and not exists (
        select from step_brakes b
        where b.merchant_id = ${merchantId} and b.scenario_id = d.scenario_id and b.node_id = d.node_id and b.look_at is not null)
    order by 2, 3
    on conflict (merchant_id, scenario_id, node_id) do update set look_at = coalesce(step_brakes.look_at, excluded.look_at)`.execute(
    scope.db,
  )
}

/** One that is due, locked; it is due no more. */
export async function claimTroubledStep(
  scope: TransactionScope,
): Promise<(Step & { isHeld: boolean; looksFrom: Date | null }) | null> {
  const { merchantId, now } = scope
  const { rows } = await sql<{
    scenario_id: string
    node_id: string
    held_since: Date | null
    looks_from: Date | null
  }>`
    with due as (
      select scenario_id, node_id from step_brakes where merchant_id = ${merchantId} and look_at <= ${now}
      order by look_at limit 1 for update skip locked
    )
    update step_brakes b set look_at = null from due
    where b.merchant_id = ${merchantId} and b.scenario_id = due.scenario_id and b.node_id = due.node_id
    returning b.scenario_id, b.node_id, b.held_since, b.looks_from`.execute(scope.db)
  const [row] = rows
  return row
    ? { scenarioId: row.scenario_id, nodeId: row.node_id, isHeld: row.held_since !== null, looksFrom: row.looks_from }
    : null
}

/** How many of a step's newest messages are read, and how many rows of each; a step has another message only when its email was changed. */
const MESSAGES = 10
const LAST_ONES = 20_000

/** What came of a step's emails that were written since then. */
export const resultOfStep = (scope: MerchantScope, { scenarioId, nodeId }: Step, since: Date): Promise<CanaryResult> =>
  resultOfRows(
    scope,
    sql`select l.* from (
        select id from messages
        where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and node_id = ${nodeId} and channel = 'email'
          and not for_tests and not test_mode
        order by created_at desc limit ${MESSAGES}
      ) m cross join lateral (
        select * from deliveries
        where merchant_id = ${scope.merchantId} and message_id = m.id and created_at >= ${since}
        order by id desc limit ${LAST_ONES}
      ) l`,
  )

/** Its messages are held in the same transaction. */
export async function markStepHeld(scope: TransactionScope, step: Step, result: CanaryResult): Promise<void> {
  const { merchantId, now } = scope
  await sql`update step_brakes set held_since = ${now}, result = ${JSON.stringify(result)}::jsonb
    where merchant_id = ${merchantId} and scenario_id = ${step.scenarioId} and node_id = ${step.nodeId}`.execute(
    scope.db,
  )
  await markMessagesOfStep(scope, step, { from: 'released', to: 'held' })
}

/** Returns whether it was held. */
export async function markStepReleased(scope: TransactionScope, step: Step): Promise<boolean> {
  const { rows } = await sql`
    update step_brakes set held_since = null, result = null, looks_from = ${scope.now}, look_at = null
    where merchant_id = ${scope.merchantId} and scenario_id = ${step.scenarioId} and node_id = ${step.nodeId} and held_since is not null
    returning node_id`.execute(scope.db)
  return rows.length > 0
}

export async function markMessagesOfStep(
  scope: TransactionScope,
  { scenarioId, nodeId }: Step,
  { from, to }: { from: 'held' | 'released'; to: 'held' | 'released' },
): Promise<void> {
  await sql`update messages set state = ${to}
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and node_id = ${nodeId} and channel = 'email'
      and state = ${from} and not for_tests`.execute(scope.db)
}

/** Skips what was to go out before then and waits in a step's held messages. */
export async function expireHeldOfStep(scope: TransactionScope, step: Step, before: Date): Promise<void> {
  const { merchantId } = scope
  await sql`update deliveries d set status = 'skipped', reason = 'expired', next_attempt_at = null
    from messages m
    where m.merchant_id = ${merchantId} and m.scenario_id = ${step.scenarioId} and m.node_id = ${step.nodeId} and m.state = 'held'
      and d.merchant_id = ${merchantId} and d.message_id = m.id and d.status = 'pending'
      and coalesce(d.next_attempt_at, d.created_at) < ${before}`.execute(scope.db)
}

/** Until this transaction ends no one can begin to hold it. */
export async function isStepHeld(scope: TransactionScope, { scenarioId, nodeId }: Step): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select held_since is not null as held from step_brakes
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and node_id = ${nodeId} for share`.execute(
    scope.db,
  )
  return rows[0]?.held ?? false
}

export interface HeldStep {
  scenario_id: string
  node_id: string
  held_since: Date
  result: CanaryResult
  /** Emails that are written and do not leave. */
  pending: number
}

export async function listHeldSteps(scope: MerchantScope, scenarioIds: readonly string[]): Promise<HeldStep[]> {
  const { merchantId } = scope
  const { rows } = await sql<HeldStep>`
    select b.scenario_id, b.node_id, b.held_since, b.result, (
      select count(*)::int from messages m join deliveries d
        on d.merchant_id = ${merchantId} and d.message_id = m.id and d.status = 'pending'
      where m.merchant_id = ${merchantId} and m.scenario_id = b.scenario_id and m.node_id = b.node_id and m.state = 'held'
    ) as pending
    from step_brakes b
    where b.merchant_id = ${merchantId} and b.scenario_id = any(${[...scenarioIds]}::uuid[]) and b.held_since is not null
    order by b.scenario_id, b.held_since, b.node_id`.execute(scope.db)
  return rows
}

/** Whether the step of a message `messages` is held. Tests are not. */
export const isOfHeldStep = (
  merchantId: string,
): RawBuilder<boolean> => sql`(messages.channel = 'email' and not messages.for_tests and exists (
  select from step_brakes b
  where b.merchant_id = ${merchantId} and b.scenario_id = messages.scenario_id and b.node_id = messages.node_id and b.held_since is not null))`
