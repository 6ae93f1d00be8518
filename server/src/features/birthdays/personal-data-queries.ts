import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const birthdayPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'birthday_entries',
    title: { ja: '誕生日の変更回数', en: 'Changes of the birthday' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    forget: 'delete',
  },
]
