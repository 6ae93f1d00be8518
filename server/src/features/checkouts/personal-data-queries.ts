import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const checkoutPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'carts',
    title: { ja: 'カート', en: 'Carts' },
    about: ({ customerIds, guestIds }, { merchantId }) => sql`
      t.customer_id = any(${customerIds}::uuid[]) or t.guest_id = any(${guestIds}::uuid[]) or t.token in (
        select c.cart_token from checkouts c where c.merchant_id = ${merchantId} and c.cart_token is not null
          and c.customer_id = any(${customerIds}::uuid[]))`,
    omittedColumns: ['token'],
    forget: 'delete',
  },
  {
    table: 'checkouts',
    title: { ja: 'チェックアウト', en: 'Checkouts' },
    about: ({ customerIds, storeCustomerIds, guestIds, addresses }) => sql`
      t.customer_id = any(${customerIds}::uuid[]) or t.store_customer_id = any(${storeCustomerIds}::bigint[])
      or t.guest_id = any(${guestIds}::uuid[]) or (t.customer_id is null and t.email_key = any(${addresses}::text[]))`,
    omittedColumns: ['email_key', 'token', 'cart_token', 'recovery_url'],
    // Numbers and amounts stay, for the figures.
    forget: {
      set: () => sql`customer_id = null, store_customer_id = null, guest_id = null, email_key = null, token = null,
        cart_token = null, recovery_url = null`,
    },
  },
]
