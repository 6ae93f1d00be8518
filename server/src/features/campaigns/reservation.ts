import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type AbPeople, isSmall, isTooSmall } from '@okaeri/contract/campaigns/ab-test'
import {
  type Campaign,
  type CampaignReview,
  channelsOf,
  type WaitReason,
  NO_PARAMETERS,
} from '@okaeri/contract/campaigns/campaign'
import type { ChannelName } from '@okaeri/contract/deliveries/delivery'
import { type Finding, type FindingCode, needsYes, type RenderedEmail } from '@okaeri/contract/emails/email'
import type { RawBuilder } from 'kysely'
import { AppError, conflict, invalid } from '../../kernel/errors.ts'
import { runHeavyQuery } from '../../kernel/heavy-queries.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import {
  listTesterNames,
  lookAtLineQuota,
  type MailContent,
  prepareLine,
  prepareMail,
  type QuotaSeen,
  readLineQuota,
  reserveLineMessages,
  saidOf,
} from '../channels/index.ts'
import { campaignProgram } from '../stats/index.ts'
import {
  channelOf,
  freezeMessage,
  type PreparedContent,
  type Tracking,
  whyNotContactable,
} from '../deliveries/index.ts'
import { finding } from '../email-rendering/index.ts'
import { type EmailContent, findEmailContent, listUnsaved, renderForCustomer } from '../emails/index.ts'
import { findLineAccount } from '../line-accounts/index.ts'
import { findLineMessage, findTemplateFault, type LineMessageRow, prepareLineMessages } from '../line-messages/index.ts'
import { getMerchant, type MerchantRow, senderOf } from '../merchants/index.ts'
import { fetchLater } from '../segments/index.ts'
import { isInGroup, testOf } from './ab-test.ts'
import { findEmpty, findUnprovedSender, warmUpOf } from './audience-advice.ts'
import { countLanguages } from './languages.ts'
import { audienceOf, countParts, findCampaignSegment, NOBODY_LEFT_OUT, partsOf } from './audience.ts'
import { both } from './audience-sql.ts'
import { plannedCanary, shareOf } from './canary.ts'
import { presentCampaign, refuseUnlessAllowed } from './campaign.ts'
import { findHoldReason } from './hold-reason.ts'
import {
  type CampaignRow,
  countWithoutConsent,
  findSample,
  getCampaignForUpdate,
  getCampaignRow,
  type SampleRow,
  updateCampaign,
} from './queries.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /**
     * Whether no store is connected or its customers are here; with `orders` (whoever asks conditions) these too. `once`: a copy under way
     * does not matter where there was one before.
     */
    storeIsCopied(scope: MerchantScope, asked: { orders: boolean; once?: boolean }): Promise<boolean>
  }
}

/** Conditions of ours read orders; who is in a segment of the store platform, the store says. */
const isAudienceCopied = (scope: MerchantScope, { segment_type }: CampaignRow): Promise<boolean> =>
  scope.context.ports.storeIsCopied(scope, { orders: segment_type === 'own' })

/** What a campaign says, as it is written now. Null: none is chosen, or it was deleted. */
interface Written {
  email: EmailContent | null
  /** What group B of a test gets. */
  second: EmailContent | null
  line: LineMessageRow | null
}

async function findWritten(scope: MerchantScope, campaign: CampaignRow): Promise<Written> {
  const channels = channelsOf(campaign.channels)
  const { email_id, line_message_id } = campaign
  const email = channels.includes('email') && email_id ? await findEmailContent(scope, email_id) : null
  return {
    email,
    second: await findSecond(scope, campaign, email),
    line: channels.includes('line') && line_message_id ? await findLineMessage(scope, line_message_id) : null,
  }
}

async function findSecond(
  scope: MerchantScope,
  campaign: CampaignRow,
  email: EmailContent | null,
): Promise<EmailContent | null> {
  const test = testOf(campaign)
  if (test?.differs === 'subject') return email && test.subject !== null ? { ...email, subject: test.subject } : null
  return test?.email_id ? findEmailContent(scope, test.email_id) : null
}

type Missing = CampaignReview['missing'][number]
function whatIsMissing(
  campaign: CampaignRow,
  { email, second, line }: Written,
  { where, groups }: { where: unknown; groups: AbPeople | null },
): Missing[] {
  const missing: Missing[] = []
  const channels = channelsOf(campaign.channels)
  if (!where) missing.push('segment')
  if (!email && channels.includes('email')) missing.push('email')
  if (!line && channels.includes('line')) missing.push('line_message')
  if (campaign.send_type === 'scheduled' && !campaign.scheduled_at) missing.push('scheduled_at')
  const test = testOf(campaign)
  if (!test) return missing
  if (!second && (email || test.differs === 'email')) missing.push(test.differs === 'email' ? 'ab_email' : 'ab_subject')
  else if (email && second && email.id === second.id && email.subject === second.subject) missing.push('ab_same')
  // One other subject would test the readers of one language only.
  else if (email && test.differs === 'subject' && email.variants.length > 0) missing.push('ab_languages')
  if (!campaign.tracking_enabled && test.decides_by !== 'person') missing.push('ab_tracking')
  if (groups && isTooSmall(groups)) missing.push('ab_small')
  return missing
}

/** How many get A, how many B, and how many wait; null without a test. The same question decides when the audience is written. */
async function countGroups(
  scope: TransactionScope,
  campaign: CampaignRow,
  { where, at, recipients }: { where: RawBuilder<boolean> | null; at: Date; recipients: number },
): Promise<AbPeople | null> {
  const test = testOf(campaign)
  if (!test || !where) return null
  const of = async (group: 'a' | 'b'): Promise<number> => {
    const parts = await countParts(scope, campaign, both(where, isInGroup(campaign.id, test, group)), at)
    return sum(parts, (part) => part.recipients)
  }
  const [a, b] = [await of('a'), await of('b')]
  return { a, b, rest: recipients - a - b }
}

function mailOf(email: EmailContent, merchant: MerchantRow): MailContent {
  const { name: fromName, email: fromEmail, replyTo } = senderOf(email, merchant)
  return { emailId: email.id, fromName, fromEmail, replyTo, language: null, ...saidOf(email) }
}

/** Exactly who would get it, who not and why; the same predicate decides at the reservation and at each claim. */
export async function reviewCampaign(
  scope: MerchantScope,
  id: string,
  options: { customerId?: string | undefined },
): Promise<CampaignReview> {
  // In one transaction: what the audience is asked with holds until its end.
  const { campaign, written, sample, ready, empty, emptySecond, groups, ...counted } = await runHeavyQuery(scope, () =>
    scope.transaction((scope) => count(scope, id, options)),
  )
  // After it: a mail may take as long as a template may.
  const rendered =
    written.email &&
    (await renderMail(scope, campaign, written.email, { customer: sample, recipients: mailsOf(counted.parts) }))
  // Before the findings: that LINE takes the token no more is noticed here.
  const line_quota = written.line && (await quotaFor(scope, counted))
  const ofSender = written.email ? await findUnprovedSender(scope, written.email, counted.parts) : []
  const findings = [...(rendered?.findings ?? []), ...empty, ...ofSender, ...(await findingsOfLine(scope, written))]
  const isWatched = (await canaryOf(scope, campaign, counted.recipients)) !== null
  const ab_test = groups && {
    people: groups,
    is_small: isSmall(groups),
    is_watched: isWatched,
    ...(await reviewSecond(scope, campaign, { written, sample, findings, emptySecond, parts: counted.parts })),
  }
  const blocked = [...findings, ...(ab_test?.findings ?? [])].some(({ level }) => level === 'blocks')
  return {
    ...counted,
    sample: rendered,
    findings,
    unsaved: written.email ? await listUnsaved(scope, written.email.id) : [],
    line_quota,
    warm_up: written.email ? await warmUpOf(scope, written.email, counted.parts) : null,
    canary: ab_test ? null : await canaryOf(scope, campaign, counted.recipients),
    ab_test,
    can_reserve: campaign.status === 'draft' && ready && !blocked && counted.recipients > 0,
  }
}

const mailsOf = (parts: CampaignReview['parts']): number =>
  parts.find(({ channel }) => channel === 'email')?.recipients ?? 0
/** What group B would get, and what is to be said of it alone. */
async function reviewSecond(
  scope: MerchantScope,
  campaign: CampaignRow,
  {
    written: { second },
    sample,
    findings,
    emptySecond,
    parts,
  }: {
    written: Written
    sample: SampleRow | null
    findings: readonly Finding[]
    emptySecond: readonly Finding[]
    parts: CampaignReview['parts']
  },
): Promise<{ sample: RenderedEmail | null; findings: Finding[] }> {
  if (!second) return { sample: null, findings: [] }
  const rendered = await renderMail(scope, campaign, second, { customer: sample, recipients: mailsOf(parts) })
  const found = [...rendered.findings, ...emptySecond, ...(await findUnprovedSender(scope, second, parts))]
  return {
    sample: rendered,
    findings: found.filter((one) => !findings.some((other) => isDeepStrictEqual(one, other))),
  }
}

async function canaryOf(
  scope: MerchantScope,
  campaign: CampaignRow,
  recipients: number,
): Promise<CampaignReview['canary']> {
  const merchant = await getMerchant(scope)
  const people = plannedCanary(campaign, merchant, recipients)
  return people === null ? null : { people, minutes: merchant.canary_minutes }
}

/** Whether the LINE messages of the month suffice. In test mode only testers get any. */
async function quotaFor(
  scope: MerchantScope,
  { parts, test_mode, starts_at }: Pick<CampaignReview, 'parts' | 'test_mode' | 'starts_at'>,
): Promise<CampaignReview['line_quota']> {
  const needed = parts.find(({ channel }) => channel === 'line')?.recipients ?? 0
  const quota = test_mode || needed === 0 ? null : await readLineQuota(scope).catch(whereLineIsAway)
  if (!quota || starts_at >= quota.ends_at) return null
  const { limit, left } = quota
  return { limit, left, missing: left === null ? 0 : Math.max(0, needed - left) }
}

/** Without a channel that works the findings say so. */
const whereLineIsAway = (error: unknown): null => {
  if (error instanceof AppError && (error.reason === 'line_unreachable' || error.reason === 'line_not_connected'))
    return null
  throw error
}

async function count(scope: TransactionScope, id: string, options: { customerId?: string | undefined }) {
  const campaign = await getCampaignRow(scope, id)
  const merchant = await getMerchant(scope)
  const written = await findWritten(scope, campaign)
  const where = await audienceOf(scope, campaign)
  const startsAt = startOf(scope, campaign)
  const parts = await countParts(scope, campaign, where, startsAt)
  const mailed = where && partsOf(scope, campaign, { where }).find(({ channel }) => channel === 'email')
  const empty = mailed && written.email ? await findEmpty(scope, mailed, written.email) : []
  const emptySecond = mailed && written.second ? await findEmpty(scope, mailed, written.second) : []
  const languages = mailed && written.email ? await countLanguages(scope, mailed, written.email) : []
  const toAll = whyNotContactable(scope, { channel: 'email', sendToAll: true })
  const withoutConsent = mailed?.sendToAll ? await countWithoutConsent(scope, mailed.where, toAll) : 0
  const sample = await findSampleOf(scope, campaign, { where, customerId: options.customerId })
  const held = await findHoldReason(scope, { ...campaign, scheduled_at: startsAt }, [], startsAt)
  const recipients = sum(parts, (part) => part.recipients)
  const groups = await countGroups(scope, campaign, { where, at: startsAt, recipients })
  const missing = whatIsMissing(campaign, written, { where, groups })
  const past = campaign.send_type === 'scheduled' && startsAt.getTime() < scope.now.getTime()
  const copied = await isAudienceCopied(scope, campaign)
  const ready = missing.length === 0 && !past && (copied || merchant.test_mode)
  return {
    campaign,
    written,
    sample,
    ready,
    empty,
    emptySecond,
    groups,
    languages,
    audience: campaign.channels === 'both' ? (parts[0]?.audience ?? 0) : sum(parts, ({ audience }) => audience),
    recipients,
    left_out: addUp(parts),
    parts,
    fingerprint: missing.length === 0 ? fingerprintOf(messageOf(campaign, written, merchant)) : null,
    without_consent: withoutConsent,
    test_mode: merchant.test_mode,
    test_recipients: { email: merchant.confirmed_test_emails, line: await listTesterNames(scope) },
    // Of each message.
    test_cap: scope.context.settings.testModeCap * (testOf(campaign) ? AB_MESSAGES : 1),
    sample_customer: sample ? { id: sample.id, name: sample.display_name } : null,
    starts_at: startsAt.toISOString(),
    wait_reason: (held?.reason ?? null) as WaitReason | null,
    waits_until: held?.until?.toISOString() ?? null,
    missing,
    store_copied: copied,
  }
}

const AB_MESSAGES = 3

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0)

const addUp = (parts: CampaignReview['parts']): CampaignReview['left_out'] => {
  const total = { ...NOBODY_LEFT_OUT }
  for (const { left_out } of parts)
    for (const reason of Object.keys(total) as (keyof typeof total)[]) total[reason] += left_out[reason]
  return total
}

/** The customer asked for, else one of those who would get it. */
async function findSampleOf(
  scope: TransactionScope,
  campaign: CampaignRow,
  { where, customerId }: { where: RawBuilder<boolean> | null; customerId: string | undefined },
): Promise<SampleRow | null> {
  if (customerId) {
    const sample = await findSample(scope, { customerId })
    if (!sample) throw invalid({ customer_id: 'not_found' })
    return sample
  }
  // One who gets the mail, where there is one: it is shown as they get it.
  for (const part of where ? partsOf(scope, campaign, { where }).toReversed() : []) {
    const sample = await findSample(scope, { where: part.where, reason: whyNotContactable(scope, part) })
    if (sample) return sample
  }
  return null
}

const startOf = (scope: MerchantScope, { send_type, scheduled_at }: CampaignRow): Date =>
  send_type === 'scheduled' && scheduled_at ? scheduled_at : scope.now

const renderMail = (
  scope: MerchantScope,
  campaign: CampaignRow,
  email: EmailContent,
  { customer, recipients }: { customer: Awaited<ReturnType<typeof findSample>>; recipients: number },
): Promise<RenderedEmail> =>
  renderForCustomer(scope, {
    email,
    customer,
    recipients,
    contentId: email.id,
    inCampaign: true,
    sentAt: startOf(scope, campaign),
    trackingEnabled: campaign.tracking_enabled,
    trackingParameters: campaign.tracking_parameters,
  })

/**
 * Freezes the content at once, so that what was reviewed is what is sent, and leaves the audience to the driver (a large one takes
 * seconds, and the members of a segment of the store platform are fetched anew before). Refused when anything is missing, blocked, in the past,
 * or not what the person saw, and while the store is being copied.
 */
export async function reserveCampaign(scope: MerchantScope, id: string, confirmed: Confirmed): Promise<Campaign> {
  const looked = await lookAtMessage(scope, id)
  return runHeavyQuery(scope, () => scope.transaction((scope) => reserve(scope, { id, confirmed, looked })))
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
  { id, confirmed, looked }: { id: string; confirmed: Confirmed; looked: Looked | null },
): Promise<Campaign> {
  const campaign = await getCampaignForUpdate(scope, id)
  refuseUnlessAllowed('reserve', campaign.status)
  const merchant = await getMerchant(scope)
  const written = await findWritten(scope, campaign)
  const where = await audienceOf(scope, campaign)
  const missing = whatIsMissing(campaign, written, { where, groups: null })
  if (missing.length > 0) throw invalid(Object.fromEntries(missing.map((field) => [fieldOf[field], 'required'])))
  if (campaign.send_type === 'scheduled' && campaign.scheduled_at && campaign.scheduled_at < scope.now)
    throw invalid({ scheduled_at: 'in_past' }, 'reservation_in_past')
  for (const channel of merchant.test_mode ? channelsOf(campaign.channels) : [])
    if ((await channelOf(scope.context, channel).testAddresses(scope, merchant)).length === 0)
      throw new AppError('conflict', 'preflight_failed', needsTestAddress[channel])
  // In test mode nobody can be mailed by mistake.
  if (!merchant.test_mode && !(await isAudienceCopied(scope, campaign))) throw conflict('store_being_copied')
  const parts = await countParts(scope, campaign, where, startOf(scope, campaign))
  const recipients = sum(parts, (part) => part.recipients)
  if (confirmed.recipients_seen !== null && recipients !== confirmed.recipients_seen)
    throw conflict('campaign_changed_since_review', `there are ${recipients} recipients now`)
  if (recipients === 0) throw conflict('audience_empty')
  const groups = await countGroups(scope, campaign, { where, at: startOf(scope, campaign), recipients })
  if (groups && isTooSmall(groups)) throw invalid({ ab_test: 'too_small' })
  if (groups && confirmed.groups_seen && !isDeepStrictEqual(groups, confirmed.groups_seen))
    throw conflict('campaign_changed_since_review', 'the groups of the test are others now')
  if (!looked || !isDeepStrictEqual(messageOf(campaign, written, merchant), looked.message))
    throw conflict('campaign_changed_since_review', 'the message was changed just now')
  // Somebody may have changed it since the person saw it.
  if (confirmed.fingerprint_seen !== null && confirmed.fingerprint_seen !== fingerprintOf(looked.message))
    throw conflict('campaign_changed_since_review', 'the message is another than the one reviewed')
  const blocking = looked.findings.filter(({ level }) => level === 'blocks')
  if (blocking.length > 0)
    throw conflict('preflight_failed', `not ready to be sent: ${blocking.map(({ code }) => code).join(', ')}`)
  const unaccepted = looked.findings.find(({ code }) => needsYes.includes(code) && !confirmed.accepted.includes(code))
  if (unaccepted) throw conflict('finding_not_accepted', `needs a yes: ${unaccepted.code}`)
  const line_most = await reserveByLine(scope, { parts, looked, confirmed })
  const first = confirmed.skips_canary ? null : plannedCanary(campaign, merchant, recipients)
  const messageIds = groups ? await freezeGroups(scope, { id, groups, looked }) : []
  for (const content of groups ? [] : looked.prepared) {
    const all = parts.find(({ channel }) => channel === content.channel)?.recipients ?? 0
    if (first !== null) await freezeMessage(scope, content, campaignProgram(id), first, { isCanary: true })
    const expected = all - (first ?? 0)
    const most = content.channel === 'line' ? line_most : null
    messageIds.push(await freezeMessage(scope, content, campaignProgram(id), most ?? expected))
  }
  // The members kept of a segment of the store platform are as old as their last fetch: they are fetched anew first.
  const segment = await findCampaignSegment(scope, campaign)
  const collecting = segment?.origin === 'remote'
  await updateCampaign(scope, id, {
    status: collecting ? 'collecting' : 'reserving',
    collecting_number: collecting ? await fetchLater(scope, segment.id) : null,
    // Of a test the campaign's own email, which A gets.
    message_id: (groups ? messageIds[0] : messageIds.at(-1)) ?? null,
    line_most,
    canary_share: first === null ? null : shareOf(groups ? groups.a + groups.b : first, recipients),
    test_mode: merchant.test_mode,
    reserved_at: scope.now,
    ...whenOf(scope, campaign, confirmed),
  })
  return presentCampaign(scope, id)
}

/** The groups go first; the rest is frozen as A, and becomes B where that wins. */
async function freezeGroups(
  scope: TransactionScope,
  { id, groups, looked }: { id: string; groups: AbPeople; looked: Looked },
): Promise<string[]> {
  const { prepared, second } = looked
  const email = prepared.at(-1)
  if (!email || !second) throw conflict('campaign_changed_since_review', 'there is no second email')
  const program = campaignProgram(id)
  return [
    await freezeMessage(scope, email, program, groups.a, { isCanary: true, abGroup: 'a' }),
    await freezeMessage(scope, second, program, groups.b, { isCanary: true, abGroup: 'b' }),
    await freezeMessage(scope, email, program, groups.rest, { abGroup: 'rest' }),
  ]
}

/**
 * Reserves the messages of the month that it needs; answers how many get it by LINE where they do not suffice for all, null: all. Refused where the
 * person did not say so.
 */
async function reserveByLine(
  scope: TransactionScope,
  { parts, looked, confirmed }: { parts: CampaignReview['parts']; looked: Looked; confirmed: Confirmed },
): Promise<number | null> {
  const needed = parts.find(({ channel }) => channel === 'line')?.recipients ?? 0
  if (needed === 0 || looked.isTest) return null
  const left = await reserveLineMessages(scope, needed, looked.quota)
  if (left === null || needed <= left) return null
  if (!confirmed.send_what_fits) throw conflict('line_quota_exceeded', `${needed - left} LINE messages are missing`)
  return left
}

/** One that can be undone begins no earlier; one whose time comes before that can be undone until then. */
function whenOf(
  scope: MerchantScope,
  { send_type, scheduled_at }: CampaignRow,
  { undo_seconds: seconds }: Confirmed,
): Partial<CampaignRow> {
  const until = new Date(scope.now.getTime() + seconds * 1000)
  const undo = (end: Date) => ({ undo_until: seconds > 0 ? end : null })
  if (send_type === 'immediate') return { scheduled_at: until, ...undo(until) }
  return undo(scheduled_at && scheduled_at < until ? scheduled_at : until)
}

const fingerprintOf = (message: ReturnType<typeof messageOf>): string =>
  createHash('sha256').update(JSON.stringify(message)).digest('base64url')

interface Message {
  mail: MailContent | null
  second: MailContent | null
  test: CampaignRow['ab_test']
  line: Pick<LineMessageRow, 'id' | 'messages' | 'quick_replies'> | null
  tracking: Tracking
}

const messageOf = (campaign: CampaignRow, { email, second, line }: Written, merchant: MerchantRow): Message => ({
  mail: email && mailOf(email, merchant),
  second: second && mailOf(second, merchant),
  test: testOf(campaign),
  line: line && { id: line.id, messages: line.messages, quick_replies: line.quick_replies },
  tracking: { enabled: campaign.tracking_enabled, parameters: campaign.tracking_parameters },
})

/** What computes, before anything is held: a mail may take as long as a template may. Null while something is missing. */
async function lookAtMessage(scope: MerchantScope, id: string): Promise<Looked | null> {
  const campaign = await getCampaignRow(scope, id)
  refuseUnlessAllowed('reserve', campaign.status)
  const merchant = await getMerchant(scope)
  const written = await findWritten(scope, campaign)
  const message = messageOf(campaign, written, merchant)
  const startsAt = startOf(scope, campaign).toISOString()
  const seen = message.line && !merchant.test_mode ? await lookAtLineQuota(scope).catch(whereLineIsAway) : null
  const findings = await findingsOfLine(scope, written)
  const prepared = []
  if (message.line) {
    // Tests go to a few, and nothing of them is counted.
    const isCounted = message.tracking.enabled && !merchant.test_mode
    prepared.push(await prepareLine(scope, message.line, message.tracking, isCounted))
  }
  if (written.email && message.mail) {
    findings.push(...(await renderMail(scope, campaign, written.email, { customer: null, recipients: 0 })).findings)
    prepared.push(await prepareMail(scope, message.mail, message.tracking))
  }
  let second: PreparedContent | null = null
  if (written.second && message.second) {
    findings.push(...(await renderMail(scope, campaign, written.second, { customer: null, recipients: 0 })).findings)
    second = await prepareMail(scope, message.second, message.tracking)
  }
  const quota = seen && startsAt < seen.quota.ends_at ? seen : null
  return { message, findings, prepared, second, quota, isTest: merchant.test_mode }
}

interface Looked {
  message: Message
  findings: Finding[]
  /** One for each channel, mail last. */
  prepared: PreparedContent[]
  /** The mail of group B. */
  second: PreparedContent | null
  /** Of the month it goes out in; null where it does not matter, or LINE does not say. */
  quota: QuotaSeen | null
  isTest: boolean
}

/** What keeps a LINE message from being sent. Whether LINE takes it was asked when it was saved. What a mail beside it says too is said once. */
async function findingsOfLine(scope: MerchantScope, { line, email }: Written): Promise<Finding[]> {
  if (!line) return []
  const { account_confirmed } = await getMerchant(scope)
  const account = await findLineAccount(scope)
  const fault = await findTemplateFault(scope, line)
  const findings: Finding[] = fault ? [fault] : []
  if (!account?.channel_id || account.trouble === 'unauthorized') findings.push(finding('line_not_connected'))
  if (!account_confirmed && !email) findings.push(finding('account_unconfirmed'))
  const { uses } = await prepareLineMessages(scope, line, { tracking: NO_TRACKING, contentId: line.id })
  if (uses.event || uses.coupon) findings.push(finding('needs_scenario', uses.coupon ? 'coupon' : 'event'))
  return findings
}
const NO_TRACKING = { enabled: false, parameters: NO_PARAMETERS }

const needsTestAddress: Record<ChannelName, string> = {
  email: 'in test mode a confirmed test address is needed; add one in the settings',
  line: 'in test mode a LINE friend to send tests to is needed; choose one in the settings of LINE',
}

const fieldOf: Record<Missing, string> = {
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
