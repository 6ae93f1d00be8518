import { sql } from 'kysely'
import type { Holding } from '../../kernel/personal-data.ts'

export const guestHoldings: readonly Holding[] = [
  {
    table: 'guests',
    title: { ja: 'ストアのページを開いたブラウザー', en: 'Storefront browsers' },
    about: ({ customerIds, guestIds }) =>
      sql`t.customer_id = any(${customerIds}::uuid[]) or t.id = any(${guestIds}::uuid[])`,
    untold: ['token_hash'],
    forget: 'delete',
  },
]
