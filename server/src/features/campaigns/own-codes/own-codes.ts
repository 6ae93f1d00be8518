import type { CampaignCoupons } from '@okaeri/contract/campaigns/report'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import type { Finding } from '@okaeri/contract/emails/email'
import type { Facts } from '../../../kernel/facts.ts'
import { NIL_ID } from '../../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import {
  discountOfCampaign,
  forgetCampaignCoupons,
  madeForRecipients,
  readCampaignSums,
  sampleCoupon,
  secondsToMake,
  wantForRecipients,
  findCouponObstacle,
  type WrittenCoupon,
} from '../../coupons/index.ts'
import {
  holdMessage,
  listWithoutVariables,
  markAwaitsCodes,
  type MessageRow,
  setVariables,
} from '../../deliveries/index.ts'
import { finding, variablesUsed } from '../../email-rendering/index.ts'
import { templatesOf } from '../../emails/index.ts'
import { prepareLineMessages } from '../../line-messages/index.ts'
import { getMerchant } from '../../merchants/index.ts'
import { findStore } from '../../stores/index.ts'
import { abTestOf } from '../ab-test/ab-test.ts'
import type { CampaignHold } from '../safeguards/hold-reason.ts'
import { type CampaignRow, getCampaignRow, updateCampaign } from '../queries.ts'
import { NO_TRACKING, startTimeOf, type CampaignContent } from '../campaign-content.ts'

/**
 * Each recipient of a campaign gets a code of their own. The codes are written down with the audience, then the store makes them, and each is
 * kept with its recipient's messages; only when none is missing does anything of the campaign leave.
 */

/** Whether a message of the campaign shows a code of its recipient's own, or would if it had one. */
export async function showsCoupon(scope: MerchantScope, { email, second, line }: CampaignContent): Promise<boolean> {
  const mails = [email, second].flatMap((mail) => (mail ? templatesOf(mail) : []))
  if ((await variablesUsed(scope, mails)).coupon) return true
  if (!line) return false
  const { uses } = await prepareLineMessages(scope, line, { tracking: NO_TRACKING, contentId: line.id })
  return uses.coupon
}

/** As a preview shows it; undefined where the campaign has none. */
export const sampleFor = async (scope: MerchantScope, campaign: CampaignRow): Promise<WrittenCoupon | undefined> =>
  campaign.coupon ? sampleCoupon(scope, { terms: campaign.coupon, startsAt: startTimeOf(scope, campaign) }) : undefined

/** What the review says of the codes that would be made. */
export async function reviewCoupons(
  scope: MerchantScope,
  campaign: CampaignRow,
  { shows, recipients }: { shows: boolean; recipients: number },
): Promise<CampaignReview['coupon']> {
  const sample = await sampleFor(scope, campaign)
  if (!sample || !shows) return null
  const codes = (await getMerchant(scope)).test_mode ? 0 : recipients
  return { codes, expires_at: sample.expires_at, seconds: secondsToMake(codes), sample_code: sample.code }
}

/** What of the codes keeps the campaign from being sent. `lasts`: for about so long, once it begins. */
export async function findingsOfCoupons(
  scope: MerchantScope,
  campaign: CampaignRow,
  { shows, lastsMs }: { shows: boolean; lastsMs: number },
): Promise<Finding[]> {
  const sample = await sampleFor(scope, campaign)
  if (!sample) return []
  if (!shows) return [finding('coupon_not_shown')]
  const found: Finding[] = []
  const { test_mode, timezone } = await getMerchant(scope)
  if (!test_mode && (await findStore(scope))?.status !== 'connected') found.push(finding('coupon_needs_store'))
  const ends = new Date(sample.expires_at)
  if (startTimeOf(scope, campaign).getTime() + lastsMs > ends.getTime()) {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(ends)
    found.push(finding('coupon_ends_early', day))
  }
  return found
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** How long sending takes by what is planned: a domain's warm-up, a test, the first few. How fast receivers take mails is not known before. */
export function plannedMs(
  campaign: CampaignRow,
  { warmUp, canaryMinutes }: { warmUp: CampaignReview['warm_up']; canaryMinutes: number | null },
): number {
  const days = warmUp ? (warmUp.days - 1) * DAY_MS : 0
  const test = (abTestOf(campaign)?.hours ?? 0) * HOUR_MS
  return days + test + (canaryMinutes ?? 0) * 60_000
}

type Messages = readonly Pick<MessageRow, 'id' | 'uses_coupon' | 'state'>[]
const needsCodes = (campaign: CampaignRow, messages: Messages): boolean =>
  campaign.coupon !== null && messages.some(({ uses_coupon, state }) => uses_coupon && state !== 'done')

/** Customers in one statement. */
const AT_ONCE = 2000

/** Writes a code down for each recipient who waits without one, and gives those who have one theirs. Returns whether any waited. */
async function assignCodes(scope: TransactionScope, campaign: CampaignRow, messages: Messages): Promise<boolean> {
  const { id: campaignId, coupon: terms, scheduled_at } = campaign
  if (!terms) return false
  const startsAt = scheduled_at ?? scope.now
  const sample = campaign.test_mode ? await sampleCoupon(scope, { terms, startsAt }) : null
  let offer: { id: string; endsAt: Date } | null = null
  let waited = false
  for await (const customerIds of eachWithoutCode(scope, messages)) {
    waited = true
    if (sample) {
      await storeCodes(
        scope,
        campaignId,
        customerIds.map((customerId) => ({ customerId, coupon: sample })),
      )
      continue
    }
    offer ??= await findOrMakeDiscount(scope, campaign, { terms, startsAt })
    const its = { campaignId, discountId: offer.id, terms, endsAt: offer.endsAt }
    await wantForRecipients(scope, its, { customerIds, from: askedFrom(scope, campaign) })
    await storeCodes(scope, campaignId, await madeForRecipients(scope, its, customerIds))
  }
  return waited
}

/** Customers for whom one of these messages waits that has no code to show yet, some at a time. By two channels they come twice. */
async function* eachWithoutCode(scope: MerchantScope, messages: Messages, limit = AT_ONCE): AsyncGenerator<string[]> {
  for (const { id, state } of messages)
    for (let after: string | undefined = state === 'done' ? undefined : NIL_ID; after !== undefined; ) {
      const rows = await listWithoutVariables(scope, id, { after, limit })
      const customerIds = rows.flatMap(({ customer_id }) => customer_id ?? [])
      if (customerIds.length > 0) yield customerIds
      after = rows.at(-1)?.id
    }
}

async function findOrMakeDiscount(
  scope: TransactionScope,
  campaign: CampaignRow,
  { terms, startsAt }: { terms: NonNullable<CampaignRow['coupon']>; startsAt: Date },
): Promise<{ id: string; endsAt: Date }> {
  const { id: campaignId, name: title, coupon_discount_id: id, coupon_ends_at: endsAt } = campaign
  if (id && endsAt) return { id, endsAt }
  const discount = await discountOfCampaign(scope, { campaignId, title, terms, startsAt })
  await updateCampaign(scope, campaignId, { coupon_discount_id: discount.id, coupon_ends_at: discount.endsAt })
  return discount
}

/** While a person can still take it back the store is not asked for anything. */
const askedFrom = ({ now }: MerchantScope, { undo_until }: CampaignRow): Date =>
  undo_until && undo_until >= now ? new Date(undo_until.getTime() + 1000) : now

async function storeCodes(
  scope: MerchantScope,
  campaignId: string,
  coupons: readonly { customerId: string; coupon: WrittenCoupon }[],
): Promise<void> {
  if (coupons.length === 0) return
  await setVariables(
    scope,
    campaignId,
    coupons.map(({ customerId, coupon }) => ({ customerId, variables: { coupon } })),
  )
}

/** With the audience, so that they are made by the time it is sent. */
export async function requestCodes(
  scope: TransactionScope,
  campaign: CampaignRow,
  messages: readonly MessageRow[],
): Promise<void> {
  if (needsCodes(campaign, messages)) await assignCodes(scope, campaign, messages)
}

/** The store made some: their recipients' messages say them. */
export const storeMadeCodes = (scope: MerchantScope, { campaignId, coupons }: Facts['coupons.made']): Promise<void> =>
  storeCodes(scope, campaignId, coupons)

/** What the codes keep the campaign from: asked before anything of it leaves, and again after each wait. */
export async function findCodesHold(
  scope: TransactionScope,
  campaign: CampaignRow,
  messages: readonly MessageRow[],
): Promise<CampaignHold | null> {
  if (!needsCodes(campaign, messages)) return null
  const over = expiredCodesHold(scope, campaign)
  if (over) return over
  const its = { campaignId: campaign.id, discountId: campaign.coupon_discount_id }
  const held = heldBy(await findCouponObstacle(scope, its))
  if (held) return held
  // Who came to it since: by a consent, or because a person has them sent it again.
  return (await assignCodes(scope, campaign, messages)) ? heldBy(await findCouponObstacle(scope, its)) : null
}

/** No one lacks a code: from now on its messages may be released. */
export async function markCodesComplete(scope: TransactionScope, campaign: CampaignRow): Promise<void> {
  if (campaign.coupon) await markAwaitsCodes(scope, campaign.id, false)
}

const heldBy = (lack: Awaited<ReturnType<typeof findCouponObstacle>>): CampaignHold | null =>
  lack && { reason: lack === 'failed' ? 'coupons_failed' : 'coupons', until: null }

/** No one is sent a code that has expired. */
export const expiredCodesHold = (
  { now }: MerchantScope,
  { coupon_ends_at: endsAt }: CampaignRow,
): CampaignHold | null => (endsAt && endsAt <= now ? { reason: 'coupons_ended', until: null } : null)

/** While it is being sent: it waits for recipients who were added without a code. Returns whether there were any. */
export async function holdIfCodesMissing(
  scope: TransactionScope,
  campaign: CampaignRow,
  messages: readonly MessageRow[],
): Promise<boolean> {
  if (campaign.status !== 'sending' || !needsCodes(campaign, messages)) return false
  const { done: noneLacksOne } = await eachWithoutCode(scope, messages, 1).next()
  if (noneLacksOne) return false
  await waitForCodes(scope, campaign, messages)
  return true
}

/** It continues once no one lacks a code. Returns whether it has any. */
export async function waitForCodes(
  scope: TransactionScope,
  campaign: CampaignRow,
  messages: readonly MessageRow[],
): Promise<boolean> {
  if (!campaign.coupon || !messages.some(({ uses_coupon }) => uses_coupon)) return false
  for (const { id, state } of messages) if (state !== 'done') await holdMessage(scope, id)
  await markAwaitsCodes(scope, campaign.id, true)
  await updateCampaign(scope, campaign.id, {
    status: 'waiting',
    wait_reason: 'coupons',
    waits_until: null,
    sent_at: null,
    final_balance: null,
  })
  return true
}

/** Taken back before the store was asked. */
export async function withdrawCodes(scope: TransactionScope, campaign: CampaignRow): Promise<void> {
  if (campaign.coupon_discount_id) await forgetCampaignCoupons(scope, campaign.id)
}

export async function presentCoupons(scope: MerchantScope, id: string): Promise<CampaignCoupons | null> {
  const { coupon, coupon_discount_id: discountId, coupon_ends_at: endsAt } = await getCampaignRow(scope, id)
  if (!coupon || !discountId || !endsAt) return null
  const sums = await readCampaignSums(scope, { campaignId: id, discountId })
  if (!sums) return null
  const { currency } = await getMerchant(scope)
  const { total, made, used, failed, error, next_try_at, slow_since, next_look_at, revenue } = sums
  return {
    terms: coupon,
    total,
    made,
    used,
    failed,
    expires_at: endsAt.toISOString(),
    error: failed > 0 || next_try_at ? error : null,
    next_try_at: next_try_at?.toISOString() ?? null,
    slow_since: slow_since?.toISOString() ?? null,
    next_look_at: next_look_at?.toISOString() ?? null,
    revenue: { amount: revenue, currency },
  }
}
