import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { AskedExecutions, ExecutionRows } from '../segments/index.ts'

/** Port: executions as segment conditions see them, without tests but with the hold-out group. */
export function executionRows({ merchantId, what, scenarios, reasons }: AskedExecutions): ExecutionRows {
  const which = {
    now: sql`e.ended_at is null`,
    entered: sql`true`,
    ended: sql`e.status = 'done'`,
  }[what]
  return {
    rows: sql`from executions e where e.merchant_id = ${merchantId} and ${which} and not e.test
      ${scenarios ? sql`and e.scenario_id = any(${[...scenarios]}::uuid[])` : sql``}
      ${reasons ? sql`and e.end_reason = any(${[...reasons]}::text[])` : sql``}`,
    customer: sql`e.customer_id`,
    at: what === 'ended' ? sql`e.ended_at` : sql`e.created_at`,
  }
}

/** Port: the ids that belong to scenarios of the merchant, deleted ones included. */
export async function knownScenarios(scope: MerchantScope, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from scenarios where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])`.execute(
    scope.db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** The customers of these executions, without tests and guests. */
export async function selectCustomersOf(scope: MerchantScope, executionIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ customer_id: string }>`
    select distinct customer_id from executions
    where merchant_id = ${scope.merchantId} and id = any(${[...executionIds]}::uuid[]) and customer_id is not null
      and not test`.execute(scope.db)
  return rows.map(({ customer_id }) => customer_id)
}
