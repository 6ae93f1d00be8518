import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'

// What is due here, over all merchants.

export const dueMedia: DueWork = {
  name: 'media_looks',
  merchants: ({ clock }) => sql`select distinct merchant_id from media where look_at <= ${clock.now()}`,
  next: () => sql`select min(look_at) as at from media where look_at is not null`,
}

export const dueSweeps: DueWork = {
  name: 'media_sweeps',
  merchants: ({ clock }) => sql`select merchant_id from media_sweeps where sweep_at <= ${clock.now()}`,
  next: () => sql`select min(sweep_at) as at from media_sweeps`,
}
