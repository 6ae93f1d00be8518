import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const couponPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'coupons',
    title: { ja: 'クーポン', en: 'Coupons' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    omittedColumns: ['discount_id', 'bulk_id', 'execution_id', 'node_id', 'round', 'order_id', 'campaign_id'],
    // The code stays, because an order may still use it.
    forget: { set: () => sql`customer_id = null, error = null` },
  },
]
