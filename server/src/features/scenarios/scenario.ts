import { lateBefore } from '@okaeri/contract/late'
import type { Locale } from '@okaeri/contract/locale'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { amountsOfFlow } from '@okaeri/contract/scenarios/flow/flow-amounts'
import type { FlowProblem } from '@okaeri/contract/scenarios/flow/flow-problem'
import type { MovePreview } from '@okaeri/contract/scenarios/flow/moving'
import {
  type FormConditions,
  type FormValues,
  MAX_ACTIVE_FLOW_BYTES,
  MAX_ACTIVE_SCENARIOS,
  NO_CONDITIONS,
  type NodeCounts,
} from '@okaeri/contract/scenarios/scenario'
import { isDeepStrictEqual } from 'node:util'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { conflict } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { cancelScenarioMessages, holdScenarioMessages, releaseScenarioMessages } from '../deliveries/index.ts'
import { refuseWaiting } from '../entering/index.ts'
import { countAtNodes, endAllExecutions, releaseEffects, resumeStopped } from '../executions/index.ts'
import {
  getScenarioForUpdate,
  getScenarioRow,
  getTemplate,
  holdActive,
  insertScenario,
  insertVersion,
  listScenarioUses,
  makeFlow,
  needsFlowEditor,
  problemsOf,
  refuseForeignReferences,
  refuseIncomplete,
  refuseUnlessAllowed,
  refuseWhileUsed,
  type ScenarioChange,
  type ScenarioRow,
  type ScenarioWithFlow,
  updateScenario,
} from '../flows/index.ts'
import { getMerchant, keepCurrency, nameOfCopy, refuseUnlessIncluded } from '../merchants/index.ts'
import { noResults, resultsOfNodes } from '../stats/index.ts'
import { getScenario, type ScenarioDetail } from './listing.ts'
import { countMoves, moveExecutions } from './moving.ts'
import { countEndedEarly, countSkipped, type Outcome } from './outcome-queries.ts'

/** For a flow that is not saved. */
export async function checkFlow(
  scope: MerchantScope,
  flow: Flow,
  mode: 'form' | 'flow' = 'flow',
): Promise<FlowProblem[]> {
  await refuseForeignReferences(scope, flow)
  return problemsOf(scope, flow, mode === 'flow')
}

const EMPTY_FLOW: Flow = {
  trigger: { kind: 'order_paid' },
  condition: null,
  reentry: { mode: 'when_none_runs' },
  ends_on: [],
  start: null,
  nodes: [],
}

const settings = { include_all_customers: false, priority: 'normal', holdout_percent: 0 } as const

export async function createScenario(
  scope: MerchantScope,
  given: { name: string; template: string | null; form: FormValues; conditions: FormConditions },
): Promise<ScenarioDetail> {
  const id = newId()
  const { name, template } = given
  if (template === null) await refuseUnlessIncluded(scope, 'flow_editor')
  const made = template === null ? null : makeFlow(getTemplate(template), given.form, given.conditions)
  if (made) await refuseForeignReferences(scope, made.flow)
  await scope.transaction(async (scope) => {
    if (made) await keepCurrency(scope, amountsOf(made.flow))
    await insertScenario(
      scope,
      {
        id,
        name,
        template,
        mode: made ? 'form' : 'flow',
        form: made?.form ?? null,
        conditions: made && given.conditions,
        ...settings,
      },
      made?.flow ?? EMPTY_FLOW,
    )
  })
  return getScenario(scope, id)
}

function amountsOf(flow: Flow): number[] {
  const { major, minor } = amountsOfFlow(flow)
  return [...major, ...minor]
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
    conditions: FormConditions
    move: boolean
  }>,
): Promise<ScenarioDetail> {
  const { form, conditions, move = false, ...change } = given
  const settingsAlone = form === undefined && conditions === undefined
  const wantedOf = (row: ScenarioRow) => flowOfForm(row, { form, conditions })
  const seen = settingsAlone ? null : wantedOf(await getScenarioRow(scope, id)).flow
  const checked = seen && (await checkIfActive(scope, id, seen, 'form'))
  await scope.transaction(async (scope) => {
    const scenario = await getScenarioForUpdate(scope, id)
    refuseUnlessAllowed('edit', scenario.status)
    if (settingsAlone) return updateScenario(scope, id, change)
    // The other half of the form may have been saved since.
    const wanted = wantedOf(scenario)
    return writeFlow(
      scope,
      scenario,
      { flow: wanted.flow, checked: isDeepStrictEqual(wanted.flow, seen) ? checked : null, move },
      { ...change, form: wanted.form, ...(conditions && { conditions }) },
    )
  })
  return getScenario(scope, id)
}

/** Fields and conditions that are not given stay as they are. Throws `scenario_not_in_form`. */
function flowOfForm(
  row: ScenarioRow,
  { form, conditions }: { form?: FormValues | undefined; conditions?: FormConditions | undefined },
): ReturnType<typeof makeFlow> {
  if (row.template === null || row.mode !== 'form') throw conflict('scenario_not_in_form')
  return makeFlow(getTemplate(row.template), form ?? row.form ?? {}, conditions ?? row.conditions ?? NO_CONDITIONS)
}

/** What would happen to running executions if this were saved. */
export async function previewRunningMoves(
  scope: MerchantScope,
  id: string,
  given: { flow: Flow } | { form: FormValues; conditions: FormConditions },
): Promise<MovePreview> {
  const row = await getScenarioRow(scope, id)
  refuseUnlessAllowed('edit', row.status)
  const flow = 'flow' in given ? given.flow : flowOfForm(row, given).flow
  // Refused like saving, because such a flow could not be saved.
  await refuseForeignReferences(scope, flow)
  return countMoves(scope, id, flow)
}

/**
 * Makes the flow again from the template; the conditions stay. There is no way back from the flow editor. Throws
 * `scenario_not_in_form`.
 */
export async function recreateScenario(scope: MerchantScope, id: string, form: FormValues): Promise<ScenarioDetail> {
  const { template, status, mode, conditions } = await getScenarioRow(scope, id)
  refuseUnlessAllowed('edit', status)
  if (template === null || mode !== 'form') throw conflict('scenario_not_in_form')
  const made = makeFlow(getTemplate(template), form, conditions ?? NO_CONDITIONS)
  const checked = await checkIfActive(scope, id, made.flow, 'form')
  await scope.transaction(async (scope) => {
    const scenario = await getScenarioForUpdate(scope, id)
    refuseUnlessAllowed('edit', scenario.status)
    if (scenario.mode !== 'form') throw conflict('scenario_not_in_form')
    if (!isDeepStrictEqual(scenario.conditions, conditions)) throw conflict('scenario_changed_meanwhile')
    await writeFlow(scope, scenario, { flow: made.flow, checked, move: false }, { form: made.form })
  })
  return getScenario(scope, id)
}

export interface NodesView {
  flow: Flow
  version: number
  problems: FlowProblem[]
  counts: NodeCounts[]
}

export async function getFlow(scope: MerchantScope, id: string): Promise<NodesView> {
  const scenario = await getScenarioRow(scope, id)
  const { flow, version } = scenario
  const [problems, counts] = await Promise.all([
    problemsOf(scope, flow, needsFlowEditor(scenario)),
    listNodeCounts(scope, id),
  ])
  return { flow, version, problems, counts }
}

export async function saveFlow(
  scope: MerchantScope,
  id: string,
  given: { flow: Flow; version_seen: number | null; move: boolean },
): Promise<NodesView> {
  await refuseUnlessIncluded(scope, 'flow_editor')
  const checked = await checkIfActive(scope, id, given.flow, 'flow')
  await scope.transaction(async (scope) => {
    const scenario = await getScenarioForUpdate(scope, id)
    refuseUnlessAllowed('edit', scenario.status)
    if (given.version_seen !== null && given.version_seen !== scenario.version)
      throw conflict('scenario_changed_meanwhile', `version ${scenario.version} was saved meanwhile`)
    await writeFlow(
      scope,
      { ...scenario, mode: 'flow' },
      { flow: given.flow, checked, move: given.move },
      { mode: 'flow', form: null, conditions: null },
    )
  })
  return getFlow(scope, id)
}

/**
 * Called before the scenario is locked: checking hundreds of emails takes seconds, and its executions, with those of other merchants,
 * would wait for the lock. Null: it is not active, or this is already its flow.
 */
async function checkIfActive(
  scope: MerchantScope,
  id: string,
  flow: Flow,
  mode: 'form' | 'flow',
): Promise<FlowProblem[] | null> {
  const scenario = await getScenarioRow(scope, id)
  if (scenario.status !== 'active' || isDeepStrictEqual(flow, scenario.flow)) return null
  return problemsOf(scope, flow, mode === 'flow')
}

/**
 * A changed flow is a new version; executions stay on theirs unless they are to `move`. An active scenario accepts only a complete
 * flow; `checked` has its problems, if it was checked.
 */
async function writeFlow(
  scope: TransactionScope,
  scenario: ScenarioWithFlow,
  { flow, checked, move }: { flow: Flow; checked: FlowProblem[] | null; move: boolean },
  change: ScenarioChange,
): Promise<void> {
  const { id, version } = scenario
  await keepCurrency(scope, amountsOf(flow))
  if (isDeepStrictEqual(flow, scenario.flow)) {
    await updateScenario(scope, id, change)
    if (move) await scope.context.jobs.later(scope, moveExecutions, { scenarioId: id, version })
    return
  }
  await refuseForeignReferences(scope, flow)
  if (scenario.status === 'active') {
    refuseIncomplete(checked ?? (await problemsOf(scope, flow, scenario.mode === 'flow')))
    await refuseTooManyActive(scope, { id, flow })
  }
  await insertVersion(scope, id, version + 1, flow)
  await updateScenario(scope, id, { ...change, version: version + 1, trigger_kind: flow.trigger.kind })
  if (move) await scope.context.jobs.later(scope, moveExecutions, { scenarioId: id, version: version + 1 })
}

/** Every event is compared with all active scenarios, whose flows are then in memory. */
async function refuseTooManyActive(scope: TransactionScope, one: { id: string; flow: Flow }): Promise<void> {
  const { others, flowBytes } = await holdActive(scope, one)
  if (others >= MAX_ACTIVE_SCENARIOS || flowBytes > MAX_ACTIVE_FLOW_BYTES)
    throw conflict('too_many_scenarios_active', `at most ${MAX_ACTIVE_SCENARIOS}, and not so large ones`)
}

async function listNodeCounts(scope: MerchantScope, id: string): Promise<NodeCounts[]> {
  const [{ currency }, counts, results, skipped, ended] = await Promise.all([
    getMerchant(scope),
    countAtNodes(scope, id),
    resultsOfNodes(scope, id),
    countSkipped(scope, id),
    countEndedEarly(scope, id),
  ])
  const resultOf = new Map(results.map((result) => [result.node_id, result]))
  const at = (node: string, of: readonly Outcome[]) =>
    of.flatMap(({ node_id, reason, count }) => (node_id === node ? [{ reason, count }] : []))
  return counts.map((count) => {
    const { sent, opened, clicked, revenue } = resultOf.get(count.node_id) ?? noResults()
    return {
      ...count,
      sent,
      opened,
      clicked,
      revenue: { amount: revenue, currency },
      skipped: at(count.node_id, skipped),
      ended: at(count.node_id, ended),
    }
  })
}

export async function enableScenario(scope: MerchantScope, id: string): Promise<ScenarioDetail> {
  const seen = await getScenarioRow(scope, id)
  refuseUnlessAllowed('enable', seen.status)
  // Before the lock, as in checkIfActive.
  const problems = await problemsOf(scope, seen.flow, needsFlowEditor(seen))
  await retriedTransaction(scope, async (scope) => {
    // Also without amounts: its segments may have some.
    await keepCurrency(scope)
    const scenario = await getScenarioForUpdate(scope, id)
    refuseUnlessAllowed('enable', scenario.status)
    refuseIncomplete(
      scenario.version === seen.version ? problems : await problemsOf(scope, scenario.flow, needsFlowEditor(scenario)),
    )
    await refuseTooManyActive(scope, scenario)
    await updateScenario(scope, id, { status: 'active', enabled_at: scope.now })
    await releaseEffects(scope, id, lateBefore('scenario', scope.now))
    await resumeStopped(scope, id)
    await releaseScenarioMessages(scope, id, lateBefore('scenario', scope.now))
  })
  return getScenario(scope, id)
}

/** No one enters. Executions sleep until it is enabled again; what falls due meanwhile is marked when it is found. */
export async function stopScenario(scope: MerchantScope, id: string): Promise<ScenarioDetail> {
  await scope.transaction(async (scope) => {
    const scenario = await getScenarioForUpdate(scope, id)
    refuseUnlessAllowed('stop', scenario.status)
    await updateScenario(scope, id, { status: 'stopped', stopped_at: scope.now })
    await holdScenarioMessages(scope, id)
  })
  return getScenario(scope, id)
}

export async function deleteScenario(scope: MerchantScope, id: string): Promise<void> {
  // Entering locks executions before scenarios.
  await retriedTransaction(scope, async (scope) => {
    // First: saving a segment also comes to scenarios last.
    const uses = await listScenarioUses(scope, id)
    const scenario = await getScenarioForUpdate(scope, id)
    refuseUnlessAllowed('delete', scenario.status)
    refuseWhileUsed(uses)
    await updateScenario(scope, id, { status: 'deleted' })
    await endAllExecutions(scope, id)
    // Customers behind the entry limit need not be kept.
    await refuseWaiting(scope, id)
    await cancelScenarioMessages(scope, id)
  })
}

export async function duplicateScenario(scope: MerchantScope, id: string, language?: Locale): Promise<ScenarioDetail> {
  const copyId = newId()
  await scope.transaction(async (scope) => {
    const original = await getScenarioRow(scope, id)
    refuseUnlessAllowed('duplicate', original.status)
    const name = await nameOfCopy(scope, original.name, language)
    const { mode, template, form, conditions, include_all_customers, priority, holdout_percent, flow } = original
    await insertScenario(
      scope,
      { id: copyId, name, mode, template, form, conditions, include_all_customers, priority, holdout_percent },
      flow,
    )
  })
  return getScenario(scope, copyId)
}
