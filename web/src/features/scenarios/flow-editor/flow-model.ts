import { Graph, layout } from '@dagrejs/dagre'
import { type Flow, type FlowNode, MAX_NODES, nextOf, type NodeOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { reachable } from '@okaeri/contract/scenarios/flow/flow-check'
import { FIGURES_HEIGHT, NODE_HEIGHT, NODE_WIDTH, STEP_Y } from '@okaeri/contract/scenarios/flow/flow-places'
import type { FlowProblem } from '@okaeri/contract/scenarios/flow/flow-problem'
import { type NodeKindName, nodeKinds } from '@okaeri/contract/scenarios/node-kinds/index'

// Changes to a flow while it is edited, without the page. Nothing is changed in place; nodes are found by their ids.

const STEP_X = NODE_WIDTH + 40
/** A card with its figures. */
const TALL = NODE_HEIGHT + FIGURES_HEIGHT

/** A way out: a port of a node, or (`from` null) the start. */
export interface OutgoingPort {
  from: string | null
  port: string
}
/** The start has one way out. */
export const START: OutgoingPort = { from: null, port: 'next' }
export interface Edge extends OutgoingPort {
  to: string
}
export type Position = FlowNode['position']

let made = 0
const newId = (): string => `n${(++made).toString(36)}-${Math.random().toString(36).slice(2, 10)}`

export const findNode = (flow: Flow, id: string | null): FlowNode | undefined =>
  id === null ? undefined : flow.nodes.find((node) => node.id === id)
export const isFull = (flow: Flow, more = 1): boolean => flow.nodes.length + more > MAX_NODES

/** With the most usual settings, or empty ones. */
export function newNode<K extends NodeKindName>(kind: K, position: Position = { x: 0, y: 0 }): NodeOf<K> {
  const { shape, rules } = nodeKinds[kind]
  const next = Object.fromEntries(Object.keys(shape.shape.next.shape).map((port) => [port, null]))
  return { id: newId(), name: '', position, kind, settings: rules.initial, next } as FlowNode as NodeOf<K>
}

/** Where a way out leads; null: nowhere. */
export const targetOf = (flow: Flow, { from, port }: OutgoingPort): string | null => {
  if (from === null) return flow.start
  const node = findNode(flow, from)
  return node ? nextOf(node, port) : null
}

/** Every connection to an existing node. */
export function edgesOf(flow: Flow): Edge[] {
  const known = new Set(flow.nodes.map(({ id }) => id))
  const edges: Edge[] = []
  const add = (way: OutgoingPort, to: string | null): void => {
    if (to !== null && known.has(to)) edges.push({ ...way, to })
  }
  add(START, flow.start)
  for (const node of flow.nodes) for (const port of portsOf(node)) add({ from: node.id, port }, nextOf(node, port))
  return edges
}

const withNext = (node: FlowNode, port: string, to: string | null): FlowNode =>
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

/** The way out to use when something is added after a node; null if nothing can follow. */
export function portAfter(flow: Flow, id: string | null): OutgoingPort | null {
  if (id === null) return START
  const node = findNode(flow, id)
  const ports = node ? portsOf(node) : []
  const open = node && ports.find((port) => nextOf(node, port) === null)
  const port = open ?? ports[0]
  return port === undefined ? null : { from: id, port }
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

function placeAfter(flow: Flow, way: OutgoingPort, after: string | null): Position {
  const from = findNode(flow, way.from)
  const next = findNode(flow, after)
  if (!from) {
    const start = startPosition(flow)
    return next ? next.position : nearestFreePosition(flow, { x: start.x, y: start.y + STEP_Y })
  }
  // If the way leads down, at the place of the next node, which moves down.
  if (next && next.position.y > from.position.y) {
    const y = Math.min(next.position.y, from.position.y + STEP_Y)
    return { x: next.position.x, y }
  }
  const ports = portsOf(from)
  const side = ports.indexOf(way.port) - (ports.length - 1) / 2
  return nearestFreePosition(flow, { x: from.position.x + side * STEP_X, y: from.position.y + STEP_Y })
}

/** This place, or the nearest one to the right without a card. */
export function nearestFreePosition(flow: Flow, { x, y }: Position): Position {
  const covers = (at: number) =>
    flow.nodes.some(({ position }) => Math.abs(position.x - at) < NODE_WIDTH && Math.abs(position.y - y) < TALL)
  let at = x
  while (covers(at)) at += STEP_X
  return { x: at, y }
}

/** The position of the start is not stored: it stands above its first node, clear of all cards. */
export function startPosition(flow: Flow): Position {
  if (flow.nodes.length === 0) return { x: 0, y: 0 }
  const first = findNode(flow, flow.start) ?? flow.nodes[0]
  const top = Math.min(...flow.nodes.map(({ position }) => position.y))
  return { x: first?.position.x ?? 0, y: top - STEP_Y }
}

function reachedFrom(flow: Flow, id: string): Set<string> {
  const byId = new Map(flow.nodes.map((node) => [node.id, node]))
  const reached = new Set<string>()
  const ahead = [id]
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    const node = byId.get(at)
    if (!node || reached.has(at)) continue
    reached.add(at)
    for (const port of portsOf(node)) {
      const next = nextOf(node, port)
      if (next !== null) ahead.push(next)
    }
  }
  return reached
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
  const renamed = new Map(nodes.map(({ id }) => [id, newId()]))
  const by = placeFor(flow, nodes, seen)
  const copies = nodes.map((node) => {
    let copy: FlowNode = {
      ...node,
      id: renamed.get(node.id) ?? newId(),
      position: { x: Math.round(node.position.x + by.x), y: Math.round(node.position.y + by.y) },
    }
    for (const port of Object.keys(node.next))
      copy = withNext(copy, port, renamed.get(nextOf(node, port) ?? '') ?? null)
    return copy
  })
  const ids = copies.map(({ id }) => id)
  return { flow: { ...flow, start: flow.start ?? ids[0] ?? null, nodes: [...flow.nodes, ...copies] }, ids }
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

/** Arranges the flow from top to bottom, in the order of the ports. */
export function tidied(flow: Flow): Flow {
  if (flow.nodes.length === 0) return flow
  const graph = new Graph()
  graph.setGraph({ rankdir: 'TB', nodesep: 40, ranksep: STEP_Y - TALL })
  graph.setDefaultEdgeLabel(() => ({}))
  // No node id looks like this.
  const start = '@start'
  const size = { width: NODE_WIDTH, height: TALL }
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

/** Names of the nodes for lists. A repeated name gets a number. */
export function titlesOf(
  flow: Flow,
  titleOf: (node: FlowNode) => string,
): Map<string, { title: string; count: number }> {
  const seen = new Map<string, number>()
  return new Map(
    flow.nodes.map((node) => {
      const title = titleOf(node)
      const count = (seen.get(title) ?? 0) + 1
      seen.set(title, count)
      return [node.id, { title, count }]
    }),
  )
}

/** Problems by node; '' for the whole flow. Unchanged ones are the same object as `before`, so that nothing is drawn again. */
export function problemsByNode(
  problems: readonly FlowProblem[],
  before?: ReadonlyMap<string, FlowProblem[]>,
): Map<string, FlowProblem[]> {
  const by = new Map<string, FlowProblem[]>()
  for (const problem of problems) {
    const at = problem.node_id ?? ''
    by.set(at, [...(by.get(at) ?? []), problem])
  }
  for (const [at, now] of by) {
    const then = before?.get(at)
    const same = then?.length === now.length && then.every((each, index) => isSameProblem(each, now[index]))
    if (same) by.set(at, then)
  }
  return by
}
const isSameProblem = (one: FlowProblem, other: FlowProblem | undefined): boolean =>
  one.problem === other?.problem && one.field === other.field && one.node_id === other.node_id

export type Direction = 'up' | 'down' | 'left' | 'right'
/**
 * The node that an arrow key leads to; null for the start, undefined for none. Up and down follow the connections; left and right go to
 * the nearest node there.
 */
export function neighbourOf(flow: Flow, id: string | null, direction: Direction): string | null | undefined {
  const edges = edgesOf(flow)
  if (direction === 'down') {
    const next = edges.find(({ from }) => from === id)
    if (next) return next.to
  }
  if (direction === 'up') {
    if (id === null) return undefined
    const at = findNode(flow, id)?.position.y ?? 0
    const before = edges.filter(({ to }) => to === id)
    const above = before.find(({ from }) => from === null || (findNode(flow, from)?.position.y ?? 0) < at)
    const [way] = above ? [above] : before
    if (way) return way.from
  }
  const here = id === null ? startPosition(flow) : findNode(flow, id)?.position
  if (!here) return undefined
  const places: [id: string | null, position: Position][] = flow.nodes.map(({ id, position }) => [id, position])
  places.push([null, startPosition(flow)])
  let nearest: string | null | undefined
  let least = Number.POSITIVE_INFINITY
  for (const [other, { x, y }] of places) {
    if (other === id) continue
    const [dx, dy] = [x - here.x, y - here.y]
    const sideways = direction === 'left' || direction === 'right'
    const ahead = direction === 'right' ? dx : direction === 'left' ? -dx : direction === 'down' ? dy : -dy
    const aside = Math.abs(sideways ? dy : dx)
    if (ahead <= 0 || aside > ahead * 3) continue
    const distance = ahead + aside * 2
    if (distance < least) {
      least = distance
      nearest = other
    }
  }
  return nearest
}

// Undo and redo.

/** Changes of one kind closer together than this are one undo step. */
const ONE_STEP_MS = 1200
const MAX_STEPS = 200

export interface FlowHistory {
  past: readonly Flow[]
  flow: Flow
  future: readonly Flow[]
  last: { kind: string; at: number } | null
}
export const begun = (flow: Flow): FlowHistory => ({ past: [], flow, future: [], last: null })

/** `typing`: quick changes of the same kind, such as typing in one field, are undone together. */
export function changed(history: FlowHistory, flow: Flow, typing?: { kind: string; at: number }): FlowHistory {
  if (flow === history.flow) return history
  const { last, past } = history
  const continues =
    typing !== undefined && last !== null && last.kind === typing.kind && typing.at - last.at < ONE_STEP_MS
  return {
    past: continues ? past : [...past, history.flow].slice(-MAX_STEPS),
    flow,
    future: [],
    last: typing ?? null,
  }
}
export function undone(history: FlowHistory): FlowHistory {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return { past: history.past.slice(0, -1), flow: before, future: [...history.future, history.flow], last: null }
}
export function redone(history: FlowHistory): FlowHistory {
  const after = history.future.at(-1)
  if (after === undefined) return history
  return { past: [...history.past, history.flow], flow: after, future: history.future.slice(0, -1), last: null }
}
