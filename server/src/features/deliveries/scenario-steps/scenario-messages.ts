import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import { createHash } from 'node:crypto'
import type { ConsentKind } from '@okaeri/contract/customers/customer'
import type { ChannelName, SkipReason } from '@okaeri/contract/deliveries/delivery'
import { newId, newIds } from '../../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import type { RecipientVariables } from '../../email-rendering/index.ts'
import { getMerchant } from '../../merchants/index.ts'
import { channelOf, type ContentState, type NoContent, stepContentsOf, type Tracking } from '../channel.ts'
import { insertMessage } from '../message-queries.ts'
import {
  countUncertain,
  expireHeld,
  findScenarioMessage,
  insertScenarioRows,
  reopenMessage,
  type MessageKey,
  markScenarioMessages,
  requeueUncertain,
  type ScenarioMessageRow,
  skipPendingOfExecutions,
  skipPendingOfScenario,
} from './scenario-queries.ts'

/** A node that sends, in one version of its scenario. */
export interface SendingNode {
  scenarioId: string
  nodeId: string
  version: number
  channel: ChannelName
  contentId: string
  trackingParameters: Tracking['parameters'] | null
  priority: 'normal' | 'always'
  /** May be exempt from the allowed sending hours (spec §3). */
  postPurchase: boolean
  consentKind: ConsentKind
  /** For test executions: to the test addresses, without tracking, counted nowhere. */
  forTests: boolean
  /** The scenario was stopped: what is written waits until it runs again. */
  held?: boolean
}
/** Its content frozen; which variables of a recipient it writes. */
export type NodeMessage = ScenarioMessageRow

/**
 * The message a node sends now: frozen when first needed, and again when the content, its sender, the priority or the test mode is another
 * than before. Executions that come later get the new one; what is written already stays.
 */
export async function messageForNode(scope: TransactionScope, node: SendingNode): Promise<NodeMessage | NoContent> {
  const { scenarioId, nodeId, version, contentId, priority, postPurchase, consentKind, forTests } = node
  const contents = stepContentsOf(scope.context, node.channel)
  const state = await contents.findState(scope, contentId)
  if (!state) return { missing: contents.gone, detail: contentId }
  const { test_mode } = await getMerchant(scope)
  const known = await findScenarioMessage(scope, keyOf(node, state, test_mode))
  if (known) return known
  const tracking = { enabled: !forTests, parameters: node.trackingParameters ?? NO_PARAMETERS }
  const content = await contents.prepareForStep(scope, contentId, tracking)
  if ('missing' in content) return content
  const key = keyOf(node, content.state, test_mode)
  await insertMessage(scope, content, {
    id: newId(),
    program: { kind: 'scenario', id: scenarioId, nodeId },
    state: node.held ? 'held' : 'released',
    test_mode,
    version,
    fingerprint: key.fingerprint,
    priority,
    post_purchase: postPurchase,
    consent_kind: consentKind,
    for_tests: forTests,
    uses_event: content.uses.event,
    uses_coupon: content.uses.coupon,
    uncounted_from: scope.now,
  })
  // Another worker may have been first.
  return (await findScenarioMessage(scope, key)) as NodeMessage
}

function keyOf(node: SendingNode, state: ContentState, testMode: boolean): MessageKey {
  const { scenarioId, nodeId, version, contentId, priority, postPurchase, forTests } = node
  const frozen = {
    contentId,
    ...state,
    parameters: node.trackingParameters ?? NO_PARAMETERS,
    priority,
    postPurchase,
    forTests,
    test_mode: testMode,
  }
  const fingerprint = createHash('sha256').update(JSON.stringify(frozen)).digest('base64url')
  return { scenarioId, nodeId, version, fingerprint }
}

/** One visit of a sending node. */
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
 * Writes one delivery for each visit, in one statement, and returns their ids in the same order. They leave once the transaction is
 * committed, when the sending hours allow it. Who cannot be reached is found out when they are claimed.
 */
export async function insertScenarioDeliveries(
  scope: TransactionScope,
  sending: { scenarioId: string; nodeId: string; message: NodeMessage; ignoresConsent: boolean; held?: boolean },
  recipients: readonly ScenarioRecipient[],
): Promise<string[]> {
  if (recipients.length === 0) return []
  const { message } = sending
  const channel = channelOf(scope.context, message.channel)
  if (recipients.some(({ skip }) => skip === null)) await reopenMessage(scope, message.id, { held: sending.held })
  const ids = newIds(recipients.length)
  const rows = recipients.map((recipient, index) => ({
    ...recipient,
    id: ids[index] as string,
    skip:
      recipient.skip ?? (recipient.customerId === null && !message.for_tests ? channel.unknownCustomerReason : null),
  }))
  const written = await insertScenarioRows(scope, { ...sending, address: channel.address(scope.merchantId) }, rows)
  return rows.map(({ id, executionId, round }) => written.get(`${executionId} ${round}`) ?? id)
}

/** Stopped: what is not sent yet waits, what is in flight ends. */
export const holdScenarioMessages = (scope: MerchantScope, scenarioId: string): Promise<void> =>
  markScenarioMessages(scope, scenarioId, { from: 'released', to: 'held' })

/** Enabled again. What was to go out before `wantedFrom` is too late, and its row says so: last season's message is not wanted. */
export async function releaseScenarioMessages(
  scope: MerchantScope,
  scenarioId: string,
  wantedFrom: Date,
): Promise<void> {
  await expireHeld(scope, scenarioId, wantedFrom)
  await markScenarioMessages(scope, scenarioId, { from: 'held', to: 'released' })
}

/** Deleted: nothing more of it goes out. */
export async function cancelScenarioMessages(scope: MerchantScope, scenarioId: string): Promise<void> {
  await markScenarioMessages(scope, scenarioId, { from: 'released', to: 'done' })
  await markScenarioMessages(scope, scenarioId, { from: 'held', to: 'done' })
  await skipPendingOfScenario(scope, scenarioId)
}

/** They came to an early end: a customer who has bought must not be asked to, even if the message only waits for the morning. */
export const cancelMessagesOfExecutions = skipPendingOfExecutions
export { listExecutionsWithWaitingMessages } from './scenario-queries.ts'

/** How many messages of a scenario have an unknown outcome; {@link sendUncertainAgain} sends them again, because a person asked. */
export const countUncertainOf = countUncertain
export const sendUncertainAgain = requeueUncertain
