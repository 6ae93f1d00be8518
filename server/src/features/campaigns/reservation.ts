import { isDeepStrictEqual } from 'node:util'
import { type AbPeople, isTooSmall } from '@okaeri/contract/campaigns/ab-test'
import { type Campaign, type CampaignChannel, channelsOf } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import { type Finding, type FindingCode, needsYes } from '@okaeri/contract/emails/email'
import { AppError, conflict, invalid } from '../../kernel/errors.ts'
import { runHeavyQuery } from '../../kernel/database/heavy-queries.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { checkLineQuota, prepareLine, prepareMail, type QuotaSeen, reserveLineMessages } from '../channels/index.ts'
import { campaignProgram } from '../stats/index.ts'
import { channelOf, freezeMessage, type PreparedContent } from '../deliveries/index.ts'
import { getMerchant, keepCurrency, type MerchantRow } from '../merchants/index.ts'
import { fetchLater } from '../segments/index.ts'
import {
  audienceOf,
  countParts,
  countGroupPeople,
  findCampaignSegment,
  isAudienceCopied,
  recipientsBy,
  sum,
} from './audience.ts'
import { warmUpOf } from './audience-advice.ts'
import { plannedCanary, shareOf } from './safeguards/canary.ts'
import { findingsOfCoupons, plannedMs, sampleFor, showsCoupon } from './own-codes/own-codes.ts'
import { presentCampaign, refuseUnlessAllowed } from './campaign.ts'
import {
  findCampaignContent,
  fingerprintOf,
  findingsOfLine,
  messageOf,
  type Message,
  type MissingPart,
  renderMail,
  startTimeOf,
  nullIfLineIsAway,
  findMissingParts,
} from './campaign-content.ts'
import { type CampaignRow, getCampaignForUpdate, getCampaignRow, updateCampaign } from './queries.ts'

/**
 * Freezes the content at once, so that what was reviewed is what is sent, and leaves the audience to `campaign-progress.ts` (a large one takes
 * seconds, and the members of a segment of the store platform are fetched again before). Refused when anything is missing, blocked, in the past,
 * or not what the person saw, and while the store is being copied.
 */
export async function reserveCampaign(scope: MerchantScope, id: string, confirmed: Confirmed): Promise<Campaign> {
  const inspected = await inspectMessage(scope, id)
  return runHeavyQuery(scope, () => scope.transaction((scope) => reserve(scope, { id, confirmed, inspected })))
}

/** What the person saw and said. */
interface Confirmed {
  recipients_seen: number | null
  fingerprint_seen: string | null
  groups_seen: AbPeople | null
  accepted: readonly FindingCode[]
  send_what_fits: boolean
  skips_canary: boolean
  undo_seconds: number
}

async function reserve(
  scope: TransactionScope,
  { id, confirmed, inspected: before }: { id: string; confirmed: Confirmed; inspected: InspectedMessage | null },
): Promise<Campaign> {
  // Also without amounts: its segment may have some.
  await keepCurrency(scope)
  const campaign = await getCampaignForUpdate(scope, id)
  refuseUnlessAllowed('reserve', campaign.status)
  const merchant = await getMerchant(scope)
  const content = await findCampaignContent(scope, campaign)
  const where = await audienceOf(scope, campaign)
  await refuseUnready(scope, campaign, {
    merchant,
    missing: findMissingParts(campaign, content, { where, groups: null }),
  })
  const parts = await countParts(scope, campaign, where, startTimeOf(scope, campaign))
  const recipients = sum(parts, (part) => part.recipients)
  const groups = await countGroupPeople(scope, campaign, { where, at: startTimeOf(scope, campaign), recipients })
  refuseChangedNumbers(confirmed, { recipients, groups })
  const inspected = refuseChangedMessage(confirmed, {
    message: messageOf(campaign, content, merchant),
    inspected: before,
  })
  const line_most = await reserveByLine(scope, { parts, inspected, confirmed })
  const first = confirmed.skips_canary ? null : plannedCanary(campaign, merchant, recipients)
  refuseBlocked(
    await findingsOfCoupons(scope, campaign, {
      shows: inspected.shows,
      lastsMs: plannedMs(campaign, {
        warmUp: content.email && campaign.coupon ? await warmUpOf(scope, content.email, parts) : null,
        canaryMinutes: first === null ? null : merchant.canary_minutes,
      }),
    }),
  )
  const messageIds = groups
    ? await freezeGroups(scope, { id, groups, inspected })
    : await freezeParts(scope, { id, parts, inspected, first, line_most })
  // The members kept of a segment of the store platform are as old as their last fetch: they are fetched again first.
  const segment = await findCampaignSegment(scope, campaign)
  const collecting = segment?.origin === 'remote'
  await updateCampaign(scope, id, {
    status: collecting ? 'collecting' : 'reserving',
    collecting_number: collecting ? await fetchLater(scope, segment.id) : null,
    // For a test, the campaign's own email, which group A gets.
    message_id: (groups ? messageIds[0] : messageIds.at(-1)) ?? null,
    line_most,
    canary_share: first === null ? null : shareOf(groups ? groups.a + groups.b : first, recipients),
    test_mode: merchant.test_mode,
    reserved_at: scope.now,
    ...startAndUndoTimes(scope, campaign, confirmed),
  })
  return presentCampaign(scope, id)
}

async function refuseUnready(
  scope: TransactionScope,
  campaign: CampaignRow,
  { merchant, missing }: { merchant: MerchantRow; missing: readonly MissingPart[] },
): Promise<void> {
  if (missing.length > 0) throw invalid(Object.fromEntries(missing.map((field) => [fieldOf[field], 'required'])))
  if (campaign.send_type === 'scheduled' && campaign.scheduled_at && campaign.scheduled_at < scope.now)
    throw invalid({ scheduled_at: 'in_past' }, 'reservation_in_past')
  for (const channel of merchant.test_mode ? channelsOf(campaign.channels) : [])
    if ((await channelOf(scope.context, channel).testAddresses(scope, merchant)).length === 0)
      throw new AppError('conflict', 'preflight_failed', needsTestAddress[channel])
  // In test mode no one can be mailed by mistake.
  if (!merchant.test_mode && !(await isAudienceCopied(scope, campaign))) throw conflict('store_being_copied')
}

/** The number the person saw is the number who get it. */
function refuseChangedNumbers(
  { recipients_seen, groups_seen }: Confirmed,
  { recipients, groups }: { recipients: number; groups: AbPeople | null },
): void {
  if (recipients_seen !== null && recipients !== recipients_seen)
    throw conflict('campaign_changed_since_review', `there are ${recipients} recipients now`)
  if (recipients === 0) throw conflict('audience_empty')
  if (groups && isTooSmall(groups)) throw invalid({ ab_test: 'too_small' })
  if (groups && groups_seen && !isDeepStrictEqual(groups, groups_seen))
    throw conflict('campaign_changed_since_review', 'the groups of the test are others now')
}

/** What was inspected, where it is what the person saw and may be sent. */
function refuseChangedMessage(
  { fingerprint_seen, accepted }: Confirmed,
  { message, inspected }: { message: Message; inspected: InspectedMessage | null },
): InspectedMessage {
  if (!inspected || !isDeepStrictEqual(message, inspected.message))
    throw conflict('campaign_changed_since_review', 'the message was changed just now')
  // It may have been changed since the person saw it.
  if (fingerprint_seen !== null && fingerprint_seen !== fingerprintOf(inspected.message))
    throw conflict('campaign_changed_since_review', 'the message is another than the one reviewed')
  refuseBlocked(inspected.findings)
  const unaccepted = inspected.findings.find(({ code }) => needsYes.includes(code) && !accepted.includes(code))
  if (unaccepted) throw conflict('finding_not_accepted', `needs a yes: ${unaccepted.code}`)
  return inspected
}

function refuseBlocked(findings: readonly Finding[]): void {
  const blocking = findings.filter(({ level }) => level === 'blocks')
  if (blocking.length > 0)
    throw conflict('preflight_failed', `not ready to be sent: ${blocking.map(({ code }) => code).join(', ')}`)
}

/** Per channel the first few, where a few go first, and the others. */
async function freezeParts(
  scope: TransactionScope,
  {
    id,
    parts,
    inspected,
    first,
    line_most,
  }: {
    id: string
    parts: CampaignReview['parts']
    inspected: InspectedMessage
    first: number | null
    line_most: number | null
  },
): Promise<string[]> {
  const program = campaignProgram(id)
  const messageIds = []
  for (const content of inspected.prepared) {
    const all = recipientsBy(content.channel, parts)
    const common = { program, usesCoupon: inspected.shows }
    if (first !== null) await freezeMessage(scope, content, { ...common, people: first, isCanary: true })
    const most = content.channel === 'line' ? line_most : null
    messageIds.push(await freezeMessage(scope, content, { ...common, people: most ?? all - (first ?? 0) }))
  }
  return messageIds
}

/** The groups go first; the rest is frozen as A, and becomes B where that wins. */
async function freezeGroups(
  scope: TransactionScope,
  { id, groups, inspected }: { id: string; groups: AbPeople; inspected: InspectedMessage },
): Promise<string[]> {
  const { prepared, second, shows: usesCoupon } = inspected
  const email = prepared.at(-1)
  if (!email || !second) throw conflict('campaign_changed_since_review', 'there is no second email')
  const common = { program: campaignProgram(id), usesCoupon }
  return [
    await freezeMessage(scope, email, { ...common, people: groups.a, isCanary: true, abGroup: 'a' }),
    await freezeMessage(scope, second, { ...common, people: groups.b, isCanary: true, abGroup: 'b' }),
    await freezeMessage(scope, email, { ...common, people: groups.rest, abGroup: 'rest' }),
  ]
}

/**
 * Reserves the messages of the month that it needs; returns how many get it by LINE where they do not suffice for all, null: all. Refused where the
 * person did not say so.
 */
async function reserveByLine(
  scope: TransactionScope,
  {
    parts,
    inspected,
    confirmed,
  }: { parts: CampaignReview['parts']; inspected: InspectedMessage; confirmed: Confirmed },
): Promise<number | null> {
  const needed = recipientsBy('line', parts)
  if (needed === 0 || inspected.isTest) return null
  const left = await reserveLineMessages(scope, needed, inspected.quota)
  if (left === null || needed <= left) return null
  if (!confirmed.send_what_fits) throw conflict('line_quota_exceeded', `${needed - left} LINE messages are missing`)
  return left
}

/** One that can be undone begins no earlier; one whose time comes before that can be undone until then. */
function startAndUndoTimes(
  scope: MerchantScope,
  { send_type, scheduled_at }: CampaignRow,
  { undo_seconds: seconds }: Confirmed,
): Partial<CampaignRow> {
  const until = new Date(scope.now.getTime() + seconds * 1000)
  const undo = (end: Date) => ({ undo_until: seconds > 0 ? end : null })
  if (send_type === 'immediate') return { scheduled_at: until, ...undo(until) }
  return undo(scheduled_at && scheduled_at < until ? scheduled_at : until)
}

/** What computes, before anything is held: a mail may take as long as a template may. Null while something is missing. */
async function inspectMessage(scope: MerchantScope, id: string): Promise<InspectedMessage | null> {
  const campaign = await getCampaignRow(scope, id)
  refuseUnlessAllowed('reserve', campaign.status)
  const merchant = await getMerchant(scope)
  const content = await findCampaignContent(scope, campaign)
  const message = messageOf(campaign, content, merchant)
  const startsAt = startTimeOf(scope, campaign).toISOString()
  const seen = message.line && !merchant.test_mode ? await checkLineQuota(scope).catch(nullIfLineIsAway) : null
  const findings = await findingsOfLine(scope, campaign, content)
  const coupon = await sampleFor(scope, campaign)
  const shows = campaign.coupon !== null && (await showsCoupon(scope, content))
  const prepared = []
  if (message.line) {
    // Tests go to a few, and nothing of them is counted.
    const isCounted = message.tracking.enabled && !merchant.test_mode
    prepared.push(await prepareLine(scope, message.line, message.tracking, isCounted))
  }
  if (content.email && message.mail) {
    findings.push(
      ...(await renderMail(scope, campaign, content.email, { customer: null, recipients: 0, coupon })).findings,
    )
    prepared.push(await prepareMail(scope, message.mail, message.tracking))
  }
  let second: PreparedContent | null = null
  if (content.second && message.second) {
    findings.push(
      ...(await renderMail(scope, campaign, content.second, { customer: null, recipients: 0, coupon })).findings,
    )
    second = await prepareMail(scope, message.second, message.tracking)
  }
  const quota = seen && startsAt < seen.quota.ends_at ? seen : null
  return { message, findings, prepared, second, shows, quota, isTest: merchant.test_mode }
}

interface InspectedMessage {
  message: Message
  findings: Finding[]
  /** One for each channel, mail last. */
  prepared: PreparedContent[]
  /** The mail of group B. */
  second: PreparedContent | null
  /** A code of its recipient's own, which the campaign makes. */
  shows: boolean
  /** The quota of the month it goes out in; null where it does not matter, or LINE does not report it. */
  quota: QuotaSeen | null
  isTest: boolean
}

const needsTestAddress: Record<CampaignChannel, string> = {
  email: 'in test mode a confirmed test address is needed; add one in the settings',
  line: 'in test mode a LINE friend to send tests to is needed; choose one in the settings of LINE',
}

const fieldOf: Record<MissingPart, string> = {
  name: 'name',
  email: 'email_id',
  line_message: 'line_message_id',
  segment: 'customer_segment_id',
  scheduled_at: 'scheduled_at',
  ab_subject: 'ab_test.subject',
  ab_email: 'ab_test.email_id',
  ab_same: 'ab_test',
  ab_languages: 'ab_test.differs',
  ab_tracking: 'tracking_enabled',
  ab_small: 'ab_test',
}
