import { sql } from 'kysely'
import type { Holding } from '../../kernel/personal-data.ts'

export const metafieldHoldings: readonly Holding[] = [
  {
    table: 'customer_metafields',
    title: { ja: 'メタフィールド', en: 'Metafields' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    untold: ['value_number', 'value_at', 'value_texts'],
    forget: 'delete',
  },
  {
    table: 'unreadable_birthdays',
    title: { ja: '読めない誕生日', en: 'Birthday that is no date' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    forget: 'delete',
  },
]
