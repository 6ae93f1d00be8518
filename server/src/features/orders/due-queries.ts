import { sql } from 'kysely'
import { amongAll, type DueWork } from '../../kernel/work/due-merchants.ts'
import { lastNight } from '../merchants/index.ts'

// Due work here, over all merchants.

/** Since the usual intervals were last learned it has been three in the morning in the merchant's zone. */
export const dueIntervals: DueWork = {
  name: 'intervals',
  merchants: (context, among = amongAll) => sql`
    select m.id as merchant_id from merchants m left join interval_runs r on r.merchant_id = m.id and ${among('r.merchant_id')}
    where (r.computed_at is null or r.computed_at < ${lastNight(context, 'm')})
      and exists (select from orders o where o.merchant_id = m.id and ${among('o.merchant_id')})`,
}
