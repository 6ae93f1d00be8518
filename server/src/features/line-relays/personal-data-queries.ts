import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const lineRelayPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'line_relay_calls',
    title: { ja: 'ほかのシステムへのLINEの転送', en: 'LINE events passed on' },
    // Copies of what is exported as LINE activity.
    isBookkeeping: true,
    about: ({ customerIds }, { merchantId }) => sql`exists (
      select from line_friends f where f.merchant_id = ${merchantId} and f.customer_id = any(${customerIds}::uuid[])
        and position(convert_to(f.line_user_id, 'UTF8') in t.body) > 0)`,
    forget: 'delete',
  },
]
