import { sql } from 'kysely'
import type { DueWork } from '../../kernel/due-merchants.ts'
import { forgottenBefore } from './view.ts'

/** Merchants with views that are too old. */
export const oldViews: DueWork = {
  name: 'old_views',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from product_views where viewed_at < ${forgottenBefore(clock.now())}`,
}
