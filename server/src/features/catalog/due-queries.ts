import { sql } from 'kysely'
import { type DueWork, inAnHour } from '../../kernel/work/due-merchants.ts'
import { isFree } from '../../kernel/work/leases.ts'

// Due work here, over all merchants.

export const dueStockLooks: DueWork = {
  name: 'stock_looks',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from stock_looks
    where (due_at <= ${clock.now()} or due_at > ${inAnHour(clock.now())}) and ${isFree}`,
  next: () => sql`select min(due_at) as at from stock_looks`,
}
