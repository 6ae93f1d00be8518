import { z } from 'zod'

/** Spec §9. */
export const DEFAULT_COUPON_PREFIX = 'OBK'
const MAX_VALID_DAYS = 365

/** What a coupon is worth and where it may be used. Money is in minor units of the store's currency. */
export const CouponTerms = z
  .strictObject({
    prefix: z.string().regex(/^[A-Z0-9]{1,12}$/, 'invalid'),
    ratio_percent: z.int('not_a_number').min(1, 'too_small').max(100, 'too_big'),
    valid_days: z.int('not_a_number').min(1, 'too_small').max(MAX_VALID_DAYS, 'too_big'),
    /** Spec §3: minimum requirement none, subtotal or item quantity. */
    minimum: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('none') }),
      z.strictObject({ kind: z.literal('subtotal'), amount: z.int('not_a_number').min(1, 'too_small') }),
      z.strictObject({
        kind: z.literal('quantity'),
        quantity: z.int('not_a_number').min(1, 'too_small').max(1000, 'too_big'),
      }),
    ]),
    /** Spec §3: all products, specific collections or specific products (the store platform's numbers). */
    applies_to: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('all') }),
      z.strictObject({
        kind: z.literal('collections'),
        ids: z.array(z.int().positive()).min(1, 'required').max(100, 'too_long'),
      }),
      z.strictObject({
        kind: z.literal('products'),
        ids: z.array(z.int().positive()).min(1, 'required').max(100, 'too_long'),
      }),
    ]),
  })
  .meta({ id: 'CouponTerms' })
export type CouponTerms = z.output<typeof CouponTerms>

/** The amount that an order must come to, in minor units; empty where there is none. */
export const amountsOfCoupon = ({ minimum }: Pick<CouponTerms, 'minimum'>): number[] =>
  minimum.kind === 'subtotal' ? [minimum.amount] : []

/** What is offered first. */
export const INITIAL_TERMS: CouponTerms = {
  prefix: DEFAULT_COUPON_PREFIX,
  ratio_percent: 10,
  valid_days: 30,
  minimum: { kind: 'none' },
  applies_to: { kind: 'all' },
}

export const couponStatuses = ['wanted', 'made', 'used', 'expired', 'failed'] as const
export const CouponStatus = z.enum(couponStatuses)
export type CouponStatus = z.output<typeof CouponStatus>
