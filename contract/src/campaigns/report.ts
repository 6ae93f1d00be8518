import { z } from 'zod'
import { Balance, ChannelName } from '../deliveries/delivery.ts'
import { AbChoice, AbGroup, AbPhase, AbResult, AbTest } from './ab-test.ts'
import { CouponTerms } from '../coupons/coupon.ts'
import { Money } from '../money.ts'
import { CampaignStatus, SendType, CampaignChannels } from './campaign.ts'

/** The codes of a campaign's recipients, and what came of them. */
export const CampaignCoupons = z
  .object({
    terms: CouponTerms,
    /** Recipients a code was asked for, in whatever state it is. */
    total: z.int(),
    /** By the store, the used ones included. */
    made: z.int(),
    used: z.int(),
    failed: z.int(),
    expires_at: z.iso.datetime(),
    /** Why the store made none the last time, in its words, or a `CouponFlaw`; null where it makes them. */
    error: z.string().nullable(),
    /** When it is asked again by itself. */
    next_try_at: z.iso.datetime().nullable(),
    /** Since when the store has been making those it was asked for last, if that takes long; it is asked again at `next_look_at`. */
    slow_since: z.iso.datetime().nullable(),
    next_look_at: z.iso.datetime().nullable(),
    /** Of orders placed with them, as it stands now, without cancelled ones. */
    revenue: Money,
  })
  .meta({ id: 'CampaignCoupons' })

export type CampaignCoupons = z.output<typeof CampaignCoupons>

export const CampaignReport = z
  .object({
    id: z.uuid(),
    name: z.string(),
    status: CampaignStatus,
    send_type: SendType,
    test_mode: z.boolean(),
    channels: CampaignChannels,
    /** Messages the receiving servers, or LINE, took. */
    delivery_count: z.int(),
    bounce_count: z.int(),
    /** Each by the first that was said of it; the addresses of `blocked` are good, the sender or the mail was refused. */
    bounces_by_kind: z.object({ hard: z.int(), soft: z.int(), full: z.int(), blocked: z.int() }),
    open_count: z.int(),
    open_rate: z.number(),
    click_count: z.int(),
    click_rate: z.number(),
    /** Messages whose only opens (clicks) came from machines; not in the counts above. */
    machine_open_count: z.int(),
    machine_click_count: z.int(),
    unsubscribe_count: z.int(),
    complaint_count: z.int(),
    order_count: z.int(),
    revenue: Money,
    /** Counted in `order_count`; their amounts are not in `revenue`. */
    orders_in_other_currencies: z.int(),
    /** Per channel, where there are several. */
    by_channel: z.array(
      z.object({
        channel: ChannelName,
        delivery_count: z.int(),
        click_count: z.int(),
        click_rate: z.number(),
        order_count: z.int(),
        revenue: Money,
      }),
    ),
    /** The groups of an A/B test side by side; null without one. */
    ab_test: z
      .object({
        test: AbTest,
        phase: AbPhase,
        decides_at: z.iso.datetime().nullable(),
        result: AbResult.nullable(),
        groups: z.array(
          z.object({
            group: AbGroup,
            /** Which of the two it got; of the rest null until it is decided. */
            content: AbChoice.nullable(),
            subject: z.string(),
            email: z.object({ id: z.uuid(), name: z.string() }).nullable(),
            audience: z.int(),
            delivery_count: z.int(),
            bounce_count: z.int(),
            unsubscribe_count: z.int(),
            click_count: z.int(),
            click_rate: z.number(),
            order_count: z.int(),
            revenue: Money,
          }),
        ),
      })
      .nullable(),
    /**
     * How many people opened it on LINE, as LINE counted them; it does not say who. Null where LINE does not count: no LINE, a test, or not
     * tracked.
     */
    line_opens: z
      .object({
        /** `waiting`: not asked yet. `hidden`: LINE keeps fewer than 20 to itself. `no_unit`: LINE counted no more messages in that month. */
        status: z.enum(['waiting', 'counted', 'hidden', 'no_unit']),
        people: z.int().nullable(),
        read_at: z.iso.datetime().nullable(),
      })
      .nullable(),
    /** Where it is off, there are no opens, clicks or revenue to know of. */
    tracking_enabled: z.boolean(),
    /**
     * The merchant's usual: the medians of the campaigns sent before this one, the last ten at most; null where they are too few. Revenue is
     * that of one message, in minor units of the currency.
     */
    usual: z
      .object({
        campaigns: z.int(),
        open_rate: z.number(),
        click_rate: z.number(),
        revenue_per_message: z.number(),
      })
      .nullable(),
    /** The campaign to compare with, by the same channels: the last one before it to the same audience, else the last one; tests and untracked campaigns do not count. */
    before: z
      .object({
        id: z.uuid(),
        name: z.string(),
        sent_at: z.iso.datetime().nullable(),
        same_audience: z.boolean(),
        open_rate: z.number(),
        click_rate: z.number(),
        revenue_per_message: z.number(),
      })
      .nullable(),
    sent_at: z.iso.datetime().nullable(),
    balance: Balance,
    links: z.array(z.object({ url: z.string(), click_count: z.int(), machine_click_count: z.int() })),
    series: z.array(z.object({ at: z.iso.datetime(), opens: z.int(), clicks: z.int(), revenue: z.int() })),
    email: z
      .object({
        id: z.uuid(),
        name: z.string(),
        subject: z.string(),
        html: z.string(),
        data: z.record(z.string(), z.unknown()).nullable(),
        status: z.string(),
        sent_count: z.int(),
        revenue: Money,
        created_at: z.iso.datetime(),
      })
      .nullable(),
    counted_at: z.iso.datetime(),
  })
  .meta({ id: 'CampaignReport' })

export type CampaignReport = z.output<typeof CampaignReport>
