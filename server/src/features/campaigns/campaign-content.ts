import { createHash } from 'node:crypto'
import { type AbPeople, isTooSmall } from '@okaeri/contract/campaigns/ab-test'
import { channelsOf, NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import { type Finding, type RenderedEmail } from '@okaeri/contract/emails/email'
import { hasSampleLeft } from '@okaeri/contract/line-messages/samples'
import { AppError } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type MailContent, frozenTextsOf } from '../channels/index.ts'
import type { WrittenCoupon } from '../coupons/index.ts'
import { type Tracking } from '../deliveries/index.ts'
import { finding } from '../email-rendering/index.ts'
import { type EmailContent, findEmailContent, renderForCustomer } from '../emails/index.ts'
import { findLineAccount } from '../line-accounts/index.ts'
import { findLineMessage, findTemplateFault, type LineMessageRow, prepareLineMessages } from '../line-messages/index.ts'
import { getMerchant, type MerchantRow, senderOf } from '../merchants/index.ts'
import { abTestOf } from './ab-test/ab-test.ts'
import { type CampaignRow, findSample } from './queries.ts'

/** What a campaign says, as it is written now. Null: none is chosen, or it was deleted. */
export interface CampaignContent {
  email: EmailContent | null
  /** What group B of a test gets. */
  second: EmailContent | null
  line: LineMessageRow | null
}

export async function findCampaignContent(scope: MerchantScope, campaign: CampaignRow): Promise<CampaignContent> {
  const channels = channelsOf(campaign.channels)
  const { email_id, line_message_id } = campaign
  const email = channels.includes('email') && email_id ? await findEmailContent(scope, email_id) : null
  return {
    email,
    second: await findContentOfB(scope, campaign, email),
    line: channels.includes('line') && line_message_id ? await findLineMessage(scope, line_message_id) : null,
  }
}

async function findContentOfB(
  scope: MerchantScope,
  campaign: CampaignRow,
  email: EmailContent | null,
): Promise<EmailContent | null> {
  const test = abTestOf(campaign)
  if (test?.differs === 'subject') return email && test.subject !== null ? { ...email, subject: test.subject } : null
  return test?.email_id ? findEmailContent(scope, test.email_id) : null
}

export type MissingPart = CampaignReview['missing'][number]

export function findMissingParts(
  campaign: CampaignRow,
  { email, second, line }: CampaignContent,
  { where, groups }: { where: unknown; groups: AbPeople | null },
): MissingPart[] {
  const missing: MissingPart[] = []
  const channels = channelsOf(campaign.channels)
  if (!where) missing.push('segment')
  if (!email && channels.includes('email')) missing.push('email')
  if (!line && channels.includes('line')) missing.push('line_message')
  if (campaign.send_type === 'scheduled' && !campaign.scheduled_at) missing.push('scheduled_at')
  const test = abTestOf(campaign)
  if (!test) return missing
  if (!second && (email || test.differs === 'email')) missing.push(test.differs === 'email' ? 'ab_email' : 'ab_subject')
  else if (email && second && email.id === second.id && email.subject === second.subject) missing.push('ab_same')
  // One other subject would test the readers of one language only.
  else if (email && test.differs === 'subject' && email.variants.length > 0) missing.push('ab_languages')
  if (!campaign.tracking_enabled && test.decides_by !== 'person') missing.push('ab_tracking')
  if (groups && isTooSmall(groups)) missing.push('ab_small')
  return missing
}

export interface Message {
  /** What the code of each recipient is worth; absent without one. */
  coupon?: NonNullable<CampaignRow['coupon']>
  mail: MailContent | null
  second: MailContent | null
  test: CampaignRow['ab_test']
  line: Pick<LineMessageRow, 'id' | 'messages' | 'quick_replies'> | null
  tracking: Tracking
}

export const messageOf = (
  campaign: CampaignRow,
  { email, second, line }: CampaignContent,
  merchant: MerchantRow,
): Message => ({
  mail: email && mailOf(email, merchant),
  second: second && mailOf(second, merchant),
  test: abTestOf(campaign),
  line: line && { id: line.id, messages: line.messages, quick_replies: line.quick_replies },
  tracking: { enabled: campaign.tracking_enabled, parameters: campaign.tracking_parameters },
  ...(campaign.coupon && { coupon: campaign.coupon }),
})

function mailOf(email: EmailContent, merchant: MerchantRow): MailContent {
  const { name: fromName, email: fromEmail, replyTo } = senderOf(email, merchant)
  return { emailId: email.id, fromName, fromEmail, replyTo, language: null, ...frozenTextsOf(email) }
}

export const fingerprintOf = (message: ReturnType<typeof messageOf>): string =>
  createHash('sha256').update(JSON.stringify(message)).digest('base64url')

export const startTimeOf = (scope: MerchantScope, { send_type, scheduled_at }: CampaignRow): Date =>
  send_type === 'scheduled' && scheduled_at ? scheduled_at : scope.now

export const renderMail = (
  scope: MerchantScope,
  campaign: CampaignRow,
  email: EmailContent,
  {
    customer,
    recipients,
    coupon,
  }: { customer: Awaited<ReturnType<typeof findSample>>; recipients: number; coupon: WrittenCoupon | undefined },
): Promise<RenderedEmail> =>
  renderForCustomer(scope, {
    email,
    customer,
    recipients,
    contentId: email.id,
    inCampaign: true,
    coupon,
    sentAt: startTimeOf(scope, campaign),
    trackingEnabled: campaign.tracking_enabled,
    trackingParameters: campaign.tracking_parameters,
  })

/** What keeps a LINE message from being sent. Whether LINE takes it was asked when it was saved. What a mail beside it says too is said once. */
export async function findingsOfLine(
  scope: MerchantScope,
  campaign: CampaignRow,
  { line, email }: CampaignContent,
): Promise<Finding[]> {
  if (!line) return []
  const { account_confirmed } = await getMerchant(scope)
  const account = await findLineAccount(scope)
  const fault = await findTemplateFault(scope, line)
  const findings: Finding[] = fault ? [fault] : []
  if (!account?.channel_id || account.trouble === 'unauthorized') findings.push(finding('line_not_connected'))
  if (!account_confirmed && !email) findings.push(finding('account_unconfirmed'))
  if (hasSampleLeft(line)) findings.push(finding('line_sample_left'))
  const { uses } = await prepareLineMessages(scope, line, { tracking: NO_TRACKING, contentId: line.id })
  if (uses.coupon && !campaign.coupon) findings.push(finding('coupon_not_set'))
  if (uses.event) findings.push(finding('needs_scenario', 'event'))
  return findings
}

export const NO_TRACKING = { enabled: false, parameters: NO_PARAMETERS }

/** Without a channel that works the findings say so. */
export const nullIfLineIsAway = (error: unknown): null => {
  if (error instanceof AppError && (error.reason === 'line_unreachable' || error.reason === 'line_not_connected'))
    return null
  throw error
}
