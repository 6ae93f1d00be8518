import { z } from 'zod'
import { Locale, type Localized } from '../locale.ts'

/** domain.md §2. The balance adds up these six. */
export const deliveryStatuses = ['pending', 'sending', 'sent', 'failed', 'skipped', 'uncertain'] as const
export const DeliveryStatus = z.enum(deliveryStatuses)
export type DeliveryStatus = z.output<typeof DeliveryStatus>

/** A scenario that runs for years has millions of deliveries: more are not counted, and a page then says "at least". */
export const DELIVERIES_COUNTED_TO = 10_000

/** Why a message was not sent to someone. */
export const skipReasons = [
  'no_consent',
  /** Asked for no marketing for a while. */
  'paused',
  'suppressed',
  'no_address',
  'duplicate_address',
  /** Of LINE: no LINE account is known of them; they are no friend of the account; they have blocked it. */
  'not_linked',
  'not_a_friend',
  'blocked',
  'test_cap',
  'test_plan',
  'no_test_address',
  /** So many test mails went out today already. */
  'test_day_cap',
  /** A test: the owner of its address, of the sender's or of the account's has not agreed. */
  'address_unconfirmed',
  'sender_unconfirmed',
  'account_unconfirmed',
  'line_not_connected',
  /** More than the messages left in the month, and a person said to send what fits. */
  'over_quota',
  'cancelled',
  'customer_gone',
  'expired',
  /** In the share of a scenario that is sent nothing, to see what it brings. */
  'holdout',
  /** So many mails went to this person within so many days already. */
  'frequency_cap',
  /** The answer to a restock request: it is sold out again, or the person has bought it. */
  'out_of_stock',
  'coupon_ended',
  'already_bought',
] as const
export const SkipReason = z.enum(skipReasons)
export type SkipReason = z.output<typeof SkipReason>

/**
 * How a failed try is classified; `temporary`, `quota` and `receiver_limit` are tried again automatically while the campaign lasts. `quota`: what
 * may be sent by this provider is used up for now; `receiver_limit`: who takes the mail of this address takes fewer at a time. `warm_up`: the sender's domain is new, and sends no more today.
 */
export const failureClasses = [
  'temporary',
  'permanent',
  'quota',
  'receiver_limit',
  'warm_up',
  'configuration',
  'content',
] as const
export const FailureClass = z.enum(failureClasses)
export type FailureClass = z.output<typeof FailureClass>

/** `receipt`: answers what the person just did themselves. */
export const DeliveryKind = z.enum(['campaign', 'scenario', 'test', 'receipt'])
export type DeliveryKind = z.output<typeof DeliveryKind>

/** A way messages reach people. */
export const ChannelName = z.enum(['email', 'line'])
export type ChannelName = z.output<typeof ChannelName>
export const channelNames: Readonly<Record<ChannelName, Localized>> = {
  email: { ja: 'メール', en: 'Email' },
  line: { ja: 'LINE', en: 'LINE' },
}

/** One message to one person, as pages show it. */
export const DeliveryView = z
  .object({
    id: z.uuid(),
    kind: DeliveryKind,
    channel: ChannelName,
    status: DeliveryStatus,
    /** A {@link SkipReason} when skipped, a {@link FailureClass} when failed. */
    reason: z.string().nullable(),
    /** The value that decided a skip at that moment, or the provider's answer. */
    detail: z.string().nullable(),
    customer_id: z.uuid().nullable(),
    customer_name: z.string().nullable(),
    address: z.string().nullable(),
    /** Where it went, as pages show it: an address of mail, a name on LINE. Null where that is not known. */
    recipient: z.string().nullable(),
    /** As this person got it. Null where that is not known: it names the person, and the mail was never made. */
    subject: z.string().nullable(),
    /** The variant of the email this person got; null: the base, or not sent yet. */
    language: Locale.nullable(),
    campaign_id: z.uuid().nullable(),
    campaign_name: z.string().nullable(),
    /** The scenario and its node, where one of those sent it. */
    scenario_id: z.uuid().nullable(),
    scenario_name: z.string().nullable(),
    node_id: z.string().nullable(),
    /** What it was written in, by its channel. */
    email_id: z.uuid().nullable(),
    line_message_id: z.uuid().nullable(),
    test_mode: z.boolean(),
    attempts: z.int(),
    created_at: z.iso.datetime(),
    sent_at: z.iso.datetime().nullable(),
    opened_at: z.iso.datetime().nullable(),
    clicked_at: z.iso.datetime().nullable(),
    bounced_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Delivery' })
export type DeliveryView = z.output<typeof DeliveryView>

/** audience = pending + sending + sent + failed + skipped + uncertain, always (domain.md §2). */
export const Balance = z
  .object({
    audience: z.int(),
    pending: z.int(),
    sending: z.int(),
    sent: z.int(),
    failed: z.int(),
    skipped: z.int(),
    uncertain: z.int(),
    skipped_by_reason: z.partialRecord(SkipReason, z.int()),
    failed_by_class: z.partialRecord(FailureClass, z.int()),
  })
  .meta({ id: 'Balance' })
export type Balance = z.output<typeof Balance>

/** Of those that failed, how many another try may reach: refused content is refused again. */
export const retriable = ({ failed, failed_by_class: by }: Pick<Balance, 'failed' | 'failed_by_class'>): number =>
  failed - (by.content ?? 0)
