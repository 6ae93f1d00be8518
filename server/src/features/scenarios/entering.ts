import { createHash } from 'node:crypto'
import type { EventSubject } from '@okaeri/contract/scenarios/event'
import type { Flow, Reentry } from '@okaeri/contract/scenarios/flow'
import { ENTRIES_PER_HOUR } from '@okaeri/contract/scenarios/scenario'
import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import type { Context } from '../../kernel/context.ts'
import { retriedTransaction } from '../../kernel/deadlocks.ts'
import { eachMerchantWithDue } from '../../kernel/due-merchants.ts'
import { AppError } from '../../kernel/errors.ts'
import { newIds } from '../../kernel/ids.ts'
import { type MerchantScope, merchantScope, type TransactionScope } from '../../kernel/merchant-scope.ts'
import type { Recurring } from '../../kernel/schedule.ts'
import { type ClaimedEvent, claimEvents, listEventsByIds, markLookedAt } from '../events/index.ts'
import { explainCustomers, localDay, whoIsChosen } from '../segments/index.ts'
import { endBy } from './ending-early.ts'
import {
  type Before,
  type BrakeState,
  type EnteredRow,
  type EntryWrite,
  insertExecutions,
  type NewExecution,
  releaseSavepoint,
  rollBackToSavepoint,
  selectBefore,
  selectPresent,
  selectReleased,
  selectRunning,
  selectTimezone,
  setSavepoint,
  tryEntering,
  updateBrakes,
  writeEntries,
} from './entering-queries.ts'
import { isOutage } from './outage.ts'
import { readFlows } from './reading-flows.ts'
import { selectChosen, wakeByEvents } from './step-queries.ts'

/** Events looked at in one transaction. */
const EVENTS_AT_ONCE = 2000
/** Of one person's events so many are looked at in one transaction, one after another; the rest come with the next. */
const EVENTS_OF_ONE = 8
const HOUR_MS = 3_600_000
/** Of what a condition compared, so much is kept of somebody it kept out. */
const MAX_PARTS = 20

/** `flow` null: it cannot be read. */
type RunningScenario = EnteredRow & { flow: Flow | null }

/**
 * Decides for the events nobody looked at which scenarios they start. A person's events are looked at one after another in the order they
 * happened, those of different people together, each question once for all: so it does not matter in which order, how often and in which
 * batches they were told. Answers whether there were any.
 */
export function enterDue(scope: MerchantScope): Promise<boolean> {
  return retriedTransaction(scope, async (scope) => {
    if (!(await tryEntering(scope))) return false
    const events = await claimEvents(scope, EVENTS_AT_ONCE)
    const released = events.length === 0 ? await listReleased(scope) : []
    if (events.length + released.length === 0) return false
    const deciding = await prepare(scope)
    const looked: string[] = []
    for (const round of roundsOf(events)) {
      await endBy(scope, round)
      await wakeBy(scope, round)
      await deciding.letIn(round.flatMap((event) => deciding.startedBy(event)))
      looked.push(...round.map(({ id }) => id))
    }
    await deciding.letIn(released.flatMap((one) => deciding.released(one)))
    await markLookedAt(scope, looked)
    await deciding.store()
    return true
  })
}

async function listReleased(scope: TransactionScope): Promise<{ event: ClaimedEvent; scenarioId: string }[]> {
  const waiting = await selectReleased(scope, EVENTS_AT_ONCE)
  const events = new Map(
    (await listEventsByIds(scope, [...new Set(waiting.map(({ event_id }) => event_id))])).map((row) => [row.id, row]),
  )
  const once = new Set<string>()
  return waiting.flatMap(({ event_id, scenario_id }) => {
    const event = events.get(event_id)
    const who = `${scenario_id} ${event?.customer_id ?? event?.guest_id ?? event_id}`
    // One after another, as when they came.
    if (!event || once.has(who)) return []
    once.add(who)
    return [{ event, scenarioId: scenario_id }]
  })
}

/** The first event of everyone, then the second, and so on. */
function* roundsOf(events: readonly ClaimedEvent[]): Generator<ClaimedEvent[]> {
  const inOrder = events.toSorted(
    (one, other) => one.occurred_at.getTime() - other.occurred_at.getTime() || (one.id < other.id ? -1 : 1),
  )
  const people = Map.groupBy(inOrder, ({ customer_id, guest_id, id }) => customer_id ?? guest_id ?? id)
  for (let round = 0; round < EVENTS_OF_ONE; round += 1) {
    const those = [...people.values()].flatMap((theirs) => theirs[round] ?? [])
    if (those.length === 0) return
    yield those
  }
}

async function wakeBy(scope: TransactionScope, events: readonly ClaimedEvent[]): Promise<void> {
  for (const [kind, those] of Map.groupBy(events, ({ kind }) => kind)) {
    const customerIds = [...new Set(those.flatMap(({ customer_id }) => customer_id ?? []))]
    if (customerIds.length > 0) await wakeByEvents(scope, { kind, customerIds })
  }
}

/** Whether an event of the trigger's kind is one of those it means. */
export function meets(trigger: Trigger, subject: EventSubject): boolean {
  switch (trigger.kind) {
    case 'segment_entered':
    case 'segment_left':
      return trigger.segment_id !== null && subject.segment_id === trigger.segment_id.toLowerCase()
    case 'flow_action':
      return trigger.handle !== '' && subject.properties?.['handle'] === trigger.handle
    default:
      return true
  }
}

interface Candidate {
  event: ClaimedEvent
  scenario: RunningScenario
  /** Let go by a person: the brake does not hold it again. */
  isReleased: boolean
}

const personOf = ({ customer_id, guest_id }: ClaimedEvent): string | null => customer_id ?? guest_id

async function prepare(scope: TransactionScope) {
  const rows = await selectRunning(scope)
  const flows = await readFlows(
    scope,
    rows.map(({ id, version }) => ({ scenarioId: id, version })),
  )
  const running = rows.map((row): RunningScenario => ({ ...row, flow: flows(row.id, row.version) }))
  const byKind = Map.groupBy(running, ({ flow, trigger_kind }) => flow?.trigger.kind ?? trigger_kind)
  const brakes = new Map<string, Brake>()
  let timezone: string | null = null

  return {
    startedBy(event: ClaimedEvent): Candidate[] {
      // What happened before it was enabled starts nothing.
      return (byKind.get(event.kind as Trigger['kind']) ?? [])
        .filter(
          ({ id, enabled_at, flow }) =>
            (event.scenario_id === null || event.scenario_id === id) &&
            (enabled_at === null || event.created_at >= enabled_at) &&
            (flow === null || meets(flow.trigger, event.subject)),
        )
        .map((scenario) => ({ event, scenario, isReleased: false }))
    },
    released({ event, scenarioId }: { event: ClaimedEvent; scenarioId: string }): Candidate[] {
      const scenario = running.find(({ id }) => id === scenarioId)
      return scenario ? [{ event, scenario, isReleased: true }] : []
    },
    /** Of these no two are of the same person and scenario. What one scenario fails at keeps out those it was asked about, and no other's. */
    async letIn(candidates: readonly Candidate[]): Promise<void> {
      if (candidates.length === 0) return
      timezone ??= await selectTimezone(scope)
      if ((await tryToLetIn(candidates, timezone)) === null) return
      for (const those of Map.groupBy(candidates, ({ scenario }) => scenario.id).values()) {
        const failure = await tryToLetIn(those, timezone)
        if (failure) await refuseFailed(scope, those, failure.error)
      }
    },
    store: (): Promise<void> =>
      updateBrakes(
        scope,
        [...brakes.values()].filter(({ isChanged }) => isChanged).map(({ state }) => state),
      ),
  }

  /** Null: done. Otherwise nothing of it was, and this is what it failed at. */
  async function tryToLetIn(candidates: readonly Candidate[], zone: string): Promise<{ error: unknown } | null> {
    await setSavepoint(scope)
    try {
      await decide(candidates, zone)
      await releaseSavepoint(scope)
      return null
    } catch (error) {
      if (isOutage(error)) throw error
      await rollBackToSavepoint(scope)
      return { error }
    }
  }

  async function decide(candidates: readonly Candidate[], zone: string): Promise<void> {
    const refusals = await refuse(scope, candidates, zone)
    const entries: EntryWrite[] = []
    const executions: NewExecution[] = []
    const pulled = new Map<string, Brake>()
    const ids = newIds(candidates.length)
    for (const [index, candidate] of candidates.entries()) {
      const { event, scenario } = candidate
      const entry = entryOf(candidate)
      let refusal = refusals.get(candidate) ?? null
      if (!refusal) {
        const brake = pulled.get(scenario.id) ?? brakes.get(scenario.id)?.copy() ?? new Brake(scenario, scope.now)
        pulled.set(scenario.id, brake)
        if (!brake.letsIn(candidate)) refusal = { rule: 'brake', detail: { entries_per_hour: ENTRIES_PER_HOUR } }
      }
      if (refusal) {
        const waits = refusal.rule === 'brake'
        entries.push({ ...entry, execution_id: null, refused_by: refusal.rule, waits, detail: refusal.detail })
        continue
      }
      const id = ids[index] ?? ''
      const heldOut = isHeldOut(scenario.id, personOf(event) ?? '', scenario.holdout_percent)
      const { version } = scenario
      executions.push({
        id,
        scenario_id: scenario.id,
        version,
        event_id: event.id,
        customer_id: event.customer_id,
        guest_id: event.guest_id,
        node_id: flowOf(candidate).start,
        held_out: heldOut,
        test: false,
      })
      const detail = { version, held_out: heldOut }
      entries.push({ ...entry, execution_id: id, refused_by: null, waits: false, detail })
    }
    await insertExecutions(scope, executions)
    await writeEntries(scope, entries)
    for (const [id, brake] of pulled) brakes.set(id, brake)
  }
}

const entryOf = ({
  event,
  scenario,
}: Candidate): Pick<EntryWrite, 'event_id' | 'scenario_id' | 'customer_id' | 'guest_id'> => ({
  event_id: event.id,
  scenario_id: scenario.id,
  customer_id: event.customer_id,
  guest_id: event.guest_id,
})

function flowOf({ scenario: { id, version, flow } }: Candidate): Flow {
  if (!flow) throw new Error(`version ${version} of scenario ${id} cannot be read`)
  return flow
}

/** They stay out, and are told so: were their events looked at again and again, nobody would enter any scenario of the merchant. */
async function refuseFailed(scope: TransactionScope, candidates: readonly Candidate[], error: unknown): Promise<void> {
  const scenarioId = candidates[0]?.scenario.id
  scope.context.log.error(
    { merchantId: scope.merchantId, scenarioId, count: candidates.length, error },
    'nobody was let into a scenario',
  )
  const detail = {
    error: error instanceof Error ? error.constructor.name : typeof error,
    code: error instanceof Error && 'code' in error ? String(error.code) : null,
  }
  await writeEntries(
    scope,
    candidates.map((candidate) => ({
      ...entryOf(candidate),
      execution_id: null,
      refused_by: 'failed' satisfies Refusal['rule'],
      waits: false,
      detail,
    })),
  )
}

/** So many enter a scenario within an hour; then a person is asked, and until they answer nobody else does. */
class Brake {
  readonly state: BrakeState
  isChanged = false
  constructor({ id, entries_hour, entries_in_hour, braked_at }: BrakeState, now: Date) {
    const sinceMs = entries_hour === null ? Number.POSITIVE_INFINITY : now.getTime() - entries_hour.getTime()
    const isOver = sinceMs < 0 || sinceMs >= HOUR_MS
    this.state = {
      id,
      entries_hour: isOver ? now : entries_hour,
      entries_in_hour: isOver ? 0 : entries_in_hour,
      braked_at,
    }
    this.#now = now
  }
  readonly #now: Date
  /** To be pulled in what may be undone. */
  copy(): Brake {
    const { state, isChanged } = this
    const copy = new Brake({ ...state }, this.#now)
    Object.assign(copy.state, state)
    copy.isChanged = isChanged
    return copy
  }
  letsIn({ event, isReleased }: Candidate): boolean {
    // A person saw how many these are and let them in.
    if (isReleased || event.kind === 'manual') return true
    if (this.state.braked_at !== null) return false
    this.isChanged = true
    if (this.state.entries_in_hour >= ENTRIES_PER_HOUR) {
      this.state.braked_at = this.#now
      return false
    }
    this.state.entries_in_hour += 1
    return true
  }
}

/** The same for a person and a scenario each time, and independent between scenarios. */
export function isHeldOut(scenarioId: string, personId: string, percent: number): boolean {
  if (percent === 0) return false
  const hash = createHash('sha256').update(`${scenarioId} ${personId}`).digest().readUInt32BE(0)
  return (hash / 2 ** 32) * 100 < percent
}

export interface Refusal {
  rule: 'customer_known' | 'condition' | 'reentry' | 'brake' | 'failed'
  detail: Record<string, unknown> | null
}

/** Whom a rule keeps out, and the first that does. */
async function refuse(
  scope: TransactionScope,
  candidates: readonly Candidate[],
  timezone: string,
): Promise<Map<Candidate, Refusal>> {
  const refusals = new Map<Candidate, Refusal>()
  const customerIds = [...new Set(candidates.flatMap(({ event }) => event.customer_id ?? []))]
  const present = await selectPresent(scope, customerIds)
  for (const candidate of candidates) {
    const { customer_id, guest_id } = candidate.event
    if (customer_id === null ? guest_id === null : !present.has(customer_id))
      refusals.set(candidate, { rule: 'customer_known', detail: null })
  }
  const left = (): Candidate[] => candidates.filter((candidate) => !refusals.has(candidate))
  for (const those of Map.groupBy(left(), ({ scenario }) => scenario.id).values())
    for (const [candidate, detail] of await unchosen(scope, those))
      refusals.set(candidate, { rule: 'condition', detail })
  for (const [candidate, detail] of await alreadyThere(scope, left(), timezone))
    refusals.set(candidate, { rule: 'reentry', detail })
  return refusals
}

/** Candidates of one scenario whom its condition does not choose, with what it read of them. */
async function unchosen(
  scope: TransactionScope,
  candidates: readonly Candidate[],
): Promise<Map<Candidate, Record<string, unknown> | null>> {
  const scenario = candidates[0]?.scenario
  const condition = scenario?.flow?.condition
  if (!condition) return new Map()
  const customerIds = [...new Set(candidates.flatMap(({ event }) => event.customer_id ?? []))]
  try {
    const chosen = await selectChosen(scope, customerIds, await whoIsChosen(scope, condition, { only: customerIds }))
    const out = candidates.filter(({ event }) => !event.customer_id || !chosen.has(event.customer_id))
    const explained = await explainCustomers(
      scope,
      condition,
      out.flatMap(({ event }) => event.customer_id ?? []),
    )
    return new Map(
      out.map((candidate) => {
        const parts = explained.get(candidate.event.customer_id ?? '')?.parts
        const failing = parts?.filter(({ holds, value }) => !holds && value !== null).slice(0, MAX_PARTS)
        return [candidate, failing ? { version: candidate.scenario.version, parts: failing } : null]
      }),
    )
  } catch (error) {
    // It names what was deleted since: nobody enters by half of a rule. The scenario's page says what is wrong.
    if (!(error instanceof AppError && error.reason === 'condition_invalid')) throw error
    return new Map(candidates.map((candidate) => [candidate, { unusable: error.fields ?? {} }]))
  }
}

/** Those who were in the scenario before, as far as its rule of entering again minds. */
async function alreadyThere(
  scope: TransactionScope,
  candidates: readonly Candidate[],
  timezone: string,
): Promise<Map<Candidate, Record<string, unknown>>> {
  const refused = new Map<Candidate, Record<string, unknown>>()
  const asked = candidates.filter((candidate) => flowOf(candidate).reentry.mode !== 'always')
  const groups = [
    ['customers', asked.filter(({ event }) => event.customer_id !== null)],
    ['guests', asked.filter(({ event }) => event.customer_id === null)],
  ] as const
  for (const [who, those] of groups) {
    const before = await selectBefore(
      scope,
      who,
      those.map(({ event, scenario }) => ({ scenarioId: scenario.id, personId: personOf(event) ?? '' })),
    )
    for (const [index, candidate] of those.entries()) {
      const known = before[index]
      const { reentry } = flowOf(candidate)
      if (known && !mayEnterAgain(reentry, known, scope.now, timezone))
        refused.set(candidate, {
          ...reentry,
          last_entered_at: known.last_at?.toISOString() ?? null,
          execution_id: known.last_execution_id,
          is_running: known.is_open,
        })
    }
  }
  return refused
}

/** Days are those of the merchant's calendar: what comes every seven days at ten comes on the seventh day at ten. */
export function mayEnterAgain(reentry: Reentry, before: Before, now: Date, timezone: string): boolean {
  if (reentry.mode === 'always') return true
  if (before.last_at === null) return true
  if (reentry.mode === 'once' || before.is_open) return false
  if (reentry.mode === 'when_none_runs') return true
  const dayOf = (at: Date): number => Date.parse(localDay(at, timezone)) / 86_400_000
  return dayOf(now) - dayOf(before.last_at) >= reentry.days
}

/** Merchants take turns by the batch. */
const eachDue = (context: Context, signal: AbortSignal): Promise<boolean> =>
  eachMerchantWithDue(context, 'events', signal, (merchantId) => enterDue(merchantScope(context, merchantId)))

export const enterScenarios: Recurring = { name: 'let people into scenarios', everyMs: 500, run: eachDue }
