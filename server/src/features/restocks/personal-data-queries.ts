import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const restockPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'restock_requests',
    title: { ja: '再入荷通知の申し込み', en: 'Restock requests' },
    about: ({ customerIds, guestIds, addresses }) =>
      sql`t.customer_id = any(${customerIds}::uuid[]) or t.guest_id = any(${guestIds}::uuid[])
        or (t.customer_id is null and t.email_key = any(${addresses}::text[]))`,
    omittedColumns: ['email_key', 'answering'],
    // The product's figures stay; nothing is sent.
    forget: {
      set: (
        _person,
        { now },
      ) => sql`customer_id = null, guest_id = null, email = null, email_key = null, answering = null,
        status = case when status = 'active' then 'deleted' else status end,
        deleted_at = case when status = 'active' then ${now} else deleted_at end`,
    },
  },
]
