import { type Flow, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { FIGURES_HEIGHT, NODE_HEIGHT, NODE_WIDTH, STEP_Y } from '@okaeri/contract/scenarios/flow/flow-places'
import { edgesOf, findNode, type OutgoingPort, type Position } from './flow-graph.ts'

// Where cards stand.

/** From a card to the one beside it. */
export const STEP_X = NODE_WIDTH + 40
/** A card with its figures. */
export const CARD_HEIGHT = NODE_HEIGHT + FIGURES_HEIGHT

/** Where a node stands that is put on a way out, before `after`. */
export function placeAfter(flow: Flow, way: OutgoingPort, after: string | null): Position {
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
    flow.nodes.some(({ position }) => Math.abs(position.x - at) < NODE_WIDTH && Math.abs(position.y - y) < CARD_HEIGHT)
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
