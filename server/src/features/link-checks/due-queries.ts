import { sql } from 'kysely'
import type { DueWork } from '../../kernel/work/due-merchants.ts'
import { isFree } from '../../kernel/work/leases.ts'

// Due work here, over all merchants.

export const askedAddresses: DueWork = {
  name: 'asked_addresses',
  merchants: () => sql`select distinct merchant_id from checked_addresses where is_due and ${isFree}`,
  next: () => sql`select min(lease_expires_at) as at from checked_addresses where is_due`,
  clock: 'real',
}
