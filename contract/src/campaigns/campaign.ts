import { z } from 'zod'
import { Balance, ChannelName } from '../deliveries/delivery.ts'
import { Finding, RenderedEmail } from '../emails/email.ts'
import { UnsavedText } from '../emails/version.ts'
import { AbChoice, AbGroup, AbPeople, AbPhase, AbResult, AbTest } from './ab-test.ts'
import { CanaryResult } from './canary.ts'
import { CouponTerms } from '../coupons/coupon.ts'
import { Instant, line } from '../fields.ts'
import { Locale } from '../locale.ts'
import { Money } from '../money.ts'

/** Spec §4. `resolved` is shown as done. */
export const campaignStatuses = [
  'draft',
  'collecting',
  'reserving',
  'reserved',
  'waiting',
  'sending',
  'sent',
  'send_failure',
  'resolved',
  'cancelled',
  'deleted',
] as const
export const CampaignStatus = z.enum(campaignStatuses)
export type CampaignStatus = z.output<typeof CampaignStatus>

export type CampaignVerb =
  | 'edit'
  | 'reserve'
  | 'undo'
  | 'cancel'
  | 'stop'
  | 'resync'
  | 'resolve'
  | 'duplicate'
  | 'delete'
  | 'send_late'
  | 'continue'
  | 'choose_winner'
  | 'retry_coupons'
/** Which statuses allow a verb: the API refuses by it and the button is disabled by it. */
const allowed: Record<CampaignVerb, readonly CampaignStatus[]> = {
  edit: ['draft'],
  reserve: ['draft'],
  // As long as `undo_seconds_left` says, and nothing of it has left.
  undo: ['collecting', 'reserving', 'reserved', 'waiting'],
  // Spec §4: reserved, unless within 15 minutes of the send time. A waiting campaign has not begun; nor has one being reserved.
  cancel: ['reserved', 'waiting', 'reserving', 'collecting'],
  // Pain 22: what has not left yet can be kept back.
  stop: ['sending', 'waiting'],
  resync: ['send_failure', 'sent'],
  resolve: ['send_failure'],
  duplicate: [
    'draft',
    'collecting',
    'reserving',
    'reserved',
    'waiting',
    'sending',
    'sent',
    'send_failure',
    'resolved',
    'cancelled',
  ],
  delete: ['draft', 'sent', 'send_failure', 'resolved', 'cancelled'],
  send_late: ['waiting'],
  continue: ['waiting'],
  choose_winner: ['sending', 'waiting'],
  retry_coupons: ['reserved', 'waiting'],
}
/** The rule both sides obey: the API refuses by it, the button is disabled by it. */
export const campaignAllows = (verb: CampaignVerb, status: CampaignStatus): boolean => allowed[verb].includes(status)

/** Spec §4 and §9. */
export const CANCEL_MARGIN_MINUTES = 15
/** Whether a reservation can no longer be cancelled because its time is too near (or past, while nothing holds it). */
export const tooLateToCancel = (scheduledAt: Date, now: Date): boolean =>
  scheduledAt.getTime() - now.getTime() < CANCEL_MARGIN_MINUTES * 60_000

/** What a waiting campaign waits for; the page says it in words. */
export const waitReasons = [
  'test_mode',
  'sending_hours',
  'store_under_review',
  'mailer_paused',
  'segment_calculating',
  'found_late',
  'sending_held',
  'account_unconfirmed',
  'sender_unconfirmed',
  'line_not_connected',
  'line_paused',
  'line_quota',
  'canary',
  'canary_stopped',
  'braked',
  'ab_test',
  'ab_undecided',
  'coupons',
  'coupons_failed',
  'coupons_ended',
] as const
export const WaitReason = z.enum(waitReasons)
export type WaitReason = z.output<typeof WaitReason>

export const SendType = z.enum(['scheduled', 'immediate'])
export const SegmentType = z.enum(['own', 'remote', 'all'])

/**
 * By which channels it goes. `line_else_email`: to each by LINE where they can be written to there, to the others by mail. `both`: to each by
 * both, as far as they can be written to.
 */
export const campaignChannels = ['email', 'line', 'line_else_email', 'both'] as const
export const CampaignChannels = z.enum(campaignChannels, 'not_allowed')
export type CampaignChannels = z.output<typeof CampaignChannels>
/** What a campaign writes a message for. The ledger may know more channels. */
export const CampaignChannel = z.enum(['email', 'line'])
export type CampaignChannel = z.output<typeof CampaignChannel>
/** In the order in which its messages are written. */
export const channelsOf = (channels: CampaignChannels): readonly CampaignChannel[] =>
  channels === 'email' || channels === 'line' ? [channels] : ['line', 'email']
export const goesBy = (channels: CampaignChannels, channel: CampaignChannel): boolean =>
  channelsOf(channels).includes(channel)

/** utm parameters (spec §3): content is automatic and cannot be overridden; campaign is not sent unless given. */
export const TrackingParameters = z
  .strictObject({
    source: line(1, 100).nullable().default(null),
    medium: line(1, 100).nullable().default(null),
    campaign: line(1, 100).nullable().default(null),
  })
  .meta({ id: 'TrackingParameters' })
export type TrackingParameters = z.output<typeof TrackingParameters>
export const NO_PARAMETERS: TrackingParameters = { source: null, medium: null, campaign: null }
/** Spec §3: the default source is the product name. */
export const DEFAULT_TRACKING_SOURCE = 'okaeri'

export const CampaignName = line(1, 100)

/** What a draft holds; all but the name may still be missing. */
export const CampaignFields = {
  name: CampaignName,
  send_type: SendType,
  scheduled_at: Instant.nullable(),
  segment_type: SegmentType,
  customer_segment_id: z.uuid('not_an_id').nullable(),
  channels: CampaignChannels,
  email_id: z.uuid('not_an_id').nullable(),
  line_message_id: z.uuid('not_an_id').nullable(),
  /** Spec §3: includes customers without marketing consent. */
  send_to_all: z.boolean('not_a_boolean'),
  /** Pain 24: opens and clicks can be left unmeasured. */
  tracking_enabled: z.boolean('not_a_boolean'),
  tracking_parameters: TrackingParameters,
  /** Of campaigns by mail alone: what the other channels send is kept, but not tested. */
  ab_test: AbTest.nullable(),
  /** Each recipient gets a code of their own, worth this. Null: none. */
  coupon: CouponTerms.nullable(),
} as const

export const Campaign = z
  .object({
    id: z.uuid(),
    name: z.string(),
    status: CampaignStatus,
    send_type: SendType,
    scheduled_at: z.iso.datetime().nullable(),
    segment_type: SegmentType,
    customer_segment_id: z.uuid().nullable(),
    customer_segment: z.object({ name: z.string() }).nullable(),
    channels: CampaignChannels,
    email: z.object({ id: z.uuid(), name: z.string() }).nullable(),
    line_message: z.object({ id: z.uuid(), name: z.string() }).nullable(),
    /** From whom it leaves, frozen with the content; null before the reservation. */
    sender: z.object({ name: z.string(), email: z.string() }).nullable(),
    send_to_all: z.boolean(),
    tracking_enabled: z.boolean(),
    tracking_parameters: TrackingParameters,
    ab_test: AbTest.nullable(),
    coupon: CouponTerms.nullable(),
    /** B's email, where it has one of its own. */
    ab_email: z.object({ id: z.uuid(), name: z.string() }).nullable(),
    /** Null without a test. */
    ab_phase: AbPhase.nullable(),
    /** Known once both groups were sent it. */
    ab_decides_at: z.iso.datetime().nullable(),
    ab_result: AbResult.nullable(),
    /** A person said that only so many get it by LINE, because the month has no more messages. */
    line_most: z.int().nullable(),
    /** The frozen audience; null before the reservation. */
    customer_count: z.int().nullable(),
    click_count: z.int(),
    click_rate: z.number(),
    open_count: z.int(),
    open_rate: z.number(),
    sales: Money,
    order_count: z.int(),
    /** Marked at reservation: its messages went to the test addresses and count in no rate. */
    test_mode: z.boolean(),
    wait_reason: WaitReason.nullable(),
    /** When the thing waited for is expected to be over, where that is known. */
    waits_until: z.iso.datetime().nullable(),
    /** What came of the first few, once it was judged. */
    canary_result: CanaryResult.nullable(),
    /** What came of the last ones, where it was so bad that the rest was held back while it was being sent. */
    brake_result: CanaryResult.nullable(),
    balance: Balance.nullable(),
    sent_at: z.iso.datetime().nullable(),
    reserved_at: z.iso.datetime().nullable(),
    /** For so long from now it can be taken back and is a draft again; null: it cannot. */
    undo_seconds_left: z.number().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Campaign' })
export type Campaign = z.output<typeof Campaign>

const LeftOut = z.object({
  no_consent: z.int(),
  paused: z.int(),
  no_address: z.int(),
  suppressed: z.int(),
  not_linked: z.int(),
  not_a_friend: z.int(),
  blocked: z.int(),
  duplicate_address: z.int(),
  /** As things are now: what is sent to them until it starts counts too. */
  frequency_cap: z.int(),
})

/** The step before a reservation: exactly who would get it, who not and why. */
export const CampaignReview = z
  .object({
    /** Customers chosen by the segment. */
    audience: z.int(),
    /** Of them, people who would get it now; by both channels, the messages they would get. */
    recipients: z.int(),
    left_out: LeftOut,
    /** The same for each of its channels. */
    parts: z.array(z.object({ channel: CampaignChannel, audience: z.int(), recipients: z.int(), left_out: LeftOut })),
    /**
     * The LINE messages of the month it would go out in, where it needs any: null where none is needed, it starts in another month, or LINE does
     * not say. `missing`: for so many recipients there is none left.
     */
    line_quota: z.object({ limit: z.int().nullable(), left: z.int().nullable(), missing: z.int() }).nullable(),
    /** About so many get it first, and the rest after so long, unless too much goes wrong; null: all at once. */
    canary: z.object({ people: z.int(), minutes: z.int() }).nullable(),
    /** The sender's domain is being warmed up, and not all of it goes on one day. `days`: today being the first. */
    warm_up: z.object({ domain: z.string(), today: z.int(), days: z.int() }).nullable(),
    /** How many people are in group A, in group B, and wait for the better one; null without a test. */
    ab_test: z
      .object({
        people: AbPeople,
        /** So few that the difference is likely to be chance. */
        is_small: z.boolean(),
        /** The rest is held back too where too much goes wrong with the groups, as with the first few of a large campaign. */
        is_watched: z.boolean(),
        sample: RenderedEmail.nullable(),
        /** Of B, beside those of A. */
        findings: z.array(Finding),
      })
      .nullable(),
    /** The codes that would be made in the store, one for each recipient, before anything is sent; null: none. */
    coupon: z
      .object({
        /** 0 in test mode, where a sample stands in the mails. */
        codes: z.int(),
        /** The end of their last day, were it confirmed now. */
        expires_at: z.iso.datetime(),
        /** About so long it takes to make them. */
        seconds: z.int(),
        /** As the message below shows it. No order takes it. */
        sample_code: z.string(),
      })
      .nullable(),
    /** For an email with variants, how many recipients get each language; null: the base. Empty without variants. */
    languages: z.array(z.object({ language: Locale.nullable(), people: z.int() })),
    /** With "send to all": how many without consent are among the recipients. */
    without_consent: z.int(),
    test_mode: z.boolean(),
    /** Test mode sends everything to these: mail addresses, and names of LINE friends. */
    test_recipients: z.object({ email: z.array(z.string()), line: z.array(z.string()) }),
    /** In test mode at most this many mails go out. */
    test_cap: z.int(),
    /** Identifies what would be sent now: content, sender and tracking. Null while something is missing. */
    fingerprint: z.string().nullable(),
    sample: RenderedEmail.nullable(),
    sample_customer: z.object({ id: z.uuid(), name: z.string() }).nullable(),
    findings: z.array(Finding),
    /** What the caller typed into the mail and did not save: it is not sent. */
    unsaved: z.array(UnsavedText),
    /** When it would start, and what it would have to wait for. */
    starts_at: z.iso.datetime(),
    wait_reason: WaitReason.nullable(),
    waits_until: z.iso.datetime().nullable(),
    missing: z.array(
      z.enum([
        'name',
        'email',
        'line_message',
        'segment',
        'scheduled_at',
        'ab_subject',
        'ab_email',
        'ab_same',
        'ab_languages',
        'ab_tracking',
        'ab_small',
      ]),
    ),
    /** False until what the audience is read from was copied from the connected store to the end, and while it is copied again. */
    store_copied: z.boolean(),
    can_reserve: z.boolean(),
  })
  .meta({ id: 'CampaignReview' })
export type CampaignReview = z.output<typeof CampaignReview>

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
