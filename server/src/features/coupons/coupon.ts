import { createHash } from 'node:crypto'
import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import { DateTime } from 'luxon'
import { newId } from '../../kernel/ids.ts'
import type { Facts } from '../../kernel/facts.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { newCode } from './code.ts'
import { holdsSince, POOL_HOLDS_MS } from './look.ts'
import {
  type DiscountRow,
  findOrInsertDiscount,
  insertWanted,
  type IssuedRow,
  markDiscountDue,
  markIssuedNow,
  markUsedByOrders,
  moveCoupons,
  type ReadCoupon,
  selectCouponsByIds,
  selectIssued,
  assignFromPool,
  requestWithCode,
  type Visit,
  requestAgain,
} from './queries.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** The platform made these coupons or refused them: the executions that wait for them continue. */
    'coupons.settled': { visits: readonly { executionId: string; nodeId: string; round: number }[] }
    /** The platform made these codes of a campaign's recipients. */
    'coupons.made': { campaignId: string; coupons: readonly { customerId: string; coupon: WrittenCoupon }[] }
    /** An order with it was placed, reported by the store as it happened. Once per coupon. */
    'coupon.used': {
      couponId: string
      code: string
      customerId: string | null
      /** Null: a campaign's. */
      executionId: string | null
      storeOrderId: number
      orderName: string | null
    }
  }
}

/** A coupon as messages write it. */
export interface WrittenCoupon {
  code: string
  ratio_percent: number
  expires_at: string
  minimum: CouponTerms['minimum']
  is_limited: boolean
  currency: string
}
export const writtenCoupon = (
  { code, terms, ends_at }: { code: string; terms: CouponTerms; ends_at: Date },
  currency: string,
): WrittenCoupon => ({
  code,
  ratio_percent: terms.ratio_percent,
  expires_at: ends_at.toISOString(),
  minimum: terms.minimum,
  is_limited: terms.applies_to.kind !== 'all',
  currency,
})

/** The coupon of one visit of a node: `wanted` until the platform has made it, `failed` with the platform's message. */
export interface IssuedCoupon {
  id: string
  code: string
  status: 'wanted' | 'made' | 'used' | 'failed'
  error: string | null
  expiresAt: Date
}

/** The same terms have the same key, however they are written. */
export const keyOf = (
  { prefix, ratio_percent, valid_days, minimum, applies_to }: CouponTerms,
  campaignId?: string,
): string => {
  const ids = applies_to.kind === 'all' ? [] : [...applies_to.ids].sort((a, b) => a - b)
  const least = minimum.kind === 'none' ? 0 : minimum.kind === 'subtotal' ? minimum.amount : minimum.quantity
  const said = [
    prefix,
    ratio_percent,
    valid_days,
    minimum.kind,
    least,
    applies_to.kind,
    ids,
    ...(campaignId ? [campaignId] : []),
  ]
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url')
}

/** Codes issued on a day are valid until the end of their last day in the merchant's zone; `ahead`: issued this many days later. */
export async function discountFor(scope: MerchantScope, terms: CouponTerms, ahead = 0): Promise<DiscountRow> {
  const { timezone } = await getMerchant(scope)
  const { lastDay, endsAt } = lastDayOf(terms, { from: scope.now, timezone, ahead })
  return findOrInsertDiscount(scope, { id: newId(), termsKey: keyOf(terms), terms, lastDay, endsAt })
}

/** Until when codes given at that time are valid. */
export function lastDayOf(
  { valid_days }: Pick<CouponTerms, 'valid_days'>,
  { from, timezone, ahead = 0 }: { from: Date; timezone: string; ahead?: number },
): { lastDay: string; endsAt: Date } {
  const last = DateTime.fromJSDate(from, { zone: timezone }).plus({ days: valid_days + ahead })
  return { lastDay: last.toISODate() as string, endsAt: last.endOf('day').toJSDate() }
}

const issued = ({ id, code, status, error, ends_at }: IssuedRow): IssuedCoupon => ({
  id,
  code,
  status,
  error,
  expiresAt: ends_at,
})

/**
 * A coupon for each visit of an issuing node, in the same order: the one it already has, else one of the pool, else a wanted one, for which
 * `coupons.settled` is published later. A failed one is requested once more if the visit says `again`.
 */
export async function issueCoupons(
  scope: TransactionScope,
  node: { scenarioId: string; nodeId: string; terms: CouponTerms },
  visits: readonly (Visit & { again?: boolean })[],
): Promise<IssuedCoupon[]> {
  if (visits.length === 0) return []
  const key = ({ executionId, round }: Visit): string => `${executionId} ${round}`
  const keyOfRow = ({ execution_id, round }: IssuedRow): string => `${execution_id} ${round}`
  // Locked, so that `coupons.settled` comes only when the executions wait.
  const known = new Map(
    (await selectIssued(scope, node.nodeId, visits, { held: true })).map((row) => [keyOfRow(row), row]),
  )
  await askAgain(
    scope,
    visits.flatMap((visit) => {
      const row = visit.again ? known.get(key(visit)) : undefined
      return row?.status === 'failed' ? row : []
    }),
  )
  const fresh = visits.filter((visit) => !known.has(key(visit)))
  if (fresh.length > 0) {
    const discount = await discountFor(scope, node.terms)
    const issue = { ...node, discountId: discount.id }
    // No code is issued from a discount that may no longer be in the store.
    const holds = holdsSince(discount.looked_at, scope.now, POOL_HOLDS_MS)
    const taken = holds ? await assignFromPool(scope, issue, fresh) : 0
    const missing = fresh.slice(taken)
    if (missing.length > 0) {
      const codes = missing.map(() => newCode(node.terms.prefix))
      await insertWanted(scope, discount.id, codes, { ...issue, visits: missing })
      await markDiscountDue(scope, discount.id, { isRequested: false })
    }
    await markIssuedNow(scope, discount.id)
  }
  const rows = new Map((await selectIssued(scope, node.nodeId, visits)).map((row) => [keyOfRow(row), row]))
  return visits.map((visit) => issued(rows.get(key(visit)) as IssuedRow))
}

async function askAgain(scope: MerchantScope, failed: readonly IssuedRow[]): Promise<void> {
  if (failed.length === 0) return
  await requestAgain(
    scope,
    failed.map(({ id }) => id),
  )
  for (const discountId of new Set(failed.map(({ discount_id }) => discount_id)))
    await markDiscountDue(scope, discountId, { isRequested: true })
}

/** Codes that no longer hold become others, to be made of the same discount. Returns the new ones by coupon. */
export async function renewCodes(
  scope: TransactionScope,
  coupons: readonly { id: string; discountId: string; prefix: string }[],
): Promise<Map<string, string>> {
  if (coupons.length === 0) return new Map()
  // First the discounts, as those who make codes.
  for (const discountId of [...new Set(coupons.map(({ discountId }) => discountId))].sort())
    await markDiscountDue(scope, discountId, { isRequested: true })
  const unique = new Map(coupons.map(({ id, prefix }) => [id, newCode(prefix)]))
  const renewed = await requestWithCode(
    scope,
    [...unique].map(([id, code]) => ({ id, code })),
  )
  return new Map([...unique].filter(([id]) => renewed.has(id)))
}

/** Coupons as mails write them. */
export async function readCoupons(scope: MerchantScope, ids: readonly string[]): Promise<Map<string, ReadCoupon>> {
  return new Map(ids.length === 0 ? [] : (await selectCouponsByIds(scope, ids)).map((coupon) => [coupon.id, coupon]))
}

export async function noteUsedCoupons(scope: MerchantScope, { orders }: Facts['orders.placed']): Promise<void> {
  const orderIds = orders.map(({ orderId }) => orderId)
  for (const used of await markUsedByOrders(scope, orderIds))
    await scope.context.publish(scope, 'coupon.used', {
      couponId: used.id,
      code: used.code,
      customerId: used.customer_id,
      executionId: used.execution_id,
      storeOrderId: used.store_order_id,
      orderName: used.order_name,
    })
}

export const mergeCoupons = (
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> => moveCoupons(scope, fromId, intoId)

/** The coupon stays, without its customer. */
export const forgetCouponsOf = (scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> =>
  moveCoupons(scope, customerId, null)
