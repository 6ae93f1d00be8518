import { sql } from 'kysely'
import { type DueWork, inAnHour } from '../../kernel/work/due-merchants.ts'

// Due work here, over all merchants.

/** Changes of registrations that are not in the counts yet. */
export const restocksToCount: DueWork = {
  name: 'restock_changes',
  merchants: () => sql`select distinct merchant_id from restock_changes`,
}

export const restocksToRecount: DueWork = {
  name: 'restock_recounts',
  clock: 'real',
  merchants: ({ clock }) => sql`
    select merchant_id from restock_recounts where due_at <= ${clock.realNow()} or due_at > ${inAnHour(clock.realNow())}`,
  next: () => sql`select min(due_at) as at from restock_recounts`,
}
