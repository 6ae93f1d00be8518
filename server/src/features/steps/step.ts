import type { EndReason, StepError } from '@okaeri/contract/scenarios/execution'
import { type Flow, type FlowNode, MAX_NODES, nextOf } from '@okaeri/contract/scenarios/flow'
import type { CountRow, DueRow, StateRow, StepRow } from '../executions/index.ts'
import type { RunningScenarioRow } from '../flows/index.ts'
import { edge, edgesBack } from './loops.ts'
import type { Detail, ExecutionAt, Move, ScenarioOfStep, Woken } from './node-kind.ts'

/** The longest way without a wait; a loop without one is refused when a scenario is enabled, and ends here where it gets round that. */
const MAX_STEPS_AT_ONCE = MAX_NODES
/** Laps and restarts: an hourly loop for more than a year. What wants something done outside in a loop without a wait ends here too. */
const MAX_ROUNDS = 10_000
/** Of what an error says, so much is kept for people. */
const MAX_DETAIL = 500

/** An execution on its way through one turn. */
export interface Walker {
  row: DueRow
  scenario: ScenarioOfStep
  back: ReadonlySet<string>
  node: FlowNode | null
  woken: Woken
  asleepSince: Date | null
  movingSince: Date
  /** What its next wait counts from. */
  waitsFrom: Date
  round: number
  attempts: number
  couponId: string | null
  steps: StepRow[]
  visited: number
  /** Set when it comes to rest. */
  rest: Pick<StateRow, 'status' | 'end_reason' | 'wake_at' | 'awaits' | 'last_error' | 'last_error_detail'> | null
}

const awake = { end_reason: null, wake_at: null, awaits: null, last_error: null, last_error_detail: null } as const

/** A version of a flow, as executions on it need it. */
export interface FlowToWalk {
  flow: Flow
  back: ReadonlySet<string>
  nodes: ReadonlyMap<string, FlowNode>
}
/** Once for all that are on it. */
export const readyToWalk = (flow: Flow): FlowToWalk => ({
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

/** One that is due, before it takes its first step. What cannot go on at all has come to rest already. */
export function setOut(
  row: DueRow,
  { scenario, flow, now }: { scenario: RunningScenarioRow | undefined; flow: FlowToWalk | null; now: Date },
): Walker {
  // The way from its event to the first wait takes no time, whenever a worker came to it.
  const begins = row.steps === 0 || isAtBeginning(row, flow)
  const since = begins ? (row.event_occurred_at ?? row.created_at) : now
  const walker: Walker = {
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
    round: row.round,
    attempts: row.attempts,
    couponId: row.coupon_id,
    steps: [],
    visited: 0,
    rest: null,
  }
  if (!scenario || scenario.status === 'deleted') finish(walker, 'stopped')
  else if (!flow) fail(walker, 'internal', `no version ${row.version}`)
  else if (!walker.node && row.node_id === null) finish(walker, 'finished')
  else if (!walker.node) fail(walker, 'internal', `no node ${row.node_id}`)
  return walker
}

/** Also one that asked there, or was paused, before its first step. */
const isAtBeginning = ({ round, asleep, attempts, node_id }: DueRow, flow: FlowToWalk | null): boolean =>
  round === 1 && !asleep && attempts === 0 && node_id === flow?.flow.start

/** What a node may know of it. */
export function executionAt(walker: Walker): ExecutionAt {
  const { row, round, attempts, couponId, woken, asleepSince, movingSince, waitsFrom } = walker
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
    event:
      row.event_id && row.event_kind && row.event_subject && row.event_occurred_at
        ? { id: row.event_id, kind: row.event_kind, subject: row.event_subject, occurred_at: row.event_occurred_at }
        : null,
    woken,
  }
}

/** Does what its node answered. */
export function apply(walker: Walker, move: Move, counts: Counts, now: Date): void {
  const { node } = walker
  if (!node) throw new Error(`execution ${walker.row.id} is at no node`)
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
  if (move.couponId !== undefined) walker.couponId = move.couponId
  // What was waited for is not what the next node waits for.
  if (move.happenedAt) walker.movingSince = walker.waitsFrom = new Date(move.happenedAt.getTime() + 1)
  // Looked at late, two mails would leave at once.
  if (node.kind === 'send_email') walker.waitsFrom = now
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

/** It stays where it is, with the error. */
export function fail(walker: Walker, error: StepError, detail: string): void {
  // Whatever an error says must be kept: one that could not would fail again for ever, and all others of its batch with it.
  const told = detail.replaceAll('\0', '').slice(0, MAX_DETAIL).toWellFormed()
  record(walker, 'failed', { error, detail: told })
  walker.attempts += 1
  walker.rest = { ...awake, status: 'failed', last_error: error, last_error_detail: told }
}

/** What is stored of it once it has come to rest. */
export function stateOf(walker: Walker): StateRow {
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
export class Counts {
  readonly #rows = new Map<string, CountRow>()
  add({ row: { scenario_id, test } }: Walker, nodeId: string, what: 'entered' | 'passed' | 'failed'): void {
    if (test) return
    const key = `${scenario_id} ${nodeId}`
    const row = this.#rows.get(key) ?? { scenario_id, node_id: nodeId, entered: 0, passed: 0, failed: 0 }
    row[what] += 1
    this.#rows.set(key, row)
  }
  addThose(others: Counts): void {
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
