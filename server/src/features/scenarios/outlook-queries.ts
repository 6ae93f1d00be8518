import { EXECUTIONS_COUNTED_TO } from '@okaeri/contract/scenarios/scenario'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/**
 * Executions that fell due while the scenario was stopped, those of them due before `lateBefore`, and those that still wait; each counted up to a
 * bound.
 */
export async function countStopped(
  scope: MerchantScope,
  scenarioId: string,
  lateBefore: Date,
): Promise<{ held: number; late: number; waiting: number }> {
  const open = (which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select status, wake_at from executions
    where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and ended_at is null and not test and ${which}
    limit ${EXECUTIONS_COUNTED_TO}`
  const { rows } = await sql<{ held: number; late: number; waiting: number }>`
    select count(*)::int as held, (count(*) filter (where status = 'running' and wake_at < ${lateBefore}))::int as late,
      (select count(*)::int from (${open(sql`status = 'running' and not held`)}) others) as waiting
    from (${open(sql`held`)}) few`.execute(scope.db)
  return rows[0] ?? { held: 0, late: 0, waiting: 0 }
}
