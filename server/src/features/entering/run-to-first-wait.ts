import { type Flow, nextOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { BEGINNING, type NewExecution, type StateRow, type StepRow } from '../executions/index.ts'
import { dueAt } from '../flows/index.ts'
import { Counts, nodeKindOf, type PreparedFlow, prepareFlow, startRun, stateOf, runSteps } from '../steps/index.ts'
import { type Candidate, flowOf } from './entering-rules.ts'

// Most scenarios begin with a wait. An execution that is written once, asleep, costs half of one that is written at the start, found
// due, and written again.

/** Flows are kept in memory as long as they are used (flows/versions.ts). */
const known = new WeakMap<Flow, { flow: PreparedFlow; decides: boolean }>()
function read(flow: Flow): { flow: PreparedFlow; decides: boolean } {
  const before = known.get(flow)
  if (before) return before
  const read = { flow: prepareFlow(flow), decides: onlyDecidesAtFirst(flow) }
  known.set(flow, read)
  return read
}

/**
 * Whether every path leads to a wait with only decisions before it. Conditions are excluded, because they may ask who is in scenarios;
 * so is an end, because the next event may still end the execution for another reason.
 */
export function onlyDecidesAtFirst({ nodes, start }: Pick<Flow, 'nodes' | 'start'>): boolean {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const seen = new Set<string>()
  const ahead = [start]
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const node = byId.get(id ?? '')
    if (!node || !nodeKindOf(node.kind).onlyDecides?.(node.settings)) return false
    if (nodeRules(node.kind).takesTime === 'always' || seen.has(node.id)) continue
    seen.add(node.id)
    ahead.push(...portsOf(node).map((port) => nextOf(node, port)))
  }
  return true
}

export interface Beginning {
  candidate: Candidate
  execution: NewExecution
}
export interface StartedExecutions {
  /** By execution: where it came to rest or asks. The others are due at their first node. */
  rests: ReadonlyMap<string, StateRow>
  steps: readonly StepRow[]
  counts: Counts
}

/** Executions of a missed day stay at the beginning and ask. */
export function askAtBeginning(beginnings: readonly Beginning[]): Omit<StartedExecutions, 'counts'> {
  const asking = beginnings.map(({ candidate, execution: { id, node_id } }) => ({
    id,
    node_id,
    due: dueAt(flowOf(candidate).trigger, candidate.event.occurred_at),
  }))
  return {
    rests: new Map(
      asking.map(({ id, node_id, due }) => [
        id,
        { ...BEGINNING, id, node_id, status: 'late', wake_at: due, steps: 1 } satisfies StateRow,
      ]),
    ),
    steps: asking.map(({ id, node_id, due }) => ({
      execution_id: id,
      seq: 1,
      round: 1,
      node_id: node_id ?? '',
      node_kind: '',
      outcome: 'late',
      detail: { due: due.toISOString() },
      delivery_id: null,
    })),
  }
}

/** Takes new executions to the first wait. Nothing is written here. */
export async function runToFirstWait(
  scope: TransactionScope,
  beginnings: readonly Beginning[],
): Promise<StartedExecutions> {
  const counts = new Counts()
  const runs = beginnings.flatMap(({ candidate, execution }) => {
    const { event, scenario } = candidate
    const { flow, decides } = read(flowOf(candidate))
    if (!decides) return []
    const row = {
      ...execution,
      asleep: false,
      woken_by: null,
      asleep_since: null,
      round: 1,
      attempts: 0,
      steps: 0,
      coupon_id: null,
      created_at: scope.now,
      event_kind: event.kind,
      event_subject: event.subject,
      event_occurred_at: event.occurred_at,
    }
    return startRun(row, { scenario, flow, now: scope.now })
  })
  await runSteps(scope, runs, counts)
  return {
    rests: new Map(runs.map((run) => [run.row.id, stateOf(run)])),
    steps: runs.flatMap(({ steps }) => steps),
    counts,
  }
}
