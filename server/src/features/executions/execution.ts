import type { Page } from '@okaeri/contract/paging'
import type { Execution, ExecutionStep } from '@okaeri/contract/scenarios/execution'
import { executionAllows, type ExecutionStatus, type ExecutionVerb } from '@okaeri/contract/scenarios/execution-status'
import { contentOf, type Flow, type FlowNode, nextOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { conflict } from '../../kernel/errors.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { searchWords, selectFound } from '../customers/index.ts'
import { deliveriesOfSteps } from '../deliveries/index.ts'
import { findPresentVersion, flowsOf } from '../flows/index.ts'
import { cancelPendingWork } from './ending.ts'
import {
  deleteExecutionRows,
  type ExecutionChange,
  type ExecutionFilter,
  type ExecutionRow,
  getExecutionForUpdate,
  getNamedExecution,
  type NamedExecutionRow,
  selectContentNames,
  selectExecutions,
  selectSteps,
  updateExecution,
} from './execution-queries.ts'
import { markDirty } from './membership.ts'
import { insertSteps } from './step-queries.ts'

export type ExecutionDetail = Execution & { steps: ExecutionStep[] }

/** Customers a search may match; to find one person, members type more than a letter. */
const MAX_FOUND = 1000

export async function listExecutions(
  scope: MerchantScope,
  query: ExecutionFilter & { q?: string | undefined; limit: number; offset: number },
): Promise<Page<Execution>> {
  const { q, limit, offset, ...filter } = query
  const words = searchWords(q ?? '')
  const found = words.length === 0 ? undefined : await selectFound(scope, { words, tag: undefined }, MAX_FOUND)
  const { rows, total } = await selectExecutions(scope, { ...filter, found }, { limit, offset })
  return { data: await present(scope, rows), limit, offset, total }
}

export async function getExecution(scope: MerchantScope, id: string): Promise<ExecutionDetail> {
  const row = await getNamedExecution(scope, id)
  const [[execution], steps, flow] = await Promise.all([
    present(scope, [row]),
    selectSteps(scope, id),
    findFlow(scope, row),
  ])
  const nodes = new Map(flow?.nodes.map((node) => [node.id, node]))
  const deliveries = await deliveriesOfSteps(
    scope,
    { name: row.scenario_name },
    steps.flatMap(({ delivery_id }) => delivery_id ?? []),
  )
  return {
    ...(execution as Execution),
    steps: steps.map((step) => {
      const node = nodes.get(step.node_id)
      return {
        ...step,
        at: step.at.toISOString(),
        node_kind: step.node_kind || (node?.kind ?? ''),
        node_name: node?.name ?? '',
        delivery: (step.delivery_id && deliveries.get(step.delivery_id)) || null,
      }
    }),
  }
}

const asItIs = (flow: Flow): Flow => flow
const findFlow = async (
  scope: MerchantScope,
  row: Pick<ExecutionRow, 'scenario_id' | 'version'>,
): Promise<Flow | null> => (await flowsOf(scope, [row], asItIs))(row)

async function present(scope: MerchantScope, rows: readonly NamedExecutionRow[]): Promise<Execution[]> {
  const flowOf = await flowsOf(scope, rows, asItIs)
  const placed = rows.map((row) => {
    const flow = flowOf(row)
    const find = (id: string | null): FlowNode | undefined => flow?.nodes.find((node) => node.id === id)
    const sentNode = find(row.sent_node_id)
    return {
      row,
      node: find(row.node_id),
      sent: sentNode ? contentOf(sentNode) : null,
      next: flow && nextContent(flow, row),
    }
  })
  const contentIds = placed.flatMap(({ sent, next }) => [sent, next].filter((id) => typeof id === 'string'))
  const names = await selectContentNames(scope, [...new Set(contentIds)])
  return placed.map(({ row, node, sent, next }) => ({
    id: row.id,
    scenario: { id: row.scenario_id, name: row.scenario_name },
    version: row.version,
    event:
      row.event_id && row.event_kind && row.event_subject && row.event_occurred_at
        ? {
            id: row.event_id,
            kind: row.event_kind,
            occurred_at: row.event_occurred_at.toISOString(),
            subject: row.event_subject,
          }
        : null,
    customer:
      row.customer_id && row.customer_name !== null
        ? { id: row.customer_id, name: row.customer_name, email: row.customer_email }
        : null,
    guest_id: row.guest_id,
    status: row.status,
    end_reason: row.end_reason,
    node: row.node_id === null ? null : { id: row.node_id, kind: node?.kind ?? '', name: node?.name ?? '' },
    wake_at: row.wake_at?.toISOString() ?? null,
    sent_content: (sent && names.get(sent)) ?? null,
    next_content: (next && names.get(next)) ?? null,
    test: row.test,
    held_out: row.held_out,
    round: row.round,
    last_error:
      row.last_error && row.last_error_at
        ? { error: row.last_error, detail: row.last_error_detail, at: row.last_error_at.toISOString() }
        : null,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }))
}

/** What is sent next, in drawing order where paths part. */
function nextContent(flow: Flow, { node_id, ended_at, held_out }: ExecutionRow): string | null {
  if (ended_at !== null || node_id === null || held_out) return null
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
  const looked = new Set<string>()
  for (let level = [node_id]; level.length > 0; ) {
    const here = level.flatMap((id) => nodes.get(id) ?? [])
    const content = here.map(contentOf).find((id) => id !== null)
    if (content) return content
    for (const { id } of here) looked.add(id)
    level = here
      .flatMap((node) => portsOf(node).flatMap((port) => nextOf(node, port) ?? []))
      .filter((id) => !looked.has(id))
  }
  return null
}

/** Loads under lock, refuses by the rule the button is disabled by, changes, and adds a row to the history. */
async function change(
  scope: MerchantScope,
  id: string,
  verb: ExecutionVerb,
  decide: (
    scope: TransactionScope,
    execution: ExecutionRow,
  ) => Promise<{ outcome: string; detail?: Record<string, unknown>; change: ExecutionChange }>,
): Promise<ExecutionDetail> {
  // Sending and entering lock mails, executions and effects in another order.
  await retriedTransaction(scope, async (scope) => {
    const execution = await getExecutionForUpdate(scope, id)
    refuseUnless(verb, execution.status)
    const { outcome, detail = null, change } = await decide(scope, execution)
    const seq = execution.steps + 1
    await updateExecution(scope, id, { ...change, steps: seq })
    if (change.ended_at !== undefined) await markDirty(scope, [execution])
    await insertSteps(scope, [
      {
        execution_id: id,
        seq,
        round: change.round ?? execution.round,
        node_id: change.node_id ?? execution.node_id ?? '',
        node_kind: '',
        outcome,
        detail,
        delivery_id: null,
      },
    ])
  })
  return getExecution(scope, id)
}

function refuseUnless(verb: ExecutionVerb, status: ExecutionStatus): void {
  if (!executionAllows(verb, status))
    throw conflict('execution_status_forbids', `an execution that is ${status} does not allow this`)
}

export const pauseExecution = (scope: MerchantScope, id: string): Promise<ExecutionDetail> =>
  change(scope, id, 'pause', () => Promise.resolve({ outcome: 'paused', change: { status: 'paused' } }))

/** A sleeping one sleeps until its time, which may be past; any other runs its node at once. */
export const playExecution = (scope: MerchantScope, id: string): Promise<ExecutionDetail> =>
  change(scope, id, 'play', (scope, { asleep, wake_at, status }) => {
    const wakeAt = asleep && status !== 'failed' ? (wake_at ?? scope.now) : scope.now
    return Promise.resolve({
      outcome: 'played',
      change: { status: 'running', held: false, late_accepted: wakeAt <= scope.now, wake_at: wakeAt },
    })
  })

/** From the beginning, on the current version, with new mails and coupons. `round`: what the person saw; pressed in two tabs it is done once. */
export const restartExecution = (
  scope: MerchantScope,
  id: string,
  { round }: { round?: number | undefined } = {},
): Promise<ExecutionDetail> =>
  change(scope, id, 'restart', async (scope, execution) => {
    if (round !== undefined && round !== execution.round)
      throw conflict('execution_restarted_meanwhile', `it is in round ${execution.round}`)
    const version = await findPresentVersion(scope, execution.scenario_id)
    const flow = version === null ? null : await findFlow(scope, { scenario_id: execution.scenario_id, version })
    const isWithoutPerson = execution.customer_id === null && execution.guest_id === null && !execution.test
    // There is no customer or no flow to begin with.
    if (version === null || !flow || execution.end_reason === 'customer_gone' || isWithoutPerson)
      throw conflict('execution_status_forbids', 'its scenario or its customer was deleted')
    // A mail of the last round that waits for the sending hours would be sent besides the new one.
    await cancelPendingWork(scope, [id])
    return {
      outcome: 'restarted',
      detail: { version },
      change: {
        version,
        status: 'running',
        end_reason: null,
        node_id: flow.start,
        asleep: false,
        asleep_since: null,
        woken_by: null,
        wake_at: scope.now,
        awaits: null,
        held: false,
        round: execution.round + 1,
        attempts: 0,
        late_accepted: true,
        coupon_id: null,
        last_error: null,
        last_error_detail: null,
        last_error_at: null,
        ended_at: null,
      },
    }
  })

export const resolveExecution = (scope: MerchantScope, id: string): Promise<ExecutionDetail> =>
  change(scope, id, 'resolve', async (scope) => {
    await cancelPendingWork(scope, [id])
    return {
      outcome: 'resolved',
      change: {
        status: 'resolved',
        asleep: false,
        wake_at: null,
        awaits: null,
        woken_by: null,
        held: false,
        ended_at: scope.now,
      },
    }
  })

/** A failed or late execution continues at that time: setting a time accepts that it is late. */
export const changeWakeUp = (scope: MerchantScope, id: string, wakeAt: Date): Promise<ExecutionDetail> =>
  change(scope, id, 'update', (scope, { status, awaits }) => {
    if (awaits === 'effect') throw conflict('execution_status_forbids', 'it waits for an answer from outside')
    const goesOn = status === 'failed' || status === 'late'
    return Promise.resolve({
      outcome: 'moved',
      detail: { until: wakeAt.toISOString() },
      change: {
        wake_at: wakeAt,
        late_accepted: wakeAt <= scope.now,
        // A wait that a member moved is not recalculated when the zone changes (time-zone.ts).
        ...(awaits === null ? { asleep_since: null } : {}),
        ...(goesOn ? { status: 'running', held: false } : {}),
      },
    })
  })

export async function deleteExecution(scope: MerchantScope, id: string): Promise<void> {
  await retriedTransaction(scope, async (scope) => {
    const execution = await getExecutionForUpdate(scope, id)
    refuseUnless('delete', execution.status)
    // A finished execution keeps what it sent; for any other, unsent mails and effects are cancelled.
    if (execution.status !== 'done') await cancelPendingWork(scope, [id])
    await deleteExecutionRows(scope, id)
    await markDirty(scope, [execution])
  })
}
