import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams } from '../fields.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { countingVerb } from './counting-verb.ts'
import { ScenarioEvent } from './event.ts'

const area = 'scenarios'

export const testScenario = endpoint('POST', '/actions/{id}/test', {
  area,
  summary: 'Run it once for a chosen event, at once and to the test addresses only',
  access: 'marketer',
  params: IdParams,
  status: 201,
  body: z.strictObject({ event_id: Id.nullable().default(null), customer_id: Id.nullable().default(null) }),
  reply: z.object({ execution_id: z.uuid() }),
})
export const enterSegment = endpoint('POST', '/actions/{id}/enter_segment', {
  area,
  summary: 'Start a scenario of the manual kind for everyone in its segment',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ people_seen: z.int('not_a_number').min(1, 'too_small') }),
  reply: z.object({ entering: z.int() }),
})

export const releaseBrake = countingVerb('release_brake', 'Let in those whom the brake holds back')
export const dropBraked = countingVerb('drop_braked', 'Do not let in those whom the brake holds back')
export const retryFailedEntries = countingVerb(
  'retry_failed_entries',
  'Look again at those who could not be let in because something failed',
)
export const dropFailedEntries = countingVerb(
  'drop_failed_entries',
  'Do not let in those who could not be because something failed',
)

/** An event that could not be looked at, and of whom it is. */
export const FailedEntry = ScenarioEvent.pick({
  id: true,
  kind: true,
  customer_id: true,
  customer_name: true,
  guest_id: true,
  subject: true,
  occurred_at: true,
})
  .extend({ failed_at: z.iso.datetime() })
  .meta({ id: 'FailedEntry' })
export type FailedEntry = z.output<typeof FailedEntry>
export const listFailedEntries = endpoint('GET', '/actions/{id}/failed_entries', {
  area,
  summary: 'Who could not be let in because something failed, newest first',
  access: 'member',
  params: IdParams,
  query: PageQuery,
  reply: pageOf(FailedEntry),
})

/** Why someone is in it, was, or is not: the rule that decided, with the value it looked at. */
export const WhyInScenario = z
  .object({
    in: z.boolean(),
    execution_ids: z.array(z.uuid()),
    rules: z.array(
      z.object({
        rule: z.enum([
          'status',
          'event',
          'customer_known',
          'condition',
          'reentry',
          'holdout',
          'consent',
          'brake',
          'late',
          // Looking at their event failed: nobody knows whether they would have entered.
          'failed',
        ]),
        admits: z.boolean(),
        at: z.iso.datetime().nullable(),
        detail: z.record(z.string(), z.unknown()).nullable(),
      }),
    ),
  })
  .meta({ id: 'WhyInScenario' })
export const whyInScenario = endpoint('GET', '/actions/{id}/why', {
  area,
  summary: 'The rule that admitted a customer or kept them out, with the value then',
  access: 'member',
  params: IdParams,
  query: z.object({ customer_id: Id }),
  reply: z.object({ why: WhyInScenario }),
})
