import { amountsOfCoupon } from '../../coupons/coupon.ts'
import { amountsIn } from '../../segments/condition.ts'
import { conditionOf, type Flow } from './flow.ts'

/** The amounts of money typed into a flow, as they are stored: those of conditions in major units, the others in minor units. */
export interface FlowAmounts {
  major: number[]
  minor: number[]
}

export function amountsOfFlow({ trigger, condition, nodes }: Flow): FlowAmounts {
  const conditions = [condition, ...nodes.map(conditionOf)].filter((one) => one !== null)
  const fall = 'fall' in trigger ? trigger.fall : null
  return {
    major: conditions.flatMap(amountsIn),
    minor: [
      ...(fall?.unit === 'amount' ? [fall.least] : []),
      ...nodes.flatMap(({ settings }) => ('coupon' in settings ? amountsOfCoupon(settings.coupon) : [])),
    ],
  }
}
