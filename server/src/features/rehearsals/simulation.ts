import type { SkipReason } from '@okaeri/contract/deliveries/delivery'
import { channelOfKind, type Flow, type FlowNode, nextOf, type NodeChannel } from '@okaeri/contract/scenarios/flow/flow'
import type { RehearsedEnd } from '@okaeri/contract/scenarios/rehearsal'
import { DateTime } from 'luxon'
import { mayEnterAgain } from '../flows/index.ts'
import { firstAfter, nodeKindOf, type RehearsalPast } from '../steps/index.ts'
import type { PastEvent } from '../triggers/index.ts'

interface SentMessage {
  node_id: string
  channel: NodeChannel
  at: number
}
/** How many messages, by channel. */
type Sent = Record<NodeChannel, number>
export interface Outcome {
  events: number
  entered: number
  keptOut: Map<string, number>
  sent: Sent
  withoutMessage: Map<SkipReason | RehearsedEnd, number>
  people: number
  sentPerDay: Map<string, Sent>
  mostToOne: number
  byNode: Map<string, { entered: number; sent: Sent; stuck: number }>
  samples: { customerId: string; enteredAt: number; messages: SentMessage[] }[]
}

const SAMPLES = 20
/** A loop is left after this many steps. */
const MAX_STEPS = 1000
const DAY_MS = 86_400_000

/** A customer's way through the flow: when it ended (or the past did), the messages on it, and why there is none. */
interface Way {
  endsAt: number
  messages: SentMessage[]
  whyNone: SkipReason | RehearsedEnd
}

/**
 * Runs a flow over the past and changes nothing. It yields progress now and then, so that the caller can let others work; the last
 * value is the outcome.
 */
export function* rehearse(flow: Flow, events: readonly PastEvent[], past: RehearsalPast): Generator<number, Outcome> {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
  const outcome: Outcome = {
    events: events.length,
    entered: 0,
    keptOut: new Map(),
    sent: nothing(),
    withoutMessage: new Map(),
    people: 0,
    sentPerDay: new Map(),
    mostToOne: 0,
    byNode: new Map(flow.nodes.map(({ id }) => [id, { entered: 0, sent: nothing(), stuck: 0 }])),
    samples: [],
  }
  const lastOf = new Map<string, { enteredAt: number; endsAt: number }>()
  const sentTo = new Map<string, number>()
  const dayOf = localDays(past.timezone)
  const keepOut = (rule: string): void => {
    outcome.keptOut.set(rule, (outcome.keptOut.get(rule) ?? 0) + 1)
  }
  for (const [index, event] of events.entries()) {
    if (index % EVENTS_A_BREATH === 0) yield index / Math.max(1, events.length)
    const { customerId, at } = event
    if (past.isNotifiedByRegistration(customerId, at)) {
      keepOut('registered')
      continue
    }
    if (flow.condition && past.meets(null, customerId, at) !== true) {
      keepOut('condition')
      continue
    }
    const last = lastOf.get(customerId)
    const before = last && { last_at: new Date(last.enteredAt), is_open: last.endsAt > at }
    if (before && !mayEnterAgain(flow.reentry, before, new Date(at), past.timezone)) {
      keepOut('reentry')
      continue
    }
    outcome.entered += 1
    const way = walk({ flow, nodes, past, outcome }, event)
    lastOf.set(customerId, { enteredAt: at, endsAt: Math.max(way.endsAt, last?.endsAt ?? 0) })
    for (const { channel, at } of way.messages) {
      const day = dayOf(at)
      const ofDay = outcome.sentPerDay.get(day) ?? nothing()
      ofDay[channel] += 1
      outcome.sentPerDay.set(day, ofDay)
      outcome.sent[channel] += 1
    }
    if (way.messages.length > 0) {
      sentTo.set(customerId, (sentTo.get(customerId) ?? 0) + way.messages.length)
      if (outcome.samples.length < SAMPLES) outcome.samples.push({ customerId, enteredAt: at, messages: way.messages })
    } else outcome.withoutMessage.set(way.whyNone, (outcome.withoutMessage.get(way.whyNone) ?? 0) + 1)
  }
  outcome.people = sentTo.size
  for (const count of sentTo.values()) outcome.mostToOne = Math.max(outcome.mostToOne, count)
  return outcome
}
const EVENTS_A_BREATH = 2000
const nothing = (): Sent => ({ email: 0, line: 0 })

function walk(
  {
    flow,
    nodes,
    past,
    outcome,
  }: { flow: Flow; nodes: ReadonlyMap<string, FlowNode>; past: RehearsalPast; outcome: Outcome },
  { customerId, at: enteredAt }: PastEvent,
): Way {
  const messages: SentMessage[] = []
  // Who could not be reached got nothing because of that, however the way went on.
  let skipped: SkipReason | undefined
  /** A message would wait for the sending hours beyond the end of the past. */
  let isLate = false
  let lastLeavesAt = enteredAt
  const way = (endsAt: number, end: RehearsedEnd): Way => ({ endsAt, messages, whyNone: skipped ?? end })
  const endsEarly = flow.ends_on.includes('bought')
    ? firstAfter(past.happened('order_created', customerId), enteredAt)
    : null
  let at = enteredAt
  let id = flow.start
  for (let steps = 0; id !== null && steps < MAX_STEPS; steps += 1) {
    const node = nodes.get(id)
    const counts = outcome.byNode.get(id)
    if (!node || !counts) return way(at, 'other_way')
    if (endsEarly !== null && endsEarly <= at) return way(endsEarly, 'bought')
    // The past ends here.
    if (at > past.until) return way(Number.POSITIVE_INFINITY, 'under_way')
    counts.entered += 1
    const isFirst = messages.length === 0
    const waitsFrom = Math.max(at, lastLeavesAt)
    const move = nodeKindOf(node.kind).rehearse(node, { past, customerId, enteredAt, at, waitsFrom, isFirst })
    if (move === 'end') return way(at, isLate ? 'under_way' : 'other_way')
    if (move === 'stuck') {
      counts.stuck += 1
      return way(Number.POSITIVE_INFINITY, 'stuck')
    }
    const channel = channelOfKind(node.kind)
    skipped ??= move.skipped
    if (channel && move.sentAt !== undefined) {
      lastLeavesAt = move.sentAt
      if (move.sentAt > past.until) isLate = true
      else {
        counts.sent[channel] += 1
        messages.push({ node_id: id, channel, at: move.sentAt })
      }
    }
    at = move.at ?? at
    id = nextOf(node, move.to)
  }
  if (endsEarly !== null && endsEarly < at) return way(endsEarly, 'bought')
  return way(at, isLate || at > past.until ? 'under_way' : 'other_way')
}

/** The local day of a time, YYYY-MM-DD. Cached, because most messages share their hour with others. */
function localDays(timezone: string): (at: number) => string {
  const known = new Map<number, string>()
  // Every zone in use differs from UTC by whole quarters of an hour.
  const QUARTER_MS = DAY_MS / 96
  return (at) => {
    const quarter = Math.floor(at / QUARTER_MS)
    let day = known.get(quarter)
    if (day === undefined) {
      day = DateTime.fromMillis(at, { zone: timezone }).toISODate() ?? ''
      known.set(quarter, day)
    }
    return day
  }
}
