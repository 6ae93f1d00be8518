import { type Flow, type FlowNode, MAX_NODES, nextOf, type NodeOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { STEP_Y } from '@okaeri/contract/scenarios/flow/flow-places'
import { type NodeKindName, nodeKinds } from '@okaeri/contract/scenarios/node-kinds/index'
import { findNode, type OutgoingPort, type Position, reachedFrom, targetOf } from './flow-graph.ts'
import { placeAfter } from './positions.ts'

// Changes to a flow while it is edited, without the page. Nothing is changed in place; nodes are found by their ids.

let made = 0
export const newNodeId = (): string => `n${(++made).toString(36)}-${Math.random().toString(36).slice(2, 10)}`

export const isFull = (flow: Flow, more = 1): boolean => flow.nodes.length + more > MAX_NODES

/** With the most usual settings, or empty ones. */
export function newNode<K extends NodeKindName>(kind: K, position: Position = { x: 0, y: 0 }): NodeOf<K> {
  const { shape, rules } = nodeKinds[kind]
  const next = Object.fromEntries(Object.keys(shape.shape.next.shape).map((port) => [port, null]))
  return { id: newNodeId(), name: '', position, kind, settings: rules.initial, next } as FlowNode as NodeOf<K>
}

/** The node with this port leading elsewhere. */
export const withNext = (node: FlowNode, port: string, to: string | null): FlowNode =>
  ({ ...node, next: { ...node.next, [port]: to } }) as FlowNode

/** Replaces the node with the same id, ports included. */
export const withNode = (flow: Flow, node: FlowNode): Flow => ({
  ...flow,
  nodes: flow.nodes.map((each) => (each.id === node.id ? node : each)),
})

/** Connects a way out to a node, or to nothing. A node cannot lead to itself. */
export function connected(flow: Flow, way: OutgoingPort, to: string | null): Flow {
  if (to !== null && (to === way.from || !findNode(flow, to))) return flow
  if (targetOf(flow, way) === to) return flow
  if (way.from === null) return { ...flow, start: to }
  const node = findNode(flow, way.from)
  if (!node || !portsOf(node).includes(way.port)) return flow
  return withNode(flow, withNext(node, way.port, to))
}

/** Adds a node at its position. The start leads to the first one. */
export function added(flow: Flow, node: FlowNode): Flow {
  if (isFull(flow)) return flow
  return { ...flow, start: flow.nodes.length === 0 ? node.id : flow.start, nodes: [...flow.nodes, node] }
}

/** Puts a node on a way out; what followed there now follows the node. Covered cards below move down. */
export function inserted(flow: Flow, way: OutgoingPort, node: FlowNode): Flow {
  if (isFull(flow)) return flow
  const after = targetOf(flow, way)
  const [port] = portsOf(node)
  const position = placeAfter(flow, way, after)
  const placed = { ...(port !== undefined && after !== null ? withNext(node, port, after) : node), position }
  const grown = connected({ ...flow, nodes: [...flow.nodes, placed] }, way, placed.id)
  if (after === null) return grown
  const below = findNode(grown, after)
  const by = below && below.position.y >= position.y - STEP_Y ? position.y + STEP_Y - below.position.y : 0
  if (by <= 0) return grown
  const follow = reachedFrom(flow, after)
  return {
    ...grown,
    nodes: grown.nodes.map((each) =>
      follow.has(each.id) && each.position.y >= position.y - STEP_Y / 2
        ? { ...each, position: { x: each.position.x, y: each.position.y + by } }
        : each,
    ),
  }
}

/** Removes these nodes. If a removed node had a single way through, its neighbors are connected. */
export function removed(flow: Flow, ids: ReadonlySet<string>): Flow {
  if (!flow.nodes.some(({ id }) => ids.has(id))) return flow
  const byId = new Map(flow.nodes.map((node) => [node.id, node]))
  const through = (id: string | null): string | null => {
    const seen = new Set<string>()
    let at = id
    while (at !== null && ids.has(at)) {
      if (seen.has(at)) return null
      seen.add(at)
      const node: FlowNode | undefined = byId.get(at)
      const targets: Set<string> = new Set(node ? portsOf(node).flatMap((port) => nextOf(node, port) ?? []) : [])
      const [only] = targets
      at = targets.size === 1 && only !== undefined ? only : null
    }
    return at
  }
  const nodes = flow.nodes.flatMap((node) => {
    if (ids.has(node.id)) return []
    let next = node
    for (const port of Object.keys(node.next)) {
      const to = nextOf(node, port)
      if (to === null || !ids.has(to)) continue
      const joined = through(to)
      next = withNext(next, port, joined === node.id ? null : joined)
    }
    return [next]
  })
  return { ...flow, start: through(flow.start), nodes }
}

export function moved(flow: Flow, positions: ReadonlyMap<string, Position>): Flow {
  const changes = flow.nodes.some(({ id, position }) => {
    const to = positions.get(id)
    return to !== undefined && (to.x !== position.x || to.y !== position.y)
  })
  if (!changes) return flow
  return {
    ...flow,
    nodes: flow.nodes.map((node) => {
      const to = positions.get(node.id)
      return to ? { ...node, position: { x: Math.round(to.x), y: Math.round(to.y) } } : node
    }),
  }
}

/** Whether two flows say the same and differ in positions only. */
export const isOnlyMoved = (before: Flow, after: Flow): boolean =>
  before === after ||
  (before.trigger === after.trigger &&
    before.condition === after.condition &&
    before.reentry === after.reentry &&
    before.ends_on === after.ends_on &&
    before.start === after.start &&
    before.nodes.length === after.nodes.length &&
    before.nodes.every((node, at) => saysTheSame(node, after.nodes[at])))
const saysTheSame = (one: FlowNode, other: FlowNode | undefined): boolean =>
  one === other ||
  (one.id === other?.id &&
    one.kind === other.kind &&
    one.name === other.name &&
    one.settings === other.settings &&
    one.next === other.next)
