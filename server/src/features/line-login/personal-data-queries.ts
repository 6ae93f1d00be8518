import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const lineLoginPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'line_logins',
    title: { ja: 'LINEログイン', en: 'LINE logins' },
    // A link of the chat may be opened by another customer than the friend it was sent to: it names both.
    about: ({ customerIds }, { merchantId }) => sql`t.customer_id = any(${customerIds}::uuid[]) or t.line_user_id in (
      select f.line_user_id from line_friends f
      where f.merchant_id = ${merchantId} and f.customer_id = any(${customerIds}::uuid[]))`,
    omittedColumns: ['token_hash', 'browser_hash', 'secrets'],
    forget: 'delete',
  },
]
