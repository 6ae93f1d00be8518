import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'

// What is due here, over all merchants.

export const dueCampaigns: DueWork = {
  name: 'due_campaigns',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from campaigns
    where status in ('collecting', 'reserving', 'waiting', 'sending') or (status = 'reserved' and scheduled_at <= ${clock.now()})
      or (status = 'cancelled' and started_at is not null and final_balance is null)`,
  // One that is sending is looked at all the time: the sending hours may end.
  next: ({ clock }) => sql`
    select min(case when status = 'reserved' then scheduled_at when status = 'waiting' then waits_until
      else ${clock.now()}::timestamptz end) as at
    from campaigns where status in ('reserved', 'waiting', 'sending')`,
}
