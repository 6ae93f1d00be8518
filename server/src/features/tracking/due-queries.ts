import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'

// Due work here, over all merchants.

export const unjudgedHits: DueWork = {
  name: 'unjudged_hits',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from tracking_hits where judged_at is null and occurred_at <= ${clock.now()}`,
}
