import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { isExecutionOf } from '../executions/index.ts'

/**
 * Running executions of this customer, or of a person who is about to become them, in scenarios that either has already finished, with
 * the time that one began. Their entries already belong to the customer.
 */
export async function selectRepeated(
  scope: MerchantScope,
  from: { customerId: string } | { guestId: string },
  intoId: string,
): Promise<{ id: string; scenario_id: string; version: number; created_at: Date; last_at: Date }[]> {
  const { merchantId } = scope
  const { rows } = await sql<{ id: string; scenario_id: string; version: number; created_at: Date; last_at: Date }>`
    select e.id, e.scenario_id, e.version, e.created_at, max(n.at) as last_at
    from executions e
    join scenario_entries n on n.merchant_id = ${merchantId} and n.scenario_id = e.scenario_id and n.customer_id = ${intoId}
      and n.execution_id <> e.id and n.at <= e.created_at
    join executions o on o.merchant_id = ${merchantId} and o.id = n.execution_id and o.ended_at is not null
      and o.end_reason is distinct from 'customer_gone'
    where e.merchant_id = ${merchantId} and (${isExecutionOf(from)} or e.customer_id = ${intoId}) and e.ended_at is null and not e.test
    group by e.id, e.scenario_id, e.version, e.created_at`.execute(scope.db)
  return rows
}
