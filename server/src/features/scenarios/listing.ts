import type { Page } from '@okaeri/contract/paging'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { FlowProblem } from '@okaeri/contract/scenarios/flow/flow-problem'
import { EXECUTIONS_COUNTED_TO, NO_CONDITIONS, type Scenario } from '@okaeri/contract/scenarios/scenario'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { countFailedEntries, countWaiting, type FailedEntries } from '../entering/index.ts'
import { countExecutions, countStuck } from '../executions/index.ts'
import {
  createFlowCheck,
  flowsOf,
  getScenarioRow,
  needsFlowEditor,
  type ScenarioRow,
  type ScenarioWithFlow,
} from '../flows/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { byChannel, rate, resultsOfScenarios, sumOfChannels } from '../stats/index.ts'
import { heldStepsOf } from './held-steps.ts'
import { selectActive, selectScenarios } from './listing-queries.ts'

export type ScenarioDetail = Scenario & { flow: Flow }

/** Flows in memory at a time, of one page. Others get their turn in between. */
const FLOWS_AT_ONCE = 5

async function* withFlows(scope: MerchantScope, rows: readonly ScenarioRow[]): AsyncGenerator<ScenarioWithFlow> {
  for (let first = 0; first < rows.length; first += FLOWS_AT_ONCE) {
    const some = rows.slice(first, first + FLOWS_AT_ONCE)
    const flows = await flowsOf(
      scope,
      some.map(({ id, version }) => ({ scenario_id: id, version })),
      (flow) => flow,
    )
    for (const row of some) {
      const flow = flows({ scenario_id: row.id, version: row.version })
      // It may have been deleted with its merchant meanwhile.
      if (flow) yield { ...row, flow }
    }
  }
}

/** What a page shows of these scenarios. Each flow is loaded here, because many are too large to load all at once. */
async function presenting(
  scope: MerchantScope,
  ids: readonly string[],
): Promise<(row: ScenarioWithFlow) => Promise<ScenarioDetail>> {
  const [results, counts, waiting, failedEntries, { currency }, heldSteps] = await Promise.all([
    resultsOfScenarios(scope, ids),
    countExecutions(scope, ids),
    countWaiting(scope, ids),
    countFailedEntries(scope, ids),
    getMerchant(scope),
    heldStepsOf(scope, ids),
  ])
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null
  const check = createFlowCheck(scope)
  return async (row) => {
    const ofChannels = results.get(row.id) ?? []
    const result = sumOfChannels(ofChannels)
    const count = counts.get(row.id)
    return {
      id: row.id,
      name: row.name,
      status: row.status,
      mode: row.mode,
      template: row.template,
      form: row.form,
      conditions: row.mode === 'form' ? (row.conditions ?? NO_CONDITIONS) : null,
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
      held_steps: heldSteps.get(row.id) ?? [],
      sent_count: result.sent,
      mails_sent: result.mails_sent,
      open_rate: rate(result.opened, result.mails_sent),
      click_rate: rate(result.clicked, result.sent),
      order_count: result.orders,
      revenue: { amount: result.revenue, currency },
      by_channel: byChannel(ofChannels),
      problems: await check(row.flow, needsFlowEditor(row)),
      enabled_at: iso(row.enabled_at),
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      flow: row.flow,
    }
  }
}

const presentFailed = (found: FailedEntries | undefined): Scenario['failed_entries'] =>
  found ? { count: found.count, since: found.since.toISOString() } : null

export async function getScenario(scope: MerchantScope, id: string): Promise<ScenarioDetail> {
  const present = await presenting(scope, [id])
  return present(await getScenarioRow(scope, id))
}

export async function listScenarios(
  scope: MerchantScope,
  query: Parameters<typeof selectScenarios>[1],
): Promise<Page<Scenario>> {
  const { rows, total } = await selectScenarios(scope, query)
  const present = await presenting(
    scope,
    rows.map(({ id }) => id),
  )
  const data: Scenario[] = []
  for await (const row of withFlows(scope, rows)) {
    const { flow: _flow, ...scenario } = await present(row)
    data.push(scenario)
  }
  return { data, limit: query.limit, offset: query.offset, total }
}

/** Active scenarios with problems. */
export async function checkScenarios(scope: MerchantScope): Promise<{
  has_error: boolean
  actions: {
    id: string
    name: string
    problems: FlowProblem[]
    failed_count: number
    late_count: number
    failed_entries_count: number
    held_steps_count: number
  }[]
}> {
  const rows = await selectActive(scope)
  const ids = rows.map(({ id }) => id)
  const [counts, failedEntries, heldSteps] = await Promise.all([
    countStuck(scope, ids),
    countFailedEntries(scope, ids),
    heldStepsOf(scope, ids),
  ])
  const check = createFlowCheck(scope)
  const actions = []
  for await (const row of withFlows(scope, rows)) {
    const { id, name, flow } = row
    const problems = await check(flow, needsFlowEditor(row))
    const { failed = 0, late = 0 } = counts.get(id) ?? {}
    const notLetIn = failedEntries.get(id)?.count ?? 0
    const held = heldSteps.get(id)?.length ?? 0
    if (problems.length + failed + late + notLetIn + held > 0)
      actions.push({
        id,
        name,
        problems,
        failed_count: failed,
        late_count: late,
        failed_entries_count: notLetIn,
        held_steps_count: held,
      })
  }
  return { has_error: actions.length > 0, actions }
}
