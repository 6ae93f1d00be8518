import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import { crashPoint } from '../../kernel/crash-point.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { MAX_CODES_AT_ONCE } from '../../integrations/shopify/discount-operations.ts'
import { getMerchant } from '../merchants/index.ts'
import { codeFor, sampleCode } from './code.ts'
import { keyOf, lastDayOf, type WrittenCoupon, writtenCoupon } from './coupon.ts'
import { holdsSince, LOOK_HOLDS_MS } from './look.ts'
import { findOrInsertDiscount, markDiscountDue } from './queries.ts'
import {
  type CampaignSums,
  deleteOfCampaign,
  findLook,
  hasOfCampaign,
  insertForRecipients,
  markDueFrom,
  selectMadeFor,
  sumUpCampaign,
  requestFailedAgain,
} from './recipients-queries.ts'

/** What the codes of a campaign are worth, and from when on they are valid. */
export interface CampaignOffer {
  campaignId: string
  /** The store shows it in its list of discounts. */
  title: string
  terms: CouponTerms
  startsAt: Date
}

/** A discount of the campaign's own: what it is worth, and until when, is never another campaign's. */
export async function discountOfCampaign(
  scope: TransactionScope,
  { campaignId, title, terms, startsAt }: CampaignOffer,
): Promise<{ id: string; endsAt: Date }> {
  const { timezone } = await getMerchant(scope)
  const { lastDay, endsAt } = lastDayOf(terms, { from: startsAt, timezone })
  const discount = await findOrInsertDiscount(scope, {
    id: newId(),
    termsKey: keyOf(terms, campaignId),
    terms,
    lastDay,
    endsAt,
    campaign: { id: campaignId, title },
  })
  return { id: discount.id, endsAt: discount.ends_at }
}

/** A code is one of 23^10, so it is another's once in millions. */
const ATTEMPTS = 4

/** Writes down a code for each of these customers who has none of the campaign yet. The store is asked for them from `from` on. */
export async function wantForRecipients(
  scope: TransactionScope,
  {
    campaignId,
    discountId,
    terms,
    endsAt,
  }: { campaignId: string; discountId: string; terms: CouponTerms; endsAt: Date },
  { customerIds, from }: { customerIds: readonly string[]; from: Date },
): Promise<void> {
  const { merchantId, context } = scope
  const discountKey = `${keyOf(terms, campaignId)} ${endsAt.toISOString()}`
  let without = customerIds
  for (let attempt = 0; without.length > 0; attempt += 1) {
    if (attempt === ATTEMPTS) throw new Error(`no code is free for ${without.length} recipients of ${campaignId}`)
    const codes = without.map((customerId) => {
      const owner = { merchantId, campaignId, customerId, discountKey, attempt }
      return { customerId, code: codeFor(context.keyring, terms.prefix, owner) }
    })
    const have = await insertForRecipients(scope, { campaignId, discountId }, codes)
    without = without.filter((id) => !have.has(id))
  }
  await markDueFrom(scope, discountId, from)
  crashPoint('codes_wanted')
}

/** The codes of those of these customers for whom the store has made it. */
export async function madeForRecipients(
  scope: MerchantScope,
  { campaignId, terms, endsAt }: { campaignId: string; terms: CouponTerms; endsAt: Date },
  customerIds: readonly string[],
): Promise<{ customerId: string; coupon: WrittenCoupon }[]> {
  const { currency } = await getMerchant(scope)
  return (await selectMadeFor(scope, campaignId, customerIds)).map(({ customer_id, code }) => ({
    customerId: customer_id,
    coupon: writtenCoupon({ code, terms, ends_at: endsAt }, currency),
  }))
}

/** What keeps the codes of a campaign from being complete. `looking`: the store is asked whether they still hold. */
export async function findCouponObstacle(
  scope: MerchantScope,
  { campaignId, discountId }: { campaignId: string; discountId: string | null },
): Promise<'wanted' | 'failed' | 'looking' | null> {
  if (await hasOfCampaign(scope, campaignId, 'wanted')) return 'wanted'
  if (await hasOfCampaign(scope, campaignId, 'failed')) return 'failed'
  const look = discountId === null ? null : await findLook(scope, discountId)
  if (discountId === null || holdsSince(look?.looked_at, scope.now, LOOK_HOLDS_MS)) return null
  if (!look?.is_due) await markDiscountDue(scope, discountId, { isRequested: false })
  return 'looking'
}

/** As if none had been written down; the store was not asked yet. */
export const forgetCampaignCoupons = (scope: TransactionScope, campaignId: string): Promise<void> =>
  deleteOfCampaign(scope, campaignId, { all: true })

/** No more of them are made. Those in the store stay until their last day; codes that were not sent are unknown to customers. */
export const stopCampaignCoupons = (scope: TransactionScope, campaignId: string): Promise<void> =>
  deleteOfCampaign(scope, campaignId, { all: false })

/** A person asks the store again for what it did not make; returns how many codes that are. */
export async function retryCampaignCoupons(
  scope: TransactionScope,
  { campaignId, discountId }: { campaignId: string; discountId: string },
): Promise<number> {
  const count = await requestFailedAgain(scope, campaignId)
  if (count > 0) await markDiscountDue(scope, discountId, { isRequested: true })
  return count
}

export const readCampaignSums = (
  scope: MerchantScope,
  { campaignId, discountId }: { campaignId: string; discountId: string },
): Promise<CampaignSums | null> => sumUpCampaign(scope, campaignId, discountId)

/** The platform names no speed. A call, and asking every quarter of a second whether it is done, takes about so long. */
const SECONDS_AT_ONCE = 2
/** About so long the store takes to make so many codes. */
export const secondsToMake = (codes: number): number => Math.ceil(codes / MAX_CODES_AT_ONCE) * SECONDS_AT_ONCE

/** In tests and previews: as it will be, with a code that no order takes. */
export async function sampleCoupon(
  scope: MerchantScope,
  { terms, startsAt }: { terms: CouponTerms; startsAt: Date },
): Promise<WrittenCoupon> {
  const { currency, timezone } = await getMerchant(scope)
  const { endsAt } = lastDayOf(terms, { from: startsAt, timezone })
  return writtenCoupon({ code: sampleCode(terms.prefix), terms, ends_at: endsAt }, currency)
}
