import type { FieldReason } from '@okaeri/contract/errors'
import { planIncludes } from '@okaeri/contract/merchants/plan-features'
import type { EventField } from '@okaeri/contract/scenarios/event-fields'
import { conditionOf, emailOf, type Flow } from '@okaeri/contract/scenarios/flow/flow'
import { checkFlowShape, reachable } from '@okaeri/contract/scenarios/flow/flow-check'
import { type FlowProblem, flowProblems } from '@okaeri/contract/scenarios/flow/flow-problem'
import { triggerRules } from '@okaeri/contract/scenarios/trigger-kinds/index'
import type { Condition } from '@okaeri/contract/segments/condition'
import { AppError } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { isLineConnected } from '../line-accounts/index.ts'
import { getMerchant, presentPlan } from '../merchants/index.ts'
import { findSegment, listCategories, refuseUnusable } from '../segments/index.ts'
import { findStore } from '../stores/index.ts'
import { createContentCheck } from './contents.ts'
import type { ScenarioRow } from './queries.ts'

/**
 * Everything that keeps a flow from running: its shape, and anything it names that is missing. Emails and LINE messages get the same checks
 * as for a campaign. Reported by node, so that the page can mark it.
 */
export const problemsOf = (scope: MerchantScope, flow: Flow, needsEditor: boolean): Promise<FlowProblem[]> =>
  createFlowCheck(scope)(flow, needsEditor)

/**
 * Whether the plan must include the flow editor to enable this scenario. A flow that ran and was only stopped may run on after the
 * trial or plan ends (decision 51).
 */
export const needsFlowEditor = (
  scenario: Pick<ScenarioRow, 'mode' | 'status' | 'stopped_at' | 'version_saved_at'>,
): boolean => {
  const { mode, status, stopped_at, version_saved_at } = scenario
  const ran = status === 'active' || (stopped_at !== null && version_saved_at <= stopped_at)
  return mode === 'flow' && !ran
}

/** The same for many flows: the merchant's data and each content are checked once. For one request only, because the results are kept. */
export function createFlowCheck(scope: MerchantScope): (flow: Flow, needsEditor: boolean) => Promise<FlowProblem[]> {
  const categories = once(() => listCategories(scope))
  const hasFlowEditor = once(async () => planIncludes(presentPlan(await getMerchant(scope), scope.now), 'flow_editor'))
  const discounts = once(() => mayMakeDiscounts(scope))
  const lineIsConnected = once(() => isLineConnected(scope))
  const contents = createContentCheck(scope)
  return async (flow, needsEditor) => {
    const problems = checkFlowShape(flow, await categories())
    const say = (
      node_id: string | null,
      problem: FlowProblem['problem'],
      field: string | null,
      more: Pick<FlowProblem, 'sender'> = {},
    ): void => {
      const known = problems.some((one) => one.node_id === node_id && one.problem === problem && one.field === field)
      if (!known) problems.push({ node_id, problem, field, ...more })
    }
    if (needsEditor && !(await hasFlowEditor())) say(null, 'plan_forbids', null)
    const { trigger } = flow
    if ('segment_id' in trigger && trigger.segment_id !== null && !(await findSegment(scope, trigger.segment_id)))
      say(null, 'segment_gone', 'trigger.segment_id')
    if (flow.condition && !(await isUsable(scope, flow.condition))) say(null, 'condition_invalid', 'condition')
    const contentIn = await contents(flow)
    const withoutCoupon = reachedWithoutCoupon(flow)
    const filled: readonly EventField[] = triggerRules(trigger.kind).fills ?? []
    for (const node of flow.nodes) {
      const condition = conditionOf(node)
      if (condition && !(await isUsable(scope, condition))) say(node.id, 'condition_invalid', 'settings.condition')
      if (node.kind === 'issue_coupon' && !(await discounts())) say(node.id, 'coupon_not_granted', 'settings.coupon')
      if (node.kind === 'send_line' && !(await lineIsConnected()))
        say(node.id, 'line_not_connected', 'settings.line_message_id')
      const content = contentIn(node)
      if (!content) continue
      const field = emailOf(node) === null ? 'settings.line_message_id' : 'settings.email_id'
      if (content.accountUnconfirmed) say(null, 'account_unconfirmed', null)
      if (content.unconfirmedSender !== null)
        say(node.id, 'sender_unconfirmed', field, { sender: content.unconfirmedSender })
      if (content.problem) say(node.id, content.problem, field)
      else if (content.needs.some((each) => !filled.includes(each))) say(node.id, content.lacks.event, field)
      else if (content.coupon && withoutCoupon.has(node.id)) say(node.id, content.lacks.coupon, field)
    }
    return problems
  }
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null
  return () => (answer ??= ask())
}

/** A store connected by an older version granted fewer permissions. */
async function mayMakeDiscounts(scope: MerchantScope): Promise<boolean> {
  const store = await findStore(scope)
  return store?.status === 'connected' && store.scopes.split(',').includes('write_discounts')
}

async function isUsable(scope: MerchantScope, condition: Condition): Promise<boolean> {
  try {
    await refuseUnusable(scope, condition)
    return true
  } catch (error) {
    if (error instanceof AppError && error.reason === 'condition_invalid') return false
    throw error
  }
}

/** Nodes that can be reached without passing a coupon step. */
function reachedWithoutCoupon({ start, nodes }: Flow): Set<string> {
  return reachable({ start }, new Map(nodes.flatMap((node) => (node.kind === 'issue_coupon' ? [] : [[node.id, node]]))))
}

/** 409 with the specification's message. Each field is a node with its problem. */
export function refuseIncomplete(problems: readonly FlowProblem[]): void {
  if (problems.length === 0) return
  const fields: Record<string, FieldReason> = {}
  for (const { node_id, problem, field } of problems)
    fields[[node_id === null ? 'flow' : `nodes.${node_id}`, field].filter(Boolean).join('.')] =
      flowProblems[problem].reason
  throw new AppError('conflict', 'scenario_incomplete', 'the scenario is incomplete', fields)
}
