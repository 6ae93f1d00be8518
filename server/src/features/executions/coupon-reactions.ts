import type { Facts } from '../../kernel/facts.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { wakeVisits } from './step-queries.ts'

/** Reaction to `coupons.settled`: executions that waited for a coupon continue, with it or without. */
export const resumeWithCoupons = (scope: MerchantScope, { visits }: Facts['coupons.settled']): Promise<void> =>
  scope.transaction((scope) => wakeVisits(scope, visits))
