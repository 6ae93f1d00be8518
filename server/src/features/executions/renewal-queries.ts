import { EXECUTIONS_COUNTED_TO } from '@okaeri/contract/scenarios/scenario'
import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

const lacksCoupon = sql`status = 'failed' and ended_at is null and not test and last_error in ('coupon_expired', 'coupon_not_made')`

export async function countCouponFailures(scope: MerchantScope, scenarioId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from executions where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and ${lacksCoupon}
      limit ${EXECUTIONS_COUNTED_TO}
    ) few`.execute(scope.db)
  return rows[0]?.count ?? 0
}

export interface ExecutionWithoutCoupon {
  id: string
  version: number
  node_id: string
  round: number
  steps: number
  customer_id: string | null
}

/** The next ones that failed for this before that time, by id; locked. */
export async function lockCouponFailures(
  scope: TransactionScope,
  at: { scenarioId: string; until: Date; after: string; limit: number },
): Promise<ExecutionWithoutCoupon[]> {
  const { rows } = await sql<ExecutionWithoutCoupon>`
    select id, version, node_id, round, steps, customer_id from executions
    where merchant_id = ${scope.merchantId} and scenario_id = ${at.scenarioId} and ${lacksCoupon} and node_id is not null
      and last_error_at <= ${at.until} and id > ${at.after}
    order by id limit ${at.limit} for update`.execute(scope.db)
  return rows
}

export interface Renewal {
  id: string
  round: number
  /** Null: continues without one. */
  coupon_id: string | null
  /** The platform has to make it first. */
  waits: boolean
  wake_at: Date
}

/** They continue at their step, at once or when their coupon is made. */
export async function renewExecutionRows(scope: TransactionScope, renewals: readonly Renewal[]): Promise<void> {
  await sql`
    update executions e set status = 'running', held = false, late_accepted = true, round = r.round, coupon_id = r.coupon_id,
      wake_at = r.wake_at, asleep = r.waits, asleep_since = case when r.waits then ${scope.now}::timestamptz end,
      awaits = case when r.waits then 'effect' end, woken_by = null, steps = e.steps + 1
    from jsonb_to_recordset(${JSON.stringify(renewals)}::jsonb)
      as r (id uuid, round smallint, coupon_id uuid, waits boolean, wake_at timestamptz)
    where e.merchant_id = ${scope.merchantId} and e.id = r.id`.execute(scope.db)
}
