import { isDeepStrictEqual } from 'node:util'
import type { FieldReason, Reason } from '@okaeri/contract/errors'
import { planHasFlowEditor } from '@okaeri/contract/merchants/merchant'
import type { Page } from '@okaeri/contract/paging'
import type { Flow, FlowProblem } from '@okaeri/contract/scenarios/flow'
import {
  EXECUTIONS_COUNTED_TO,
  type FormValues,
  type NodeCounts,
  type Scenario,
  type ScenarioStatus,
  type ScenarioVerb,
  scenarioAllows,
} from '@okaeri/contract/scenarios/scenario'
import { retriedTransaction } from '../../kernel/deadlocks.ts'
import { conflict, forbidden, invalid } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { cancelScenarioMail, holdScenarioMail, releaseScenarioMail } from '../deliveries/index.ts'
import { getMerchant, presentPlan } from '../merchants/index.ts'
import { noResults, rate, resultsOfNodes, resultsOfScenarios } from '../stats/index.ts'
import { createFlowCheck, problemsOf, refuseIncomplete } from './enabling.ts'
import { countFailedEntries, type FailedEntries } from './failed-queries.ts'
import { releaseEffects } from './effect-queries.ts'
import { countWaiting, refuseWaiting } from './entering-queries.ts'
import { endAllExecutions, lateBefore, unholdExecutions } from './ending.ts'
import {
  countAtNodes,
  countExecutions,
  countStuck,
  getScenarioForUpdate,
  getScenarioRow,
  insertScenario,
  insertVersion,
  type ScenarioChange,
  type ScenarioWithFlow,
  selectActive,
  selectScenarios,
  selectUnknown,
  updateScenario,
} from './queries.ts'
import { getTemplate, makeFlow } from './templates/index.ts'
import { listScenarioUses, refuseWhileUsed } from './uses.ts'

export type ScenarioDetail = Scenario & { flow: Flow }

const refusals: Partial<Record<ScenarioVerb, Reason>> = {
  enable: 'scenario_is_active',
  stop: 'scenario_not_active',
  delete: 'scenario_is_active',
  enter_segment: 'scenario_not_active',
}
/** The rule the button is disabled by. */
export function refuseUnlessAllowed(verb: ScenarioVerb, status: ScenarioStatus): void {
  if (!scenarioAllows(verb, status))
    throw conflict(refusals[verb] ?? 'scenario_not_active', `a scenario that is ${status} does not allow this`)
}

async function present(scope: MerchantScope, rows: readonly ScenarioWithFlow[]): Promise<ScenarioDetail[]> {
  const ids = rows.map(({ id }) => id)
  const [results, counts, waiting, failedEntries, { currency }] = await Promise.all([
    resultsOfScenarios(scope, ids),
    countExecutions(scope, ids),
    countWaiting(scope, ids),
    countFailedEntries(scope, ids),
    getMerchant(scope),
  ])
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null
  const check = createFlowCheck(scope)
  const presented: ScenarioDetail[] = []
  for (const row of rows) {
    const result = results.get(row.id)
    const count = counts.get(row.id)
    presented.push({
      id: row.id,
      name: row.name,
      status: row.status,
      mode: row.mode,
      template: row.template,
      form: row.form,
      trigger: row.flow.trigger,
      include_all_customers: row.include_all_customers,
      priority: row.priority,
      holdout_percent: row.holdout_percent,
      version: row.version,
      execution_count: count?.executions ?? 0,
      execution_count_exact: (count?.executions ?? 0) < EXECUTIONS_COUNTED_TO,
      running_count: count?.running ?? 0,
      failed_count: count?.failed ?? 0,
      late_count: count?.late ?? 0,
      failed_entries: presentFailed(failedEntries.get(row.id)),
      braked: row.braked_at === null ? null : { since: row.braked_at.toISOString(), waiting: waiting.get(row.id) ?? 0 },
      sent_count: result?.sent ?? 0,
      open_rate: rate(result?.opened ?? 0, result?.sent ?? 0),
      click_rate: rate(result?.clicked ?? 0, result?.sent ?? 0),
      order_count: result?.orders ?? 0,
      revenue: { amount: result?.revenue ?? 0, currency },
      problems: await check(row.flow, row.mode),
      enabled_at: iso(row.enabled_at),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      flow: row.flow,
    })
  }
  return presented
}

const presentFailed = (found: FailedEntries | undefined): Scenario['failed_entries'] =>
  found ? { count: found.count, since: found.since.toISOString() } : null

export async function getScenario(scope: MerchantScope, id: string): Promise<ScenarioDetail> {
  const [scenario] = await present(scope, [await getScenarioRow(scope, id)])
  return scenario as ScenarioDetail
}

export async function listScenarios(
  scope: MerchantScope,
  query: Parameters<typeof selectScenarios>[1],
): Promise<Page<Scenario>> {
  const { rows, total } = await selectScenarios(scope, query)
  const data = (await present(scope, rows)).map(({ flow: _flow, ...scenario }) => scenario)
  return { data, limit: query.limit, offset: query.offset, total }
}

/** Of a flow that is not saved. */
export async function checkFlow(
  scope: MerchantScope,
  flow: Flow,
  mode: 'form' | 'flow' = 'flow',
): Promise<FlowProblem[]> {
  await refuseForeignReferences(scope, flow)
  return problemsOf(scope, flow, mode)
}

const EMPTY_FLOW: Flow = {
  trigger: { kind: 'order_paid' },
  condition: null,
  reentry: { mode: 'when_none_runs' },
  ends_on: [],
  start: null,
  nodes: [],
}

/** What a flow names must be the merchant's own; a mail or a segment deleted since is a problem to mend, not a stranger's. */
export async function refuseForeignReferences(scope: MerchantScope, flow: Flow): Promise<void> {
  const emails = flow.nodes.flatMap((node) => (node.kind === 'send_email' ? (node.settings.email_id ?? []) : []))
  const segments = 'segment_id' in flow.trigger && flow.trigger.segment_id ? [flow.trigger.segment_id] : []
  const unknown = await selectUnknown(scope, { emails, segments })
  const wrong: Record<string, FieldReason> = {}
  for (const [index, node] of flow.nodes.entries())
    if (node.kind === 'send_email' && unknown.has(node.settings.email_id?.toLowerCase() ?? ''))
      wrong[`flow.nodes.${index}.settings.email_id`] = 'not_found'
  for (const id of segments) if (unknown.has(id.toLowerCase())) wrong['flow.trigger.segment_id'] = 'not_found'
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
}

async function refuseWithoutFlowEditor(scope: MerchantScope): Promise<void> {
  if (!planHasFlowEditor(presentPlan(await getMerchant(scope), scope.now))) throw forbidden('plan_forbids_flow_editor')
}

const settings = { include_all_customers: false, priority: 'normal', holdout_percent: 0 } as const

export async function createScenario(
  scope: MerchantScope,
  given: { name: string; template: string | null; form: FormValues },
): Promise<ScenarioDetail> {
  const id = newId()
  const { name, template } = given
  if (template === null) await refuseWithoutFlowEditor(scope)
  const made = template === null ? null : makeFlow(getTemplate(template), given.form)
  if (made) await refuseForeignReferences(scope, made.flow)
  await scope.transaction((scope) =>
    insertScenario(
      scope,
      { id, name, template, mode: made ? 'form' : 'flow', form: made?.form ?? null, ...settings },
      made?.flow ?? EMPTY_FLOW,
    ),
  )
  return getScenario(scope, id)
}

export async function changeScenario(
  scope: MerchantScope,
  id: string,
  given: Partial<{
    name: string
    include_all_customers: boolean
    priority: 'normal' | 'always'
    holdout_percent: number
    form: FormValues
  }>,
): Promise<ScenarioDetail> {
  const { form, ...change } = given
  const { template } = await getScenarioRow(scope, id)
  const wanted = form === undefined || template === null ? null : makeFlow(getTemplate(template), form)
  const checked = wanted && (await checkIfActive(scope, id, wanted.flow, 'form'))
  await scope.transaction(async (scope) => {
    const scenario = await getScenarioForUpdate(scope, id)
    refuseUnlessAllowed('edit', scenario.status)
    if (form === undefined) return updateScenario(scope, id, change)
    if (scenario.mode !== 'form' || !wanted) throw conflict('scenario_not_in_form')
    return saveFlow(scope, scenario, { flow: wanted.flow, checked }, { ...change, form: wanted.form })
  })
  return getScenario(scope, id)
}

/** Throws the graph away and makes it anew from the template: the way back into form mode, for whoever means it. */
export async function recreateScenario(scope: MerchantScope, id: string, form: FormValues): Promise<ScenarioDetail> {
  const { template, status } = await getScenarioRow(scope, id)
  refuseUnlessAllowed('edit', status)
  if (template === null) throw conflict('scenario_not_in_form')
  const made = makeFlow(getTemplate(template), form)
  const checked = await checkIfActive(scope, id, made.flow, 'form')
  await scope.transaction(async (scope) => {
    const scenario = await getScenarioForUpdate(scope, id)
    refuseUnlessAllowed('edit', scenario.status)
    await saveFlow(
      scope,
      { ...scenario, mode: 'form' },
      { flow: made.flow, checked },
      { mode: 'form', form: made.form },
    )
  })
  return getScenario(scope, id)
}

export interface NodesView {
  flow: Flow
  version: number
  problems: FlowProblem[]
  counts: NodeCounts[]
}

export async function getNodes(scope: MerchantScope, id: string): Promise<NodesView> {
  const { flow, version, mode } = await getScenarioRow(scope, id)
  const [problems, counts] = await Promise.all([problemsOf(scope, flow, mode), listNodeCounts(scope, id)])
  return { flow, version, problems, counts }
}

export async function changeNodes(
  scope: MerchantScope,
  id: string,
  given: { flow: Flow; version_seen: number | null },
): Promise<NodesView> {
  await refuseWithoutFlowEditor(scope)
  const checked = await checkIfActive(scope, id, given.flow, 'flow')
  await scope.transaction(async (scope) => {
    const scenario = await getScenarioForUpdate(scope, id)
    refuseUnlessAllowed('edit', scenario.status)
    if (given.version_seen !== null && given.version_seen !== scenario.version)
      throw conflict('scenario_changed_meanwhile', `version ${scenario.version} was saved meanwhile`)
    await saveFlow(scope, { ...scenario, mode: 'flow' }, { flow: given.flow, checked }, { mode: 'flow', form: null })
  })
  return getNodes(scope, id)
}

/**
 * Before the scenario is locked: looking at hundreds of mails takes seconds, and whoever moves its executions on would wait, with the
 * executions of other merchants. Null: it is not active, or this is its flow already.
 */
async function checkIfActive(
  scope: MerchantScope,
  id: string,
  flow: Flow,
  mode: 'form' | 'flow',
): Promise<FlowProblem[] | null> {
  const scenario = await getScenarioRow(scope, id)
  if (scenario.status !== 'active' || isDeepStrictEqual(flow, scenario.flow)) return null
  return problemsOf(scope, flow, mode)
}

/**
 * A flow that differs is a new version: who is in the scenario stays on theirs. An active scenario takes only a complete one; `checked`
 * says what it lacks, where that was asked.
 */
async function saveFlow(
  scope: MerchantScope,
  scenario: ScenarioWithFlow,
  { flow, checked }: { flow: Flow; checked: FlowProblem[] | null },
  change: ScenarioChange,
): Promise<void> {
  const { id, version } = scenario
  if (isDeepStrictEqual(flow, scenario.flow)) return updateScenario(scope, id, change)
  await refuseForeignReferences(scope, flow)
  if (scenario.status === 'active') refuseIncomplete(checked ?? (await problemsOf(scope, flow, scenario.mode)))
  await insertVersion(scope, id, version + 1, flow)
  await updateScenario(scope, id, { ...change, version: version + 1, trigger_kind: flow.trigger.kind })
}

async function listNodeCounts(scope: MerchantScope, id: string): Promise<NodeCounts[]> {
  const [{ currency }, counts, results] = await Promise.all([
    getMerchant(scope),
    countAtNodes(scope, id),
    resultsOfNodes(scope, id),
  ])
  const resultOf = new Map(results.map((result) => [result.node_id, result]))
  return counts.map((count) => {
    const { sent, opened, clicked, revenue } = resultOf.get(count.node_id) ?? noResults()
    return { ...count, sent, opened, clicked, revenue: { amount: revenue, currency } }
  })
}

export async function enableScenario(scope: MerchantScope, id: string): Promise<ScenarioDetail> {
  const seen = await getScenarioRow(scope, id)
  refuseUnlessAllowed('enable', seen.status)
  // Before it is locked, as in checkIfActive.
  const problems = await problemsOf(scope, seen.flow, seen.mode)
  await retriedTransaction(scope, async (scope) => {
    const scenario = await getScenarioForUpdate(scope, id)
    refuseUnlessAllowed('enable', scenario.status)
    refuseIncomplete(
      scenario.version === seen.version ? problems : await problemsOf(scope, scenario.flow, scenario.mode),
    )
    await updateScenario(scope, id, { status: 'active', enabled_at: scope.now })
    await releaseEffects(scope, id, lateBefore(scope.now))
    await unholdExecutions(scope, id)
    await releaseScenarioMail(scope, id, lateBefore(scope.now))
  })
  return getScenario(scope, id)
}

/** Nobody enters any more; who is in it sleeps until it is enabled again: what falls due meanwhile is held when it is found. */
export async function stopScenario(scope: MerchantScope, id: string): Promise<ScenarioDetail> {
  await scope.transaction(async (scope) => {
    const scenario = await getScenarioForUpdate(scope, id)
    refuseUnlessAllowed('stop', scenario.status)
    await updateScenario(scope, id, { status: 'stopped', stopped_at: scope.now })
    await holdScenarioMail(scope, id)
  })
  return getScenario(scope, id)
}

export async function deleteScenario(scope: MerchantScope, id: string): Promise<void> {
  // Whoever lets people in holds executions first and scenarios last.
  await retriedTransaction(scope, async (scope) => {
    // First, for whoever makes a segment looks at scenarios too.
    const uses = await listScenarioUses(scope, id)
    const scenario = await getScenarioForUpdate(scope, id)
    refuseUnlessAllowed('delete', scenario.status)
    refuseWhileUsed(uses)
    await updateScenario(scope, id, { status: 'deleted' })
    await endAllExecutions(scope, id)
    // Whom its brake holds back need not be remembered.
    await refuseWaiting(scope, id)
    await cancelScenarioMail(scope, id)
  })
}

const COPY = { ja: '（コピー）', en: ' (copy)' }
const MAX_NAME = 100

export async function duplicateScenario(scope: MerchantScope, id: string): Promise<ScenarioDetail> {
  const copyId = newId()
  const { language } = await getMerchant(scope)
  await scope.transaction(async (scope) => {
    const original = await getScenarioRow(scope, id)
    refuseUnlessAllowed('duplicate', original.status)
    const suffix = COPY[language === 'en' ? 'en' : 'ja']
    const name = [...original.name].slice(0, MAX_NAME - suffix.length).join('') + suffix
    const { mode, template, form, include_all_customers, priority, holdout_percent, flow } = original
    await insertScenario(
      scope,
      { id: copyId, name, mode, template, form, include_all_customers, priority, holdout_percent },
      flow,
    )
  })
  return getScenario(scope, copyId)
}

/** Active scenarios that cannot do what they are there for. */
export async function checkScenarios(scope: MerchantScope): Promise<{
  has_error: boolean
  actions: {
    id: string
    name: string
    problems: FlowProblem[]
    failed_count: number
    late_count: number
    failed_entries_count: number
  }[]
}> {
  const rows = await selectActive(scope)
  const ids = rows.map(({ id }) => id)
  const [counts, failedEntries] = await Promise.all([countStuck(scope, ids), countFailedEntries(scope, ids)])
  const check = createFlowCheck(scope)
  const actions = []
  for (const { id, name, flow, mode } of rows) {
    const problems = await check(flow, mode)
    const { failed = 0, late = 0 } = counts.get(id) ?? {}
    const notLetIn = failedEntries.get(id)?.count ?? 0
    if (problems.length + failed + late + notLetIn > 0)
      actions.push({ id, name, problems, failed_count: failed, late_count: late, failed_entries_count: notLetIn })
  }
  return { has_error: actions.length > 0, actions }
}
