import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'

// What is due here, over all merchants.

/** No pause between two checks is as long: what is due later than this was put off before a clock was put back. */
export const LONGEST_PAUSE_MS = 3 * 86_400_000

export const dueDomains: DueWork = {
  name: 'sender_domains',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from sender_domains
    where next_check_at <= ${clock.now()} or next_check_at > ${new Date(clock.now().getTime() + LONGEST_PAUSE_MS)}`,
  next: () => sql`select min(next_check_at) as at from sender_domains`,
}
