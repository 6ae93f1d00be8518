import { sql } from 'kysely'
import { amongAll, type DueWork, inAnHour } from '../../kernel/work/due-merchants.ts'
import { inEightDays } from './return-queries.ts'

// Due work here, over all merchants.

export const dueReturns: DueWork = {
  name: 'stock_returns',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from stock_returns where due_at <= ${clock.now()} or due_at > ${inEightDays(clock.now())}`,
  next: () => sql`select min(due_at) as at from stock_returns`,
}

export const dueNotices: DueWork = {
  name: 'restock_notices',
  merchants: ({ clock }, among = amongAll) => sql`
    select m.id as merchant_id from merchants m cross join lateral (
      select check_at from restock_notices n where n.merchant_id = m.id and n.check_at is not null and ${among('n.merchant_id')}
      order by check_at limit 1
    ) n where n.check_at <= ${clock.now()} or n.check_at > ${inAnHour(clock.now())}`,
  next: () => sql`select min(check_at) as at from restock_notices`,
}

/** People wait for it, and its stock was last checked an hour ago or more. */
export const dueLooks: DueWork = {
  name: 'restock_looks',
  merchants: ({ clock }, among = amongAll) => sql`
    select m.id as merchant_id from merchants m
    cross join lateral (
      select 1 from restock_requests k where k.merchant_id = m.id and k.status = 'active' and k.answering is null and ${among('k.merchant_id')}
      limit 1
    ) waits
    left join restock_looks l on l.merchant_id = m.id and ${among('l.merchant_id')}
    where l.next_at is null or l.next_at <= ${clock.now()} or l.next_at > ${inAnHour(clock.now())}`,
  next: () => sql`select min(next_at) as at from restock_looks`,
}
