import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'

// What is due here, over all merchants.

/** No pause is as long: what is due later than this was put off before a clock was put back. */
export const LONGEST_PAUSE_MS = 6 * 86_400_000

export const duePrograms: DueWork = {
  name: 'receiver_countings',
  merchants: ({ clock }) => sql`select distinct merchant_id from receiver_countings 
    where due_at <= ${clock.now()} or due_at > ${new Date(clock.now().getTime() + LONGEST_PAUSE_MS)}`,
  next: () => sql`select min(due_at) as at from receiver_countings`,
}
