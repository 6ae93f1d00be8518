import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams } from '../fields.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { eventKindNames } from './trigger-kinds/index.ts'

const area = 'scenarios'

export const EventKind = z.enum(eventKindNames)
export type EventKind = z.output<typeof EventKind>

/**
 * A number of the store platform, as it was kept. Nothing beyond 2^53 is taken in; what an earlier version took in, rounded, can still be
 * shown.
 */
const KeptNumber = z.number().meta({ type: 'integer', format: 'int64' })

/** What an event was about; ids of the store platform are its numbers. What does not apply is absent. */
export const EventSubject = z
  .object({
    store_order_id: KeptNumber.optional(),
    order_name: z.string().optional(),
    /** Which order of this customer it was, by the time it was placed; cancelled ones are not counted. */
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
          store_product_id: KeptNumber.nullable(),
          store_variant_id: KeptNumber.nullable(),
          title: z.string(),
          quantity: z.int(),
        }),
      )
      .optional(),
    store_product_id: KeptNumber.optional(),
    store_variant_id: KeptNumber.optional(),
    segment_id: z.uuid().optional(),
    coupon_code: z.string().optional(),
    /** The local day a clock event stands for, YYYY-MM-DD. */
    day: z.string().optional(),
    /** What a flow action of the platform gave along. */
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
    /** Scenarios it started, and those that looked at it and did not start, each with the rule that decided. */
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
  summary: 'What happened to customers, newest first',
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
