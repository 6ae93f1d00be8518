import { z } from 'zod'
import { CouponTerms } from '../coupons/coupon.ts'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { countingVerb } from './counting-verb.ts'

export const getCouponFailures = endpoint('GET', '/actions/{id}/coupon_failures', {
  area: 'scenarios',
  summary:
    'How many executions stopped because their coupon expired or could not be made, and what new ones would be worth',
  access: 'member',
  params: IdParams,
  reply: z.object({
    coupon_failures: z.object({
      /** Counted up to `EXECUTIONS_COUNTED_TO`. */
      count: z.int(),
      /** Of the issuing steps of the present flow. */
      terms: z.array(CouponTerms),
    }),
  }),
})
export const renewCoupons = countingVerb(
  'renew_coupons',
  'A new coupon for all executions that stopped because theirs expired or could not be made; they go on with the email that was held back',
)
