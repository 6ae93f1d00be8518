import { createHash } from 'node:crypto'
import type { SkipReason } from '@okaeri/contract/deliveries/delivery'
import { newId, newIds } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { prepareContent, type RecipientVariables, TemplateError, variablesUsed } from '../email-rendering/index.ts'
import { getMerchant, senderOf } from '../merchants/index.ts'
import type { Tracking } from './delivery.ts'
import { insertMessage } from './queries.ts'
import {
  countUncertain,
  type EmailOfNode,
  expireHeld,
  findEmailOfNode,
  findScenarioMessage,
  findWholeEmail,
  insertScenarioRows,
  keepReleased,
  type MessageKey,
  markScenarioMessages,
  requeueUncertain,
  type ScenarioMessageRow,
  skipPendingOfExecutions,
  skipPendingOfScenario,
} from './scenario-queries.ts'

/** A node that mails, in one version of its scenario. */
export interface MailingNode {
  scenarioId: string
  nodeId: string
  version: number
  emailId: string
  trackingParameters: Tracking['parameters'] | null
  priority: 'normal' | 'always'
  /** May be exempt from the allowed sending hours (spec §3). */
  postPurchase: boolean
  /** For test executions: to the test addresses, without tracking, counted nowhere. */
  forTests: boolean
  /** The scenario was stopped: what is written waits until it runs again. */
  held?: boolean
}
/** Its content frozen; which variables of a recipient it writes. */
export type NodeMessage = ScenarioMessageRow
/** Why there is nothing that could be sent. */
export interface NoMessage {
  missing: 'email_gone' | 'template_broken'
  detail: string
}

const NO_PARAMETERS = { source: null, medium: null, campaign: null }

/**
 * The message a node sends now: frozen when first needed, and again when the email, the sender of the settings, the priority or the test
 * mode is another than before. Executions that come later get the new one; what is written already stays.
 */
export async function messageForNode(scope: TransactionScope, node: MailingNode): Promise<NodeMessage | NoMessage> {
  const email = await findEmailOfNode(scope, node.emailId)
  if (!email) return { missing: 'email_gone', detail: node.emailId }
  const merchant = await getMerchant(scope)
  const known = await findScenarioMessage(scope, keyOf(node, email, merchant))
  if (known) return known
  // It may have been edited since: what is frozen is one state of it, named by that state.
  const whole = await findWholeEmail(scope, node.emailId)
  if (!whole) return { missing: 'email_gone', detail: node.emailId }
  const sender = senderColumns(whole, merchant)
  if (!sender.from_email) return { missing: 'template_broken', detail: 'there is no sender address in the settings' }
  const key = keyOf(node, whole, merchant)
  const { scenarioId, nodeId, version, emailId, priority, postPurchase, forTests } = node
  const { subject, preheader, content } = whole
  const parameters = node.trackingParameters ?? NO_PARAMETERS
  const trackingEnabled = !forTests
  const prepared = await prepareContent(scope, {
    html: content,
    subject,
    preheader,
    trackingEnabled,
    trackingParameters: parameters,
    contentId: emailId,
  }).catch(asFailure)
  if ('missing' in prepared) return prepared
  const broken = prepared.findings.find(({ code }) => code.startsWith('template_'))
  if (broken) return { missing: 'template_broken', detail: broken.detail ?? '' }
  const uses = await variablesUsed(scope, [subject, preheader, content])
  await insertMessage(scope, {
    id: newId(),
    campaign_id: null,
    email_id: emailId,
    subject,
    preheader,
    ...sender,
    html: prepared.html,
    text: prepared.text,
    links: prepared.links,
    tracking_enabled: trackingEnabled,
    tracking_parameters: parameters,
    state: node.held ? 'held' : 'released',
    test_mode: merchant.test_mode,
    scenario_id: scenarioId,
    node_id: nodeId,
    version,
    fingerprint: key.fingerprint,
    priority,
    post_purchase: postPurchase,
    for_tests: forTests,
    uses_event: uses.event,
    uses_coupon: uses.coupon,
    uncounted_from: scope.now,
  })
  // Another worker may have been first.
  return (await findScenarioMessage(scope, key)) as NodeMessage
}

const asFailure = (error: unknown): NoMessage => {
  if (error instanceof TemplateError) return { missing: 'template_broken', detail: error.message }
  throw error
}

type Sending = Awaited<ReturnType<typeof getMerchant>>

function senderColumns(email: EmailOfNode, merchant: Sending) {
  const { name, email: address, replyTo } = senderOf(email, merchant)
  return { from_name: name, from_email: address, reply_to: replyTo }
}

function keyOf(node: MailingNode, email: EmailOfNode, merchant: Sending): MessageKey {
  const { scenarioId, nodeId, version, emailId, priority, postPurchase, forTests } = node
  const { subject, preheader, content_hash } = email
  const frozen = {
    emailId,
    subject,
    preheader,
    content_hash,
    sender: senderColumns(email, merchant),
    parameters: node.trackingParameters ?? NO_PARAMETERS,
    priority,
    postPurchase,
    forTests,
    test_mode: merchant.test_mode,
  }
  const fingerprint = createHash('sha256').update(JSON.stringify(frozen)).digest('base64url')
  return { scenarioId, nodeId, version, fingerprint }
}

/** One visit of a mailing node. */
export interface ScenarioRecipient {
  executionId: string
  round: number
  /** Null: a guest, whose address is not known. */
  customerId: string | null
  variables: RecipientVariables | null
  /** Recorded as not sent, for this reason. */
  skip: SkipReason | null
}

/**
 * Writes one delivery for each visit, in one statement, and answers their ids in the same order. They leave once the transaction is
 * committed, when the sending hours allow it. Who cannot be mailed is found out when they are claimed.
 */
export async function insertScenarioDeliveries(
  scope: TransactionScope,
  mail: { scenarioId: string; nodeId: string; message: NodeMessage; ignoresConsent: boolean; held?: boolean },
  recipients: readonly ScenarioRecipient[],
): Promise<string[]> {
  if (recipients.length === 0) return []
  if (recipients.some(({ skip }) => skip === null)) await keepReleased(scope, mail.message.id, { held: mail.held })
  const ids = newIds(recipients.length)
  const rows = recipients.map((recipient, index) => ({
    ...recipient,
    id: ids[index] as string,
    skip: recipient.skip ?? (recipient.customerId === null && !mail.message.for_tests ? 'no_address' : null),
  }))
  const written = await insertScenarioRows(scope, mail, rows)
  return rows.map(({ id, executionId, round }) => written.get(`${executionId} ${round}`) ?? id)
}

/** Stopped: what is not sent yet waits, what is in flight ends. */
export const holdScenarioMail = (scope: MerchantScope, scenarioId: string): Promise<void> =>
  markScenarioMessages(scope, scenarioId, { from: 'released', to: 'held' })

/** Enabled again. What was to go out before `wantedFrom` comes too late, and says so: nobody wants last season's mail. */
export async function releaseScenarioMail(scope: MerchantScope, scenarioId: string, wantedFrom: Date): Promise<void> {
  await expireHeld(scope, scenarioId, wantedFrom)
  await markScenarioMessages(scope, scenarioId, { from: 'held', to: 'released' })
}

/** Deleted: nothing of it goes out any more. */
export async function cancelScenarioMail(scope: MerchantScope, scenarioId: string): Promise<void> {
  await markScenarioMessages(scope, scenarioId, { from: 'released', to: 'done' })
  await markScenarioMessages(scope, scenarioId, { from: 'held', to: 'done' })
  await skipPendingOfScenario(scope, scenarioId)
}

/** They came to an early end: whoever has bought is not asked to, though the mail only waits for the morning. */
export const cancelMailOfExecutions = skipPendingOfExecutions
export { listExecutionsWithWaitingMail } from './scenario-queries.ts'

/** How many mails of a scenario nobody knows the fate of; {@link sendUncertainAgain} sends those again, because a person asked. */
export const countUncertainOf = countUncertain
export const sendUncertainAgain = requeueUncertain
