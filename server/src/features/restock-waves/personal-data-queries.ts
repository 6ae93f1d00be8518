import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const restockNoticePersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'restock_notices',
    title: { ja: '再入荷のお知らせ', en: 'Restock notices' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    omittedColumns: ['check_at', 'event_key'],
    // The figures of the wave stay. The key of the event names the customer.
    forget: {
      set: () => sql`customer_id = null, event_key = null, check_at = null,
        outcome = case when outcome = 'under_way' then 'withdrawn' else outcome end`,
    },
  },
]
