import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import type { Finding } from '@okaeri/contract/emails/email'
import type { EventField } from '@okaeri/contract/scenarios/event-fields'
import { contentOf, emailOf, type Flow, type FlowNode, lineMessageOf } from '@okaeri/contract/scenarios/flow/flow'
import { hasSampleLeft } from '@okaeri/contract/line-messages/samples'
import type { FlowProblem } from '@okaeri/contract/scenarios/flow/flow-problem'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { eventFieldsNeeded, variablesUsed } from '../email-rendering/index.ts'
import { type EmailContent, listEmailContents, renderForCustomer, templatesOf } from '../emails/index.ts'
import { listLineContents, variablesOfLine } from '../line-messages/index.ts'
import { getMerchant } from '../merchants/index.ts'

type Problem = FlowProblem['problem']

/** What a node sends, as far as the check of a flow asks about it. */
interface Content {
  problem: Problem | null
  /** How it is named that a tag of it would stay empty. */
  lacks: Record<'event' | 'coupon', Problem>
  /** The sender address no one has confirmed yet. The mail waits for that. */
  unconfirmedSender: string | null
  accountUnconfirmed: boolean
  /** The event tags it uses. */
  needs: readonly EventField[]
  coupon: boolean
}

const fine = { problem: null, unconfirmedSender: null, accountUnconfirmed: false, needs: [], coupon: false } as const
const mail: Content = { ...fine, lacks: { event: 'email_lacks_event', coupon: 'email_lacks_coupon' } }
const line: Content = { ...fine, lacks: { event: 'line_message_lacks_event', coupon: 'line_message_lacks_coupon' } }

/** Looks at what the nodes of a flow send; each email and LINE message once, however many flows send it. */
export function createContentCheck(
  scope: MerchantScope,
): (flow: Flow) => Promise<(node: FlowNode) => Content | undefined> {
  const known = new Map<string, Content>()
  const unknown = (ids: readonly (string | null)[]): string[] => [
    ...new Set(ids.flatMap((id) => id?.toLowerCase() ?? []).filter((id) => !known.has(id))),
  ]
  return async ({ nodes }) => {
    const emails = unknown(nodes.map(emailOf))
    for (const id of emails) known.set(id, { ...mail, problem: 'email_gone' })
    for (const email of emails.length > 0 ? await listEmailContents(scope, emails) : [])
      known.set(email.id, await inspectEmail(scope, email))
    const messages = unknown(nodes.map(lineMessageOf))
    for (const id of messages) known.set(id, { ...line, problem: 'line_message_gone' })
    for (const message of messages.length > 0 ? await listLineContents(scope, messages) : [])
      known.set(message.id, await inspectLine(scope, message))
    return (node) => known.get(contentOf(node)?.toLowerCase() ?? '')
  }
}

/** Nothing is wrong with the email itself. */
const waiting: readonly Finding['code'][] = ['sender_unconfirmed', 'account_unconfirmed']

async function inspectLine(scope: MerchantScope, message: Parameters<typeof variablesOfLine>[1]): Promise<Content> {
  const { account_confirmed } = await getMerchant(scope)
  const problem = hasSampleLeft(message) ? 'line_message_unfit' : null
  return { ...line, ...(await variablesOfLine(scope, message)), problem, accountUnconfirmed: !account_confirmed }
}

async function inspectEmail(scope: MerchantScope, email: EmailContent): Promise<Content> {
  const { findings } = await renderForCustomer(scope, {
    email,
    customer: null,
    contentId: email.id,
    trackingEnabled: true,
    trackingParameters: NO_PARAMETERS,
  })
  const templates = templatesOf(email)
  return {
    ...mail,
    problem: findings.some(({ level, code }) => level === 'blocks' && !waiting.includes(code)) ? 'email_unfit' : null,
    unconfirmedSender: findings.find(({ code }) => code === 'sender_unconfirmed')?.detail ?? null,
    accountUnconfirmed: findings.some(({ code }) => code === 'account_unconfirmed'),
    needs: [...(await eventFieldsNeeded(scope, templates))],
    coupon: (await variablesUsed(scope, templates)).coupon,
  }
}
