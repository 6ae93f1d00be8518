import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const deliveryPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'deliveries',
    title: { ja: 'メッセージ', en: 'Messages' },
    about: ({ customerIds, addresses }) => sql`t.customer_id = any(${customerIds}::uuid[])
      or (t.kind = 'test' and t.address is not null and lower(t.address) = any(${addresses}::text[]))`,
    omittedColumns: [
      'lease_id',
      'next_attempt_at',
      'attempts',
      'batch_id',
      'scenario_id',
      'execution_id',
      'node_id',
      'round',
    ],
    // The balance of a campaign stays; what waits to be sent is not. A provider's answer names the address.
    forget: {
      set: () => sql`customer_id = null, address = null, detail = null, variables = null, filled_subject = null, language = null,
        reason = case when status = 'pending' then 'customer_gone' else reason end,
        next_attempt_at = case when status = 'pending' then null else next_attempt_at end,
        status = case when status = 'pending' then 'skipped' else status end`,
    },
  },
  {
    table: 'unrecorded_departures',
    title: { ja: '記録が失われた配信', en: 'Emails with lost records' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    isBookkeeping: true,
    forget: 'delete',
  },
]
