import { stopwatch } from '../../kernel/clock.ts'
import { crashPoint } from '../../kernel/crash-point.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { recurring } from '../../kernel/work/due-merchants.ts'
import { newId } from '../../kernel/ids.ts'
import { job } from '../../kernel/work/jobs.ts'
import { type MerchantScope, merchantScope, type TransactionScope } from '../../kernel/merchant-scope.ts'
import {
  addNodeCounts,
  claimDueExecutions,
  type DueRow,
  type FoundRow,
  insertSteps,
  isOutage,
  limitLockWaits,
  markStopped,
  markLate,
  markDirty,
  updateStates,
  wakeByEvents,
} from '../executions/index.ts'
import { flowsOf, type RunningScenarioRow, selectScenariosOf } from '../flows/index.ts'
import { dueExecutions } from './due-queries.ts'
import { runSteps } from './step-runner.ts'
import { Counts, fail, prepareFlow, startRun, stateOf, type StepRun } from './step.ts'

/** Executions in one transaction: enough to share the cost of statements and commits, few enough not to hold others up. */
const EXECUTIONS_AT_ONCE = 500
/** The time slice of one merchant, before the next one's turn. */
const TIME_SLICE = { executions: 1000, ms: 500 }
/** A lock that is held longer delays this merchant until its next time slice, and no one else. */
const LOCK_WAIT_MS = 2000

/**
 * Runs a merchant's due executions, each until it sleeps, ends or fails. History, intents, states and counts are one transaction, so
 * the process may die at any moment. If something throws, the batch is halved until a single execution is left: only that one fails.
 * Returns how many were worked on.
 */
export async function advanceDue(scope: MerchantScope, only?: readonly string[]): Promise<number> {
  let claimed: readonly string[] = []
  try {
    return await retriedTransaction(scope, async (scope) => {
      await limitLockWaits(scope, LOCK_WAIT_MS)
      const due = await claimDueExecutions(scope, { limit: EXECUTIONS_AT_ONCE, ...(only ? { only } : {}) })
      claimed = due.map(({ id }) => id)
      crashPoint('woken')
      if (due.length > 0) await advanceClaimed(scope, due)
      crashPoint('advanced')
      return due.length
    })
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

/**
 * An event processed before a batch is committed finds none of its executions waiting. So executions that wait for an event look again
 * after the commit, in a job that survives the process.
 */
export const checkAwaitedEvents = job<{ batchId: string; executionIds: string[] }>(
  'look_for_awaited',
  ({ batchId }) => batchId,
  (scope, { executionIds }) => wakeByEvents(scope, { executionIds }),
)

async function advanceClaimed(scope: TransactionScope, due: readonly FoundRow[]): Promise<void> {
  const scenarios = await readScenarios(scope, due)
  const runnable = await askAboutLate(scope, await markStoppedRuns(scope, due, scenarios), scenarios)
  if (runnable.length === 0) return
  const counts = new Counts()
  const runs = await startRuns(scope, runnable, scenarios)
  await runSteps(scope, runs, counts)
  await saveProgress(scope, runs, counts)
  const awaiting = runs.flatMap(({ row, rest }) => (rest?.awaits && rest.awaits !== 'effect' ? row.id : []))
  if (awaiting.length > 0)
    await scope.context.jobs.later(scope, checkAwaitedEvents, { batchId: newId(), executionIds: awaiting })
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
 * Stopping a scenario changes no execution. Those that fall due are marked here, so that they are not found again at every look. The
 * lock orders this with enabling, which either sees the mark and removes it, or comes first.
 */
async function markStoppedRuns(
  scope: TransactionScope,
  due: readonly FoundRow[],
  scenarios: Map<string, RunningScenarioRow>,
): Promise<readonly FoundRow[]> {
  const runs = ({ scenario_id, test }: DueRow): boolean => {
    const status = scenarios.get(scenario_id)?.status
    return test || status === undefined || status === 'active' || status === 'deleted'
  }
  const idle = due.filter((row) => !runs(row))
  if (idle.length === 0) return due
  for (const [id, row] of await readScenarios(scope, idle, { locked: true })) scenarios.set(id, row)
  const stopped = idle.filter((row) => !runs(row))
  await markStopped(
    scope,
    stopped.map(({ id }) => id),
  )
  const marked = new Set(stopped)
  return due.filter((row) => !marked.has(row))
}

/**
 * Late executions ask first, whatever made them late: an outage, a restored backup, a moved clock, a late webhook. Product time decides
 * at the moment they are found, so that no process has to remember anything.
 */
async function askAboutLate(
  scope: TransactionScope,
  due: readonly FoundRow[],
  scenarios: ReadonlyMap<string, RunningScenarioRow>,
): Promise<readonly FoundRow[]> {
  const asks = ({ is_late, scenario_id }: FoundRow): boolean =>
    is_late && scenarios.get(scenario_id)?.status === 'active'
  await markLate(
    scope,
    due.flatMap((row) => (asks(row) ? row.id : [])),
  )
  return due.filter((row) => !asks(row))
}

async function startRuns(
  scope: TransactionScope,
  rows: readonly DueRow[],
  scenarios: ReadonlyMap<string, RunningScenarioRow>,
): Promise<StepRun[]> {
  const flowOf = await flowsOf(scope, rows, prepareFlow)
  return rows.map((row) =>
    startRun(row, { scenario: scenarios.get(row.scenario_id), flow: flowOf(row), now: scope.now }),
  )
}

/** History, states and counts. The few count rows come last, because every worker writes them. */
async function saveProgress(scope: TransactionScope, runs: readonly StepRun[], counts: Counts): Promise<void> {
  await insertSteps(
    scope,
    runs.flatMap(({ steps }) => steps),
  )
  await updateStates(scope, runs.map(stateOf))
  await markDirty(
    scope,
    runs.flatMap(({ row, rest }) => (rest?.status === 'done' ? row : [])),
  )
  await addNodeCounts(scope, counts.rows())
}

async function failAlone(scope: MerchantScope, id: string, error: unknown): Promise<void> {
  await scope.transaction(async (scope) => {
    const due = await claimDueExecutions(scope, { limit: 1, only: [id] })
    const counts = new Counts()
    const runs = await startRuns(scope, due, await readScenarios(scope, due))
    for (const run of runs) {
      if (run.node) counts.add(run, run.node.id, 'failed')
      if (!run.rest) fail(run, 'internal', error instanceof Error ? error.message : String(error))
    }
    if (runs.length > 0) await saveProgress(scope, runs, counts)
  })
}

/** One merchant's time slice. Returns whether anything was due. */
async function runTimeSlice({ context, merchantId }: MerchantScope, signal: AbortSignal): Promise<boolean> {
  const elapsedMs = stopwatch()
  for (let worked = 0; worked < TIME_SLICE.executions && elapsedMs() < TIME_SLICE.ms && !signal.aborted; ) {
    const count = await advanceDue(merchantScope(context, merchantId))
    worked += count
    if (count < EXECUTIONS_AT_ONCE) return worked > 0
  }
  return true
}

export const advanceExecutions = recurring({
  name: 'move executions on',
  everyMs: 500,
  due: dueExecutions,
  turn: runTimeSlice,
})
