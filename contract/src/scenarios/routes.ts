import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams, Instant } from '../fields.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { Flow, FlowProblem } from './flow.ts'
import { FormValues, NodeCounts, Scenario, ScenarioName, ScenarioStatus, scenarioFields } from './scenario.ts'
import { ActionTemplate } from './template.ts'

const area = 'scenarios'
/** 300 nodes with conditions of 200 rows each fit. */
const FLOW_LIMIT_BYTES = 5 * 1024 * 1024

export const listNodeTypes = endpoint('GET', '/node_types', {
  area,
  summary:
    'The kinds of nodes a flow can have, with their ports, and whether the plan and the connected channels allow them',
  access: 'member',
  reply: z.object({
    node_types: z.array(
      z.object({
        kind: z.string(),
        name_ja: z.string(),
        name_en: z.string(),
        description_ja: z.string(),
        description_en: z.string(),
        ports: z.array(z.string()),
        available: z.boolean(),
        unavailable_because: z.enum(['plan', 'not_connected']).nullable(),
      }),
    ),
  }),
})

export const listActionTemplates = endpoint('GET', '/actiontemplates', {
  area,
  summary: 'What one can begin a scenario with',
  access: 'member',
  reply: z.object({ data: z.array(ActionTemplate.omit({ condition_params: true }).extend({ flow: Flow })) }),
})
export const getActionTemplate = endpoint('GET', '/actiontemplates/{slug}', {
  area,
  summary: 'One template by its class name, with what its conditions can ask',
  access: 'member',
  params: z.object({ slug: z.string().max(50) }),
  reply: z.object({
    actiontemplate: ActionTemplate.omit({ condition_params: true }),
    condition_params: ActionTemplate.shape.condition_params,
  }),
})

/** Detail: the scenario, its present flow, and what passed each node. */
const detail = z.object({ action: Scenario.extend({ flow: Flow }) })

export const listScenarios = endpoint('GET', '/actions', {
  area,
  summary: 'Scenarios with their results',
  access: 'member',
  query: PageQuery.extend({
    q: z.string().max(200, 'too_long').optional(),
    status: ScenarioStatus.optional(),
    sort: z.enum(['created_at', 'updated_at', 'name', 'execution_count']).default('created_at'),
    direction: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: pageOf(Scenario),
})
export const createScenario = endpoint('POST', '/actions', {
  area,
  summary: 'Begin a scenario: from a template with its fields, or empty in the flow editor',
  access: 'marketer',
  status: 201,
  body: z.strictObject({
    name: ScenarioName,
    template: z.string().max(50).nullable().default(null),
    form: FormValues.default({}),
  }),
  reply: detail,
})
export const getScenario = endpoint('GET', '/actions/{id}', {
  area,
  summary: 'One scenario with its flow',
  access: 'member',
  params: IdParams,
  reply: detail,
})
export const changeScenario = endpoint('PUT', '/actions/{id}', {
  area,
  summary: 'Change name and settings, or in form mode the fields, which make the flow anew',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ ...scenarioFields, form: FormValues }).partial(),
  reply: detail,
})
export const deleteScenario = endpoint('DELETE', '/actions/{id}', {
  area,
  summary: 'Delete a scenario that is not active; its executions end, what was sent stays in the customers’ history',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})
export const recreateScenario = endpoint('PUT', '/actions/{id}/recreate', {
  area,
  summary: 'Throw the flow away and make it anew from the template and these fields; back in form mode',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ form: FormValues }),
  reply: detail,
})
export const getNodes = endpoint('GET', '/actions/{id}/nodes', {
  area,
  summary: 'The flow, what is wrong with it, and what passed each node',
  access: 'member',
  params: IdParams,
  reply: z.object({ flow: Flow, version: z.int(), problems: z.array(FlowProblem), counts: z.array(NodeCounts) }),
})
export const changeNodes = endpoint('PUT', '/actions/{id}/nodes', {
  area,
  summary:
    'Save the flow. A draft may be incomplete; an active scenario takes only a complete one. From a form there is no way back',
  access: 'marketer',
  params: IdParams,
  bodyLimitBytes: FLOW_LIMIT_BYTES,
  body: z.strictObject({
    flow: Flow,
    /** The version the person began with: refused when another was saved meanwhile. */
    version_seen: z.int('not_a_number').nullable().default(null),
  }),
  reply: z.object({ flow: Flow, version: z.int(), problems: z.array(FlowProblem), counts: z.array(NodeCounts) }),
})
export const testScenario = endpoint('POST', '/actions/{id}/test', {
  area,
  summary: 'Run it once for a chosen event, at once and to the test addresses only',
  access: 'marketer',
  params: IdParams,
  status: 201,
  body: z.strictObject({ event_id: Id.nullable().default(null), customer_id: Id.nullable().default(null) }),
  reply: z.object({ execution_id: z.uuid() }),
})
export const duplicateScenario = endpoint('POST', '/actions/{id}/duplicate', {
  area,
  summary: 'A new draft with the same settings and flow',
  access: 'marketer',
  params: IdParams,
  status: 201,
  reply: detail,
})
export const checkScenarios = endpoint('GET', '/actions/check/has_error', {
  area,
  summary: 'Whether an active scenario is incomplete or has failed executions, and which',
  access: 'member',
  reply: z.object({
    has_error: z.boolean(),
    actions: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        problems: z.array(FlowProblem),
        failed_count: z.int(),
        late_count: z.int(),
      }),
    ),
  }),
})

/** Not in the specification's list: transitions are verbs. */
const verb = (name: string, summary: string) =>
  endpoint('POST', `/actions/{id}/${name}`, { area, summary, access: 'marketer', params: IdParams, reply: detail })
export const enableScenario = verb('enable', 'Let it run; refused while something is incomplete, naming each node')
export const stopScenario = verb('stop', 'Nobody enters any more; who is in it sleeps until it runs again')
export const releaseBrake = verb('release_brake', 'Let in those whom the brake holds back')
export const dropBraked = verb('drop_braked', 'Do not let in those whom the brake holds back')
export const sendLateOnes = verb('send_late', 'Go on with the executions whose wake-up was found more than a day late')
export const skipLateOnes = verb('skip_late', 'End the executions whose wake-up was found more than a day late')

export const checkFlow = endpoint('POST', '/actions/check', {
  area,
  summary: 'What is wrong with a flow that is not saved',
  access: 'member',
  bodyLimitBytes: FLOW_LIMIT_BYTES,
  body: z.strictObject({ flow: Flow }),
  reply: z.object({ problems: z.array(FlowProblem) }),
})
export const enterSegment = endpoint('POST', '/actions/{id}/enter_segment', {
  area,
  summary: 'Start a scenario of the manual kind for everyone in its segment',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ people_seen: z.int('not_a_number').min(1, 'too_small') }),
  reply: z.object({ entering: z.int() }),
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

export const Rehearsal = z
  .object({
    status: z.enum(['running', 'done', 'failed']),
    progress_percent: z.number(),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    events: z.int(),
    entered: z.int(),
    /** By the rule that kept them out. */
    kept_out: z.record(z.string(), z.int()),
    mails: z.int(),
    people: z.int(),
    mails_per_day: z.array(z.object({ day: z.string(), mails: z.int() })),
    busiest_day: z.object({ day: z.string(), mails: z.int() }).nullable(),
    most_to_one: z.int(),
    by_node: z.array(z.object({ node_id: z.string(), entered: z.int(), mails: z.int(), stuck: z.int() })),
    samples: z.array(
      z.object({
        customer_id: z.uuid(),
        customer_name: z.string(),
        entered_at: z.iso.datetime(),
        mails: z.array(z.object({ node_id: z.string(), at: z.iso.datetime() })),
      }),
    ),
    asked_at: z.iso.datetime(),
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
