import type { EndReason, StepError } from '@okaeri/contract/scenarios/execution-status'
import { channelOfKind, type Flow, type FlowNode, MAX_NODES, nextOf } from '@okaeri/contract/scenarios/flow/flow'
import type { CountRow, DueRow, StateRow, StepRow } from '../executions/index.ts'
import type { RunningScenarioRow } from '../flows/index.ts'
import { edge, edgesBack } from './loops.ts'
import type { Detail, ExecutionAt, Move, ScenarioOfStep, WakeCause } from './node-kind.ts'

/** The longest path without a wait. Enabling refuses a loop without a wait; if one gets through, it ends here. */
const MAX_STEPS_AT_ONCE = MAX_NODES
/** Rounds (laps and restarts): an hourly loop for more than a year. This also ends a loop without a wait that does something outside. */
const MAX_ROUNDS = 10_000
/** Kept length of an error's text. */
const MAX_DETAIL = 500

/** One run of an execution: from where it was found to where it comes to rest. */
export interface StepRun {
  row: DueRow
  scenario: ScenarioOfStep
  back: ReadonlySet<string>
  node: FlowNode | null
  woken: WakeCause
  asleepSince: Date | null
  movingSince: Date
  /** Where its next wait begins. */
  waitsFrom: Date
  mayHaveSent: boolean
  round: number
  attempts: number
  couponId: string | null
  steps: StepRow[]
  visited: number
  /** Set when it comes to rest. */
  rest: Pick<StateRow, 'status' | 'end_reason' | 'wake_at' | 'awaits' | 'last_error' | 'last_error_detail'> | null
}

const awake = { end_reason: null, wake_at: null, awaits: null, last_error: null, last_error_detail: null } as const

/** A version of a flow, prepared for its executions. */
export interface PreparedFlow {
  flow: Flow
  back: ReadonlySet<string>
  nodes: ReadonlyMap<string, FlowNode>
}
export const prepareFlow = (flow: Flow): PreparedFlow => ({
  flow,
  back: edgesBack(flow),
  nodes: new Map(flow.nodes.map((node) => [node.id, node])),
})

const NO_FLOW: Flow = {
  trigger: { kind: 'manual', segment_id: null },
  condition: null,
  reentry: { mode: 'once' },
  ends_on: [],
  start: null,
  nodes: [],
}

/** A due execution before its next step. One that cannot continue has already come to rest. */
export function startRun(
  row: DueRow,
  { scenario, flow, now }: { scenario: RunningScenarioRow | undefined; flow: PreparedFlow | null; now: Date },
): StepRun {
  // From the event to the first wait no time passes, whenever a worker sees it.
  const begins = row.steps === 0 || isAtBeginning(row, flow)
  const since = begins ? (row.event_occurred_at ?? row.created_at) : now
  const run: StepRun = {
    row,
    scenario: {
      id: row.scenario_id,
      name: scenario?.name ?? '',
      version: row.version,
      include_all_customers: scenario?.include_all_customers ?? false,
      priority: scenario?.priority ?? 'normal',
      flow: flow?.flow ?? NO_FLOW,
    },
    back: flow?.back ?? new Set(),
    node: flow?.nodes.get(row.node_id ?? '') ?? null,
    woken: row.asleep ? (row.woken_by ?? 'timer') : 'arrived',
    asleepSince: row.asleep ? row.asleep_since : null,
    movingSince: since,
    waitsFrom: since,
    mayHaveSent: row.steps > 0,
    round: row.round,
    attempts: row.attempts,
    couponId: row.coupon_id,
    steps: [],
    visited: 0,
    rest: null,
  }
  if (!scenario || scenario.status === 'deleted') finish(run, 'stopped')
  else if (!flow) fail(run, 'internal', `no version ${row.version}`)
  else if (!run.node && row.node_id === null) finish(run, 'finished')
  else if (!run.node) fail(run, 'internal', `no node ${row.node_id}`)
  return run
}

/** Also if it was late there, or paused, before its first step. */
const isAtBeginning = ({ round, asleep, attempts, node_id }: DueRow, flow: PreparedFlow | null): boolean =>
  round === 1 && !asleep && attempts === 0 && node_id === flow?.flow.start

/** What a node may know of the execution. */
export function executionAt(run: StepRun): ExecutionAt {
  const { row, round, attempts, couponId, woken, asleepSince, movingSince, waitsFrom, mayHaveSent } = run
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
    waits_from: waitsFrom,
    may_have_sent: mayHaveSent,
    event:
      row.event_id && row.event_kind && row.event_subject && row.event_occurred_at
        ? { id: row.event_id, kind: row.event_kind, subject: row.event_subject, occurred_at: row.event_occurred_at }
        : null,
    woken,
  }
}

/** Applies the node's move. */
export function apply(run: StepRun, move: Move, counts: Counts, now: Date): void {
  const { node } = run
  if (!node) throw new Error(`execution ${run.row.id} is at no node`)
  if ('sleepUntil' in move) {
    record(run, 'asleep', move.detail)
    run.asleepSince = move.since ?? now
    run.rest = { ...awake, status: 'running', wake_at: move.sleepUntil, awaits: move.awaits ?? null }
    return
  }
  if ('fail' in move) {
    counts.add(run, node.id, 'failed')
    fail(run, move.fail, move.detail)
    return
  }
  counts.add(run, node.id, 'passed')
  if ('end' in move) {
    finish(run, move.end, move.detail)
    return
  }
  record(run, move.to, move.detail, move.deliveryId)
  if (move.couponId !== undefined) run.couponId = move.couponId
  // The event that ended this wait does not end the next one.
  if (move.happenedAt) run.movingSince = run.waitsFrom = new Date(move.happenedAt.getTime() + 1)
  // If a worker comes late, two messages would otherwise leave at once.
  if (channelOfKind(node.kind) !== null) {
    run.waitsFrom = now
    run.mayHaveSent = true
  }
  const target = nextOf(node, move.to)
  const next = target === null ? null : (run.scenario.flow.nodes.find(({ id }) => id === target) ?? null)
  run.visited += 1
  if (target !== null && !next) fail(run, 'internal', `no node ${target}`)
  else if (!next) finish(run, 'finished')
  else arrive(run, node, next)
}

function arrive(run: StepRun, from: FlowNode, node: FlowNode): void {
  const again = run.back.has(edge(from.id, node.id))
  // In a test waits take no time: one lap shows everything.
  if (again && run.row.test) return finish(run, 'finished')
  run.node = node
  run.woken = 'arrived'
  run.asleepSince = null
  run.attempts = 0
  if (again) run.round += 1
  if (run.visited >= MAX_STEPS_AT_ONCE || run.round > MAX_ROUNDS)
    fail(run, 'endless', `${run.visited} steps without a wait, round ${run.round}`)
}

function record(run: StepRun, outcome: string, detail?: Detail, deliveryId?: string): void {
  const { row, node, round } = run
  run.steps.push({
    execution_id: row.id,
    seq: row.steps + run.steps.length + 1,
    round,
    node_id: node?.id ?? row.node_id ?? '',
    node_kind: node?.kind ?? '',
    outcome,
    detail: detail ?? null,
    delivery_id: deliveryId ?? null,
  })
}

function finish(run: StepRun, reason: EndReason, detail?: Detail): void {
  record(run, 'ended', { ...detail, reason })
  run.rest = { ...awake, status: 'done', end_reason: reason }
}

/** It stays at its node, with the error. */
export function fail(run: StepRun, error: StepError, detail: string): void {
  // The text must be storable: otherwise it would fail forever, and its whole batch with it.
  const storable = detail.replaceAll('\0', '').slice(0, MAX_DETAIL).toWellFormed()
  record(run, 'failed', { error, detail: storable })
  run.attempts += 1
  run.rest = { ...awake, status: 'failed', last_error: error, last_error_detail: storable }
}

/** The row to store once it has come to rest. */
export function stateOf(run: StepRun): StateRow {
  const { row, node, rest, round, attempts, steps, couponId, asleepSince } = run
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

/** Sums per node of one transaction, without tests. */
export class Counts {
  readonly #rows = new Map<string, CountRow>()
  add({ row: { scenario_id, test } }: StepRun, nodeId: string, what: 'entered' | 'passed' | 'failed'): void {
    if (test) return
    const key = `${scenario_id} ${nodeId}`
    const row = this.#rows.get(key) ?? { scenario_id, node_id: nodeId, entered: 0, passed: 0, failed: 0 }
    row[what] += 1
    this.#rows.set(key, row)
  }
  addAll(others: Counts): void {
    for (const [key, { entered, passed, failed, ...at }] of others.#rows) {
      const row = this.#rows.get(key) ?? { ...at, entered: 0, passed: 0, failed: 0 }
      row.entered += entered
      row.passed += passed
      row.failed += failed
      this.#rows.set(key, row)
    }
  }
  rows(): CountRow[] {
    return [...this.#rows.values()]
  }
}
