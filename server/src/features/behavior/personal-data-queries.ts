import { sql } from 'kysely'
import type { PersonalDataEntry } from '../../kernel/personal-data.ts'

export const behaviorPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'product_views',
    title: { ja: '閲覧した商品', en: 'Products viewed' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    forget: 'delete',
  },
  {
    table: 'cart_products',
    title: { ja: 'カートに入れた商品', en: 'Products seen in the cart' },
    about: ({ customerIds }) => sql`t.customer_id = any(${customerIds}::uuid[])`,
    forget: 'delete',
  },
]
