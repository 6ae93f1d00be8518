import type { Facts } from '../../kernel/events.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { endExecutions } from './ending.ts'
import { selectUnderWay, wakeVisits } from './mailing-queries.ts'
import { readFlows } from './reading-flows.ts'

/** Reaction to `coupons.settled`: those that waited for their coupon go on with it, or without. */
export const goOnWithCoupons = (scope: MerchantScope, { visits }: Facts['coupons.settled']): Promise<void> =>
  scope.transaction((scope) => wakeVisits(scope, visits))

/** Reaction to `coupon.used`: the execution that issued it has come to its end, where its flow says so. */
export const endForUsedCoupon = (scope: MerchantScope, { executionId }: Facts['coupon.used']): Promise<void> =>
  scope.transaction(async (scope) => {
    const found = await selectUnderWay(scope, executionId)
    const flows = await readFlows(
      scope,
      found.map(({ scenario_id: scenarioId, version }) => ({ scenarioId, version })),
    )
    const those = found.filter(({ scenario_id, version }) =>
      flows(scenario_id, version)?.ends_on.includes('coupon_used'),
    )
    await endExecutions(
      scope,
      those.map(({ id }) => ({ executionId: id, reason: 'coupon_used' as const })),
    )
  })
