import { z } from 'zod'
import { CouponTerms } from '../coupons/coupon.ts'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { countingVerb } from './counting-verb.ts'

export const getCouponFailures = endpoint('GET', '/actions/{id}/coupon_failures', {
  area: 'scenarios',
  summary:
    'How many executions stopped because their coupon expired or could not be issued, and the terms of new coupons',
  access: 'member',
  params: IdParams,
  reply: z.object({
    coupon_failures: z.object({
      /** Counted up to `EXECUTIONS_COUNTED_TO`. */
      count: z.int(),
      /** The terms of the coupon steps of the current flow. */
      terms: z.array(CouponTerms),
    }),
  }),
})
export const renewCoupons = countingVerb(
  'renew_coupons',
  'Issue a new coupon to every execution that stopped because its coupon expired or could not be issued; they continue with the message that was not sent',
)
