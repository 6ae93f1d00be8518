import { type RawBuilder, sql } from 'kysely'

/** How many people of a return have messages under way: not sent, and still possible. Those at a step that failed do not count. */
export const underWayCountSql = (merchantId: string, returnId: RawBuilder<unknown>): RawBuilder<number> => sql`(
  select count(distinct n.event_key)::int from restock_notices n
  where n.merchant_id = ${merchantId} and n.return_id = ${returnId} and n.outcome = 'under_way' and not exists (
    select from events v
    join scenario_entries s on s.merchant_id = ${merchantId} and s.event_id = v.id and s.scenario_id = n.scenario_id
    join executions x on x.merchant_id = ${merchantId} and x.id = s.execution_id
    where v.merchant_id = ${merchantId} and v.key = n.event_key and x.status = 'failed'))`
