import { type Flow, type FlowNode, nextOf } from '@okaeri/contract/scenarios/flow/flow'
import { NODE_HEIGHT, NODE_WIDTH, STEP_Y } from '@okaeri/contract/scenarios/flow/flow-places'
import { isFull, newNodeId, withNext } from './flow-edits.ts'
import type { Position } from './flow-graph.ts'
import { STEP_X } from './positions.ts'

/** Nodes copied from a flow, with the connections between them. */
export interface Fragment {
  nodes: readonly FlowNode[]
}

export function copied(flow: Flow, ids: ReadonlySet<string>): Fragment {
  const nodes = flow.nodes.filter(({ id }) => ids.has(id))
  return { nodes: nodes.map((node) => onlyTo(node, ids)) }
}
function onlyTo(node: FlowNode, ids: ReadonlySet<string>): FlowNode {
  let kept = node
  for (const port of Object.keys(node.next)) {
    const to = nextOf(node, port)
    if (to !== null && !ids.has(to)) kept = withNext(kept, port, null)
  }
  return kept
}

/** The visible part of the drawing. */
export interface VisibleArea {
  x: number
  y: number
  width: number
  height: number
}
/** How far copies stand from their originals: to the right, further if something is there. */
function placeFor(flow: Flow, nodes: readonly FlowNode[], seen: VisibleArea | undefined): Position {
  const [xs, ys] = [nodes.map(({ position }) => position.x), nodes.map(({ position }) => position.y)]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left + NODE_WIDTH, Math.max(...ys) - top + NODE_HEIGHT]
  const covered = (by: Position) =>
    nodes.some(({ position: { x, y } }) =>
      flow.nodes.some(
        ({ position }) => Math.abs(position.x - x - by.x) < NODE_WIDTH && Math.abs(position.y - y - by.y) < NODE_HEIGHT,
      ),
    )
  const beside = { x: width + STEP_X - NODE_WIDTH, y: 0 }
  while (covered(beside)) beside.x += STEP_X
  if (!seen) return beside
  const isSeen = (by: Position): boolean =>
    left + by.x >= seen.x &&
    top + by.y >= seen.y &&
    left + by.x + width <= seen.x + seen.width &&
    top + by.y + height <= seen.y + seen.height
  if (isSeen(beside)) return beside
  // The view does not move, so they come into the visible part, on free ground if possible.
  const middle = { x: seen.x + (seen.width - width) / 2 - left, y: seen.y + (seen.height - height) / 2 - top }
  const around = [0, -1, 1, -2, 2, -3, 3]
  const places = around.flatMap((row) =>
    around.map((column) => ({ x: middle.x + (column * STEP_X) / 2, y: middle.y + (row * STEP_Y) / 2 })),
  )
  return places.find((by) => isSeen(by) && !covered(by)) ?? middle
}

/**
 * Pastes copies with new `ids`, connected among themselves as before; in the visible part if `seen` is given. Null if they no longer
 * fit into the flow.
 */
export function pasted(flow: Flow, { nodes }: Fragment, seen?: VisibleArea): { flow: Flow; ids: string[] } | null {
  if (nodes.length === 0 || isFull(flow, nodes.length)) return null
  const renamed = new Map(nodes.map(({ id }) => [id, newNodeId()]))
  const by = placeFor(flow, nodes, seen)
  const copies = nodes.map((node) => {
    let copy: FlowNode = {
      ...node,
      id: renamed.get(node.id) ?? newNodeId(),
      position: { x: Math.round(node.position.x + by.x), y: Math.round(node.position.y + by.y) },
    }
    for (const port of Object.keys(node.next))
      copy = withNext(copy, port, renamed.get(nextOf(node, port) ?? '') ?? null)
    return copy
  })
  const ids = copies.map(({ id }) => id)
  return { flow: { ...flow, start: flow.start ?? ids[0] ?? null, nodes: [...flow.nodes, ...copies] }, ids }
}
