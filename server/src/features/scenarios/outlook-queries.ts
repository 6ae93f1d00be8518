import { EXECUTIONS_COUNTED_TO } from '@okaeri/contract/scenarios/scenario'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Executions that fell due while the scenario was stopped, and those of them due before `lateBefore`; counted up to a bound. */
export async function countHeld(
  scope: MerchantScope,
  scenarioId: string,
  lateBefore: Date,
): Promise<{ all: number; late: number }> {
  const { rows } = await sql<{ all: number; late: number }>`
    select count(*)::int as "all", (count(*) filter (where status = 'running' and wake_at < ${lateBefore}))::int as late
    from (
      select status, wake_at from executions
      where merchant_id = ${scope.merchantId} and scenario_id = ${scenarioId} and ended_at is null and held and not test
      limit ${EXECUTIONS_COUNTED_TO}
    ) few`.execute(scope.db)
  return rows[0] ?? { all: 0, late: 0 }
}
