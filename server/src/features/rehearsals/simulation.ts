import type { EventKind } from '@okaeri/contract/scenarios/event'
import { type Flow, type FlowNode, nextOf, sharePorts } from '@okaeri/contract/scenarios/flow'
import { DateTime } from 'luxon'
import { endOfLimit, endOfWait, mayEnterAgain } from '../flows/index.ts'
import { shareOf } from '../steps/index.ts'

/** Moments are milliseconds: there are hundreds of thousands of them. */
export interface PastEvent {
  customerId: string
  at: number
}

/** What really happened, as far as the flow asks about it. */
export interface Past {
  scenarioId: string
  timezone: string
  from: number
  until: number
  /** Those that the trigger means, in the order they happened. */
  events: readonly PastEvent[]
  /** Whether someone meets the condition of a node (or, with null, of the entry) at that time. Null: it cannot be asked. */
  meets: (nodeId: string | null, customerId: string, at: number) => boolean | null
  /** When things of a kind happened to someone, ascending. */
  happened: (kind: EventKind, customerId: string) => readonly number[]
  /** After how many days what somebody ordered at that moment is usually bought again; null where that is not known. */
  usualDays: (customerId: string, at: number) => number | null
  /** Whether mail may go to them. */
  isMailable: (customerId: string) => boolean
  /** The allowed sending hours: when a mail of this moment leaves. */
  leavesAt: (at: number) => number
  /** Mails that are there; a node with another gets stuck. */
  emails: ReadonlySet<string>
}

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
/** Whoever goes round longer than this is left where they are. */
const MAX_STEPS = 1000
const DAY_MS = 86_400_000

/** Someone's way through the flow: when it ended (or the end of the past), and the mails on it. */
interface Way {
  endsAt: number
  mails: MailOfSample[]
}

/**
 * Runs a flow over the past without touching anything. It yields now and then, so that whoever runs it can let others work and say how
 * far it is; the last value is the outcome.
 */
export function* rehearse(flow: Flow, past: Past): Generator<number, Outcome> {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
  const outcome: Outcome = {
    events: past.events.length,
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
  for (const [index, event] of past.events.entries()) {
    if (index % EVENTS_A_BREATH === 0) yield index / Math.max(1, past.events.length)
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
    // Beyond the past nothing is known.
    if (at > past.until) return { endsAt: Number.POSITIVE_INFINITY, mails }
    counts.entered += 1
    let port = 'next'
    switch (node.kind) {
      case 'send_email': {
        const email = node.settings.email_id
        if (email === null || !past.emails.has(email.toLowerCase())) {
          counts.stuck += 1
          return { endsAt: Number.POSITIVE_INFINITY, mails }
        }
        const leavesAt = past.leavesAt(at)
        if (past.isMailable(customerId) && leavesAt <= past.until) {
          counts.mails += 1
          mails.push({ node_id: id, at: leavesAt })
        }
        break
      }
      case 'send_line':
        counts.stuck += 1
        return { endsAt: Number.POSITIVE_INFINITY, mails }
      case 'wait':
        at = endOfWait(node.settings.wait, new Date(at), past.timezone, past.usualDays(customerId, enteredAt)).getTime()
        break
      case 'wait_for_event': {
        const limit = endOfLimit(node.settings, new Date(at), past.timezone).getTime()
        const happenedAt = firstAfter(past.happened(node.settings.event, customerId), at)
        port = happenedAt !== null && happenedAt < limit ? 'happened' : 'timed_out'
        at = port === 'happened' ? (happenedAt ?? at) : limit
        break
      }
      case 'branch': {
        const meets = past.meets(id, customerId, at)
        if (meets === null) {
          counts.stuck += 1
          return { endsAt: Number.POSITIVE_INFINITY, mails }
        }
        port = meets ? 'yes' : 'no'
        break
      }
      case 'random_split':
        port = sharePorts[shareOf(`${past.scenarioId} ${id} ${customerId}`, node.settings.shares)] ?? 'a'
        break
      case 'end':
        return { endsAt: at, mails }
      case 'issue_coupon':
      case 'tag_customer':
      case 'add_note':
      case 'call_webhook':
        break
    }
    id = nextOf(node, port)
  }
  return { endsAt: endsEarly !== null && endsEarly < at ? endsEarly : at, mails }
}

/** The first of these moments after `at`; null when there is none. */
function firstAfter(moments: readonly number[], at: number): number | null {
  let low = 0
  let high = moments.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((moments[middle] ?? 0) > at) high = middle
    else low = middle + 1
  }
  return moments[low] ?? null
}

/** The local day of a moment, YYYY-MM-DD. Most mails share their hour with others. */
function localDays(timezone: string): (at: number) => string {
  const known = new Map<number, string>()
  // All zones in use are whole quarters of an hour from UTC.
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
