import { type Flow, type FlowNode, nextOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'

// A flow as a graph: its nodes, ways out and connections.

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

export const findNode = (flow: Flow, id: string | null): FlowNode | undefined =>
  id === null ? undefined : flow.nodes.find((node) => node.id === id)

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

/** The way out to use when something is added after a node; null if nothing can follow. */
export function portAfter(flow: Flow, id: string | null): OutgoingPort | null {
  if (id === null) return START
  const node = findNode(flow, id)
  const ports = node ? portsOf(node) : []
  const open = node && ports.find((port) => nextOf(node, port) === null)
  const port = open ?? ports[0]
  return port === undefined ? null : { from: id, port }
}

/** The node, and all nodes after it. */
export function reachedFrom(flow: Flow, id: string): Set<string> {
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
