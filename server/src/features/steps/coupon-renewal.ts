import { consentKindOf } from '@okaeri/contract/scenarios/trigger'
import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import { channelOfKind, type Flow, nextOf, type NodeOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { issueCoupons, renewCodes } from '../coupons/index.ts'
import { replaceCodes } from '../deliveries/index.ts'
import {
  countCouponFailures,
  insertSteps,
  lockCouponFailures,
  type Renewal,
  renewExecutionRows,
  type ExecutionWithoutCoupon,
} from '../executions/index.ts'
import { findScenarioStatus, getScenarioRow, readFlows, type ScenarioWithFlow } from '../flows/index.ts'
import { selectUnreachable } from './sending-queries.ts'
import { countWaitingWithCode, lockWaitingWithCode } from './waiting-codes-queries.ts'

/**
 * New coupons for executions whose mail was not sent because the coupon expired or was never made. They continue at that mail in a new
 * round, so that nothing they had comes twice. The coupon gets the current terms of the coupon step. Messages that wait with a code that no longer
 * holds get another of the same worth.
 */

export async function getCouponFailures(
  scope: MerchantScope,
  id: string,
): Promise<{ count: number; terms: CouponTerms[] }> {
  const { flow } = await getScenarioRow(scope, id)
  const terms = flow.nodes.flatMap((node) => (node.kind === 'issue_coupon' ? [node.settings.coupon] : []))
  return { count: (await countCouponFailures(scope, id)) + (await countWaitingWithCode(scope, id)), terms }
}

/** Returns how many there are; a job does the work. */
export const renewCoupons = (scope: MerchantScope, id: string): Promise<number> =>
  scope.transaction(async (scope) => {
    await getScenarioRow(scope, id)
    const count = (await countCouponFailures(scope, id)) + (await countWaitingWithCode(scope, id))
    // Executions that fail after this moment are not renewed again.
    if (count > 0)
      await scope.context.jobs.later(scope, renewFailedCoupons, { scenarioId: id, until: scope.now.toISOString() })
    return count
  })

const AT_ONCE = 500
/** Longer than the platform is tried. */
const GIVES_UP_MS = 3 * 3_600_000

export const renewFailedCoupons = job<{ scenarioId: string; until: string }>(
  'renew_failed_coupons',
  ({ scenarioId }) => scenarioId,
  async (scope, { scenarioId, until }) => {
    const status = await findScenarioStatus(scope, scenarioId)
    if (status === null || status === 'deleted') return
    const scenario = await getScenarioRow(scope, scenarioId)
    for (let after: string | undefined = NIL_ID; after !== undefined; )
      after = await renewSome(scope, scenario, { until: new Date(until), after })
    while ((await renewWaiting(scope, scenarioId)) === AT_ONCE);
  },
)

/**
 * New codes for messages that are written and wait, because the store does not take theirs any longer as they say. They leave once the store has made
 * the new ones. Returns how many.
 */
const renewWaiting = (scope: MerchantScope, scenarioId: string): Promise<number> =>
  retriedTransaction(scope, async (scope) => {
    const waiting = await lockWaitingWithCode(scope, scenarioId, AT_ONCE)
    const codes = await renewCodes(
      scope,
      waiting.map(({ coupon_id: id, discount_id: discountId, prefix }) => ({ id, discountId, prefix })),
    )
    await replaceCodes(
      scope,
      waiting.flatMap(({ delivery_id: deliveryId, coupon_id }) => {
        const code = codes.get(coupon_id)
        return code === undefined ? [] : [{ deliveryId, code }]
      }),
    )
    return waiting.length
  })

/** Returns the last id; undefined when there are no more. */
const renewSome = (
  scope: MerchantScope,
  scenario: ScenarioWithFlow,
  { until, after }: { until: Date; after: string },
): Promise<string | undefined> =>
  retriedTransaction(scope, async (scope) => {
    const failed = await lockCouponFailures(scope, { scenarioId: scenario.id, until, after, limit: AT_ONCE })
    const flowOf = await readFlows(
      scope,
      [...new Set(failed.map(({ version }) => version))].map((version) => ({ scenarioId: scenario.id, version })),
    )
    for (const group of Map.groupBy(failed, ({ version, node_id }) => `${version} ${node_id}`).values()) {
      const [{ version, node_id: nodeId } = { version: 0, node_id: '' }] = group
      const flow = flowOf(scenario.id, version)
      if (flow) await renewAt(scope, scenario, { flow, nodeId, group })
    }
    return failed.at(-1)?.id
  })

async function renewAt(
  scope: TransactionScope,
  scenario: ScenarioWithFlow,
  { flow, nodeId, group }: { flow: Flow; nodeId: string; group: readonly ExecutionWithoutCoupon[] },
): Promise<void> {
  const node = flow.nodes.find(({ id }) => id === nodeId)
  const issuing = node?.kind === 'issue_coupon' ? node : issuingBefore(flow, nodeId)
  // The flow no longer issues a coupon. It has to be corrected first.
  if (!issuing) return
  const now = scenario.flow.nodes.find(({ id }) => id === issuing.id)
  const terms = (now?.kind === 'issue_coupon' ? now : issuing).settings.coupon
  const whyNot = await selectUnreachable(
    scope,
    group.map(({ customer_id }) => customer_id),
    {
      channel: (node && channelOfKind(node.kind)) ?? 'email',
      sendToAll: scenario.include_all_customers,
      kind: consentKindOf(flow.trigger.kind),
    },
  )
  // At the coupon step itself, the step is tried again. A customer who cannot be mailed gets no code.
  const withoutCode = group.filter(({ customer_id }) => node?.kind === 'issue_coupon' || whyNot(customer_id) !== null)
  const withCode = group.filter((one) => !withoutCode.includes(one))
  const coupons = await issueCoupons(
    scope,
    { scenarioId: scenario.id, nodeId, terms },
    withCode.map(({ id, round, customer_id }) => ({ executionId: id, round: round + 1, customerId: customer_id })),
  )
  const isMade = (at: number): boolean => coupons[at]?.status === 'made'
  const renewals: Renewal[] = [
    ...withoutCode.map(({ id, round }) => ({ id, round, coupon_id: null, waits: false, wake_at: scope.now })),
    ...withCode.map(({ id, round }, at) => ({
      id,
      round: round + 1,
      coupon_id: coupons[at]?.id ?? null,
      waits: !isMade(at),
      wake_at: isMade(at) ? scope.now : new Date(scope.now.getTime() + GIVES_UP_MS),
    })),
  ]
  await renewExecutionRows(scope, renewals)
  const roundOf = new Map(renewals.map(({ id, round }) => [id, round]))
  const codeOf = new Map(withCode.map(({ id }, at) => [id, coupons[at]?.code]))
  await insertSteps(
    scope,
    group.map(({ id, steps, round }) => ({
      execution_id: id,
      seq: steps + 1,
      round: roundOf.get(id) ?? round,
      node_id: nodeId,
      node_kind: '',
      outcome: codeOf.has(id) ? 'renewed' : 'played',
      detail: codeOf.has(id) ? { code: codeOf.get(id) } : null,
      delivery_id: null,
    })),
  )
}

/** The nearest coupon step before a node. */
function issuingBefore({ nodes }: Flow, to: string): NodeOf<'issue_coupon'> | null {
  const seen = new Set([to])
  for (let level = [to]; level.length > 0; ) {
    const before = nodes.filter(
      (node) => !seen.has(node.id) && portsOf(node).some((port) => level.includes(nextOf(node, port) ?? '')),
    )
    const issuing = before.find((node) => node.kind === 'issue_coupon')
    if (issuing) return issuing
    level = before.map(({ id }) => id)
    for (const id of level) seen.add(id)
  }
  return null
}
