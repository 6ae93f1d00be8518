import { z } from 'zod'
import { Balance } from '../deliveries/delivery.ts'
import { AbPhase, AbResult, AbTest } from './ab-test.ts'
import { CanaryResult } from './canary.ts'
import { CouponTerms } from '../coupons/coupon.ts'
import { Instant, line, nameLine } from '../fields.ts'
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

export const CampaignName = nameLine(100)

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
