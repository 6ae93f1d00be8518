import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'

// What is due here, over all merchants.

export const CALLS_KEPT_MS = 7 * 86_400_000

export const dueCalls: DueWork = {
  name: 'line_relay_calls',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from line_relay_calls where state = 'waiting' and next_try_at <= ${clock.now()}`,
  next: () => sql`select min(next_try_at) as at from line_relay_calls where state = 'waiting'`,
}

export const oldCalls: DueWork = {
  name: 'old_line_relay_calls',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from line_relay_calls
    where received_at < ${new Date(clock.now().getTime() - CALLS_KEPT_MS)} and state <> 'waiting'`,
}
