import { type Flow, type FlowNode, nextOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import type { MovePreview } from '@okaeri/contract/scenarios/flow/moving'
import { EXECUTIONS_COUNTED_TO } from '@okaeri/contract/scenarios/scenario'
import { isDeepStrictEqual } from 'node:util'
import { crashPoint } from '../../kernel/crash-point.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  countPassed,
  countPlaces,
  lockOnTheirWay,
  moveExecutionRows,
  type Place,
  selectPlaces,
} from '../executions/index.ts'
import { findScenarioStatus, getScenarioRow, readFlows } from '../flows/index.ts'
import { nodeKindOf } from '../steps/index.ts'

/**
 * When a flow is saved, running executions stay on their version, unless a member moves them to the new one. Then an execution at a
 * step that the new flow also has continues there, and its wait ends when it would have. The others finish on their version: those at a
 * step that was removed or now does something else, and those that would get a mail or coupon twice.
 */

/** What would happen to running executions if this flow were saved. */
export async function countMoves(scope: MerchantScope, id: string, flow: Flow): Promise<MovePreview> {
  const { version, flow: present } = await getScenarioRow(scope, id)
  const nothing = { on_their_way: 0, exact: true, go_on: 0, at_removed: 0, would_repeat: 0 }
  if (isDeepStrictEqual(flow, present)) return nothing
  const counts = await countPlaces(scope, id, version + 1)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return nothing
  const places = await placesThatContinue(scope, id, flow, counts)
  const key = (place: Place): string => `${place.version} ${place.node_id}`
  const kept = new Set(places.map(key))
  const staying = counts.reduce((sum, place) => sum + (kept.has(key(place)) ? 0 : place.count), 0)
  const repeating = places.some(({ nodes }) => nodes.length > 0) ? await countPassed(scope, id, version + 1, places) : 0
  return {
    on_their_way: total,
    exact: total < EXECUTIONS_COUNTED_TO,
    go_on: total - staying - repeating,
    at_removed: staying,
    would_repeat: repeating,
  }
}

/**
 * The places the flow still has. `nodes`: mails and coupons that are ahead now and were not before; an execution that passed one of
 * them stays on its version.
 */
async function placesThatContinue(
  scope: MerchantScope,
  scenarioId: string,
  flow: Flow,
  places: readonly Place[],
): Promise<(Place & { nodes: string[] })[]> {
  const flowOf = await readFlows(
    scope,
    [...new Set(places.map(({ version }) => version))].map((version) => ({ scenarioId, version })),
  )
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
  return places.flatMap(({ version, node_id }) => {
    const old = flowOf(scenarioId, version)
    const before = old?.nodes.find(({ id }) => id === node_id)
    const after = nodes.get(node_id)
    if (!old || !before || !after || !isSameStep(before, after)) return []
    const known = ahead(old, node_id)
    return { version, node_id, nodes: [...ahead(flow, node_id)].filter((id) => !known.has(id)) }
  })
}

/** The step still waits for the same thing. */
const isSameStep = (before: FlowNode, after: FlowNode): boolean =>
  before.kind === after.kind && nodeKindOf(before.kind).isSameWait?.(before.settings, after.settings) !== false

/** Mails and coupons after a node; the node itself only if a loop leads back to it. */
function ahead({ nodes }: Flow, from: string): Set<string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const after = (id: string): string[] => {
    const node = byId.get(id)
    return node ? portsOf(node).flatMap((port) => nextOf(node, port) ?? []) : []
  }
  const seen = new Set<string>()
  const open = after(from)
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    open.push(...after(id))
  }
  return new Set(
    [...byId.values()].flatMap(({ id, kind }) => (seen.has(id) && nodeKindOf(kind).reachesCustomer ? id : [])),
  )
}

const MOVED_AT_ONCE = 1000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * One transaction per thousand. A second run finds those already moved on the new version. Executions that stay are skipped by their
 * id.
 */
export const moveExecutions = job<{ scenarioId: string; version: number }>(
  'move_executions',
  ({ scenarioId, version }) => `${scenarioId} ${version}`,
  async (scope, { scenarioId, version }) => {
    const flow = (await readFlows(scope, [{ scenarioId, version }]))(scenarioId, version)
    const status = await findScenarioStatus(scope, scenarioId)
    if (!flow || status === null || status === 'deleted') return
    for (let after: string | undefined = BEFORE_ALL; after !== undefined; )
      after = await moveSome(scope, { scenarioId, version, flow }, after)
  },
)

/** Returns the last id; undefined when there are no more. */
const moveSome = (
  scope: MerchantScope,
  { scenarioId, version, flow }: { scenarioId: string; version: number; flow: Flow },
  after: string,
): Promise<string | undefined> =>
  retriedTransaction(scope, async (scope) => {
    const ids = await lockOnTheirWay(scope, { scenarioId, before: version, after, limit: MOVED_AT_ONCE })
    if (ids.length === 0) return undefined
    // Read after the lock, so that their history is complete.
    const places = await selectPlaces(scope, ids)
    const continuing = await placesThatContinue(scope, scenarioId, flow, places)
    if (continuing.length > 0) await moveExecutionRows(scope, ids, { version, places: continuing })
    crashPoint('moved')
    return ids.at(-1)
  })
