import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const guestPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'guests',
    title: { ja: 'ストアのページを開いたブラウザー', en: 'Storefront browsers' },
    about: ({ customerIds, guestIds }) =>
      sql`t.customer_id = any(${customerIds}::uuid[]) or t.id = any(${guestIds}::uuid[])`,
    omittedColumns: ['token_hash'],
    forget: 'delete',
  },
]
