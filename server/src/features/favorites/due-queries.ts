import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'

// Due work here, over all merchants.

/** Changes of favorites that are not in the counts yet. */
export const favoritesToCount: DueWork = {
  name: 'favorite_changes',
  merchants: () => sql`select distinct merchant_id from favorite_changes`,
}
