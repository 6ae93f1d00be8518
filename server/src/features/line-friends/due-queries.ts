import { sql } from 'kysely'
import { amongAll, type DueWork } from '../../kernel/work/due-merchants.ts'

// What is due here, over all merchants.

/** What people wrote is on their timeline for so long. */
export const EVENTS_KEPT_MS = 365 * 86_400_000

export const waitingEvents: DueWork = {
  name: 'line_events',
  merchants: () => sql`select distinct merchant_id from line_events where processed_at is null`,
}

export const oldEvents: DueWork = {
  name: 'old_line_events',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from line_events
    where received_at < ${new Date(clock.now().getTime() - EVENTS_KEPT_MS)} and processed_at is not null`,
}

/** Of merchants whom the platform lets in: of others nothing can be asked. */
export const missingProfiles: DueWork = {
  name: 'line_profiles',
  merchants: (_context, among = amongAll) => sql`
    select distinct f.merchant_id from line_friends f
    join line_accounts a on a.merchant_id = f.merchant_id and a.access_token is not null and a.trouble is null
    where f.profile_read_at is null and f.is_friend and ${among('f.merchant_id')} and ${among('a.merchant_id')}`,
}
