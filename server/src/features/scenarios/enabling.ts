import type { FieldReason } from '@okaeri/contract/errors'
import { planHasFlowEditor } from '@okaeri/contract/merchants/merchant'
import type { Condition } from '@okaeri/contract/segments/condition'
import type { Flow, FlowProblem } from '@okaeri/contract/scenarios/flow'
import { checkFlowShape } from '@okaeri/contract/scenarios/flow-check'
import { AppError } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { renderForCustomer } from '../emails/index.ts'
import { getMerchant, presentPlan } from '../merchants/index.ts'
import { findStore } from '../stores/index.ts'
import { findSegment, listCategories, refuseUnusable } from '../segments/index.ts'
import { selectEmails } from './queries.ts'

const NO_TRACKING = { source: null, medium: null, campaign: null }

/**
 * All that keeps a flow from running: its shape, and what it names that is not there (any more). Every mail is looked at as a campaign's
 * would be. Node by node, so that the page can mark them.
 */
export async function problemsOf(scope: MerchantScope, flow: Flow, mode: 'form' | 'flow'): Promise<FlowProblem[]> {
  const problems = checkFlowShape(flow, await listCategories(scope))
  const say = (node_id: string | null, problem: FlowProblem['problem'], field: string | null): void => {
    const known = problems.some((each) => each.node_id === node_id && each.problem === problem && each.field === field)
    if (!known) problems.push({ node_id, problem, field })
  }
  if (mode === 'flow' && !planHasFlowEditor(presentPlan(await getMerchant(scope), scope.now)))
    say(null, 'plan_forbids', null)

  const { trigger } = flow
  if ('segment_id' in trigger && trigger.segment_id !== null && !(await findSegment(scope, trigger.segment_id)))
    say(null, 'segment_gone', 'trigger.segment_id')
  if (flow.condition && !(await isUsable(scope, flow.condition))) say(null, 'condition_invalid', 'condition')
  for (const node of flow.nodes)
    if (node.kind === 'branch' && node.settings.condition && !(await isUsable(scope, node.settings.condition)))
      say(node.id, 'condition_invalid', 'settings.condition')

  if (flow.nodes.some(({ kind }) => kind === 'issue_coupon') && !(await mayMakeDiscounts(scope)))
    for (const { id, kind } of flow.nodes) if (kind === 'issue_coupon') say(id, 'coupon_not_granted', 'settings.coupon')

  const unfit = await whyNotSendable(scope, flow)
  for (const node of flow.nodes) {
    if (node.kind !== 'send_email' || node.settings.email_id === null) continue
    const problem = unfit.get(node.settings.email_id.toLowerCase())
    if (problem) say(node.id, problem, 'settings.email_id')
  }
  return problems
}

/** A store connected by an older version granted less. */
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

/** Of the mails a flow names: those that are gone, and those that a campaign would not be allowed to send either. */
async function whyNotSendable(scope: MerchantScope, flow: Flow): Promise<Map<string, 'email_gone' | 'email_unfit'>> {
  const ids = new Set(
    flow.nodes.flatMap((node) =>
      node.kind === 'send_email' && node.settings.email_id ? [node.settings.email_id.toLowerCase()] : [],
    ),
  )
  const unfit = new Map<string, 'email_gone' | 'email_unfit'>([...ids].map((id) => [id, 'email_gone']))
  for (const email of await selectEmails(scope, [...ids])) {
    unfit.delete(email.id)
    const { findings } = await renderForCustomer(scope, {
      email,
      customer: null,
      contentId: email.id,
      trackingEnabled: true,
      trackingParameters: NO_TRACKING,
    })
    if (findings.some(({ level }) => level === 'blocks')) unfit.set(email.id, 'email_unfit')
  }
  return unfit
}

const reasonOf: Partial<Record<FlowProblem['problem'], FieldReason>> = {
  no_nodes: 'required',
  no_start: 'required',
  trigger_incomplete: 'required',
  email_missing: 'required',
  no_tags: 'required',
  note_empty: 'required',
  coupon_incomplete: 'required',
  coupon_not_granted: 'not_allowed',
  email_gone: 'not_found',
  segment_gone: 'not_found',
  metafield_gone: 'not_found',
  unknown_target: 'not_found',
  url_invalid: 'not_a_url',
  cycle_without_wait: 'circular',
  plan_forbids: 'not_allowed',
  line_not_connected: 'not_allowed',
}
/** 409 with the specification's message; each field is a node with what is wrong there. */
export function refuseIncomplete(problems: readonly FlowProblem[]): void {
  if (problems.length === 0) return
  const fields: Record<string, FieldReason> = {}
  for (const { node_id, problem, field } of problems)
    fields[[node_id === null ? 'flow' : `nodes.${node_id}`, field].filter(Boolean).join('.')] =
      reasonOf[problem] ?? 'invalid'
  throw new AppError('conflict', 'scenario_incomplete', 'the scenario is incomplete', fields)
}
