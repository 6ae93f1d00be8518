import { sql } from 'kysely'
import { amongAll, type DueWork } from '../../kernel/work/due-merchants.ts'

// Due work here, over all merchants.

/** Unprocessed events (one merchant may have a million), and customers released from the entry limit. */
export const dueEvents: DueWork = {
  name: 'events',
  merchants: (_context, among = amongAll) => sql`
    select m.id as merchant_id from merchants m cross join lateral (
      select 1 from events e where e.merchant_id = m.id and e.looked_at is null and ${among('e.merchant_id')} order by e.id limit 1
    ) e
    union
    select s.merchant_id from scenarios s where s.status = 'active' and s.braked_at is null and ${among('s.merchant_id')} and exists (
      select from scenario_entries n
      where n.merchant_id = s.merchant_id and n.scenario_id = s.id and n.waits and ${among('n.merchant_id')})`,
}

/** As long as a rehearsal looks back. */
export const EVENTS_KEPT_MS = 90 * 86_400_000

/** The oldest event of each merchant; ids grow with time. */
export const oldEvents: DueWork = {
  name: 'old_events',
  merchants: ({ clock }, among = amongAll) => sql`
    select m.id as merchant_id from merchants m cross join lateral (
      select created_at from events where merchant_id = m.id and ${among('merchant_id')} order by id limit 1
    ) e where e.created_at < ${new Date(clock.now().getTime() - EVENTS_KEPT_MS)}`,
}
