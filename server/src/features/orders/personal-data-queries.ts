import { sql } from 'kysely'
import type { PersonalDataEntry, Person } from '../../kernel/personal-data.ts'

/** Each part has an index of its own. */
const theirs = ({ customerIds, storeCustomerIds, storeOrderIds, addresses }: Person) => sql`
  t.customer_id = any(${customerIds}::uuid[]) or t.store_order_id = any(${storeOrderIds}::bigint[])
  or (t.customer_id is null and t.store_customer_id = any(${storeCustomerIds}::bigint[]))
  or (t.customer_id is null and t.email_key = any(${addresses}::text[]))`

/** The lines before the orders, which lead to them. */
export const orderPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'order_lines',
    title: { ja: '注文の明細', en: 'Order items' },
    about: (person, { merchantId }) => sql`t.order_id in (
      select t.id from orders t where t.merchant_id = ${merchantId} and (${theirs(person)}))`,
    forget: { set: () => sql`customer_id = null` },
  },
  {
    table: 'orders',
    title: { ja: '注文', en: 'Orders' },
    about: theirs,
    omittedColumns: ['email_key', 'announced_at', 'checkout_token', 'cart_token'],
    // Amounts and dates stay, for the figures.
    forget: {
      set: () => sql`customer_id = null, store_customer_id = null, email_key = null, landing_site = null,
        checkout_token = null, cart_token = null`,
    },
  },
]
