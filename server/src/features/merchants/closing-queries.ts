import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/** The store had everything erased: of the account only its id and dates stay. Doing it twice changes nothing. */
export async function closeMerchant(scope: MerchantScope): Promise<void> {
  await sql`
    update merchants set site_name = '', sender_name = '', sender_email = '', reply_to = null, staff_email = null, staff_phone = null,
      postal_address = '', test_emails = '{}', test_mode = true, plan = 'test', closed_at = coalesce(closed_at, ${scope.now}),
      updated_at = ${scope.now}
    where id = ${scope.merchantId}
  `.execute(scope.db)
}
