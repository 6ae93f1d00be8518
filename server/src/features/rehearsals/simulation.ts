import { type Flow, type FlowNode, nextOf } from '@okaeri/contract/scenarios/flow'
import { DateTime } from 'luxon'
import { mayEnterAgain } from '../flows/index.ts'
import { firstAfter, nodeKindOf, type Past } from '../steps/index.ts'
import type { PastEvent } from '../triggers/index.ts'

export interface MailOfSample {
  node_id: string
  at: number
}
export interface Outcome {
  events: number
  entered: number
  keptOut: Map<string, number>
  mails: number
  people: number
  mailsPerDay: Map<string, number>
  mostToOne: number
  byNode: Map<string, { entered: number; mails: number; stuck: number }>
  samples: { customerId: string; enteredAt: number; mails: MailOfSample[] }[]
}

const SAMPLES = 20
/** A loop is left after this many steps. */
const MAX_STEPS = 1000
const DAY_MS = 86_400_000

/** A customer's way through the flow: when it ended (or the past did), and the mails on it. */
interface Way {
  endsAt: number
  mails: MailOfSample[]
}

/**
 * Runs a flow over the past and changes nothing. It yields progress now and then, so that the caller can let others work; the last
 * value is the outcome.
 */
export function* rehearse(flow: Flow, events: readonly PastEvent[], past: Past): Generator<number, Outcome> {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
  const outcome: Outcome = {
    events: events.length,
    entered: 0,
    keptOut: new Map(),
    mails: 0,
    people: 0,
    mailsPerDay: new Map(),
    mostToOne: 0,
    byNode: new Map(flow.nodes.map(({ id }) => [id, { entered: 0, mails: 0, stuck: 0 }])),
    samples: [],
  }
  const lastOf = new Map<string, { enteredAt: number; endsAt: number }>()
  const mailsTo = new Map<string, number>()
  const dayOf = localDays(past.timezone)
  const keepOut = (rule: string): void => {
    outcome.keptOut.set(rule, (outcome.keptOut.get(rule) ?? 0) + 1)
  }
  for (const [index, event] of events.entries()) {
    if (index % EVENTS_A_BREATH === 0) yield index / Math.max(1, events.length)
    const { customerId, at } = event
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
    for (const mail of way.mails) {
      const day = dayOf(mail.at)
      outcome.mailsPerDay.set(day, (outcome.mailsPerDay.get(day) ?? 0) + 1)
    }
    if (way.mails.length > 0) {
      outcome.mails += way.mails.length
      mailsTo.set(customerId, (mailsTo.get(customerId) ?? 0) + way.mails.length)
      if (outcome.samples.length < SAMPLES) outcome.samples.push({ customerId, enteredAt: at, mails: way.mails })
    }
  }
  outcome.people = mailsTo.size
  for (const count of mailsTo.values()) outcome.mostToOne = Math.max(outcome.mostToOne, count)
  return outcome
}
const EVENTS_A_BREATH = 2000

function walk(
  { flow, nodes, past, outcome }: { flow: Flow; nodes: ReadonlyMap<string, FlowNode>; past: Past; outcome: Outcome },
  { customerId, at: enteredAt }: PastEvent,
): Way {
  const mails: MailOfSample[] = []
  const endsEarly = flow.ends_on.includes('bought')
    ? firstAfter(past.happened('order_created', customerId), enteredAt)
    : null
  let at = enteredAt
  let id = flow.start
  for (let steps = 0; id !== null && steps < MAX_STEPS; steps += 1) {
    const node = nodes.get(id)
    const counts = outcome.byNode.get(id)
    if (!node || !counts) return { endsAt: at, mails }
    if (endsEarly !== null && endsEarly <= at) return { endsAt: endsEarly, mails }
    // The past ends here.
    if (at > past.until) return { endsAt: Number.POSITIVE_INFINITY, mails }
    counts.entered += 1
    const move = nodeKindOf(node.kind).rehearse(node, { past, customerId, enteredAt, at })
    if (move === 'end') return { endsAt: at, mails }
    if (move === 'stuck') {
      counts.stuck += 1
      return { endsAt: Number.POSITIVE_INFINITY, mails }
    }
    if (move.mailAt !== undefined) {
      counts.mails += 1
      mails.push({ node_id: id, at: move.mailAt })
    }
    at = move.at ?? at
    id = nextOf(node, move.to)
  }
  return { endsAt: endsEarly !== null && endsEarly < at ? endsEarly : at, mails }
}

/** The local day of a time, YYYY-MM-DD. Cached, because most mails share their hour with others. */
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
