import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'
import { forgottenBefore } from './forgetting.ts'

/** Merchants with views or carts that are too old. */
export const oldBehavior: DueWork = {
  name: 'old_behavior',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from product_views where viewed_at < ${forgottenBefore(clock.now())}
    union select distinct merchant_id from cart_products where seen_at < ${forgottenBefore(clock.now())}`,
}
