import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

/** Before the deliveries, which lead to them. */
export const trackingPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'tracking_hits',
    title: { ja: '開封とクリック', en: 'Opens and clicks' },
    about: ({ customerIds, addresses }, { merchantId }) => sql`t.delivery_id in (
      select d.id from deliveries d where d.merchant_id = ${merchantId} and d.customer_id = any(${customerIds}::uuid[])
      union all
      select d.id from deliveries d where d.merchant_id = ${merchantId} and d.kind = 'test' and d.address is not null
        and lower(d.address) = any(${addresses}::text[]))`,
    // The open stays, without network and agent.
    forget: { set: () => sql`user_agent = '', network = ''` },
  },
  {
    table: 'conversions',
    title: { ja: 'メール経由の注文', en: 'Orders from emails' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    forget: { set: () => sql`customer_id = null` },
  },
]
