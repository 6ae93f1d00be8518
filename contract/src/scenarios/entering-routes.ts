import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams } from '../fields.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { countingVerb } from './counting-verb.ts'
import { ScenarioEvent } from './event.ts'

const area = 'scenarios'

export const testScenario = endpoint('POST', '/actions/{id}/test', {
  area,
  summary: 'Run it once for a chosen event: waits take no time, and messages go to the test addresses and testers only',
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

export const releaseEntryLimit = countingVerb(
  'release_brake',
  'Let in the customers who wait because of the entry limit',
)
export const dropWaitingEntries = countingVerb(
  'drop_braked',
  'Keep out the customers who wait because of the entry limit',
)
export const retryFailedEntries = countingVerb(
  'retry_failed_entries',
  'Try again to let in the customers whose entry failed',
)
export const dropFailedEntries = countingVerb('drop_failed_entries', 'Keep out the customers whose entry failed')

/** An event whose processing failed, so that its customer did not enter. */
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
  summary: 'Customers whose entry failed, newest first',
  access: 'member',
  params: IdParams,
  query: PageQuery,
  reply: pageOf(FailedEntry),
})

/** Why a customer is or is not in a scenario: the rules that decided, with the values they compared. */
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
          // They registered for news that it is back, and get it by that registration.
          'registered',
          'condition',
          'reentry',
          'holdout',
          'consent',
          'brake',
          'late',
          // Processing their event failed, so it is unknown whether they would have entered.
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
  summary: 'The rule that let a customer in or kept them out, with the value at that time',
  access: 'member',
  params: IdParams,
  query: z.object({ customer_id: Id }),
  reply: z.object({ why: WhyInScenario }),
})
