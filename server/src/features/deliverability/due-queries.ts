import { sql } from 'kysely'
import type { DueWork } from '../../kernel/due-merchants.ts'

// What is due here, over all merchants.

export const duePrograms: DueWork = {
  name: 'receiver_countings',
  merchants: ({ clock }) => sql`select distinct merchant_id from receiver_countings where due_at <= ${clock.now()}`,
  next: () => sql`select min(due_at) as at from receiver_countings`,
}
