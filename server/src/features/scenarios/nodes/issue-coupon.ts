import { issueCoupons } from '../../coupons/index.ts'
import type { Move, NodeKind } from '../node-kind.ts'

/** The platform is tried for an hour and a half; an execution that has no answer by then goes on and says so. */
const GIVES_UP_MS = 3 * 3_600_000

/**
 * Takes a coupon of the pool, or sleeps until the platform has made one. In a test there is a code that says it is one; those held out get
 * none. What failed is asked for again when a person plays the execution.
 */
export const issueCoupon: NodeKind<'issue_coupon'> = {
  kind: 'issue_coupon',
  async advance({ scope, scenario, node, executions }) {
    const terms = node.settings.coupon
    const issuing = executions.filter(({ test, held_out }) => !test && !held_out)
    const coupons = await issueCoupons(
      scope,
      { scenarioId: scenario.id, nodeId: node.id, terms },
      issuing.map(({ id, round, customer_id, attempts, woken }) => ({
        executionId: id,
        round,
        customerId: customer_id,
        again: woken === 'arrived' && attempts > 0,
      })),
    )
    const couponOf = new Map(issuing.map(({ id }, at) => [id, coupons[at]]))
    const until = new Date(scope.now.getTime() + GIVES_UP_MS)
    return executions.map((execution): Move => {
      if (execution.test) return { to: 'next', detail: { code: 'TEST', done: false, because: 'test' } }
      const coupon = couponOf.get(execution.id)
      if (!coupon) return { to: 'next', detail: { done: false, because: 'holdout' } }
      const { id, code, status, error, expiresAt } = coupon
      if (status === 'made' || status === 'used')
        return { to: 'next', couponId: id, detail: { code, expires_at: expiresAt.toISOString() } }
      if (status === 'wanted' && execution.woken !== 'timer')
        return { sleepUntil: until, awaits: 'effect', detail: { code } }
      return { fail: 'coupon_not_made', detail: error ?? 'the store did not make it in time' }
    })
  },
}
