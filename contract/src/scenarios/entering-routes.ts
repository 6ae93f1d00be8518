import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams } from '../fields.ts'

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

/** Not in the specification's list: transitions are verbs. Each answers how many people it was about. */
const verb = (name: string, summary: string) =>
  endpoint('POST', `/actions/{id}/${name}`, {
    area,
    summary,
    access: 'marketer',
    params: IdParams,
    reply: z.object({ count: z.int() }),
  })
export const releaseBrake = verb('release_brake', 'Let in those whom the brake holds back')
export const dropBraked = verb('drop_braked', 'Do not let in those whom the brake holds back')

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
