import { sql } from 'kysely'
import { amongAll, type DueWork } from '../../../kernel/work/due-merchants.ts'

/** Of merchants whom the platform lets in: of others nothing can be asked. */
export const dueOpenings: DueWork = {
  name: 'openings on LINE',
  merchants: ({ clock }, among = amongAll) => sql`
    select distinct f.merchant_id from line_contents f
    join line_accounts a on a.merchant_id = f.merchant_id and a.access_token is not null and a.trouble is null
    where f.opened_due_at <= ${clock.now()} and ${among('f.merchant_id')} and ${among('a.merchant_id')}`,
  next: () => sql`
    select min(f.opened_due_at) as at from line_contents f
    join line_accounts a on a.merchant_id = f.merchant_id and a.access_token is not null and a.trouble is null
    where f.opened_due_at is not null`,
}
