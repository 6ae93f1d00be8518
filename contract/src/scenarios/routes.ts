import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { NamedIn } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { FLOW_LIMIT_BYTES, Flow, Reentry } from './flow/flow.ts'
import { FlowProblem } from './flow/flow-problem.ts'
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
  summary: 'The templates for scenarios',
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
    /** Null if the template needs no such data. */
    need: TemplateNeed.nullable(),
  }),
})

/** Not in the specification's list: the page shows the flow next to the form. */
export const previewTemplate = endpoint('POST', '/actiontemplates/{slug}/flow', {
  area,
  summary: 'The flow that these fields would make, and its problems; nothing is saved',
  access: 'member',
  params: TemplateParams,
  bodyLimitBytes: FLOW_LIMIT_BYTES,
  body: z.strictObject({ form: FormValues, conditions: FormConditions.default(NO_CONDITIONS) }),
  reply: z.object({
    flow: Flow,
    /** The template's re-entry, used if the conditions set none. */
    template_reentry: Reentry,
    problems: z.array(FlowProblem),
  }),
})

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
  summary: 'Create a scenario: from a template with its fields, or empty in the flow editor',
  access: 'marketer',
  status: 201,
  bodyLimitBytes: FLOW_LIMIT_BYTES,
  body: z.strictObject({
    name: ScenarioName,
    template: z.string().max(50).nullable().default(null),
    form: FormValues.default({}),
    /** Only for a scenario made from a template. */
    conditions: FormConditions.default(NO_CONDITIONS),
  }),
  reply: detail,
})
export const getScenario = endpoint('GET', '/actions/{id}', {
  area,
  summary: 'One scenario with its flow, and the conditions that use it',
  access: 'member',
  params: IdParams,
  reply: detail.extend({ used_by: z.array(ScenarioUse) }),
})
/** True: running executions move to the new version if they can. False: they finish on their own version. */
const Move = z.boolean('not_a_boolean')
export const changeScenario = endpoint('PUT', '/actions/{id}', {
  area,
  summary: 'Change the name and settings. In form mode also the fields and who may enter, which makes a new flow',
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
  summary: 'Replace the flow with a new one from the template and these fields; back in form mode',
  access: 'marketer',
  params: IdParams,
  body: z.strictObject({ form: FormValues }),
  reply: detail,
})
export const getFlow = endpoint('GET', '/actions/{id}/nodes', {
  area,
  summary: 'The flow, its problems, and the figures of each node',
  access: 'member',
  params: IdParams,
  reply: z.object({ flow: Flow, version: z.int(), problems: z.array(FlowProblem), counts: z.array(NodeCounts) }),
})
export const saveFlow = endpoint('PUT', '/actions/{id}/nodes', {
  area,
  summary:
    'Save the flow. A draft may be incomplete, an active scenario may not. A scenario in form mode cannot go back to the form',
  access: 'marketer',
  params: IdParams,
  bodyLimitBytes: FLOW_LIMIT_BYTES,
  body: z.strictObject({
    flow: Flow,
    /** The version the member started from. If another was saved meanwhile, this one is refused. */
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
  summary: 'Active scenarios with problems: an incomplete flow, failed or late executions, or failed entries',
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
        held_steps_count: z.int(),
      }),
    ),
  }),
})

/** Not in the specification's list: transitions are verbs. */
const verb = (name: string, summary: string) =>
  endpoint('POST', `/actions/{id}/${name}`, { area, summary, access: 'marketer', params: IdParams, reply: detail })
export const enableScenario = verb('enable', 'Enable it; refused with the incomplete nodes while there are any')
export const stopScenario = verb('stop', 'Stop it: no one enters, and its executions wait until it is enabled again')

export const checkFlow = endpoint('POST', '/actions/check', {
  area,
  summary: 'The problems of an unsaved flow',
  access: 'member',
  bodyLimitBytes: FLOW_LIMIT_BYTES,
  body: z.strictObject({ flow: Flow }),
  reply: z.object({ problems: z.array(FlowProblem) }),
})
