import { type RawBuilder, sql } from 'kysely'

// Leases of work that is fenced, so that done twice it changes nothing (`lease_expires_at` of a row): by the database's clock, which is one
// for all machines. Those of deliveries are watched instead (features/deliveries/recovering.ts).

/** Longer than any lease (LEASE_SECONDS is at most 600, a discount's 300). */
const LONGEST = sql`interval '15 minutes'`

/** When a lease ends that is taken or prolonged now; in whole milliseconds, as it is read back. */
export const leaseEnd = (ms: number): RawBuilder<Date> =>
  sql`date_trunc('milliseconds', statement_timestamp()) + ${ms}::float8 * interval '1 millisecond'`

/** Whether a row of the statement is free. A lease that ends later than any could is of before the database's clock was set back. */
export const isFree: RawBuilder<boolean> = sql`(lease_expires_at is null
  or lease_expires_at not between statement_timestamp() and statement_timestamp() + ${LONGEST})`
