import { recurring } from '../../kernel/work/due-merchants.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { dueIntervals } from './due-queries.ts'
import { forgetIntervalRun, lockIntervals, writeIntervals } from './interval-queries.ts'

// After how many days a product is usually bought again, learned from the store's own orders each night.

/** With fewer repeats the median says more about those few customers than about the product. */
const MIN_REPEATS = 10
/** One customer's habit is not typical. */
const MIN_CUSTOMERS = 5
/** A product bought again after more than a year was broken, not used up. */
const MAX_DAYS = 365
/** Older intervals may no longer be usual. */
const LOOKED_BACK_MS = 2 * 365 * 86_400_000

export const learnIntervals = (scope: MerchantScope): Promise<void> =>
  scope.transaction(async (scope) => {
    await lockIntervals(scope)
    const since = new Date(scope.now.getTime() - LOOKED_BACK_MS)
    await writeIntervals(scope, { since, minRepeats: MIN_REPEATS, minCustomers: MIN_CUSTOMERS, maxDays: MAX_DAYS })
  })

/** Reaction to `customers.changed_widely`: many orders may have arrived at once. */
export const learnIntervalsAgain = (scope: MerchantScope): Promise<void> => forgetIntervalRun(scope)

/** At three in the morning of each merchant (due-queries.ts). */
export const learnIntervalsEachNight = recurring({
  name: 'learn after how long products are bought again',
  everyMs: 5 * 60_000,
  due: dueIntervals,
  async turn(scope) {
    await learnIntervals(scope)
    return true
  },
})
