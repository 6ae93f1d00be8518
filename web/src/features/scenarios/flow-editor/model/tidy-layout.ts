import { Graph, layout } from '@dagrejs/dagre'
import { type Flow, nextOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { reachable } from '@okaeri/contract/scenarios/flow/flow-check'
import { NODE_WIDTH, STEP_Y } from '@okaeri/contract/scenarios/flow/flow-places'
import { moved } from './flow-edits.ts'
import { edgesOf, type Position } from './flow-graph.ts'
import { CARD_HEIGHT } from './positions.ts'

/** Arranges the flow from top to bottom, in the order of the ports. */
export function tidied(flow: Flow): Flow {
  if (flow.nodes.length === 0) return flow
  const graph = new Graph()
  graph.setGraph({ rankdir: 'TB', nodesep: 40, ranksep: STEP_Y - CARD_HEIGHT })
  graph.setDefaultEdgeLabel(() => ({}))
  // No node id looks like this.
  const start = '@start'
  const size = { width: NODE_WIDTH, height: CARD_HEIGHT }
  graph.setNode(start, { ...size })
  for (const { id } of flow.nodes) graph.setNode(id, { ...size })
  const byId = new Map(flow.nodes.map((node) => [node.id, node]))
  for (const { from, to } of edgesOf(flow)) {
    const node = from === null ? undefined : byId.get(from)
    // The nodes after a branch stay right below it, so that its ports stand in one row.
    graph.setEdge(from ?? start, to, { weight: node && portsOf(node).length > 1 ? 3 : 1 })
  }
  layout(graph, { constraints: besideEachOther(flow) })
  const placed = new Map<string, Position>()
  const origin = graph.node(start) as Position
  for (const { id } of flow.nodes) {
    const { x, y } = graph.node(id) as Position
    placed.set(id, { x: x - origin.x, y: y - origin.y })
  }
  return moved(flow, placed)
}

/** Which node stands to the left of which: the targets of a node in the order of its ports, without back edges. */
function besideEachOther(flow: Flow): { left: string; right: string }[] {
  const byId = new Map(flow.nodes.map((node) => [node.id, node]))
  const met = new Map([...reachable(flow, byId)].map((id, at) => [id, at]))
  return flow.nodes.flatMap((node) => {
    const at = met.get(node.id) ?? 0
    const ahead = [...new Set(portsOf(node).flatMap((port) => nextOf(node, port) ?? []))].filter(
      (id) => (met.get(id) ?? -1) > at,
    )
    return ahead.slice(1).flatMap((right, index) => {
      const left = ahead[index] ?? right
      // In the order they are reached, no two of these can contradict each other.
      return (met.get(left) ?? 0) < (met.get(right) ?? 0) ? [{ left, right }] : []
    })
  })
}
