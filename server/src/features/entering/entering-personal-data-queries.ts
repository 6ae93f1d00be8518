import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

/** Listed before the events, which are needed to find some of them. */
export const entryPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'scenario_entries',
    title: { ja: 'シナリオへの参加の判定', en: 'Scenario entry decisions' },
    about: ({ customerIds, guestIds, storeOrderIds }, { merchantId }) => sql`
      t.customer_id = any(${customerIds}::uuid[]) or t.guest_id = any(${guestIds}::uuid[]) or t.event_id in (
        select v.id from events v
        where v.merchant_id = ${merchantId} and (v.subject ->> 'store_order_id')::bigint = any(${storeOrderIds}::bigint[]))`,
    omittedColumns: ['waits'],
    forget: 'delete',
  },
]
