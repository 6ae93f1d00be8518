import type { EndReason, StepError } from '@okaeri/contract/scenarios/execution'
import type { Flow, FlowNode } from '@okaeri/contract/scenarios/flow'
import { nextOf } from '@okaeri/contract/scenarios/flow'
import { stopwatch } from '../../kernel/clock.ts'
import type { Context } from '../../kernel/context.ts'
import { crashPoint } from '../../kernel/crash-point.ts'
import { retriedTransaction } from '../../kernel/deadlocks.ts'
import { listMerchantsWithDue } from '../../kernel/due-merchants.ts'
import { type MerchantScope, merchantScope, type TransactionScope } from '../../kernel/merchant-scope.ts'
import type { Recurring } from '../../kernel/schedule.ts'
import { edge, edgesBack } from './looping.ts'
import type { Detail, ExecutionAt, Move, ScenarioOfStep, Woken } from './node-kind.ts'
import { findNodeKind } from './nodes/index.ts'
import { isOutage } from './outage.ts'
import {
  addNodeCounts,
  type CountRow,
  claimDueExecutions,
  type DueRow,
  insertSteps,
  markHeld,
  type RunningScenarioRow,
  type StateRow,
  type StepRow,
  selectFlows,
  selectScenariosOf,
  updateStates,
  wakeByEvents,
} from './step-queries.ts'

/** Executions that share a transaction: so many that statements and commits cost little for each, and few enough to hold nobody up. */
const EXECUTIONS_AT_ONCE = 500
/** A merchant's turn; then it is the next one's. */
const TURN = { executions: 1000, ms: 500 }
/** A loop without a wait is refused when a scenario is enabled; this is for what gets round that. */
const MAX_STEPS_AT_ONCE = 100
/** Laps and restarts: an hourly loop for more than a year. What wants something done outside in a loop without a wait ends here too. */
const MAX_ROUNDS = 10_000
/** Of what an error says, so much is kept for people. */
const MAX_DETAIL = 500

/**
 * Takes executions of one merchant whose time has come as far as they go: each until it sleeps, ends or fails. History, intents, new
 * states and counts of all of them are one transaction, so that a process may die at any moment: the next one finds them where they were.
 * Where something throws, the half in which it happens is tried alone, until a single execution is left: that one fails, the others went on.
 * Answers how many were worked on.
 */
export async function advanceDue(scope: MerchantScope, only?: readonly string[]): Promise<number> {
  let claimed: readonly string[] = []
  try {
    const { count, awaiting } = await retriedTransaction(scope, async (scope) => {
      const due = await claimDueExecutions(scope, { limit: EXECUTIONS_AT_ONCE, ...(only ? { only } : {}) })
      claimed = due.map(({ id }) => id)
      crashPoint('woken')
      const awaiting = due.length > 0 ? await advanceClaimed(scope, due) : []
      crashPoint('advanced')
      return { count: due.length, awaiting }
    })
    // An event looked at while this was not committed yet found nobody waiting.
    if (awaiting.length > 0) await wakeByEvents(scope, { executionIds: awaiting })
    return count
  } catch (error) {
    const [first] = claimed
    if (!first || isOutage(error)) throw error
    if (claimed.length === 1) {
      scope.context.log.error({ merchantId: scope.merchantId, executionId: first, error }, 'an execution failed')
      await failAlone(scope, first, error)
      return 1
    }
    const middle = Math.ceil(claimed.length / 2)
    return (await advanceDue(scope, claimed.slice(0, middle))) + (await advanceDue(scope, claimed.slice(middle)))
  }
}

/** An execution on its way through one turn. */
interface Walker {
  row: DueRow
  scenario: ScenarioOfStep
  back: ReadonlySet<string>
  node: FlowNode | null
  woken: Woken
  asleepSince: Date | null
  movingSince: Date
  round: number
  attempts: number
  couponId: string | null
  steps: StepRow[]
  visited: number
  /** Set when it comes to rest. */
  rest: Pick<StateRow, 'status' | 'end_reason' | 'wake_at' | 'awaits' | 'last_error' | 'last_error_detail'> | null
}

const awake = { end_reason: null, wake_at: null, awaits: null, last_error: null, last_error_detail: null } as const

/** Answers the ids of those that now wait for an event. */
async function advanceClaimed(scope: TransactionScope, due: readonly DueRow[]): Promise<string[]> {
  const scenarios = await readScenarios(scope, due)
  const runnable = await setAside(scope, due, scenarios)
  if (runnable.length === 0) return []
  const counts = new Counts()
  const walkers = await setOut(scope, runnable, scenarios)
  for (const group of groupsOf(walkers)) await advanceGroup(scope, group, counts)
  await insertSteps(
    scope,
    walkers.flatMap(({ steps }) => steps),
  )
  await updateStates(scope, walkers.map(stateOf))
  await addNodeCounts(scope, counts.rows())
  return walkers.flatMap(({ row, rest }) => (rest?.awaits && rest.awaits !== 'effect' ? row.id : []))
}

const readScenarios = async (
  scope: TransactionScope,
  rows: readonly DueRow[],
  options: { locked?: boolean } = {},
): Promise<Map<string, RunningScenarioRow>> => {
  const ids = [...new Set(rows.map(({ scenario_id }) => scenario_id))]
  return new Map((await selectScenariosOf(scope, ids, options)).map((row) => [row.id, row]))
}

/**
 * A scenario that was stopped keeps its executions as they are; only those that fall due are marked, here, so that stopping costs
 * nothing and they are not found again at every look. The scenario is locked while that is decided: enabling it either waits until the
 * mark is there to be taken away, or comes first.
 */
async function setAside(
  scope: TransactionScope,
  due: readonly DueRow[],
  scenarios: Map<string, RunningScenarioRow>,
): Promise<readonly DueRow[]> {
  const runs = ({ scenario_id, test }: DueRow): boolean => {
    const status = scenarios.get(scenario_id)?.status
    return status === 'active' || status === 'deleted' || status === undefined || (test && status !== undefined)
  }
  const idle = due.filter((row) => !runs(row))
  if (idle.length === 0) return due
  for (const [id, row] of await readScenarios(scope, idle, { locked: true })) scenarios.set(id, row)
  const held = idle.filter((row) => !runs(row))
  await markHeld(
    scope,
    held.map(({ id }) => id),
  )
  const left = new Set(held)
  return due.filter((row) => !left.has(row))
}

async function setOut(
  scope: TransactionScope,
  rows: readonly DueRow[],
  scenarios: ReadonlyMap<string, RunningScenarioRow>,
): Promise<Walker[]> {
  const key = (scenarioId: string, version: number): string => `${scenarioId} ${version}`
  const versions = new Map(
    rows.map(({ scenario_id, version }) => [key(scenario_id, version), { scenarioId: scenario_id, version }]),
  )
  const flows = new Map(
    (await selectFlows(scope, [...versions.values()])).map(({ scenario_id, number, flow }) => [
      key(scenario_id, number),
      { flow, back: edgesBack(flow), nodes: new Map(flow.nodes.map((node) => [node.id, node])) },
    ]),
  )
  return rows.map((row) => {
    const found = flows.get(key(row.scenario_id, row.version))
    const scenario = scenarios.get(row.scenario_id)
    const walker: Walker = {
      row,
      scenario: {
        id: row.scenario_id,
        name: scenario?.name ?? '',
        version: row.version,
        include_all_customers: scenario?.include_all_customers ?? false,
        priority: scenario?.priority ?? 'normal',
        flow: found?.flow ?? NO_FLOW,
      },
      back: found?.back ?? new Set(),
      node: found?.nodes.get(row.node_id ?? '') ?? null,
      woken: row.asleep ? (row.woken_by ?? 'timer') : 'arrived',
      asleepSince: row.asleep ? row.asleep_since : null,
      // The way from its event to the first wait takes no time, whenever a worker came to it.
      movingSince: row.steps === 0 ? (row.event_occurred_at ?? row.created_at) : scope.now,
      round: row.round,
      attempts: row.attempts,
      couponId: row.coupon_id,
      steps: [],
      visited: 0,
      rest: null,
    }
    if (!scenario || scenario.status === 'deleted') finish(walker, 'stopped')
    else if (!found) fail(walker, 'internal', `no version ${row.version}`)
    else if (!walker.node && row.node_id === null) finish(walker, 'finished')
    else if (!walker.node) fail(walker, 'internal', `no node ${row.node_id}`)
    return walker
  })
}

const NO_FLOW: Flow = {
  trigger: { kind: 'manual', segment_id: null },
  condition: null,
  reentry: { mode: 'once' },
  ends_on: [],
  start: null,
  nodes: [],
}

/** Those at one node of one version, as long as any are on their way. Where most are goes first. */
function* groupsOf(walkers: readonly Walker[]): Generator<readonly Walker[]> {
  for (;;) {
    const groups = new Map<string, Walker[]>()
    for (const walker of walkers) {
      if (walker.rest || !walker.node) continue
      const key = `${walker.row.scenario_id} ${walker.row.version} ${walker.node.id}`
      const group = groups.get(key)
      if (group) group.push(walker)
      else groups.set(key, [walker])
    }
    if (groups.size === 0) return
    yield* groups.values()
  }
}

async function advanceGroup(scope: TransactionScope, group: readonly Walker[], counts: Counts): Promise<void> {
  const node = group[0]?.node
  const scenario = group[0]?.scenario
  if (!node || !scenario) return
  for (const walker of group)
    if (walker.woken === 'arrived' && walker.attempts === 0) counts.add(walker, node.id, 'entered')
  const kind = findNodeKind(node.kind)
  const moves: readonly Move[] = kind
    ? await kind.advance({ scope, scenario, node, executions: group.map(executionAt) })
    : group.map(() => ({ fail: 'internal' as const, detail: `${node.kind} cannot be run` }))
  if (moves.length !== group.length) throw new Error(`${node.kind} answered ${moves.length} moves for ${group.length}`)
  for (const [index, walker] of group.entries()) {
    const move = moves[index]
    if (move) apply(walker, node, move, counts, scope.now)
  }
}

function executionAt({ row, round, attempts, couponId, woken, asleepSince, movingSince }: Walker): ExecutionAt {
  return {
    id: row.id,
    event_id: row.event_id,
    customer_id: row.customer_id,
    guest_id: row.guest_id,
    round,
    test: row.test,
    held_out: row.held_out,
    coupon_id: couponId,
    attempts,
    created_at: row.created_at,
    asleep_since: asleepSince,
    moving_since: movingSince,
    event:
      row.event_id && row.event_kind && row.event_subject && row.event_occurred_at
        ? { id: row.event_id, kind: row.event_kind, subject: row.event_subject, occurred_at: row.event_occurred_at }
        : null,
    woken,
  }
}

function apply(walker: Walker, node: FlowNode, move: Move, counts: Counts, now: Date): void {
  if ('sleepUntil' in move) {
    record(walker, 'asleep', move.detail)
    walker.asleepSince = move.since ?? now
    walker.rest = { ...awake, status: 'running', wake_at: move.sleepUntil, awaits: move.awaits ?? null }
    return
  }
  if ('fail' in move) {
    counts.add(walker, node.id, 'failed')
    fail(walker, move.fail, move.detail)
    return
  }
  counts.add(walker, node.id, 'passed')
  if ('end' in move) {
    finish(walker, move.end, move.detail)
    return
  }
  record(walker, move.to, move.detail, move.deliveryId)
  walker.couponId = move.couponId ?? walker.couponId
  const target = nextOf(node, move.to)
  const next = target === null ? null : (walker.scenario.flow.nodes.find(({ id }) => id === target) ?? null)
  walker.visited += 1
  if (target !== null && !next) fail(walker, 'internal', `no node ${target}`)
  else if (!next) finish(walker, 'finished')
  else arrive(walker, node, next)
}

function arrive(walker: Walker, from: FlowNode, node: FlowNode): void {
  const again = walker.back.has(edge(from.id, node.id))
  // In a test waits take no time: one lap shows what there is to see.
  if (again && walker.row.test) return finish(walker, 'finished')
  walker.node = node
  walker.woken = 'arrived'
  walker.asleepSince = null
  walker.attempts = 0
  if (again) walker.round += 1
  if (walker.visited >= MAX_STEPS_AT_ONCE || walker.round > MAX_ROUNDS)
    fail(walker, 'endless', `${walker.visited} steps without a wait, round ${walker.round}`)
}

function record(walker: Walker, outcome: string, detail?: Detail, deliveryId?: string): void {
  const { row, node, round } = walker
  walker.steps.push({
    execution_id: row.id,
    seq: row.steps + walker.steps.length + 1,
    round,
    node_id: node?.id ?? row.node_id ?? '',
    node_kind: node?.kind ?? '',
    outcome,
    detail: detail ?? null,
    delivery_id: deliveryId ?? null,
  })
}

function finish(walker: Walker, reason: EndReason, detail?: Detail): void {
  record(walker, 'ended', { ...detail, reason })
  walker.rest = { ...awake, status: 'done', end_reason: reason }
}

function fail(walker: Walker, error: StepError, detail: string): void {
  // Whatever an error says must be kept: one that could not would fail again for ever, and all others of its batch with it.
  const told = detail.replaceAll('\0', '').slice(0, MAX_DETAIL).toWellFormed()
  record(walker, 'failed', { error, detail: told })
  walker.attempts += 1
  walker.rest = { ...awake, status: 'failed', last_error: error, last_error_detail: told }
}

function stateOf(walker: Walker): StateRow {
  const { row, node, rest, round, attempts, steps, couponId, asleepSince } = walker
  if (!rest) throw new Error(`execution ${row.id} has not come to rest`)
  return {
    ...rest,
    id: row.id,
    node_id: node?.id ?? row.node_id,
    asleep: rest.status === 'running',
    asleep_since: rest.status === 'running' ? asleepSince : null,
    round,
    attempts,
    steps: row.steps + steps.length,
    coupon_id: couponId,
  }
}

/** Sums per node of what one transaction moved; tests are not counted. */
class Counts {
  readonly #rows = new Map<string, CountRow>()
  add({ row: { scenario_id, test } }: Walker, nodeId: string, what: 'entered' | 'passed' | 'failed'): void {
    if (test) return
    const key = `${scenario_id} ${nodeId}`
    const row = this.#rows.get(key) ?? { scenario_id, node_id: nodeId, entered: 0, passed: 0, failed: 0 }
    row[what] += 1
    this.#rows.set(key, row)
  }
  rows(): CountRow[] {
    return [...this.#rows.values()]
  }
}

async function failAlone(scope: MerchantScope, id: string, error: unknown): Promise<void> {
  await scope.transaction(async (scope) => {
    const due = await claimDueExecutions(scope, { limit: 1, only: [id] })
    const counts = new Counts()
    const walkers = await setOut(scope, due, await readScenarios(scope, due))
    for (const walker of walkers) {
      if (walker.node) counts.add(walker, walker.node.id, 'failed')
      if (!walker.rest) fail(walker, 'internal', error instanceof Error ? error.message : String(error))
    }
    if (walkers.length === 0) return
    await insertSteps(
      scope,
      walkers.flatMap(({ steps }) => steps),
    )
    await updateStates(scope, walkers.map(stateOf))
    await addNodeCounts(scope, counts.rows())
  })
}

/** One merchant's turn. Answers whether anything was due. */
async function takeTurn(context: Context, merchantId: string, signal: AbortSignal): Promise<boolean> {
  const elapsedMs = stopwatch()
  for (let worked = 0; worked < TURN.executions && elapsedMs() < TURN.ms && !signal.aborted; ) {
    const count = await advanceDue(merchantScope(context, merchantId))
    worked += count
    if (count < EXECUTIONS_AT_ONCE) return worked > 0
  }
  return true
}

export const advanceExecutions: Recurring = {
  name: 'move executions on',
  everyMs: 500,
  async run(context, signal) {
    let worked = false
    const failures: unknown[] = []
    for (const merchantId of await listMerchantsWithDue(context, 'executions'))
      try {
        worked = (await takeTurn(context, merchantId, signal)) || worked
      } catch (error) {
        // The others have their turn first.
        failures.push(error)
      }
    if (failures.length > 1)
      throw new AggregateError(failures, `executions of ${failures.length} merchants did not go on`)
    if (failures.length === 1) throw failures[0]
    return worked
  },
}
