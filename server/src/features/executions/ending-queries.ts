import type { EndReason } from '@okaeri/contract/scenarios/execution-status'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** Executions of a customer that have not ended. */
export async function listUnfinished(scope: MerchantScope, customerId: string): Promise<string[]> {
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

/** The limit of one statement; a job does the rest. */
export const CHANGED_AT_ONCE = 5000

/** Changes for many executions of a scenario: which ones, and what changes. */
const bulkChanges = {
  /** The scenario is enabled again. Executions that are more than a day late ask first: they may be many old mails. */
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
  // Executions that fail again after this moment are not played again.
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
export type BulkChange = keyof typeof bulkChanges

function ended(scope: MerchantScope, reason: EndReason) {
  return {
    set: sql`status = 'done', end_reason = ${reason}, ended_at = ${scope.now}, asleep = false, wake_at = null, awaits = null,
      woken_by = null, held = false`,
    outcome: sql`'ended'`,
  }
}

/** Changes up to {@link CHANGED_AT_ONCE} executions of a scenario, with a row in each history; returns their ids. */
export async function changeBatchRows(
  scope: TransactionScope,
  scenarioId: string,
  change: BulkChange,
  lateBefore: Date,
): Promise<string[]> {
  const { which, set, outcome } = bulkChanges[change](scope, lateBefore)
  return changeRows(
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

type Ends = readonly { executionId: string; reason: EndReason }[]

/** Ends those that have not ended, each for its reason; returns which. */
export const endExecutionRows = (scope: TransactionScope, ends: Ends): Promise<string[]> =>
  endEach(scope, ends, {
    which: sql`ended_at is null`,
    set: sql`status = 'done', ended_at = ${scope.now}, asleep = false, wake_at = null, awaits = null, woken_by = null, held = false,`,
  })

/** Changes the end reason of finished ones; returns which. */
export const endFinished = (scope: TransactionScope, ends: Ends): Promise<string[]> =>
  endEach(scope, ends, { which: sql`status = 'done' and end_reason = 'finished'`, set: sql`` })

async function endEach(
  scope: TransactionScope,
  ends: Ends,
  { which, set }: { which: RawBuilder<unknown>; set: RawBuilder<unknown> },
): Promise<string[]> {
  if (ends.length === 0) return []
  const ids = ends.map(({ executionId }) => executionId)
  const reasons = ends.map(({ reason }) => reason)
  return changeRows(
    scope,
    sql`select id from executions where merchant_id = ${scope.merchantId} and id = any(${ids}::uuid[]) and ${which}
      order by id for update`,
    sql`${set}
      end_reason = (select r.reason from unnest(${ids}::uuid[], ${reasons}::text[]) as r (id, reason) where r.id = e.id limit 1)`,
    sql`'ended'`,
  )
}

export async function markLate(scope: TransactionScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await changeRows(
    scope,
    sql`select id from executions where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[]) order by id for update`,
    sql`status = 'late'`,
    sql`'late'`,
  )
}

/** Marks everything that is due as late. Returns how many, at most {@link CHANGED_AT_ONCE}. */
export async function markDueLate(scope: TransactionScope): Promise<number> {
  const ids = await changeRows(
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
 * Changes the executions that `which` selects and locks, and adds a row to the history of each where `outcome` (SQL over the changed
 * row) is not null.
 */
async function changeRows(
  scope: TransactionScope,
  which: RawBuilder<unknown>,
  set: RawBuilder<unknown>,
  outcome: RawBuilder<unknown>,
): Promise<string[]> {
  const { db, merchantId, now } = scope
  // Two statements: one that writes to both needs, on Citus, nodes on which nothing of the merchant is.
  const { rows } = await sql<{ id: string }>`
    with chosen as materialized (${which})
    update executions e set ${set}, steps = e.steps + 1
    from chosen where e.merchant_id = ${merchantId} and e.id = chosen.id
    returning e.id`.execute(db)
  if (rows.length > 0)
    await sql`
      insert into execution_steps (merchant_id, execution_id, seq, round, node_id, node_kind, outcome, detail, at)
      select merchant_id, id, steps, round, coalesce(node_id, ''), '', outcome,
        case when outcome = 'ended' then jsonb_build_object('reason', end_reason)
          when outcome = 'late' then jsonb_build_object('due', wake_at) end, ${now}::timestamptz
      from (
        select *, ${outcome} as outcome from executions
        where merchant_id = ${merchantId} and id = any(${rows.map(({ id }) => id)}::uuid[])
      ) as c where outcome is not null`.execute(db)
  return rows.map(({ id }) => id)
}
