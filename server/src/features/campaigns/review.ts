import { isDeepStrictEqual } from 'node:util'
import { isSmall } from '@okaeri/contract/campaigns/ab-test'
import type { WaitReason } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import { type Finding, type RenderedEmail } from '@okaeri/contract/emails/email'
import type { RawBuilder } from 'kysely'
import { invalid } from '../../kernel/errors.ts'
import { runHeavyQuery } from '../../kernel/database/heavy-queries.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { listTesterNames, readLineQuota } from '../channels/index.ts'
import { whyNotContactable } from '../deliveries/index.ts'
import { listUnsaved } from '../emails/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { abTestOf } from './ab-test/ab-test.ts'
import { findEmpty, findUnprovedSender, warmUpOf } from './audience-advice.ts'
import { countLanguages } from './languages.ts'
import {
  audienceOf,
  countParts,
  countGroupPeople,
  isAudienceCopied,
  NONE_LEFT_OUT,
  partsOf,
  recipientsBy,
  sum,
} from './audience.ts'
import { plannedCanary } from './safeguards/canary.ts'
import { findHoldReason } from './safeguards/hold-reason.ts'
import { findingsOfCoupons, plannedMs, reviewCoupons, sampleFor, showsCoupon } from './own-codes/own-codes.ts'
import {
  findCampaignContent,
  fingerprintOf,
  findingsOfLine,
  messageOf,
  renderMail,
  startTimeOf,
  nullIfLineIsAway,
  type CampaignContent,
  findMissingParts,
} from './campaign-content.ts'
import { type CampaignRow, countWithoutConsent, findSample, getCampaignRow, type SampleRow } from './queries.ts'

/** Exactly who would get it, who not and why; the same predicate decides at the reservation and at each claim. */
export async function reviewCampaign(
  scope: MerchantScope,
  id: string,
  options: { customerId?: string | undefined },
): Promise<CampaignReview> {
  // In one transaction: what the audience is asked with holds until its end.
  const { campaign, content, sample, ready, empty, emptySecond, groups, ...counted } = await runHeavyQuery(scope, () =>
    scope.transaction((scope) => readFigures(scope, id, options)),
  )
  // After it: a mail may take as long as a template may.
  const coupon = await sampleFor(scope, campaign)
  const rendered =
    content.email &&
    (await renderMail(scope, campaign, content.email, {
      customer: sample,
      recipients: recipientsBy('email', counted.parts),
      coupon,
    }))
  // Before the findings: that LINE takes the token no more is noticed here.
  const line_quota = content.line && (await quotaFor(scope, counted))
  const ofSender = content.email ? await findUnprovedSender(scope, content.email, counted.parts) : []
  const warm_up = content.email ? await warmUpOf(scope, content.email, counted.parts) : null
  const canary = await canaryOf(scope, campaign, counted.recipients)
  const shows = campaign.coupon !== null && (await showsCoupon(scope, content))
  const lastsMs = plannedMs(campaign, { warmUp: warm_up, canaryMinutes: canary?.minutes ?? null })
  const findings = [
    ...(rendered?.findings ?? []),
    ...empty,
    ...ofSender,
    ...(await findingsOfLine(scope, campaign, content)),
    ...(await findingsOfCoupons(scope, campaign, { shows, lastsMs })),
  ]
  const isWatched = canary !== null
  const ab_test = groups && {
    people: groups,
    is_small: isSmall(groups),
    is_watched: isWatched,
    ...(await reviewGroupB(scope, campaign, { content, sample, findings, emptySecond, parts: counted.parts })),
  }
  const blocked = [...findings, ...(ab_test?.findings ?? [])].some(({ level }) => level === 'blocks')
  return {
    ...counted,
    sample: rendered,
    findings,
    unsaved: content.email ? await listUnsaved(scope, content.email.id) : [],
    line_quota,
    warm_up,
    canary: ab_test ? null : canary,
    ab_test,
    coupon: await reviewCoupons(scope, campaign, { shows, recipients: peopleOf(campaign, counted) }),
    can_reserve: campaign.status === 'draft' && ready && !blocked && counted.recipients > 0,
  }
}

/** By both channels a person gets one code. */
const peopleOf = (
  { channels }: CampaignRow,
  { parts, recipients }: Pick<CampaignReview, 'parts' | 'recipients'>,
): number => (channels === 'both' ? Math.max(...parts.map((part) => part.recipients)) : recipients)

/** What group B would get, and what is to be said of it alone. */
async function reviewGroupB(
  scope: MerchantScope,
  campaign: CampaignRow,
  {
    content: { second },
    sample,
    findings,
    emptySecond,
    parts,
  }: {
    content: CampaignContent
    sample: SampleRow | null
    findings: readonly Finding[]
    emptySecond: readonly Finding[]
    parts: CampaignReview['parts']
  },
): Promise<{ sample: RenderedEmail | null; findings: Finding[] }> {
  if (!second) return { sample: null, findings: [] }
  const rendered = await renderMail(scope, campaign, second, {
    customer: sample,
    recipients: recipientsBy('email', parts),
    coupon: await sampleFor(scope, campaign),
  })
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
  const needed = recipientsBy('line', parts)
  const quota = test_mode || needed === 0 ? null : await readLineQuota(scope).catch(nullIfLineIsAway)
  if (!quota || starts_at >= quota.ends_at) return null
  const { limit, left } = quota
  return { limit, left, missing: left === null ? 0 : Math.max(0, needed - left) }
}

async function readFigures(scope: TransactionScope, id: string, options: { customerId?: string | undefined }) {
  const campaign = await getCampaignRow(scope, id)
  const merchant = await getMerchant(scope)
  const content = await findCampaignContent(scope, campaign)
  const where = await audienceOf(scope, campaign)
  const startsAt = startTimeOf(scope, campaign)
  const parts = await countParts(scope, campaign, where, startsAt)
  const mailed = where && partsOf(scope, campaign, { where }).find(({ channel }) => channel === 'email')
  const empty = mailed && content.email ? await findEmpty(scope, mailed, content.email) : []
  const emptySecond = mailed && content.second ? await findEmpty(scope, mailed, content.second) : []
  const languages = mailed && content.email ? await countLanguages(scope, mailed, content.email) : []
  const toAll = whyNotContactable(scope, { channel: 'email', sendToAll: true })
  const withoutConsent = mailed?.sendToAll ? await countWithoutConsent(scope, mailed.where, toAll) : 0
  const sample = await findSampleOf(scope, campaign, { where, customerId: options.customerId })
  const held = await findHoldReason(scope, { ...campaign, scheduled_at: startsAt }, [], startsAt)
  const recipients = sum(parts, (part) => part.recipients)
  const groups = await countGroupPeople(scope, campaign, { where, at: startsAt, recipients })
  const missing = findMissingParts(campaign, content, { where, groups })
  const past = campaign.send_type === 'scheduled' && startsAt.getTime() < scope.now.getTime()
  const copied = await isAudienceCopied(scope, campaign)
  const ready = missing.length === 0 && !past && (copied || merchant.test_mode)
  return {
    campaign,
    content,
    sample,
    ready,
    empty,
    emptySecond,
    groups,
    languages,
    audience: campaign.channels === 'both' ? (parts[0]?.audience ?? 0) : sum(parts, ({ audience }) => audience),
    recipients,
    left_out: sumLeftOut(parts),
    parts,
    fingerprint: missing.length === 0 ? fingerprintOf(messageOf(campaign, content, merchant)) : null,
    without_consent: withoutConsent,
    test_mode: merchant.test_mode,
    test_recipients: { email: merchant.confirmed_test_emails, line: await listTesterNames(scope) },
    // Per message.
    test_cap: scope.context.settings.testModeCap * (abTestOf(campaign) ? AB_MESSAGES : 1),
    sample_customer: sample ? { id: sample.id, name: sample.display_name } : null,
    starts_at: startsAt.toISOString(),
    wait_reason: (held?.reason ?? null) as WaitReason | null,
    waits_until: held?.until?.toISOString() ?? null,
    missing,
    store_copied: copied,
  }
}

const AB_MESSAGES = 3

const sumLeftOut = (parts: CampaignReview['parts']): CampaignReview['left_out'] => {
  const total = { ...NONE_LEFT_OUT }
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
