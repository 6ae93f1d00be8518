import type {
  Balance,
  ChannelName,
  DeliveryStatus,
  DeliveryView,
  FailureClass,
  SkipReason,
} from '@okaeri/contract/deliveries/delivery'
import type { RawBuilder } from 'kysely'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import type { RecipientVariables } from '../email-rendering/index.ts'
import { getMerchant } from '../merchants/index.ts'
import type { Program } from '../stats/index.ts'
import { orReachedOtherwise } from './audience-sql.ts'
import { channelOf, type PreparedContent } from './channel.ts'
import { contactRule, whyNotContactable } from './contact-rule.ts'
import {
  analyzeDeliveries,
  clearAddresses,
  copyMessageColumns,
  countByReason,
  countCapped,
  countReachedBy,
  deleteUnsent,
  findMessage,
  getMessage,
  insertAudience,
  insertMessage,
  insertReceipt,
  insertTestDelivery,
  recheckSkipped,
  listCampaignMessages,
  markMessageState,
  markOutcomes,
  markPendingSkipped,
  moveToCustomer,
  moveToMessage,
  requeueRows,
  skipDuplicates,
} from './queries.ts'
import type { MessageRow } from './rows.ts'
import { markStepsTroubled } from './scenario-steps/step-circuit-breaker.ts'
import {
  countByStatus,
  type DeliveryRow,
  selectDeliveriesByIds,
  selectDeliveriesOfCampaign,
  selectDeliveriesOfMessage,
  selectDeliveriesOfScenario,
} from './reading-queries.ts'

/** Freezes the content: from here on the message is what it is, whatever happens to what it was made from. Returns its id. */
export const freezeMessage = (
  scope: MerchantScope,
  content: PreparedContent,
  program: Program | null,
  /** How many people it will be for: they count as waiting until its rows are written. */
  expectedCount: number | null = null,
  /** Which part of its campaign's recipients it is for; a canary goes out before the rest. `usesCoupon`: no row leaves without a code. */
  {
    isCanary = false,
    abGroup = null,
    usesCoupon = false,
  }: { isCanary?: boolean; abGroup?: MessageRow['ab_group']; usesCoupon?: boolean } = {},
): Promise<string> =>
  scope.transaction(async (scope) => {
    const id = newId()
    const { test_mode } = await getMerchant(scope)
    const expected_count = test_mode ? null : expectedCount
    const part = { is_canary: isCanary, ab_group: abGroup, uses_coupon: usesCoupon, awaits_codes: usesCoupon }
    await insertMessage(scope, content, { id, program, state: 'held', test_mode, expected_count, ...part })
    return id
  })

/** Fewer new rows do not mislead the planner. */
const WORTH_ANALYZING = 2_000

/** The people a campaign's message is for. */
export interface Audience {
  channel: ChannelName
  /** Over a customer `c`. */
  where: RawBuilder<boolean>
  sendToAll: boolean
  /** Over a customer `c`: the campaign reaches the same person by another channel, as another customer. */
  reachedOtherwise?: RawBuilder<boolean>
  /** Over a customer `c`: they get a message by another channel first, which counts for the cap. */
  getsAnother?: RawBuilder<boolean>
}

const addressesOf = ({ context, merchantId }: MerchantScope, { channel }: Audience) => ({
  address: channelOf(context, channel).address(merchantId),
  addressKey: channelOf(context, channel).addressKey(merchantId),
})

/** Why customers of the audience do not get it, the cap aside. `ofMany`: for very many at once. */
function reasonOf(
  scope: MerchantScope,
  { channel, sendToAll, reachedOtherwise }: Audience,
  { ofMany }: { ofMany: boolean },
): RawBuilder<string | null> {
  const reason = whyNotContactable(scope, { channel, sendToAll, ofMany })
  return reachedOtherwise ? orReachedOtherwise(reason, reachedOtherwise) : reason
}

/** Writes one row for each customer chosen; returns how many. Nothing is sent before {@link releaseMessage}. */
export async function freezeAudience(
  scope: MerchantScope,
  {
    campaignId,
    messageId,
    most = null,
    ...audience
  }: Omit<Audience, 'channel'> & {
    campaignId: string
    messageId: string
    /** At most so many of the reachable people get it, long-standing customers first; the others are `over_quota`. */
    most?: number | null
  },
): Promise<number> {
  const { channel, test_mode: testMode } = await getMessage(scope, messageId)
  const whom = { ...audience, channel }
  const count = await insertAudience(scope, {
    campaignId,
    messageId,
    where: whom.where,
    channel,
    ...addressesOf(scope, whom),
    reason: reasonOf(scope, whom, { ofMany: false }),
    testMode,
    ignoresConsent: whom.sendToAll,
    most,
  })
  if (count >= WORTH_ANALYZING) await analyzeDeliveries(scope)
  return count
}

/** How many of an audience each reason leaves out, the cap aside; null: they get it. */
export const countAudience = (
  scope: MerchantScope,
  audience: Audience,
): Promise<{ reason: SkipReason | null; people: number }[]> =>
  countByReason(scope, {
    where: audience.where,
    addressKey: addressesOf(scope, audience).addressKey,
    reason: reasonOf(scope, audience, { ofMany: true }),
  })

/** How many people an audience reaches, without the cap, for each value of `by`, an expression over a customer `c`. */
export const countReached = (
  scope: MerchantScope,
  audience: Audience,
  by: RawBuilder<string | null>,
): Promise<{ value: string | null; people: number }[]> =>
  countReachedBy(scope, {
    where: audience.where,
    addressKey: addressesOf(scope, audience).addressKey,
    reason: reasonOf(scope, audience, { ofMany: true }),
    by,
  })

/**
 * How many of an audience got as many messages as the merchant's cap allows, and would be skipped if it were sent at that time. What a test
 * sends does not count, and is not counted.
 */
export async function countSkippedByCap(scope: MerchantScope, audience: Audience, at: Date): Promise<number> {
  const merchant = await getMerchant(scope)
  const message = { channel: audience.channel, isTest: false, priority: 'normal' } as const
  const { cap } = contactRule(scope, { merchant, message, ofMany: true })
  if (!cap) return 0
  const { addressKey } = addressesOf(scope, audience)
  const reason = reasonOf(scope, audience, { ofMany: true })
  const { where, getsAnother } = audience
  return countCapped(scope, { where, addressKey, reason, getsAnother, cap, at })
}

/** Looks again at whom a message will reach, when its time has come: see {@link recheckSkipped}. */
export const recheckAudience = (
  scope: MerchantScope,
  { messageId, ...audience }: Audience & { messageId: string },
): Promise<void> =>
  recheckSkipped(scope, {
    messageId,
    ...addressesOf(scope, audience),
    reason: reasonOf(scope, audience, { ofMany: true }),
  })

/** Gives those of one message whom the condition chooses to another of the same campaign. They are looked at by {@link recheckAudience} then. */
export const handOverRecipients = moveToMessage

/** From now on senders may claim the message's rows. */
export const releaseMessage = (scope: MerchantScope, messageId: string): Promise<void> =>
  markMessageState(scope, messageId, 'released')

/** Stops claiming: what is in flight ends, the rest waits. */
export const holdMessage = (scope: MerchantScope, messageId: string): Promise<void> =>
  markMessageState(scope, messageId, 'held')

/** Nothing of the message goes out any more; its rows say so. */
export async function cancelMessage(scope: MerchantScope, messageId: string): Promise<void> {
  await markMessageState(scope, messageId, 'done')
  await markPendingSkipped(scope, messageId, 'cancelled')
}

/**
 * As if it had never been frozen. Only of a message that was never released: nothing of it can have left, so nothing is lost with its rows.
 * Throws where that is not so.
 */
export async function withdrawMessage(scope: TransactionScope, messageId: string): Promise<void> {
  const message = await findMessage(scope, messageId)
  if (message?.state !== 'held') throw new Error(`message ${messageId} is ${message?.state}`)
  await channelOf(scope.context, message.channel).deleteContent(scope, messageId)
  if (!(await deleteUnsent(scope, messageId))) throw new Error(`message ${messageId} was being sent`)
}

/** Before a message is released for the first time: it says what another of its campaign says. */
export async function copyMessageContent(
  scope: TransactionScope,
  { from, to }: { from: MessageRow; to: MessageRow },
): Promise<void> {
  if (to.state !== 'held' || from.channel !== to.channel) throw new Error(`message ${to.id} is ${to.state}`)
  const channel = channelOf(scope.context, to.channel)
  await copyMessageColumns(scope, from.id, to.id)
  await channel.deleteContent(scope, to.id)
  await channel.copyContent(scope, from.id, to.id)
}

/** A customer removed here: no address of theirs is kept. What is still to be sent is skipped when it is claimed. */
export const forgetRecipient = (scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> =>
  clearAddresses(scope, customerId)

/**
 * Two customers of the store became one: what the one got, the other got. Where both are in the audience of a campaign the other's row
 * stays alone; what is still to be sent to the first one is skipped. Of a scenario's node both may wait for the morning: one goes out.
 */
export const joinDeliveries = (
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> =>
  scope.transaction(async (scope) => {
    await skipDuplicates(scope, [fromId, intoId])
    await moveToCustomer(scope, fromId, intoId)
  })

/** Puts the failed rows, or those of unknown fate, back to pending and answers how many. What failed for its content would fail again. */
export async function requeueDeliveries(
  scope: MerchantScope,
  campaignId: string,
  which: 'failed' | 'uncertain',
): Promise<number> {
  const count = await requeueRows(scope, campaignId, which)
  if (count === 0) return 0
  for (const { id, awaits_codes } of await listCampaignMessages(scope, campaignId))
    if (!awaits_codes) await releaseMessage(scope, id)
  return count
}

/** Sends the content to addresses a person typed, marked as a test; they count nowhere. One row each, written before it is sent. */
export const recordTestDeliveries = (
  scope: MerchantScope,
  content: PreparedContent,
  to: { addresses: readonly string[]; customerId: string | null },
): Promise<DeliveryView[]> =>
  scope.transaction(async (scope) => {
    const messageId = await freezeMessage(scope, content, null)
    for (const address of to.addresses)
      await insertTestDelivery(scope, {
        id: newId(),
        messageId,
        channel: content.channel,
        customerId: to.customerId,
        address,
      })
    await releaseMessage(scope, messageId)
    const { rows } = await selectDeliveriesOfMessage(scope, messageId)
    return rows.map((row) => presentDelivery(row, null))
  })

/**
 * A message to one customer that answers what they just did themselves: at any hour, whatever they allow besides, and never capped. In the
 * transaction that stored what they did, so that there is one of each.
 */
export async function recordReceipt(
  scope: TransactionScope,
  content: PreparedContent,
  to: { customerId: string; variables: RecipientVariables },
): Promise<void> {
  const { test_mode: testMode } = await getMerchant(scope)
  const messageId = newId()
  const uses = { uses_event: true, uses_coupon: false }
  await insertMessage(scope, content, {
    id: messageId,
    program: null,
    state: 'released',
    test_mode: testMode,
    priority: 'always',
    is_receipt: true,
    ...uses,
  })
  await insertReceipt(scope, { messageId, channel: content.channel, testMode, ...to })
}

const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((total, count) => total + count, 0)

/** audience = pending + sending + sent + failed + skipped + uncertain, counted from the rows (domain.md §2). */
export async function balanceOf(scope: MerchantScope, campaignId: string): Promise<Balance> {
  const byStatus: Record<DeliveryStatus, number> = {
    pending: 0,
    sending: 0,
    sent: 0,
    failed: 0,
    skipped: 0,
    uncertain: 0,
  }
  const skipped: Partial<Record<SkipReason, number>> = {}
  const failed: Partial<Record<FailureClass, number>> = {}
  for (const { status, reason, count } of await countByStatus(scope, campaignId)) {
    byStatus[status] += count
    if (status === 'skipped' && reason) skipped[reason as SkipReason] = count
    if (status === 'failed' && reason) failed[reason as FailureClass] = count
  }
  return { audience: sum(byStatus), ...byStatus, skipped_by_reason: skipped, failed_by_class: failed }
}

export type OutcomeKind =
  | 'opened'
  | 'machine_opened'
  | 'clicked'
  | 'machine_clicked'
  | 'unsubscribed'
  | 'bounced'
  | 'complained'
export interface Outcome {
  deliveryId: string
  kind: OutcomeKind
  at: Date
  /** Only for those that came back. */
  bounceKind?: BounceKind
}
export type BounceKind = 'hard' | 'soft' | 'full' | 'blocked'
export interface FirstOutcome {
  deliveryId: string
  kind: OutcomeKind
  /** Null for tests of an email. */
  program: Program | null
  channel: ChannelName
  contentId: string | null
  customerId: string | null
  testMode: boolean
}

/** Records later facts; returns only those that were the first of their kind for their delivery (each email counts once). */
export async function recordOutcomes(scope: MerchantScope, outcomes: readonly Outcome[]): Promise<FirstOutcome[]> {
  const first: FirstOutcome[] = []
  for (const kind of [...new Set(outcomes.map((outcome) => outcome.kind))].sort()) {
    const rows = await markOutcomes(
      scope,
      kind,
      outcomes.filter((outcome) => outcome.kind === kind),
    )
    for (const row of rows)
      first.push({
        deliveryId: row.id,
        kind,
        program: row.program,
        channel: row.channel,
        contentId: row.content_id,
        customerId: row.customer_id,
        testMode: row.test_mode,
      })
  }
  await markStepsTroubled(
    scope,
    first.flatMap(({ deliveryId, kind, program }) =>
      (kind === 'bounced' || kind === 'complained') && program?.kind === 'scenario' ? [deliveryId] : [],
    ),
  )
  return first
}

/** A delivery as pages show it. The name of the campaign or scenario is the caller's to know. */
export function presentDelivery(row: DeliveryRow, programName: string | null): DeliveryView {
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null
  return {
    id: row.id,
    kind: row.kind,
    channel: row.channel,
    status: row.status,
    reason: row.reason,
    detail: row.detail,
    customer_id: row.customer_id,
    customer_name: row.customer_name,
    address: row.address,
    recipient: row.recipient,
    subject: row.subject,
    language: row.language,
    campaign_id: row.campaign_id,
    campaign_name: row.campaign_id === null ? null : programName,
    scenario_id: row.scenario_id,
    scenario_name: row.scenario_id === null ? null : programName,
    node_id: row.node_id,
    email_id: row.email_id,
    line_message_id: row.line_message_id,
    test_mode: row.test_mode,
    attempts: row.attempts,
    created_at: row.created_at.toISOString(),
    sent_at: iso(row.sent_at),
    opened_at: iso(row.opened_at),
    clicked_at: iso(row.clicked_at),
    bounced_at: iso(row.bounced_at),
  }
}

/** Deliveries of one campaign, by status, channel, or words in name and address. */
export async function listCampaignDeliveries(
  scope: MerchantScope,
  campaign: { id: string; name: string },
  query: Parameters<typeof selectDeliveriesOfCampaign>[2],
): Promise<{ data: DeliveryView[]; total: number }> {
  const { rows, total } = await selectDeliveriesOfCampaign(scope, campaign.id, query)
  return { data: rows.map((row) => presentDelivery(row, campaign.name)), total }
}

/** These deliveries of one scenario, by their ids. */
export async function deliveriesOfSteps(
  scope: MerchantScope,
  scenario: { name: string },
  ids: readonly string[],
): Promise<Map<string, DeliveryView>> {
  if (ids.length === 0) return new Map()
  const { rows } = await selectDeliveriesByIds(scope, ids)
  return new Map(rows.map((row) => [row.id, presentDelivery(row, scenario.name)]))
}

/** Deliveries of one scenario, by status, channel or node. */
export async function listScenarioDeliveries(
  scope: MerchantScope,
  scenario: { id: string; name: string },
  query: Parameters<typeof selectDeliveriesOfScenario>[2],
): Promise<{ data: DeliveryView[]; total: number }> {
  const { rows, total } = await selectDeliveriesOfScenario(scope, scenario.id, query)
  return { data: rows.map((row) => presentDelivery(row, scenario.name)), total }
}
