import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams, Instant } from '../fields.ts'
import { FLOW_LIMIT_BYTES, Flow } from './flow/flow.ts'

const area = 'scenarios'
/** Messages that would have been sent, by channel. */
const sent = { mails: z.int(), line_messages: z.int() }

/** How a way ended on which nothing was to be sent yet, or nothing at all. */
export const RehearsedEnd = z.enum(['bought', 'under_way', 'stuck', 'other_way'])
export type RehearsedEnd = z.output<typeof RehearsedEnd>

export const Rehearsal = z
  .object({
    status: z.enum(['running', 'done', 'failed']),
    progress_percent: z.number(),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    events: z.int(),
    entered: z.int(),
    /** How many each rule kept out. */
    kept_out: z.record(z.string(), z.int()),
    ...sent,
    /** Entries that led to no message, by why: a reason of the ledger, or how the way ended (`RehearsedEnd`). */
    without_message: z.record(z.string(), z.int()),
    people: z.int(),
    /** Days on which something was sent. */
    per_day: z.array(z.object({ day: z.string(), ...sent })),
    busiest_day: z.object({ day: z.string(), ...sent }).nullable(),
    most_to_one: z.int(),
    by_node: z.array(z.object({ node_id: z.string(), entered: z.int(), stuck: z.int(), ...sent })),
    samples: z.array(
      z.object({
        customer_id: z.uuid(),
        customer_name: z.string(),
        entered_at: z.iso.datetime(),
        messages: z.array(z.object({ node_id: z.string(), at: z.iso.datetime() })),
      }),
    ),
    asked_at: z.iso.datetime(),
    /** The flow was changed since. */
    outdated: z.boolean(),
  })
  .meta({ id: 'Rehearsal' })
export type Rehearsal = z.output<typeof Rehearsal>
export const rehearseScenario = endpoint('POST', '/actions/{id}/rehearse', {
  area,
  summary: 'Run it over the last 90 days of what really happened, sending nothing',
  access: 'marketer',
  params: IdParams,
  bodyLimitBytes: FLOW_LIMIT_BYTES,
  body: z.strictObject({ flow: Flow.nullable().default(null), until: Instant.nullable().default(null) }),
  reply: z.object({ rehearsal: Rehearsal }),
})
export const getRehearsal = endpoint('GET', '/actions/{id}/rehearsal', {
  area,
  summary: 'The last rehearsal of a scenario',
  access: 'member',
  params: IdParams,
  reply: z.object({ rehearsal: Rehearsal.nullable() }),
})
