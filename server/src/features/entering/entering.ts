import { ENTRIES_PER_HOUR } from '@okaeri/contract/scenarios/scenario'
import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import { stopwatch } from '../../kernel/clock.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { recurring } from '../../kernel/work/due-merchants.ts'
import { newIds } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { isBrokenOff, limitStatements } from '../../kernel/database/statement-limits.ts'
import { type ClaimedEvent, claimEvents, listEventsByIds, markEvaluated } from '../events/index.ts'
import {
  addNodeCounts,
  endExecutions,
  insertExecutions,
  insertSteps,
  isOutage,
  markDirty,
  wakeByEvents,
  wakeNow,
} from '../executions/index.ts'
import { readFlows, selectRunning, selectScenariosOf, selectTimezone, updateEntryLimits } from '../flows/index.ts'
import { Counts } from '../steps/index.ts'
import { type BatchSize, batchSizeOf } from './batch-size.ts'
import { dueEvents } from './due-queries.ts'
import { endBy, findOvertaken } from './early-ends.ts'
import {
  type EntryWrite,
  releaseSavepoint,
  rollBackToSavepoint,
  selectReleased,
  setSavepoint,
  tryEntering,
  writeEntries,
} from './entering-queries.ts'
import {
  type Candidate,
  flowOf,
  isHeldOut,
  matchesTrigger,
  personOf,
  type Refusal,
  refuse,
  type RunningScenario,
} from './entering-rules.ts'
import { EntryLimit } from './entry-limit.ts'
import { askAtBeginning, type Beginning, type StartedExecutions, runToFirstWait } from './run-to-first-wait.ts'

/** This many events of one customer are processed in one transaction, in order; the rest come with the next. */
const EVENTS_OF_ONE = 8

/**
 * Decides which scenarios the new events start. Events of one customer are processed in order of time; events of different customers
 * together, with one statement per question. So the result does not depend on the order, number and batches in which events arrive.
 * Returns whether there were any.
 */
export async function enterDue(scope: MerchantScope): Promise<boolean> {
  // With half a store copied, conditions would let the wrong customers in, so the events wait. Later copies do not delay them: buyers
  // must leave.
  if (!(await scope.context.ports.storeIsCopied(scope, { orders: true, once: true }))) return false
  const batchSize = batchSizeOf(scope.context, scope.merchantId)
  const elapsedMs = stopwatch()
  try {
    const count = await retriedTransaction(scope, (scope) => enterSome(scope, batchSize))
    if (count === null) return false
    batchSize.took(count, elapsedMs())
  } catch (error) {
    if (!batchSize.isTooFast(error)) throw error
    batchSize.slowDown()
  }
  return true
}

/** Returns how many were processed; null: none, or another process is doing it. */
async function enterSome(scope: TransactionScope, batchSize: BatchSize): Promise<number | null> {
  if (!(await tryEntering(scope))) return null
  await limitStatements(scope, batchSize.statementLimitMs)
  const events = await claimEvents(scope, batchSize.atOnce)
  const waiting = events.length === 0 ? await listReleased(scope, batchSize.atOnce) : []
  if (events.length + waiting.length === 0) return null
  const batch = await prepare(scope, batchSize)
  const looked: string[] = []
  for (const round of roundsOf(events)) {
    await endBy(scope, round)
    await wakeBy(scope, round)
    await letIn(
      batch,
      round.flatMap((event) => startedBy(batch, event)),
    )
    looked.push(...round.map(({ id }) => id))
  }
  await letIn(
    batch,
    waiting.flatMap((one) => released(batch, one)),
  )
  await markEvaluated(scope, looked)
  await store(batch)
  return events.length + waiting.length
}

/** An event that a scenario held back and may now let in. */
interface ReleasedEvent {
  event: ClaimedEvent
  scenarioId: string
}

async function listReleased(scope: TransactionScope, limit: number): Promise<ReleasedEvent[]> {
  const waiting = await selectReleased(scope, limit)
  const events = new Map(
    (await listEventsByIds(scope, [...new Set(waiting.map(({ event_id }) => event_id))])).map((row) => [row.id, row]),
  )
  const once = new Set<string>()
  return waiting.flatMap(({ event_id, scenario_id }) => {
    const event = events.get(event_id)
    const who = `${scenario_id} ${event?.customer_id ?? event?.guest_id ?? event_id}`
    // One at a time, in the order they came.
    if (!event || once.has(who)) return []
    once.add(who)
    return [{ event, scenarioId: scenario_id }]
  })
}

/** Everyone's first event, then everyone's second, and so on. */
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
    const guestIds = [...new Set(those.flatMap(({ guest_id }) => guest_id ?? []))]
    if (guestIds.length > 0) await wakeByEvents(scope, { kind, guestIds })
  }
}

/** What one transaction decides with, and what it stores at its end. */
interface EntryBatch {
  scope: TransactionScope
  batchSize: BatchSize
  running: readonly RunningScenario[]
  byKind: ReadonlyMap<Trigger['kind'], readonly RunningScenario[]>
  entryLimits: Map<string, EntryLimit>
  counts: Counts
  /** By scenario: executions that wait at a node. */
  atRest: Map<string, string[]>
  timezone: string | null
}

async function prepare(scope: TransactionScope, batchSize: BatchSize): Promise<EntryBatch> {
  const rows = await selectRunning(scope)
  const flows = await readFlows(
    scope,
    rows.map(({ id, version }) => ({ scenarioId: id, version })),
  )
  const running = rows.map((row): RunningScenario => ({ ...row, flow: flows(row.id, row.version) }))
  const byKind = Map.groupBy(running, ({ flow, trigger_kind }) => flow?.trigger.kind ?? trigger_kind)
  const counts = new Counts()
  return { scope, batchSize, running, byKind, entryLimits: new Map(), counts, atRest: new Map(), timezone: null }
}

function startedBy({ byKind }: EntryBatch, event: ClaimedEvent): Candidate[] {
  // Events before the scenario was enabled start nothing.
  return (byKind.get(event.kind as Trigger['kind']) ?? [])
    .filter(
      ({ id, enabled_at, flow }) =>
        (event.scenario_id === null || event.scenario_id === id) &&
        (enabled_at === null || event.created_at >= enabled_at) &&
        (flow === null || matchesTrigger(flow.trigger, event.subject)),
    )
    .map((scenario) => ({ event, scenario, isReleased: false }))
}

function released({ running }: EntryBatch, { event, scenarioId }: ReleasedEvent): Candidate[] {
  const scenario = running.find(({ id }) => id === scenarioId)
  return scenario ? [{ event, scenario, isReleased: true }] : []
}

/** No two candidates may share person and scenario. If a scenario fails, only its own candidates are kept out. */
async function letIn(batch: EntryBatch, candidates: readonly Candidate[]): Promise<void> {
  if (candidates.length === 0) return
  const { scope } = batch
  const timezone = (batch.timezone ??= await selectTimezone(scope))
  if ((await tryToLetIn(batch, candidates, timezone)) === null) return
  for (const those of Map.groupBy(candidates, ({ scenario }) => scenario.id).values()) {
    let failure = await tryToLetIn(batch, those, timezone)
    // If only the first steps fail, customers enter all the same, and the step runner finds out which execution fails.
    if (failure && !isBrokenOff(failure.error)) failure = await tryToLetIn(batch, those, timezone, { run: false })
    if (failure) await refuseFailed(scope, those, failure.error)
  }
}

/** Last in the transaction: other transactions wait for these few rows. */
async function store({ scope, entryLimits, counts, atRest }: EntryBatch): Promise<void> {
  await updateEntryLimits(
    scope,
    [...entryLimits.values()].filter(({ isChanged }) => isChanged).map(({ state }) => state),
  )
  await endInDeleted(scope, atRest)
  await addNodeCounts(scope, counts.rows())
}

/**
 * Deleting a scenario ends the executions it finds, and ours are not committed yet. From here on a deletion waits for us. If it came
 * before, our executions are made due now, and the step runner ends them.
 */
async function endInDeleted(scope: TransactionScope, atRest: EntryBatch['atRest']): Promise<void> {
  if (atRest.size === 0) return
  const present = await selectScenariosOf(scope, [...atRest.keys()], { locked: true })
  for (const { id, status } of present) if (status === 'deleted') await wakeNow(scope, atRest.get(id) ?? [])
}

/** Null: done. Otherwise nothing was written, and this is the error. `run` false: no one goes further than the first node. */
async function tryToLetIn(
  batch: EntryBatch,
  candidates: readonly Candidate[],
  zone: string,
  { run = true } = {},
): Promise<{ error: unknown } | null> {
  const { scope, batchSize } = batch
  await setSavepoint(scope)
  try {
    await decide(batch, candidates, zone, run)
    await releaseSavepoint(scope)
    return null
  } catch (error) {
    if (isOutage(error) || batchSize.isTooFast(error)) throw error
    await rollBackToSavepoint(scope)
    return { error }
  }
}

async function decide(batch: EntryBatch, candidates: readonly Candidate[], zone: string, run: boolean): Promise<void> {
  const { scope, entryLimits, counts, atRest } = batch
  const refusals = await refuse(scope, candidates, zone)
  const entries: EntryWrite[] = []
  const beginnings: Beginning[] = []
  const limits = new Map<string, EntryLimit>()
  const ids = newIds(candidates.length)
  for (const [index, candidate] of candidates.entries()) {
    const { event, scenario } = candidate
    const entry = entryOf(candidate)
    let refusal = refusals.get(candidate) ?? null
    if (!refusal) {
      const limit =
        limits.get(scenario.id) ?? entryLimits.get(scenario.id)?.copy() ?? new EntryLimit(scenario, scope.now)
      limits.set(scenario.id, limit)
      if (!limit.letsIn(candidate)) refusal = { rule: 'brake', detail: { entries_per_hour: ENTRIES_PER_HOUR } }
    }
    if (refusal) {
      const waits = refusal.rule === 'brake'
      entries.push({ ...entry, execution_id: null, refused_by: refusal.rule, waits, detail: refusal.detail })
      continue
    }
    const id = ids[index] ?? ''
    const heldOut = isHeldOut(scenario.id, personOf(event) ?? '', scenario.holdout_percent)
    const { version } = scenario
    const execution = {
      id,
      scenario_id: scenario.id,
      version,
      event_id: event.id,
      customer_id: event.customer_id,
      guest_id: event.guest_id,
      node_id: flowOf(candidate).start,
      held_out: heldOut,
      test: false,
      late_accepted: candidate.isReleased,
    }
    beginnings.push({ candidate, execution })
    const detail = { version, held_out: heldOut }
    entries.push({ ...entry, execution_id: id, refused_by: null, waits: false, detail })
  }
  const begun = await begin(scope, beginnings, run)
  await writeEntries(scope, entries)
  for (const [id, limit] of limits) entryLimits.set(id, limit)
  counts.addAll(begun.counts)
  const resting = beginnings.filter(({ execution }) => begun.rests.has(execution.id))
  for (const [scenarioId, those] of Map.groupBy(resting, ({ execution }) => execution.scenario_id))
    atRest.set(scenarioId, [...(atRest.get(scenarioId) ?? []), ...those.map(({ execution }) => execution.id)])
}

async function begin(
  scope: TransactionScope,
  beginnings: readonly Beginning[],
  run: boolean,
): Promise<StartedExecutions> {
  const overtaken = await findOvertaken(
    scope,
    beginnings.map(({ candidate }) => candidate),
  )
  const staying = beginnings.filter(({ candidate }) => !overtaken.has(candidate))
  const ran = await runToFirstWait(scope, run ? staying.filter(({ candidate }) => !candidate.event.missed) : [])
  const asking = askAtBeginning(staying.filter(({ candidate }) => candidate.event.missed))
  const begun: StartedExecutions = {
    rests: new Map([...ran.rests, ...asking.rests]),
    steps: [...ran.steps, ...asking.steps],
    counts: ran.counts,
  }
  const executions = beginnings.map(({ execution }) => execution)
  await insertExecutions(scope, executions, begun.rests)
  await insertSteps(scope, begun.steps)
  await endExecutions(
    scope,
    beginnings.flatMap(({ candidate, execution: { id } }) => {
      const reason = overtaken.get(candidate)
      return reason ? [{ executionId: id, reason }] : []
    }),
  )
  await markDirty(scope, executions)
  return begun
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

/**
 * They stay out, and their entries say why. Otherwise their events would be processed again and again and block all entries of the
 * merchant.
 */
async function refuseFailed(scope: TransactionScope, candidates: readonly Candidate[], error: unknown): Promise<void> {
  const scenarioId = candidates[0]?.scenario.id
  scope.context.log.error(
    { merchantId: scope.merchantId, scenarioId, count: candidates.length, error },
    'a scenario failed to let anyone in',
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

/** A time slice is one batch, about two seconds of work (batch-size.ts). */
export const enterScenarios = recurring({
  name: 'let people into scenarios',
  everyMs: 500,
  due: dueEvents,
  turn: enterDue,
})
