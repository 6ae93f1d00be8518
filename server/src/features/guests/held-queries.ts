import { sql } from 'kysely'
import type { Holding } from '../../kernel/personal-data.ts'

export const guestHoldings: readonly Holding[] = [
  {
    table: 'guests',
    title: { ja: 'ストアフロントのブラウザ', en: 'Browsers on the storefront' },
    about: ({ customerIds, guestIds }) =>
      sql`t.customer_id = any(${customerIds}::uuid[]) or t.id = any(${guestIds}::uuid[])`,
    untold: ['token_hash'],
    forget: 'delete',
  },
]
