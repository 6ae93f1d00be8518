import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Whether the store is being copied. */
export async function isCopying(scope: MerchantScope): Promise<boolean> {
  const { rows } = await sql`
    select from sync_runs where merchant_id = ${scope.merchantId} and status = 'running' limit 1
  `.execute(scope.db)
  return rows.length > 0
}
