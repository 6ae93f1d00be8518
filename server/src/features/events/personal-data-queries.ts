import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const eventPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'events',
    title: { ja: 'イベント', en: 'Events' },
    about: ({ customerIds, guestIds, storeOrderIds }) => sql`
      t.customer_id = any(${customerIds}::uuid[]) or t.guest_id = any(${guestIds}::uuid[])
      or (t.subject ->> 'store_order_id')::bigint = any(${storeOrderIds}::bigint[])`,
    omittedColumns: ['key', 'looked_at', 'missed'],
    forget: 'delete',
  },
]
