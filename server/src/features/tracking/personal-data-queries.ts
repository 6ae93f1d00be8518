import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

/** Found by the deliveries, which are forgotten after them. */
export const trackingPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'tracking_hits',
    title: { ja: '開封とクリック', en: 'Opens and clicks' },
    about: ({ customerIds, addresses }, { merchantId }) => sql`t.delivery_id in (
      select d.id from deliveries d where d.merchant_id = ${merchantId} and d.customer_id = any(${customerIds}::uuid[])
      union all
      select d.id from deliveries d where d.merchant_id = ${merchantId} and d.kind = 'test' and d.address is not null
        and lower(d.address) = any(${addresses}::text[]))`,
    // That it was opened stays, not from where nor with what.
    forget: { set: () => sql`user_agent = '', network = ''` },
  },
  {
    table: 'conversions',
    title: { ja: 'メール経由の注文', en: 'Orders from emails' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    forget: { set: () => sql`customer_id = null` },
  },
]
