import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const lineLoginPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'line_logins',
    title: { ja: 'LINEログイン', en: 'LINE logins' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    omittedColumns: ['token_hash', 'browser_hash', 'secrets'],
    forget: 'delete',
  },
]
