import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams } from '../fields.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { eventKindNames } from './trigger-kinds/index.ts'

const area = 'scenarios'

export const EventKind = z.enum(eventKindNames)
export type EventKind = z.output<typeof EventKind>

/** Their subject says which products a customer looked at, which is kept as long as their permission. */
export const lookKinds = ['browse_abandoned', 'viewed_price_dropped'] as const satisfies readonly EventKind[]

/** An id of the store platform. Ids above 2^53 are refused today; an earlier version stored them rounded, so they must still be shown. */
const StoreId = z.number().meta({ type: 'integer', format: 'int64' })

/** What an event was about. Fields that do not apply are absent. */
export const EventSubject = z
  .object({
    store_order_id: StoreId.optional(),
    order_name: z.string().optional(),
    /** Its place among the customer's orders by time placed, without cancelled ones. */
    nth: z.int().optional(),
    /** Minor units. */
    amount: z.int().optional(),
    currency: z.string().optional(),
    checkout_id: z.uuid().optional(),
    cart_id: z.uuid().optional(),
    recovery_url: z.string().optional(),
    lines: z
      .array(
        z.object({
          store_product_id: StoreId.nullable(),
          store_variant_id: StoreId.nullable(),
          title: z.string(),
          quantity: z.int(),
        }),
      )
      .optional(),
    store_product_id: StoreId.optional(),
    store_variant_id: StoreId.optional(),
    /** Of goods whose price or stock changed, what each was and is: an amount in minor units, or a number of pieces. */
    changes: z
      .array(
        z.object({
          store_product_id: StoreId,
          /** Null: the product as a whole, by its cheapest variant, or by all of its stock. */
          store_variant_id: StoreId.nullable(),
          before: z.int(),
          after: z.int(),
          /** For a product the customer looked at: whole days since. */
          days_since_view: z.int().optional(),
        }),
      )
      .optional(),
    segment_id: z.uuid().optional(),
    coupon_code: z.string().optional(),
    /** For a daily trigger: the local day, YYYY-MM-DD. */
    day: z.string().optional(),
    /** What a person wrote in the LINE chat. */
    line_text: z.string().optional(),
    /** Values the platform's flow tool sent. */
    properties: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'EventSubject' })
export type EventSubject = z.output<typeof EventSubject>

export const ScenarioEvent = z
  .object({
    id: z.uuid(),
    kind: EventKind,
    customer_id: z.uuid().nullable(),
    customer_name: z.string().nullable(),
    guest_id: z.uuid().nullable(),
    subject: EventSubject,
    occurred_at: z.iso.datetime(),
    /** Scenarios it started or did not start, with the rule that kept the customer out. */
    entries: z.array(
      z.object({
        scenario_id: z.uuid(),
        scenario_name: z.string(),
        execution_id: z.uuid().nullable(),
        refused_by: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ScenarioEvent' })
export type ScenarioEvent = z.output<typeof ScenarioEvent>

export const listEvents = endpoint('GET', '/events/', {
  area,
  summary: 'Events of customers, newest first',
  access: 'member',
  query: PageQuery.extend({ kind: EventKind.optional(), customer_id: Id.optional() }),
  reply: pageOf(ScenarioEvent),
})
export const getEvent = endpoint('GET', '/events/{id}', {
  area,
  summary: 'One event, and which scenarios it started',
  access: 'member',
  params: IdParams,
  reply: z.object({ event: ScenarioEvent }),
})
