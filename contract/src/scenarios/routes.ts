import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { NamedIn } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { FLOW_LIMIT_BYTES, Flow, Reentry } from './flow.ts'
import { FlowProblem } from './flow-problem.ts'
import {
  FormConditions,
  FormValues,
  NO_CONDITIONS,
  NodeCounts,
  Scenario,
  ScenarioName,
  ScenarioStatus,
  ScenarioUse,
  scenarioFields,
} from './scenario.ts'
import { ActionTemplate, TemplateNeed } from './template.ts'

const area = 'scenarios'

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

/** A class name, as `BirthdayAction`. */
const TemplateParams = z.object({ slug: z.string().regex(/^[A-Za-z]{1,50}$/, 'invalid') })

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
  params: TemplateParams,
  reply: z.object({
    actiontemplate: ActionTemplate.omit({ condition_params: true }),
    condition_params: ActionTemplate.shape.condition_params,
    /** Null where the template needs to know nothing. */
    need: TemplateNeed.nullable(),
  }),
})

/** Not in the specification's list: what the page shows beside a form while one types. */
export const previewTemplate = endpoint('POST', '/actiontemplates/{slug}/flow', {
  area,
  summary: 'The flow these fields would make and what it lacks; nothing is saved',
  access: 'member',
  params: TemplateParams,
  bodyLimitBytes: FLOW_LIMIT_BYTES,
  body: z.strictObject({ form: FormValues, conditions: FormConditions.default(NO_CONDITIONS) }),
  reply: z.object({
    flow: Flow,
    /** The template's own, which is the flow's where the conditions have none. */
    template_reentry: Reentry,
    problems: z.array(FlowProblem),
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
  bodyLimitBytes: FLOW_LIMIT_BYTES,
  body: z.strictObject({
    name: ScenarioName,
    template: z.string().max(50).nullable().default(null),
    form: FormValues.default({}),
    /** Of one begun from a template. */
    conditions: FormConditions.default(NO_CONDITIONS),
  }),
  reply: detail,
})
export const getScenario = endpoint('GET', '/actions/{id}', {
  area,
  summary: 'One scenario with its flow, and what asks about it in conditions',
  access: 'member',
  params: IdParams,
  reply: detail.extend({ used_by: z.array(ScenarioUse) }),
})
/** Those on their way go on in the new version, where they can; else all finish theirs. */
const Move = z.boolean('not_a_boolean')
export const changeScenario = endpoint('PUT', '/actions/{id}', {
  area,
  summary: 'Change name and settings, or in form mode the fields and who may enter, which make a new flow',
  access: 'marketer',
  params: IdParams,
  bodyLimitBytes: FLOW_LIMIT_BYTES,
  body: z.strictObject({ ...scenarioFields, form: FormValues, conditions: FormConditions, move: Move }).partial(),
  reply: detail,
})
export const deleteScenario = endpoint('DELETE', '/actions/{id}', {
  area,
  summary:
    'Delete a scenario that is neither active nor used by conditions; its executions end, what was sent stays in the customers’ history',
  access: 'marketer',
  params: IdParams,
  status: 204,
  replyKind: 'empty',
})
export const recreateScenario = endpoint('PUT', '/actions/{id}/recreate', {
  area,
  summary: 'Replace the flow by a new one from the template and these fields; back in form mode',
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
    move: Move.default(false),
  }),
  reply: z.object({ flow: Flow, version: z.int(), problems: z.array(FlowProblem), counts: z.array(NodeCounts) }),
})
export const duplicateScenario = endpoint('POST', '/actions/{id}/duplicate', {
  area,
  summary: 'A new draft with the same settings and flow',
  access: 'marketer',
  params: IdParams,
  status: 201,
  body: NamedIn,
  reply: detail,
})
export const checkScenarios = endpoint('GET', '/actions/check/has_error', {
  area,
  summary:
    'Whether an active scenario is incomplete, has executions that failed or ask, or failed at letting people in, and which',
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
        failed_entries_count: z.int(),
      }),
    ),
  }),
})

/** Not in the specification's list: transitions are verbs. */
const verb = (name: string, summary: string) =>
  endpoint('POST', `/actions/{id}/${name}`, { area, summary, access: 'marketer', params: IdParams, reply: detail })
export const enableScenario = verb('enable', 'Let it run; refused while something is incomplete, naming each node')
export const stopScenario = verb('stop', 'No one enters; executions in it wait until it runs again')

export const checkFlow = endpoint('POST', '/actions/check', {
  area,
  summary: 'What is wrong with a flow that is not saved',
  access: 'member',
  bodyLimitBytes: FLOW_LIMIT_BYTES,
  body: z.strictObject({ flow: Flow }),
  reply: z.object({ problems: z.array(FlowProblem) }),
})
