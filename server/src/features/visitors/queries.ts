import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** Whether the customer is still here: neither deleted nor merged into another. */
export async function isCustomerHere(scope: MerchantScope, customerId: string): Promise<boolean> {
  const { rows } = await sql`
    select from customers where merchant_id = ${scope.merchantId} and id = ${customerId}`.execute(scope.db)
  return rows.length > 0
}
