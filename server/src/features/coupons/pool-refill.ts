import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import { recurring } from '../../kernel/work/due-merchants.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { newCode } from './code.ts'
import { discountFor } from './coupon.ts'
import { countPool, deleteLapsed, markDueForLook, selectTermsInUse } from './code-creation-queries.ts'
import { COUPONS_IN_USE_MS, couponsInUse } from './due-queries.ts'
import { LOOK_HOLDS_MS } from './look.ts'
import { insertWanted, markDiscountDue } from './queries.ts'

/** A discount is prepared a day ahead, and used for one day. */
const LAPSED_MS = 3 * 86_400_000
const MIN_POOL = 10
const MAX_POOL = 5_000
/** A merchant with more discounts than this in use is looked at in turns. */
const LOOKED_AT_ONCE = 50
/** More than the busiest recent day. */
const MARGIN = 1.2

/**
 * Codes are made ahead of need, so that a mail does not wait for the platform: the rest of today's expected codes, and all of tomorrow's.
 * Codes that are not issued expire with their discount.
 */
async function refill(scope: MerchantScope): Promise<boolean> {
  const lookedBefore = new Date(scope.now.getTime() - LOOK_HOLDS_MS)
  let wanted = await markDueForLook(scope, { lookedBefore, limit: LOOKED_AT_ONCE })
  await deleteLapsed(scope, new Date(scope.now.getTime() - LAPSED_MS))
  const since = new Date(scope.now.getTime() - COUPONS_IN_USE_MS)
  for (const { terms, most_issued } of await selectTermsInUse(scope, since)) {
    const expected = Math.min(MAX_POOL, Math.ceil(most_issued * MARGIN))
    for (const ahead of [0, 1]) wanted = (await top(scope, terms, { ahead, expected })) || wanted
  }
  return wanted
}

function top(
  scope: MerchantScope,
  terms: CouponTerms,
  { ahead, expected }: { ahead: number; expected: number },
): Promise<boolean> {
  return scope.transaction(async (scope) => {
    const discount = await discountFor(scope, terms, ahead)
    const { free, issued, failing } = await countPool(scope, discount.id)
    const target = Math.max(MIN_POOL, expected - issued)
    // Not again for each code taken.
    if (failing || free > target / 2) return false
    const codes = Array.from({ length: target - free }, () => newCode(terms.prefix))
    await insertWanted(scope, discount.id, codes, null)
    await markDiscountDue(scope, discount.id, { isRequested: false })
    return true
  })
}

export const refillCoupons = recurring({
  name: 'refill the pool of coupons',
  everyMs: 60_000,
  due: couponsInUse,
  turn: refill,
})
