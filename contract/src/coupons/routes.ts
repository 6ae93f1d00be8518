import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { Money } from '../money.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { CouponStatus, CouponTerms } from './coupon.ts'

export const Coupon = z
  .object({
    id: z.uuid(),
    code: z.string(),
    status: CouponStatus,
    terms: CouponTerms,
    customer_id: z.uuid().nullable(),
    customer_name: z.string().nullable(),
    scenario_id: z.uuid().nullable(),
    scenario_name: z.string().nullable(),
    campaign_id: z.uuid().nullable(),
    campaign_name: z.string().nullable(),
    execution_id: z.uuid().nullable(),
    /** Why the store did not take it, where it did not. */
    error: z.string().nullable(),
    expires_at: z.iso.datetime().nullable(),
    used_at: z.iso.datetime().nullable(),
    /** The order it was used with, with what is left of its amount after refunds. */
    order: z.object({ name: z.string(), amount: Money, cancelled: z.boolean() }).nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Coupon' })
export type Coupon = z.output<typeof Coupon>

/** Sums over all coupons that match the filters, in every status, not only of the page. */
export const CouponTotals = z
  .object({
    issued: z.int(),
    used: z.int(),
    /** Orders placed with them, without cancelled ones. */
    revenue: Money,
  })
  .meta({ id: 'CouponTotals' })
export type CouponTotals = z.output<typeof CouponTotals>

/** What is the matter with codes in the store, where a member should know of it. */
export const CouponTrouble = z
  .object({
    /** The store is slow to make codes that messages wait for; or a scenario's discount was changed in the store. */
    kind: z.enum(['waiting', 'changed']),
    terms: CouponTerms,
    /** Null for a scenario's. */
    campaign_id: z.uuid().nullable(),
    /** When the store was asked for them; when the change was found. */
    since: z.iso.datetime(),
    /** For `waiting`: when the store is asked again. */
    next_look_at: z.iso.datetime().nullable(),
    /** For `changed`: a `CouponFlaw`. */
    flaw: z.string().nullable(),
    /** How many codes messages wait for, or how many issued codes no longer work. */
    codes: z.int(),
  })
  .meta({ id: 'CouponTrouble' })
export type CouponTrouble = z.output<typeof CouponTrouble>

export const listDiscounts = endpoint('GET', '/api/discounts/', {
  area: 'discounts',
  summary: 'Coupons issued by scenarios and campaigns, newest first, with what was bought with them',
  access: 'member',
  query: PageQuery.extend({
    action_id: Id.optional(),
    campaign_id: Id.optional(),
    customer_id: Id.optional(),
    status: CouponStatus.optional(),
    q: z.string().max(100, 'too_long').optional(),
  }),
  reply: pageOf(Coupon).extend({ totals: CouponTotals, troubles: z.array(CouponTrouble) }),
})
