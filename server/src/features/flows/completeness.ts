import type { Finding } from '@okaeri/contract/emails/email'
import type { FieldReason } from '@okaeri/contract/errors'
import { planIncludes } from '@okaeri/contract/merchants/plan-features'
import type { EventField } from '@okaeri/contract/scenarios/event-fields'
import { conditionOf, emailOf, type Flow } from '@okaeri/contract/scenarios/flow'
import { checkFlowShape, reachable } from '@okaeri/contract/scenarios/flow-check'
import { type FlowProblem, flowProblems } from '@okaeri/contract/scenarios/flow-problem'
import { triggerRules } from '@okaeri/contract/scenarios/trigger-kinds/index'
import type { Condition } from '@okaeri/contract/segments/condition'
import { AppError } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { eventFieldsNeeded, variablesUsed } from '../email-rendering/index.ts'
import { listEmailContents, renderForCustomer } from '../emails/index.ts'
import { getMerchant, presentPlan } from '../merchants/index.ts'
import { findSegment, listCategories, refuseUnusable } from '../segments/index.ts'
import { findStore } from '../stores/index.ts'
import type { ScenarioRow } from './queries.ts'

const NO_TRACKING = { source: null, medium: null, campaign: null }

/**
 * Everything that keeps a flow from running: its shape, and anything it names that is missing. Emails get the same checks as for a
 * campaign. Reported by node, so that the page can mark it.
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

/** The same for many flows: the merchant's data and each email are checked once. For one request only, because the results are kept. */
export function createFlowCheck(scope: MerchantScope): (flow: Flow, needsEditor: boolean) => Promise<FlowProblem[]> {
  const categories = once(() => listCategories(scope))
  const hasFlowEditor = once(async () => planIncludes(presentPlan(await getMerchant(scope), scope.now), 'flow_editor'))
  const discounts = once(() => mayMakeDiscounts(scope))
  const mails = new Map<string, Mail>()
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
    await lookAtMails(scope, flow, mails)
    const withoutCoupon = reachedWithoutCoupon(flow)
    const filled: readonly EventField[] = triggerRules(trigger.kind).fills ?? []
    for (const node of flow.nodes) {
      const condition = conditionOf(node)
      if (condition && !(await isUsable(scope, condition))) say(node.id, 'condition_invalid', 'settings.condition')
      if (node.kind === 'issue_coupon' && !(await discounts())) say(node.id, 'coupon_not_granted', 'settings.coupon')
      const mail = mails.get(emailOf(node)?.toLowerCase() ?? '')
      if (!mail) continue
      if (mail.accountUnconfirmed) say(null, 'account_unconfirmed', null)
      if (mail.unconfirmedSender !== null)
        say(node.id, 'sender_unconfirmed', 'settings.email_id', { sender: mail.unconfirmedSender })
      if (mail.problem) say(node.id, mail.problem, 'settings.email_id')
      else if (mail.needs.some((field) => !filled.includes(field)))
        say(node.id, 'email_lacks_event', 'settings.email_id')
      else if (mail.coupon && withoutCoupon.has(node.id)) say(node.id, 'email_lacks_coupon', 'settings.email_id')
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

interface Mail {
  problem: 'email_gone' | 'email_unfit' | null
  /** The sender address no one has confirmed yet. The mail waits for that. */
  unconfirmedSender: string | null
  accountUnconfirmed: boolean
  /** The event tags the email uses. */
  needs: readonly EventField[]
  coupon: boolean
}
const GONE: Mail = {
  problem: 'email_gone',
  unconfirmedSender: null,
  accountUnconfirmed: false,
  needs: [],
  coupon: false,
}

/** Nothing is wrong with the email itself. */
const waiting: readonly Finding['code'][] = ['sender_unconfirmed', 'account_unconfirmed']

/** Checks the emails of a flow that are not in `known` yet. */
async function lookAtMails(scope: MerchantScope, flow: Flow, known: Map<string, Mail>): Promise<void> {
  const named = flow.nodes.flatMap((node) => emailOf(node)?.toLowerCase() ?? [])
  const ids = [...new Set(named)].filter((id) => !known.has(id))
  if (ids.length === 0) return
  for (const id of ids) known.set(id, GONE)
  for (const email of await listEmailContents(scope, ids)) {
    const { findings } = await renderForCustomer(scope, {
      email,
      customer: null,
      contentId: email.id,
      trackingEnabled: true,
      trackingParameters: NO_TRACKING,
    })
    const templates = [email.subject, email.preheader, email.content]
    known.set(email.id, {
      problem: findings.some(({ level, code }) => level === 'blocks' && !waiting.includes(code)) ? 'email_unfit' : null,
      unconfirmedSender: findings.find(({ code }) => code === 'sender_unconfirmed')?.detail ?? null,
      accountUnconfirmed: findings.some(({ code }) => code === 'account_unconfirmed'),
      needs: [...(await eventFieldsNeeded(scope, templates))],
      coupon: (await variablesUsed(scope, templates)).coupon,
    })
  }
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
