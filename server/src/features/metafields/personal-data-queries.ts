import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const metafieldPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'customer_metafields',
    title: { ja: 'メタフィールド', en: 'Metafields' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    omittedColumns: ['value_number', 'value_at', 'value_texts'],
    forget: 'delete',
  },
  {
    table: 'unreadable_birthdays',
    title: { ja: '日付として読み取れない誕生日', en: 'Unreadable birthdays' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    forget: 'delete',
  },
]
