import { consentKindOf } from '@okaeri/contract/scenarios/trigger'
import type { ChannelName } from '@okaeri/contract/deliveries/delivery'
import { channelOfKind, type Flow, type FlowNode, nextOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { issueCoupons } from '../../coupons/index.ts'
import { selectUnreachable } from '../sending-queries.ts'
import type { ExecutionAt, Move, NodeKind, NodeStep } from '../node-kind.ts'

/** The platform is tried for an hour and a half. After this the execution fails. */
const GIVES_UP_MS = 3 * 3_600_000

/**
 * Takes a coupon from the pool, or sleeps until the platform has made one. A test gets a code that says it is a test. The hold-out
 * group gets none, and neither does a customer who cannot be reached now if only messages would bring it. Playing a failed execution asks
 * again.
 */
export const issueCoupon: NodeKind<'issue_coupon'> = {
  reachesCustomer: true,
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

/** Why no one would see a code issued now; null if someone could. A coupon already requested from the platform is waited for. */
async function whyWasted({ scope, scenario, node, executions }: NodeStep<'issue_coupon'>) {
  const asked = executions.filter(({ woken, test, held_out }) => woken === 'arrived' && !test && !held_out)
  const channels = asked.length === 0 ? [] : channelsAhead(scenario.flow, node)
  const whys: ((customerId: string | null) => string | null)[] = []
  for (const channel of channels)
    whys.push(
      await selectUnreachable(
        scope,
        asked.map(({ customer_id }) => customer_id),
        {
          channel,
          sendToAll: scenario.include_all_customers,
          kind: consentKindOf(scenario.flow.trigger.kind),
        },
      ),
    )
  const askedFor = new Set(asked)
  return (execution: ExecutionAt): string | null => {
    if (!askedFor.has(execution)) return null
    const reasons = whys.map((whyNot) => whyNot(execution.customer_id))
    return reasons.includes(null) ? null : (reasons[0] ?? null)
  }
}

/** The ways in which messages would bring this coupon. The next coupon step takes over from it. */
function channelsAhead({ nodes }: Pick<Flow, 'nodes'>, coupon: FlowNode): ChannelName[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const after = (node: FlowNode): FlowNode[] =>
    portsOf(node).flatMap((port) => byId.get(nextOf(node, port) ?? '') ?? [])
  const seen = new Set<FlowNode>()
  const ahead = after(coupon)
  for (let node = ahead.pop(); node; node = ahead.pop()) {
    if (seen.has(node) || node.kind === 'issue_coupon') continue
    seen.add(node)
    ahead.push(...after(node))
  }
  return [...new Set([...seen].flatMap(({ kind }) => channelOfKind(kind) ?? []))].sort()
}
