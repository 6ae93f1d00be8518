import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Whether the store's customers are here: they were copied once, and are not just being copied again. */
export async function customersAreCopied(scope: MerchantScope): Promise<boolean> {
  const { rows } = await sql<{ copied: boolean }>`
    select exists (select from sync_steps where merchant_id = ${scope.merchantId} and kind = 'customers' and status = 'done')
      and not exists (
        select from sync_steps s join sync_runs r on r.merchant_id = s.merchant_id and r.id = s.sync_run_id and r.status = 'running'
        where s.merchant_id = ${scope.merchantId} and s.kind = 'customers' and s.status <> 'done'
      ) as copied
  `.execute(scope.db)
  return rows[0]?.copied ?? false
}
