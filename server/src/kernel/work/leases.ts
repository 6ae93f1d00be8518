import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../merchant-scope.ts'

// Leases of fenced work, which changes nothing when done twice (`lease_expires_at` of a row). They use the database's clock, the same for all
// machines. Leases of deliveries are watched instead (features/deliveries/sending/recovering.ts).

/** Longer than any lease (LEASE_SECONDS is at most 600, a discount's 300). */
const LONGEST = sql`interval '15 minutes'`

/** The end of a lease taken or renewed now; in whole milliseconds, as it is read back. */
export const leaseEnd = (ms: number): RawBuilder<Date> =>
  sql`date_trunc('milliseconds', statement_timestamp()) + ${ms}::float8 * interval '1 millisecond'`

/** Whether the row is free. A lease that ends later than possible is from before the database's clock was set back. */
export const isFree: RawBuilder<boolean> = sql`(lease_expires_at is null
  or lease_expires_at not between statement_timestamp() and statement_timestamp() + ${LONGEST})`

/** A worker's hold on a row. */
export interface Lease {
  rowId: string
  id: string
}
/** The end of a lease of the default length, taken or renewed now. */
export const usualLeaseEnd = ({ context }: MerchantScope): RawBuilder<Date> =>
  leaseEnd(context.settings.leaseSeconds * 1000)

/** Work of a merchant in a table with `status`, `lease_id`, `lease_expires_at` and `next_step_at`: one row runs, held by one worker. */
export function leasedWork(table: string) {
  const rows = sql.table(table)
  const isHeld = ({ merchantId }: MerchantScope, lease: Lease) =>
    sql`merchant_id = ${merchantId} and id = ${lease.rowId} and lease_id = ${lease.id}`
  return {
    /** Renews the lease; false if it was taken over or ended. In a transaction it also keeps others from taking it over. */
    async hold(scope: MerchantScope, lease: Lease): Promise<boolean> {
      const { rows: held } = await sql`
        update ${rows} set lease_expires_at = ${usualLeaseEnd(scope)}
        where ${isHeld(scope, lease)} and status = 'running' returning id
      `.execute(scope.db)
      return held.length > 0
    },
    /** Releases the row until `nextStepAt`. */
    async release(scope: MerchantScope, lease: Lease, nextStepAt: Date): Promise<void> {
      await sql`
        update ${rows} set lease_id = null, lease_expires_at = null, next_step_at = ${nextStepAt}
        where ${isHeld(scope, lease)}
      `.execute(scope.db)
    },
    /** The row due at `now`, postponed so that it is not found again at once; null if a worker holds it. */
    async takeDue(
      scope: MerchantScope,
      { now, postponedUntil }: { now: Date; postponedUntil: Date },
    ): Promise<string | null> {
      const { rows: due } = await sql<{ id: string }>`
        update ${rows} set next_step_at = ${postponedUntil}
        where merchant_id = ${scope.merchantId} and status = 'running'
          -- No pause is as long as an hour: a later time means that a clock was set back.
          and (next_step_at is null or next_step_at <= ${now} or next_step_at > ${new Date(now.getTime() + 3_600_000)})
          and ${isFree}
        returning id
      `.execute(scope.db)
      return due[0]?.id ?? null
    },
  }
}
