import { z } from 'zod'
import { Id, TimeOfDay } from '../fields.ts'
import type { EventKind } from './event.ts'

const MAX_DAYS = 365
const days = (min: number) => z.int('not_a_number').min(min, 'too_small').max(MAX_DAYS, 'too_big')
/** Who orders more often than this is not told apart. */
export const MAX_NTH = 1000
/** A cart is not left after less (its owner may be typing), nor worth a mail after more. */
const minutes = z
  .int('not_a_number')
  .min(10, 'too_small')
  .max(30 * 24 * 60, 'too_big')
const simple = <K extends EventKind>(kind: K) => z.strictObject({ kind: z.literal(kind) })

/**
 * What starts a scenario. Times of day and days are those of the merchant's zone. Where a field may be null the draft is incomplete and
 * cannot be enabled.
 */
export const Trigger = z
  .discriminatedUnion(
    'kind',
    [
      simple('customer_created'),
      simple('order_created'),
      z.strictObject({
        kind: z.literal('order_paid'),
        /** Only the customer's first, second, … order, cancelled ones not counted; null or absent: each. */
        nth: z.int('not_a_number').min(1, 'too_small').max(MAX_NTH, 'too_big').nullable().optional(),
      }),
      simple('order_fulfilled'),
      simple('order_cancelled'),
      simple('consent_given'),
      simple('favorite_added'),
      simple('favorite_price_dropped'),
      simple('favorite_back_in_stock'),
      simple('product_restocked'),
      z.strictObject({ kind: z.literal('cart_abandoned'), after_minutes: minutes }),
      z.strictObject({ kind: z.literal('checkout_abandoned'), after_minutes: minutes }),
      /** `days_before` 0 is the birthday itself. 29 February is 28 February in a common year. */
      z.strictObject({ kind: z.literal('birthday'), days_before: days(0), time: TimeOfDay }),
      z.strictObject({ kind: z.literal('segment_entered'), segment_id: Id.nullable() }),
      z.strictObject({ kind: z.literal('segment_left'), segment_id: Id.nullable() }),
      /** A date in a metafield of the customer: `offset_days` negative is before it. */
      z.strictObject({
        kind: z.literal('metafield_date'),
        metafield: z.string().max(100, 'too_long').nullable(),
        offset_days: z.int('not_a_number').min(-MAX_DAYS, 'too_small').max(MAX_DAYS, 'too_big'),
        every_year: z.boolean('not_a_boolean'),
        time: TimeOfDay,
      }),
      /** So many days after the last order, if none came since. */
      z.strictObject({ kind: z.literal('days_without_order'), days: days(1), time: TimeOfDay }),
      /** The platform's flow tool, by the word the merchant typed into the action there. */
      z.strictObject({ kind: z.literal('flow_action'), handle: z.string().trim().max(50, 'too_long') }),
      /** Started by a person for everyone in a segment. */
      z.strictObject({ kind: z.literal('manual'), segment_id: Id.nullable() }),
    ],
    'not_allowed',
  )
  .meta({ id: 'Trigger' })
export type Trigger = z.output<typeof Trigger>
export type TriggerKind = Trigger['kind']

/** What comes after a purchase may be exempt from the allowed sending hours (spec §3). */
export const isPostPurchase = (kind: TriggerKind): boolean =>
  kind === 'order_created' || kind === 'order_paid' || kind === 'order_fulfilled' || kind === 'order_cancelled'
