import type { CouponFlaw } from '@okaeri/contract/coupons/flaw'
import { decimalOf } from '@okaeri/contract/money'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CODES_ADD,
  CODES_MADE,
  type CodesAddResult,
  type CodesMadeResult,
  DISCOUNT_BY_CODE,
  DISCOUNT_CREATE,
  type DiscountByCodeResult,
  DISCOUNT_WORTH,
  type DiscountCreateResult,
  type DiscountWorthResult,
  MAX_CODES_AT_ONCE,
} from '../../integrations/shopify/discount-operations.ts'
import type { UserError } from '../../integrations/shopify/operations.ts'
import { globalId } from '../../integrations/shopify/sync-operations.ts'
import { crashPoint } from '../../kernel/crash-point.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { recurring } from '../../kernel/work/due-merchants.ts'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope, type TransactionScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { findStore, getStoreClient, type StoreClient } from '../stores/index.ts'
import {
  claimDueDiscount,
  type ClaimedDiscount,
  deleteFree,
  deleteUnissued,
  failMade,
  failGiven,
  failWanted,
  findMadeCodes,
  type DiscountChange,
  hasWanted,
  type ClaimState,
  type MadeForRecipient,
  markAsked,
  markFlawed,
  selectWanted,
  settleCodes,
  type SettledVisit,
  stillHeld,
  updateDiscount,
  requestMadeAgain,
} from './code-creation-queries.ts'
import { writtenCoupon } from './coupon.ts'
import './store-changes.ts'
import { dueDiscounts } from './due-queries.ts'

const MINUTE_MS = 60_000
/**
 * Between tries. After the last one the wanted codes have failed. Each is less than an hour (`inAnHour`), also for a worker whose clock is a little
 * behind.
 */
const BACK_OFF_MINUTES = [1, 5, 15, 55]
/** Real time. Longer than a step takes, including waits for a throttled platform. */
const LEASE_MS = 5 * MINUTE_MS
/** The platform makes codes in the background. It is polled this often, this far apart (real time), before others get their turn. */
const LOOKS = 20
const BETWEEN_LOOKS_MS = 250
/** After a tenth of the time taken so far, at most a quarter of an hour. The platform names no end, so this repeats while codes are awaited. */
const LOOK_AGAIN_MS = 10_000
const LOOK_AGAIN_AT_MOST_MS = 15 * MINUTE_MS
const MAX_WORDS = 500
/** What the platform takes as the title of a discount. */
const MAX_TITLE = 255

/** The result of a step. Codes without an error are made. */
interface Progress {
  storeDiscountId?: string
  /** Null: the platform has finished it. */
  bulkId?: string | null
  asked?: string[]
  settled?: { id: string; error: string | null }[]
  /** Not finished yet: polled again later. */
  later?: boolean
  /** The store was asked whether the codes of a campaign still hold. */
  looked?: { flaw: CouponFlaw | null; isGone: boolean }
}

class Refused extends Error {}
/** The platform says nothing of codes it was asked for. They are requested once more, and found as taken if they exist. */
class Forgotten extends Error {}
/** The discount was deleted in the store, or the merchant has another store: it is made again, under the same row. */
class Gone extends Error {}

/**
 * One step for one discount: it is created with its first code, then codes are added in bulks, and each bulk is polled until it is done. After
 * a crash between the platform's answer and our commit, our own codes are found as taken, and are taken over.
 */
async function step(scope: MerchantScope, discount: ClaimedDiscount): Promise<Progress> {
  const store = await getStoreClient(scope)
  if (!discount.store_discount_id) return create(scope, store, discount)
  if (discount.bulk_id) return lookAfter(scope, store, discount, discount.bulk_id)
  const wanted = await selectWanted(scope, discount, { bulkId: null, limit: MAX_CODES_AT_ONCE })
  if (wanted.length === 0) return look(scope, store, discount)
  const { discountRedeemCodeBulkAdd: added } = await store.graphql<CodesAddResult>(CODES_ADD, {
    discountId: discount.store_discount_id,
    codes: wanted.map(({ code }) => ({ code })),
  })
  if (added?.userErrors.some(({ field }) => field?.includes('discountId'))) throw new Gone()
  if (!added?.bulkCreation) throw refusal(added?.userErrors)
  return { bulkId: added.bulkCreation.id, asked: wanted.map(({ id }) => id) }
}

async function create(scope: MerchantScope, store: StoreClient, discount: ClaimedDiscount): Promise<Progress> {
  const [first] = await selectWanted(scope, discount, { bulkId: null, limit: 1 })
  if (!first) return {}
  const { discountCodeBasicCreate: created } = await store.graphql<DiscountCreateResult>(DISCOUNT_CREATE, {
    discount: await inputOf(scope, discount, first.code),
  })
  const settled = [{ id: first.id, error: null }]
  if (created?.codeDiscountNode) return { storeDiscountId: created.codeDiscountNode.id, settled }
  if (!created?.userErrors.some(({ code }) => code === 'TAKEN')) throw refusal(created?.userErrors)
  // The code cannot be guessed, so it is ours, made by a worker that died.
  const { codeDiscountNodeByCode: ours } = await store.graphql<DiscountByCodeResult>(DISCOUNT_BY_CODE, {
    code: first.code,
  })
  if (!ours) throw refusal(created.userErrors)
  return { storeDiscountId: ours.id, settled }
}

async function inputOf(scope: MerchantScope, { terms, ends_at, title }: ClaimedDiscount, code: string) {
  const { minimum, applies_to, ratio_percent } = terms
  const merchant = await getMerchant(scope)
  if (minimum.kind === 'subtotal') {
    // ¥5,000 asked of a store in dollars would be $5,000.
    const sellsIn = (await findStore(scope))?.currency ?? merchant.currency
    if (sellsIn !== merchant.currency) throw new Refused('currency_differs' satisfies CouponFlaw)
  }
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: merchant.timezone }).format(ends_at)
  const until = { ja: `（${day}まで）`, en: `(until ${day})` }[merchant.language]
  return {
    // Shown in the merchant's list of discounts.
    title: `Okaeri ${title ?? terms.prefix} ${ratio_percent}% ${until}`.slice(0, MAX_TITLE),
    code,
    startsAt: scope.now.toISOString(),
    endsAt: ends_at.toISOString(),
    context: { all: 'ALL' },
    customerGets: {
      value: { percentage: ratio_percent / 100 },
      items:
        applies_to.kind === 'all'
          ? { all: true }
          : applies_to.kind === 'collections'
            ? { collections: { add: applies_to.ids.map((id) => globalId('Collection', id)) } }
            : { products: { productsToAdd: applies_to.ids.map((id) => globalId('Product', id)) } },
    },
    ...(minimum.kind === 'subtotal'
      ? {
          minimumRequirement: {
            subtotal: { greaterThanOrEqualToSubtotal: decimalOf(minimum.amount, merchant.currency) },
          },
        }
      : {}),
    ...(minimum.kind === 'quantity'
      ? { minimumRequirement: { quantity: { greaterThanOrEqualToQuantity: String(minimum.quantity) } } }
      : {}),
    // Per code: it ends when it is used (spec §9).
    usageLimit: 1,
    appliesOncePerCustomer: false,
  }
}

/** For so long the store has been making what it was asked for last. */
const takenMs = ({ now }: MerchantScope, { bulk_asked_at: since }: ClaimedDiscount): number =>
  since ? Math.max(0, now.getTime() - since.getTime()) : 0

async function lookAfter(
  scope: MerchantScope,
  store: StoreClient,
  discount: ClaimedDiscount,
  bulkId: string,
): Promise<Progress> {
  const looks = takenMs(scope, discount) < MINUTE_MS ? LOOKS : 1
  for (let look = 0; look < looks; look += 1) {
    if (look > 0) await sleep(BETWEEN_LOOKS_MS)
    const { discountRedeemCodeBulkCreation: bulk } = await store.graphql<CodesMadeResult>(CODES_MADE, { id: bulkId })
    if (!bulk) throw new Forgotten()
    if (!bulk.done) continue
    const wanted = await selectWanted(scope, discount, { bulkId, limit: MAX_CODES_AT_ONCE })
    const created = new Map(bulk.codes.nodes.map((node) => [node.code.toUpperCase(), node]))
    const settled = wanted.flatMap(({ id, code }) => {
      const made = created.get(code)
      if (!made) return []
      const ours = made.discountRedeemCode !== null || made.errors.some((error) => error.code === 'TAKEN')
      return [{ id, error: ours ? null : words(made.errors) }]
    })
    if (settled.length === 0 && wanted.length > 0) throw new Forgotten()
    return { bulkId: null, settled }
  }
  return { later: true }
}

/** The store writes times without fractions, and its clock may be ahead of ours. */
const APART_MS = 5 * MINUTE_MS

/** One code alone may have been deleted, too. */
const LOOKED_AT = 3

/**
 * Between making the codes and sending them, the discount may be deleted or changed in the store. The codes that people have of a changed
 * discount say nothing about the one made after it.
 */
async function look(scope: MerchantScope, store: StoreClient, discount: ClaimedDiscount): Promise<Progress> {
  let isGone = false
  for (const code of await findMadeCodes(scope, discount.id, LOOKED_AT)) {
    const { codeDiscountNodeByCode: node } = await store.graphql<DiscountWorthResult>(DISCOUNT_WORTH, { code })
    if (node && (discount.campaign_id !== null || node.id === discount.store_discount_id))
      return { looked: { flaw: flawOf(scope, discount, node.codeDiscount), isGone: false } }
    isGone ||= node === null
  }
  return { looked: { flaw: isGone ? 'discount_gone' : null, isGone } }
}

function flawOf(
  { now }: MerchantScope,
  { terms, ends_at: endsAt }: ClaimedDiscount,
  { startsAt, endsAt: ends, customerGets }: NonNullable<DiscountWorthResult['codeDiscountNodeByCode']>['codeDiscount'],
): CouponFlaw | null {
  if (ends && Date.parse(ends) < endsAt.getTime() - APART_MS) return 'discount_ends_early'
  if (startsAt && Date.parse(startsAt) > now.getTime() + APART_MS) return 'discount_begins_late'
  const percent = Math.round((customerGets?.value.percentage ?? 0) * 100)
  return percent === terms.ratio_percent ? null : 'discount_worth_other'
}

const words = (errors: readonly UserError[] | undefined): string =>
  (errors ?? []).map(({ message }) => message).join(' ') || 'refused without a reason'
const refusal = (errors: readonly UserError[] | undefined): Refused => new Refused(words(errors))

async function advance(scope: MerchantScope, discount: ClaimedDiscount): Promise<void> {
  let progress: Progress | null = null
  let failure: Failure | null = null
  try {
    progress = await step(scope, discount)
  } catch (error) {
    failure = explain(error)
    if (!failure) throw error
  }
  crashPoint('codes_answered')
  // Time has passed since it was claimed.
  await retriedTransaction(merchantScope(scope.context, scope.merchantId), async (scope) => {
    const held = await stillHeld(scope, discount)
    if (!held) return
    const isRequestedAgain = held.next_step_at.getTime() > discount.next_step_at.getTime()
    if (progress) await saveProgress(scope, discount, { ...progress, held })
    else if (failure) await saveFailure(scope, discount, { ...failure, isRequestedAgain })
    crashPoint('codes_stored')
  })
}

interface Failure {
  words: string
  retry: boolean
  /** The platform no longer has it: the bulk, or with it the discount. */
  lacks?: 'bulk' | 'discount'
}
function explain(error: unknown): Failure | null {
  if (error instanceof Forgotten) return { words: 'codes_forgotten' satisfies CouponFlaw, retry: true, lacks: 'bulk' }
  if (error instanceof Gone) return { words: 'discount_gone' satisfies CouponFlaw, retry: true, lacks: 'discount' }
  if (error instanceof Refused) return { words: error.message, retry: false }
  if (error instanceof IntegrationError)
    // The store was connected before we requested this scope.
    return error.detail === 'ACCESS_DENIED'
      ? {
          words: 'ACCESS_DENIED: the store has not allowed discounts (write_discounts); connect it again',
          retry: false,
        }
      : { words: error.detail, retry: error.retryable }
  if (error instanceof AppError) return { words: error.message, retry: false }
  return null
}

async function saveProgress(
  scope: TransactionScope,
  discount: ClaimedDiscount,
  progress: Progress & { held: ClaimState },
): Promise<void> {
  const { storeDiscountId, bulkId, asked, settled, later, looked, held } = progress
  if (asked && bulkId) await markAsked(scope, discount.id, { ids: asked, bulkId })
  const { visits, made } =
    settled && settled.length > 0 ? await settleCodes(scope, discount.id, settled) : { visits: [], made: [] }
  const more = (bulkId ?? null) !== null || later || (await hasWanted(scope, discount.id))
  // A new discount of scenarios is looked at once its codes are made: from then on the pool is given out.
  const isUnseen = discount.campaign_id === null && !looked && discount.looked_at === null && settled !== undefined
  // The check may be older than the store's newest report.
  const isOpen = held.is_doubted_again || (held.in_doubt && !looked)
  const laterMs = Math.min(LOOK_AGAIN_AT_MOST_MS, Math.max(LOOK_AGAIN_MS, takenMs(scope, discount) / 10))
  await updateDiscount(scope, discount.id, {
    ...(storeDiscountId ? { store_discount_id: storeDiscountId } : {}),
    // Asked for by a version that noted no time.
    ...(later && !discount.bulk_asked_at ? { bulk_asked_at: scope.now } : {}),
    ...(bulkId === undefined ? {} : { bulk_id: bulkId, bulk_asked_at: bulkId === null ? null : scope.now }),
    ...(looked
      ? { in_doubt: held.is_doubted_again && held.in_doubt, ...(await saveLook(scope, discount, looked)) }
      : {}),
    // What was only asked for may be forgotten again, and a new discount be gone.
    attempts: asked || storeDiscountId ? discount.attempts : 0,
    next_step_at: more || isUnseen || isOpen ? new Date(scope.now.getTime() + (later ? laterMs : 0)) : null,
    error: null,
    failed_at: null,
  })
  await publishSettled(scope, visits)
  await publishMade(scope, discount, made)
}

/** Codes that do not hold are not sent. Those of a deleted discount are made again, the same ones, when a member asks for it. */
async function saveLook(
  scope: TransactionScope,
  discount: ClaimedDiscount,
  { flaw, isGone }: NonNullable<Progress['looked']>,
): Promise<Partial<DiscountChange>> {
  if (flaw === null) return { looked_at: scope.now }
  await scope.context.publish(scope, 'codes.doubted', { campaignId: discount.campaign_id })
  if (discount.campaign_id === null) return leaveDiscount(scope, discount, { flaw, isGone })
  await failMade(scope, discount.id, flaw)
  return { looked_at: null, ...(isGone ? { store_discount_id: null, in_doubt: false } : {}) }
}

/**
 * A scenario's discount that changed in the store: none of its codes is issued any more, and the next are made under a new discount. Issued
 * codes of a deleted discount no longer work: a mail that shows one is not sent, and its execution says why.
 */
async function leaveDiscount(
  scope: TransactionScope,
  { id }: ClaimedDiscount,
  { flaw, isGone }: { flaw: CouponFlaw; isGone: boolean },
): Promise<Partial<DiscountChange>> {
  await deleteFree(scope, id)
  const flaw_codes = isGone ? await failGiven(scope, id, flaw) : 0
  if (!isGone) await markFlawed(scope, id, flaw)
  return { store_discount_id: null, looked_at: null, in_doubt: false, flaw, flaw_at: scope.now, flaw_codes }
}

const LOOK_FAILED_MS = 5 * MINUTE_MS
/** Only a check of a scenario's discount: no codes are awaited. */
const isOnlyLook = async (scope: MerchantScope, discount: ClaimedDiscount): Promise<boolean> =>
  discount.campaign_id === null &&
  discount.store_discount_id !== null &&
  discount.bulk_id === null &&
  !(await hasWanted(scope, discount.id))

async function saveFailure(
  scope: TransactionScope,
  discount: ClaimedDiscount,
  failure: Failure & { isRequestedAgain: boolean },
): Promise<void> {
  if (!failure.lacks && (await isOnlyLook(scope, discount))) {
    // Codes that are needed meanwhile wait no longer than this.
    const next_step_at = new Date(scope.now.getTime() + LOOK_FAILED_MS)
    return updateDiscount(scope, discount.id, { attempts: 0, next_step_at, error: null, failed_at: null })
  }
  const error = failure.words.slice(0, MAX_WORDS)
  // Requested again by a member during this try, so there is another try at once.
  const minutes = failure.isRequestedAgain ? 0 : failure.retry ? BACK_OFF_MINUTES[discount.attempts] : undefined
  const ended = minutes === undefined
  await updateDiscount(scope, discount.id, {
    ...(failure.lacks ? { bulk_id: null, bulk_asked_at: null } : {}),
    ...(failure.lacks === 'discount' ? await loseDiscount(scope, discount) : {}),
    attempts: ended || failure.isRequestedAgain ? 0 : discount.attempts + 1,
    next_step_at: ended ? null : new Date(scope.now.getTime() + minutes * MINUTE_MS),
    error,
    failed_at: scope.now,
  })
  if (!ended) return
  // It was only looked at; a store that is away for long is asked again as long as its codes are waited for.
  if (discount.campaign_id !== null && !failure.retry && !(await hasWanted(scope, discount.id)))
    await failMade(scope, discount.id, error)
  await deleteUnissued(scope, discount.id)
  await publishSettled(scope, await failWanted(scope, discount.id, error))
}

/** It went while codes were being made: those of a campaign that went with it are made again with the rest. */
async function loseDiscount(scope: TransactionScope, discount: ClaimedDiscount): Promise<Partial<DiscountChange>> {
  await scope.context.publish(scope, 'codes.doubted', { campaignId: discount.campaign_id })
  if (discount.campaign_id === null) return leaveDiscount(scope, discount, { flaw: 'discount_gone', isGone: true })
  await requestMadeAgain(scope, discount.id)
  return { store_discount_id: null, looked_at: null, in_doubt: false }
}

async function publishSettled(scope: TransactionScope, visits: readonly SettledVisit[]): Promise<void> {
  if (visits.length === 0) return
  await scope.context.publish(scope, 'coupons.settled', {
    visits: visits.map(({ execution_id, node_id, round }) => ({ executionId: execution_id, nodeId: node_id, round })),
  })
}

/** A code is assigned and published with its message, in this transaction. */
async function publishMade(
  scope: TransactionScope,
  { campaign_id: campaignId, terms, ends_at }: ClaimedDiscount,
  made: readonly MadeForRecipient[],
): Promise<void> {
  if (campaignId === null || made.length === 0) return
  const { currency } = await getMerchant(scope)
  await scope.context.publish(scope, 'coupons.made', {
    campaignId,
    coupons: made.map(({ customer_id, code }) => ({
      customerId: customer_id,
      coupon: writtenCoupon({ code, terms, ends_at }, currency),
    })),
  })
}

const MERCHANTS_AT_ONCE = 20

/** One step at a time per merchant, until nothing is due. */
export const makeCoupons = recurring({
  name: 'make coupons',
  everyMs: 1000,
  due: dueDiscounts,
  atOnce: MERCHANTS_AT_ONCE,
  async turn(scope) {
    const discount = await claimDueDiscount(scope, LEASE_MS)
    if (!discount) return false
    await advance(scope, discount)
    return true
  },
})
