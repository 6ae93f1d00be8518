import { sql } from 'kysely'
import type { DueWork } from '../../kernel/due-merchants.ts'
import { lastNight } from '../merchants/index.ts'

// What is due here, over all merchants.

/** Three in the morning there has passed since it was learned last how often products are bought again. */
export const dueIntervals: DueWork = {
  name: 'intervals',
  merchants: (context) => sql`
    select m.id as merchant_id from merchants m left join interval_runs r on r.merchant_id = m.id
    where (r.computed_at is null or r.computed_at < ${lastNight(context, 'm')})
      and exists (select from orders o where o.merchant_id = m.id)`,
}
