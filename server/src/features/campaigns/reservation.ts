import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Campaign, CampaignReview, WaitReason } from '@okaeri/contract/campaigns/campaign'
import { type Finding, type FindingCode, needsYes, type RenderedEmail } from '@okaeri/contract/emails/email'
import type { TargetCounts } from '@okaeri/contract/segments/segment'
import type { RawBuilder } from 'kysely'
import { AppError, conflict, invalid } from '../../kernel/errors.ts'
import { runHeavyQuery } from '../../kernel/heavy-queries.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { type MailContent, prepareMail } from '../channels/index.ts'
import { campaignProgram } from '../stats/index.ts'
import { countSkippedByCap, freezeMessage, type Tracking, whyNotContactable } from '../deliveries/index.ts'
import { type EmailContent, findEmailContent, renderForCustomer } from '../emails/index.ts'
import { getMerchant, type MerchantRow, senderOf } from '../merchants/index.ts'
import { countTargets, fetchLater, findSegment, type SegmentRow, whoIsIn } from '../segments/index.ts'
import { presentCampaign, refuseUnlessAllowed } from './campaign.ts'
import { findHoldReason } from './hold-reason.ts'
import {
  type CampaignRow,
  countWithoutConsent,
  everyone,
  findSample,
  getCampaignForUpdate,
  getCampaignRow,
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

/** The customers a campaign is meant for, as SQL over `c`; null while no segment is chosen. */
export async function audienceOf(scope: TransactionScope, campaign: CampaignRow): Promise<RawBuilder<boolean> | null> {
  if (campaign.segment_type === 'all') return everyone
  const segment = await findCampaignSegment(scope, campaign)
  return segment && whoIsIn(scope, segment)
}

/** Null while none is chosen, and when the store platform has deleted it since. */
export const findCampaignSegment = async (
  scope: MerchantScope,
  { segment_type, customer_segment_id }: CampaignRow,
): Promise<SegmentRow | null> =>
  segment_type === 'all' || !customer_segment_id ? null : findSegment(scope, customer_segment_id)

/** Conditions of ours read orders; who is in a segment of the store platform, the store says. */
const isAudienceCopied = (scope: MerchantScope, { segment_type }: CampaignRow): Promise<boolean> =>
  scope.context.ports.storeIsCopied(scope, { orders: segment_type === 'own' })

type Missing = CampaignReview['missing'][number]
function whatIsMissing(campaign: CampaignRow, email: EmailContent | null, where: unknown): Missing[] {
  const missing: Missing[] = []
  if (!where) missing.push('segment')
  if (!email) missing.push('email')
  if (campaign.send_type === 'scheduled' && !campaign.scheduled_at) missing.push('scheduled_at')
  return missing
}

function contentOf(email: EmailContent, merchant: MerchantRow): MailContent {
  const { id: emailId, subject, preheader, content: html } = email
  const { name: fromName, email: fromEmail, replyTo } = senderOf(email, merchant)
  return { emailId, subject, preheader, fromName, fromEmail, replyTo, html }
}

const NO_TARGETS: TargetCounts = {
  total: 0,
  with_address: 0,
  with_consent: 0,
  reachable: 0,
  reachable_by_line: 0,
  no_consent: 0,
  no_address: 0,
  suppressed: 0,
  duplicate_address: 0,
  customer_percentage: 0,
}

/** Exactly who would get it, who not and why; the same predicate decides at the reservation and at each claim. */
export async function reviewCampaign(
  scope: MerchantScope,
  id: string,
  options: { customerId?: string | undefined },
): Promise<CampaignReview> {
  // In one transaction: what the audience is asked with holds until its end.
  const { campaign, email, sample, ready, ...counted } = await runHeavyQuery(scope, () =>
    scope.transaction((scope) => count(scope, id, options)),
  )
  // After it: a mail may take as long as a template may.
  const rendered = email && (await renderMail(scope, campaign, email, sample))
  const findings: Finding[] = rendered?.findings ?? []
  const blocked = findings.some(({ level }) => level === 'blocks')
  return {
    ...counted,
    sample: rendered,
    findings,
    can_reserve: campaign.status === 'draft' && ready && !blocked && counted.recipients > 0,
  }
}

async function count(scope: TransactionScope, id: string, options: { customerId?: string | undefined }) {
  const campaign = await getCampaignRow(scope, id)
  const merchant = await getMerchant(scope)
  const email = campaign.email_id ? await findEmailContent(scope, campaign.email_id) : null
  const where = await audienceOf(scope, campaign)
  const startsAt = startOf(scope, campaign)
  const counts = await countRecipients(scope, campaign, where, startsAt)
  const toAll = whyNotContactable(scope, { channel: 'email', sendToAll: true })
  const withoutConsent = where && campaign.send_to_all ? await countWithoutConsent(scope, where, toAll) : 0
  const reason = whyNotContactable(scope, { channel: 'email', sendToAll: campaign.send_to_all })
  const sample = options.customerId
    ? await findSample(scope, { customerId: options.customerId })
    : where && (await findSample(scope, { where, reason }))
  if (options.customerId && !sample) throw invalid({ customer_id: 'not_found' })
  const held = await findHoldReason(scope, { ...campaign, scheduled_at: startsAt }, null, startsAt)
  const missing = whatIsMissing(campaign, email, where)
  const past = campaign.send_type === 'scheduled' && startsAt.getTime() < scope.now.getTime()
  const copied = await isAudienceCopied(scope, campaign)
  const ready = missing.length === 0 && !past && (copied || merchant.test_mode)
  return {
    campaign,
    email,
    sample,
    ready,
    audience: counts.total,
    recipients: counts.recipients,
    fingerprint: email && fingerprintOf(messageOf(campaign, email, merchant)),
    left_out: {
      no_consent: counts.no_consent,
      no_address: counts.no_address,
      suppressed: counts.suppressed,
      duplicate_address: counts.duplicate_address,
      frequency_cap: counts.frequency_cap,
    },
    without_consent: withoutConsent,
    test_mode: merchant.test_mode,
    test_emails: merchant.confirmed_test_emails,
    test_cap: scope.context.settings.testModeCap,
    sample_customer: sample ? { id: sample.id, name: sample.display_name } : null,
    starts_at: startsAt.toISOString(),
    wait_reason: (held?.reason ?? null) as WaitReason | null,
    waits_until: held?.until?.toISOString() ?? null,
    missing,
    store_copied: copied,
  }
}

const startOf = (scope: MerchantScope, { send_type, scheduled_at }: CampaignRow): Date =>
  send_type === 'scheduled' && scheduled_at ? scheduled_at : scope.now

/** Who would get it, were it sent at that time; who not, and why. */
async function countRecipients(
  scope: TransactionScope,
  { send_to_all: sendToAll }: CampaignRow,
  where: RawBuilder<boolean> | null,
  at: Date,
): Promise<TargetCounts & { recipients: number; frequency_cap: number }> {
  if (!where) return { ...NO_TARGETS, recipients: 0, frequency_cap: 0 }
  const counts = await countTargets(scope, where, { sendToAll })
  const frequency_cap = await countSkippedByCap(scope, { channel: 'email', where, sendToAll, at })
  return { ...counts, recipients: counts.reachable - frequency_cap, frequency_cap }
}

const renderMail = (
  scope: MerchantScope,
  campaign: CampaignRow,
  email: EmailContent,
  customer: Awaited<ReturnType<typeof findSample>>,
): Promise<RenderedEmail> =>
  renderForCustomer(scope, {
    email,
    customer,
    contentId: email.id,
    inCampaign: true,
    trackingEnabled: campaign.tracking_enabled,
    trackingParameters: campaign.tracking_parameters,
  })

/**
 * Freezes the content at once, so that what was reviewed is what is sent, and leaves the audience to the driver (a large one takes
 * seconds, and the members of a segment of the store platform are fetched anew before). Refused when anything is missing, blocked, in the past,
 * or not what the person saw, and while the store is being copied.
 */
export async function reserveCampaign(scope: MerchantScope, id: string, confirmed: Confirmed): Promise<Campaign> {
  const looked = await lookAtMail(scope, id)
  return runHeavyQuery(scope, () => scope.transaction((scope) => reserve(scope, { id, confirmed, looked })))
}

/** What the person saw and said. */
interface Confirmed {
  recipients_seen: number | null
  fingerprint_seen: string | null
  accepted: readonly FindingCode[]
  undo_seconds: number
}

async function reserve(
  scope: TransactionScope,
  { id, confirmed, looked }: { id: string; confirmed: Confirmed; looked: Looked },
): Promise<Campaign> {
  const campaign = await getCampaignForUpdate(scope, id)
  refuseUnlessAllowed('reserve', campaign.status)
  const merchant = await getMerchant(scope)
  const email = campaign.email_id ? await findEmailContent(scope, campaign.email_id) : null
  const where = await audienceOf(scope, campaign)
  const missing = whatIsMissing(campaign, email, where)
  if (missing.length > 0 || !email)
    throw invalid(Object.fromEntries(missing.map((field) => [fieldOf[field], 'required'])))
  if (campaign.send_type === 'scheduled' && campaign.scheduled_at && campaign.scheduled_at < scope.now)
    throw invalid({ scheduled_at: 'in_past' }, 'reservation_in_past')
  if (merchant.test_mode && merchant.confirmed_test_emails.length === 0)
    throw new AppError(
      'conflict',
      'preflight_failed',
      'in test mode a confirmed test address is needed; add one in the settings',
    )
  // In test mode nobody can be mailed by mistake.
  if (!merchant.test_mode && !(await isAudienceCopied(scope, campaign))) throw conflict('store_being_copied')
  const { recipients } = await countRecipients(scope, campaign, where, startOf(scope, campaign))
  if (confirmed.recipients_seen !== null && recipients !== confirmed.recipients_seen)
    throw conflict('campaign_changed_since_review', `there are ${recipients} recipients now`)
  if (recipients === 0) throw conflict('audience_empty')
  if (!looked || !isDeepStrictEqual(messageOf(campaign, email, merchant), looked.message))
    throw conflict('campaign_changed_since_review', 'the email was changed just now')
  // Somebody may have changed the email since the person saw it.
  if (confirmed.fingerprint_seen !== null && confirmed.fingerprint_seen !== fingerprintOf(looked.message))
    throw conflict('campaign_changed_since_review', 'the email is another than the one reviewed')
  const blocking = looked.findings.filter(({ level }) => level === 'blocks')
  if (blocking.length > 0)
    throw conflict('preflight_failed', `not ready to be sent: ${blocking.map(({ code }) => code).join(', ')}`)
  const unaccepted = looked.findings.find(({ code }) => needsYes.includes(code) && !confirmed.accepted.includes(code))
  if (unaccepted) throw conflict('finding_not_accepted', `needs a yes: ${unaccepted.code}`)
  const messageId = await freezeMessage(scope, looked.prepared, campaignProgram(id))
  // The members kept of a segment of the store platform are as old as their last fetch: they are fetched anew first.
  const segment = await findCampaignSegment(scope, campaign)
  const collecting = segment?.origin === 'remote'
  await updateCampaign(scope, id, {
    status: collecting ? 'collecting' : 'reserving',
    collecting_number: collecting ? await fetchLater(scope, segment.id) : null,
    message_id: messageId,
    test_mode: merchant.test_mode,
    reserved_at: scope.now,
    ...whenOf(scope, campaign, confirmed),
  })
  return presentCampaign(scope, id)
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

const messageOf = (
  campaign: CampaignRow,
  email: EmailContent,
  merchant: MerchantRow,
): { content: MailContent; tracking: Tracking } => ({
  content: contentOf(email, merchant),
  tracking: { enabled: campaign.tracking_enabled, parameters: campaign.tracking_parameters },
})

/** What computes, before anything is held: a mail may take as long as a template may. Null while no email is chosen. */
async function lookAtMail(scope: MerchantScope, id: string) {
  const campaign = await getCampaignRow(scope, id)
  refuseUnlessAllowed('reserve', campaign.status)
  const merchant = await getMerchant(scope)
  const email = campaign.email_id ? await findEmailContent(scope, campaign.email_id) : null
  if (!email) return null
  const message = messageOf(campaign, email, merchant)
  const { findings } = await renderMail(scope, campaign, email, null)
  return { message, findings, prepared: await prepareMail(scope, message.content, message.tracking) }
}

type Looked = Awaited<ReturnType<typeof lookAtMail>>

const fieldOf: Record<Missing, string> = {
  name: 'name',
  email: 'email_id',
  segment: 'customer_segment_id',
  scheduled_at: 'scheduled_at',
}
