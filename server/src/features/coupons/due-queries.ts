import { sql } from 'kysely'
import { type DueWork, inAnHour } from '../../kernel/work/due-merchants.ts'
import { isFree } from '../../kernel/work/leases.ts'

// Due work here, over all merchants.

export const dueDiscounts: DueWork = {
  name: 'discounts',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from discounts
    where (next_step_at <= ${clock.now()} or next_step_at > ${inAnHour(clock.now())}) and ${isFree}`,
  next: () => sql`select min(next_step_at) as at from discounts where next_step_at is not null`,
}

/** Terms that issued no coupon for this long get no new codes. */
export const COUPONS_IN_USE_MS = 3 * 86_400_000

export const couponsInUse: DueWork = {
  name: 'coupons_in_use',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from discounts where last_issued_at >= ${new Date(clock.now().getTime() - COUPONS_IN_USE_MS)}`,
}
