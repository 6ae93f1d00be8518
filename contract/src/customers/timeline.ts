import { z } from 'zod'
import { ChannelName, DeliveryView } from '../deliveries/delivery.ts'
import { EndReason } from '../scenarios/execution-status.ts'
import { Money } from '../money.ts'
import { ConsentKind, ConsentState, CustomerConflict, SuppressionReason } from './customer.ts'

/** Why a message was not sent: the deciding value at that moment. */
export const WhyNot = z
  .discriminatedUnion('decided_by', [
    z.object({
      decided_by: z.literal('consent'),
      state: ConsentState,
      /** Null: no consent was ever recorded. */
      since: z.iso.datetime().nullable(),
      source: z.string().nullable(),
      page: z.string().nullable(),
      /** Consent was given when the message was prepared, and withdrawn when it was to be sent. */
      changed_meanwhile: z.boolean(),
    }),
    z.object({
      decided_by: z.literal('suppression'),
      reason: SuppressionReason,
      since: z.iso.datetime(),
      /** The receiving server's own message. */
      proof: z.string().nullable(),
      lifted_at: z.iso.datetime().nullable(),
      changed_meanwhile: z.boolean(),
    }),
    z.object({
      decided_by: z.literal('other_customer'),
      customer_id: z.uuid(),
      customer_name: z.string(),
    }),
  ])
  .meta({ id: 'WhyNot' })
export type WhyNot = z.output<typeof WhyNot>

const at = z.iso.datetime()
const entry = { id: z.string(), at }
const scenarioFacts = { scenario_id: z.uuid(), scenario_name: z.string(), execution_id: z.uuid() }
const orderFacts = { order_id: z.uuid(), name: z.string(), total: Money }

/** Everything that happened with one customer, newest first. `id` is unique within the customer. */
export const TimelineEntry = z
  .discriminatedUnion('kind', [
    z.object({ ...entry, kind: z.literal('customer_created') }),
    z.object({
      ...entry,
      kind: z.literal('order_placed'),
      ...orderFacts,
      /** After refunds. */
      current: Money,
      financial_status: z.string().nullable(),
      cancelled_at: at.nullable(),
      /** The campaign whose message led to the change. */
      campaign_id: z.uuid().nullable(),
      campaign_name: z.string().nullable(),
      /** Or the scenario. */
      scenario_id: z.uuid().nullable(),
      scenario_name: z.string().nullable(),
    }),
    z.object({ ...entry, kind: z.literal('order_cancelled'), ...orderFacts }),
    z.object({
      ...entry,
      kind: z.literal('checkout_started'),
      total: Money,
      items_count: z.int(),
      completed_at: at.nullable(),
    }),
    z.object({ ...entry, kind: z.literal('cart_changed'), items_count: z.int(), converted_at: at.nullable() }),
    z.object({
      ...entry,
      kind: z.literal('consent_changed'),
      consent_kind: ConsentKind,
      from: ConsentState,
      to: ConsentState,
      source: z.string(),
      wording: z.string().nullable(),
      page: z.string().nullable(),
    }),
    z.object({
      ...entry,
      kind: z.literal('suppressed'),
      reason: SuppressionReason,
      detail: z.string().nullable(),
      proof: z.string().nullable(),
      by: z.string().nullable(),
    }),
    z.object({
      ...entry,
      kind: z.literal('suppression_lifted'),
      reason: SuppressionReason,
      lift_reason: z.string().nullable(),
      by: z.string().nullable(),
    }),
    z.object({
      ...entry,
      kind: z.enum(['favorite_added', 'favorite_removed']),
      product_title: z.string().nullable(),
    }),
    /** The last look at a product, and how many there were. */
    z.object({ ...entry, kind: z.literal('product_viewed'), product_title: z.string().nullable(), views: z.int() }),
    /** A product in the cart, as the browser reported it; 0: it is no longer in it. */
    z.object({ ...entry, kind: z.literal('cart_seen'), product_title: z.string().nullable(), quantity: z.int() }),
    z.object({
      ...entry,
      kind: z.enum(['restock_requested', 'restock_sent', 'restock_deleted']),
      product_title: z.string().nullable(),
      channel: ChannelName,
      source: z.enum(['storefront', 'import']),
    }),
    z.object({ ...entry, kind: z.literal('segment_entered'), segment_id: z.uuid(), segment_name: z.string() }),
    z.object({ ...entry, kind: z.literal('scenario_entered'), ...scenarioFacts }),
    z.object({ ...entry, kind: z.literal('scenario_ended'), ...scenarioFacts, reason: EndReason.nullable() }),
    /** What a scenario did besides sending, or could not do. */
    z.object({
      ...entry,
      kind: z.literal('scenario_step'),
      ...scenarioFacts,
      node_kind: z.string(),
      outcome: z.string(),
      /** The text of a note. */
      text: z.string().nullable(),
      /** The code of a coupon. */
      code: z.string().nullable(),
    }),
    z.object({ ...entry, kind: z.literal('guest_joined') }),
    /** On LINE: added the account (or unblocked it), blocked it. */
    z.object({ ...entry, kind: z.enum(['line_followed', 'line_blocked']) }),
    /** Their LINE account was linked to the customer, or unlinked. */
    z.object({ ...entry, kind: z.enum(['line_linked', 'line_unlinked']) }),
    z.object({
      ...entry,
      kind: z.literal('line_wrote'),
      /** Null: a sticker, a picture etc. */
      text: z.string().nullable(),
    }),
    /** The data of the tapped button. */
    z.object({ ...entry, kind: z.literal('line_tapped'), data: z.string().nullable() }),
    z.object({ ...entry, kind: z.literal('change_not_used'), conflict: CustomerConflict }),
    z.object({
      ...entry,
      kind: z.literal('message'),
      message: DeliveryView.extend({
        machine_opened_at: at.nullable(),
        machine_clicked_at: at.nullable(),
        unsubscribed_at: at.nullable(),
        complained_at: at.nullable(),
      }),
      /** For a skipped message, if the records say why. */
      why_not: WhyNot.nullable(),
    }),
    z.object({
      ...entry,
      kind: z.enum(['message_opened', 'message_clicked']),
      delivery_id: z.uuid(),
      channel: ChannelName,
      subject: z.string().nullable(),
      /** Null: not judged yet. */
      verdict: z.enum(['human', 'machine']).nullable(),
      evidence: z.string().nullable(),
      /** The link of a click. */
      link: z.string().nullable(),
    }),
  ])
  .meta({ id: 'TimelineEntry' })
export type TimelineEntry = z.output<typeof TimelineEntry>

/** The filters of the timeline. `emails` and `line` are parts of `messages`; `line` is also how a customer became a friend or linked their account. */
export const timelineParts = ['messages', 'emails', 'line', 'orders', 'permissions', 'interest', 'scenarios'] as const
export const TimelinePart = z.enum(timelineParts)
export type TimelinePart = z.output<typeof TimelinePart>
