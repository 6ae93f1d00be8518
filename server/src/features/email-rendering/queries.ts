import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { KnownCustomer } from './data/message-data.ts'

export async function findKnownCustomer(scope: MerchantScope, id: string): Promise<KnownCustomer | null> {
  const row = await scope.db
    .selectFrom('customers')
    .select(['id', 'display_name', 'first_name', 'last_name', 'email', 'phone', 'language', 'tags'])
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}
