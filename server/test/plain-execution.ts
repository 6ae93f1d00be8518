import type { EventKind } from '@okaeri/contract/scenarios/event'
import type { Flow, FlowNode } from '@okaeri/contract/scenarios/flow/flow'
import { shareOf } from '../src/features/steps/nodes/random-split.ts'

// What an execution does, said a second time and as plainly as can be: one execution at a time, nothing stored, no batches. The test of
// the engine compares the two.

export interface PlainWorld {
  scenarioId: string
  flow: Flow
  now: number
  /** Customers who consent: all that the conditions here ask about. */
  consents: Set<string>
  events: { customerId: string; kind: EventKind; at: number }[]
}

export interface PlainExecution {
  id: string
  customerId: string
  status: 'running' | 'paused' | 'late' | 'failed' | 'done'
  nodeId: string | null
  asleep: boolean
  /** When it fell asleep, or from when on what it awaits counts. */
  since: number
  wakeAt: number
  /** A person accepted that it is late. */
  accepted: boolean
  awaits: EventKind | null
  /** Since when it moves without a wait, before its first step. */
  startedAt: number
  attempts: number
  round: number
  steps: string[]
  /** One for each visit of a node that wants something done outside. */
  effects: string[]
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Tokyo has one offset and no changes of the clock. */
const TOKYO = 9 * 60 * MINUTE
const minutesOf = { minutes: 1, hours: 60, days: 1440 } as const

type WaitSettings = Extract<FlowNode, { kind: 'wait' }>['settings']['wait']
export function plainEndOfWait(wait: WaitSettings, from: number): number {
  if (wait.mode === 'for') return from + wait.amount * minutesOf[wait.unit] * MINUTE
  // No product is known to be bought again here.
  if (wait.mode === 'usual_interval') return from + wait.days * DAY
  const [hours = 0, minutes = 0] = wait.time.split(':').map(Number)
  const midnight = Math.floor((from + TOKYO) / DAY) * DAY - TOKYO
  for (let day = 0; ; day += 1) {
    const at = midnight + day * DAY + (hours * 60 + minutes) * MINUTE
    // 1 January 1970 was a Thursday.
    const weekday = ((Math.floor((at + TOKYO) / DAY) + 3) % 7) + 1
    if (at > from && (wait.mode === 'until_time' || wait.weekdays.includes(weekday))) return at
  }
}

/** Takes it as far as it goes at this moment. */
export function runPlainly(execution: PlainExecution, world: PlainWorld): void {
  const { flow, now } = world
  let movingSince = execution.steps.length === 0 ? execution.startedAt : now
  for (let moves = 0; execution.status === 'running' && (!execution.asleep || execution.wakeAt <= now); ) {
    if (execution.asleep && !execution.accepted && execution.wakeAt < now - DAY) {
      execution.steps.push(`${execution.nodeId ?? ''} late ${execution.round}`)
      execution.status = 'late'
      return
    }
    const node = flow.nodes.find(({ id }) => id === execution.nodeId)
    if (!node) {
      if (execution.nodeId === null) end(execution, '')
      else failPlainly(execution, execution.nodeId)
      return
    }
    const happenedAt = whenHappened(node, execution, world, movingSince)
    const port = portOf(node, execution, world, { movingSince, happenedAt })
    if (port === 'asleep') {
      execution.steps.push(`${node.id} asleep ${execution.round}`)
      // Also a wait that is over already: the number is of steps without a wait.
      moves = 0
      continue
    }
    if (execution.asleep) movingSince = now
    if (happenedAt !== null) movingSince = happenedAt + 1
    execution.asleep = false
    execution.awaits = null
    if (port === 'ended') return end(execution, node.id)
    execution.steps.push(`${node.id} ${port} ${execution.round}`)
    moves += 1
    const target = (node.next as Record<string, string | null>)[port] ?? null
    if (target === null) return end(execution, node.id)
    if (plainEdgesBack(flow).has(`${node.id}>${target}`)) execution.round += 1
    execution.nodeId = target
    execution.attempts = 0
    if (moves >= 300) return failPlainly(execution, target)
  }
}

function end(execution: PlainExecution, nodeId: string): void {
  execution.steps.push(`${nodeId} ended ${execution.round}`)
  execution.status = 'done'
  execution.asleep = false
}
function failPlainly(execution: PlainExecution, nodeId: string): void {
  execution.steps.push(`${nodeId} failed ${execution.round}`)
  execution.status = 'failed'
  execution.attempts += 1
}

/** When that happened first which the node waits for, since it began to or since the step before. */
function whenHappened(
  node: FlowNode,
  { customerId, asleep, since }: PlainExecution,
  { events, now }: PlainWorld,
  movingSince: number,
): number | null {
  if (node.kind !== 'wait_for_event') return null
  const times = events
    .filter((event) => event.customerId === customerId && event.kind === node.settings.event)
    .map(({ at }) => at)
    .filter((at) => at >= (asleep ? since : movingSince) && at <= now)
  return times.length === 0 ? null : Math.min(...times)
}

/** The port it leaves by, `ended`, or `asleep` when it just fell asleep. */
function portOf(
  node: FlowNode,
  execution: PlainExecution,
  world: PlainWorld,
  { movingSince, happenedAt }: { movingSince: number; happenedAt: number | null },
): string {
  const { now } = world
  const sleep = (wakeAt: number, since: number, awaits: EventKind | null): string => {
    Object.assign(execution, { asleep: true, wakeAt, since, awaits, accepted: execution.accepted && wakeAt <= now })
    return 'asleep'
  }
  switch (node.kind) {
    case 'wait':
      return execution.asleep ? 'next' : sleep(plainEndOfWait(node.settings.wait, movingSince), now, null)
    case 'wait_for_event': {
      if (happenedAt !== null) return 'happened'
      if (execution.asleep) return 'timed_out'
      return sleep(
        now + node.settings.amount * minutesOf[node.settings.unit] * MINUTE,
        movingSince,
        node.settings.event,
      )
    }
    case 'branch':
      return world.consents.has(execution.customerId) ? 'yes' : 'no'
    case 'random_split': {
      const share = shareOf(`${world.scenarioId} ${node.id} ${execution.customerId}`, node.settings.shares)
      return ['a', 'b', 'c', 'd', 'e'][share] ?? ''
    }
    case 'call_webhook':
      if (execution.asleep) return 'next'
      execution.effects.push(`${execution.id} ${node.id} ${execution.round}`)
      // It is answered at once, but might have taken days.
      execution.accepted = false
      return sleep(now, now, null)
    case 'end':
      return 'ended'
    default:
      return 'next'
  }
}

/** Depth first, the last port first. Flows come from the database, which keeps the names of ports by length, then by letters. */
function plainEdgesBack({ nodes, start }: Flow): Set<string> {
  const back = new Set<string>()
  const done = new Set<string>()
  const look = (id: string | null, way: readonly string[]): void => {
    const node = nodes.find((each) => each.id === id)
    if (!node || done.has(node.id)) return
    const ports = Object.entries(node.next as Record<string, string | null>)
    ports.sort(([one], [other]) => one.length - other.length || (one < other ? -1 : 1))
    for (const [, target] of ports.reverse()) {
      if (target === null) continue
      if (target === node.id || way.includes(target)) back.add(`${node.id}>${target}`)
      else look(target, [...way, node.id])
    }
    done.add(node.id)
  }
  look(start, [])
  return back
}

export function pausePlainly(execution: PlainExecution): boolean {
  if (execution.status !== 'running' && execution.status !== 'failed') return false
  execution.steps.push(`${execution.nodeId ?? ''} paused ${execution.round}`)
  execution.status = 'paused'
  return true
}
export function playPlainly(execution: PlainExecution, now: number): boolean {
  if (!['paused', 'late', 'failed'].includes(execution.status)) return false
  execution.steps.push(`${execution.nodeId ?? ''} played ${execution.round}`)
  if (!execution.asleep) execution.wakeAt = now
  execution.accepted = execution.wakeAt <= now
  execution.status = 'running'
  return true
}
export function restartPlainly(execution: PlainExecution, { flow, now }: PlainWorld): void {
  Object.assign(execution, {
    status: 'running',
    nodeId: flow.start,
    asleep: false,
    awaits: null,
    wakeAt: now,
    accepted: true,
    attempts: 0,
  })
  execution.round += 1
  execution.steps.push(`${flow.start ?? ''} restarted ${execution.round}`)
}
/** Executions that wait for it continue, if it happened since they began to wait. */
export function happenPlainly(
  execution: PlainExecution,
  { kind, at }: { kind: EventKind; at: number },
  { now }: PlainWorld,
): void {
  if (execution.awaits === kind && execution.since <= at) Object.assign(execution, { awaits: null, wakeAt: now })
}
