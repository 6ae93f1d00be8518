import { type Flow, type FlowNode, nextOf, portsOf } from '@okaeri/contract/scenarios/flow'
import { issueCoupons } from '../../coupons/index.ts'
import { selectUnmailable } from '../mailing-queries.ts'
import type { ExecutionAt, Move, NodeKind, NodeStep } from '../node-kind.ts'

/** The platform is tried for an hour and a half; an execution that has no answer by then goes on and says so. */
const GIVES_UP_MS = 3 * 3_600_000

/**
 * Takes a coupon of the pool, or sleeps until the platform has made one. In a test there is a code that says it is one; those held out get
 * none, and neither do those it could only be mailed to and who cannot be mailed now. What failed is asked for again when a person plays the
 * execution.
 */
export const issueCoupon: NodeKind<'issue_coupon'> = {
  brings: true,
  async advance(step) {
    const { scope, scenario, node, executions } = step
    const terms = node.settings.coupon
    const wasted = await whyWasted(step)
    const issuing = executions.filter((execution) => !execution.test && !execution.held_out && !wasted(execution))
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
      const because = execution.held_out ? null : wasted(execution)
      if (because) return { to: 'next', couponId: null, detail: { done: false, because } }
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
  rehearse: () => ({ to: 'next' }),
}

/** Why nobody would ever see a code issued now; null where somebody may. What was asked of the platform already is waited for. */
async function whyWasted({ scope, scenario, node, executions }: NodeStep<'issue_coupon'>) {
  const asked = executions.filter(({ woken, test, held_out }) => woken === 'arrived' && !test && !held_out)
  if (asked.length === 0 || !isOnlyMailed(scenario.flow, node)) return () => null
  const whyNot = await selectUnmailable(
    scope,
    asked.map(({ customer_id }) => customer_id),
    { sendToAll: scenario.include_all_customers },
  )
  const reasons = new Map(asked.map(({ id, customer_id }) => [id, whyNot(customer_id)]))
  return ({ id }: ExecutionAt) => reasons.get(id) ?? null
}

/** Whether mails come after it that would bring the code, and nothing else that could. The next coupon takes its place. */
function isOnlyMailed({ nodes }: Pick<Flow, 'nodes'>, coupon: FlowNode): boolean {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const after = (node: FlowNode): FlowNode[] =>
    portsOf(node).flatMap((port) => byId.get(nextOf(node, port) ?? '') ?? [])
  const seen = new Set<FlowNode>()
  const ahead = after(coupon)
  for (let node = ahead.pop(); node; node = ahead.pop()) {
    if (seen.has(node) || node.kind === 'issue_coupon') continue
    if (node.kind === 'send_line') return false
    seen.add(node)
    ahead.push(...after(node))
  }
  return [...seen].some(({ kind }) => kind === 'send_email')
}
