import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface GroupSums {
  held_out: boolean
  executions: number
  orders: number
  revenue: number
  /** Sum of squares of each execution's revenue, for the variance. */
  revenue_squares: number
}

/**
 * Executions of a scenario, with and without hold-out, and their customers' orders within so many days of entering. The order that
 * started an execution lies before that and does not count. Cancelled orders and orders in another currency are left out.
 */
export async function sumGroups(
  scope: MerchantScope,
  scenarioId: string,
  { windowDays, currency }: { windowDays: number; currency: string },
): Promise<GroupSums[]> {
  const { merchantId } = scope
  const { rows } = await sql<GroupSums>`
    select e.held_out, count(*)::int as executions, coalesce(sum(bought.orders), 0)::int as orders,
      coalesce(sum(bought.revenue), 0)::float8 as revenue, coalesce(sum(bought.revenue * bought.revenue), 0)::float8 as revenue_squares
    from executions e
    cross join lateral (
      select count(*) as orders, coalesce(sum(o.current_amount), 0)::numeric as revenue from orders o
      where o.merchant_id = ${merchantId} and o.customer_id = e.customer_id and o.processed_at > e.created_at
        and o.processed_at <= e.created_at + make_interval(days => ${windowDays}::int)
        and o.cancelled_at is null and o.currency = ${currency}
    ) bought
    where e.merchant_id = ${merchantId} and e.scenario_id = ${scenarioId} and not e.test and e.customer_id is not null
    group by e.held_out`.execute(scope.db)
  return rows
}
