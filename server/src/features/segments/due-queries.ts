import { sql } from 'kysely'
import { amongAll, type DueWork } from '../../kernel/work/due-merchants.ts'
import { lastNight } from '../merchants/index.ts'

// Due work here, over all merchants.

/** One index step per merchant, which needs the order: "exists" would read a merchant's million rows. */
export const changedCustomers: DueWork = {
  name: 'changed_customers',
  merchants: (_context, among = amongAll) => sql`
    select m.id as merchant_id from merchants m cross join lateral (
      select 1 from changed_customers x where x.merchant_id = m.id and ${among('x.merchant_id')} order by x.customer_id limit 1
    ) x`,
}

/** Since the customers were last scored it has been three in the morning in the merchant's zone. */
export const dueScores: DueWork = {
  name: 'scores',
  merchants: (context, among = amongAll) => sql`
    select m.id as merchant_id from merchants m left join score_runs r on r.merchant_id = m.id and ${among('r.merchant_id')}
    where (r.computed_at is null or r.computed_at < ${lastNight(context, 'm')})
      and exists (select from orders o where o.merchant_id = m.id and ${among('o.merchant_id')})`,
}

/** Listed before, but not within a day. The first list comes with the first copy of the store. */
export const dueRemoteLists: DueWork = {
  name: 'remote_lists',
  merchants: ({ clock }) => sql`
    select merchant_id from segment_following
    where remote_listed_at is not null and remote_requested_at < ${new Date(clock.now().getTime() - 86_400_000)}`,
}

export const segmentsOfAnotherDay: DueWork = {
  name: 'segment_days',
  merchants: ({ clock }, among = amongAll) => sql`
    select distinct s.merchant_id from segments s join merchants m on m.id = s.merchant_id
    where s.deleted_at is null and s.origin = 'own' and ${among('s.merchant_id')} and ${among('m.id')}
      and ((s.members_at is null and s.status = 'ready') or s.members_zone <> m.timezone
        or s.members_day <> (${clock.now()}::timestamptz at time zone m.timezone)::date)`,
  next: ({ clock }) => sql`
    select min(((${clock.now()}::timestamptz at time zone m.timezone)::date + 1)::timestamp at time zone m.timezone) as at
    from segments s join merchants m on m.id = s.merchant_id where s.deleted_at is null and s.origin = 'own'`,
}
