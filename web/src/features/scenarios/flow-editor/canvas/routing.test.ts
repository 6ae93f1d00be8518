import { type Flow, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { FIGURES_HEIGHT, NODE_HEIGHT, NODE_WIDTH } from '@okaeri/contract/scenarios/flow/flow-places'
import type { NodeKindName } from '@okaeri/contract/scenarios/node-kinds/index'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newNode } from '../model/flow-edits.ts'
import { edgesOf, START } from '../model/flow-graph.ts'
import { startPosition } from '../model/positions.ts'
import { tidied } from '../model/tidy-layout.ts'
import { courseOf, obstaclesOf, type Point, pathThrough, type Rect, routeOf } from './routing.ts'

/** With figures. */
const CARD_HEIGHT = NODE_HEIGHT + FIGURES_HEIGHT
const rectOf = ({ x, y }: Point, height: number): Rect => ({ x, y, width: NODE_WIDTH, height })

const kinds: readonly NodeKindName[] = ['send_email', 'wait', 'branch', 'random_split', 'wait_for_event', 'end']
/** Any steps with any connections, loops included. */
const anyFlow = fc
  .array(
    fc.record({ kind: fc.constantFrom(...kinds), to: fc.array(fc.nat({ max: 30 }), { minLength: 2, maxLength: 2 }) }),
    {
      minLength: 1,
      maxLength: 14,
    },
  )
  .map((steps): Flow => {
    const nodes = steps.map(({ kind }) => newNode(kind))
    const linked = nodes.map((node, at) => {
      const next = { ...node.next } as Record<string, string | null>
      portsOf(node).forEach((port, index) => {
        const to = nodes[steps[at]?.to[index] ?? 0]
        next[port] = to && to.id !== node.id ? to.id : null
      })
      return { ...node, next } as typeof node
    })
    return {
      trigger: { kind: 'customer_created' },
      condition: null,
      reentry: { mode: 'once' },
      ends_on: [],
      start: linked[0]?.id ?? null,
      nodes: linked,
    } as unknown as Flow
  })

function crossed(points: readonly Point[], card: Rect): boolean {
  return points.some((to, at) => {
    const from = points[at - 1]
    if (!from) return false
    return (
      Math.max(from.x, to.x) > card.x &&
      Math.min(from.x, to.x) < card.x + card.width &&
      Math.max(from.y, to.y) > card.y &&
      Math.min(from.y, to.y) < card.y + card.height
    )
  })
}
/** Every line of a flow, with the cards it crosses. */
function linesOf(flow: Flow) {
  const start = { id: '@start', ...rectOf(startPosition(flow), CARD_HEIGHT) }
  const cards = [start, ...flow.nodes.map(({ id, position }) => ({ id, ...rectOf(position, CARD_HEIGHT) }))]
  const byId = new Map(cards.map((card) => [card.id, card]))
  const obstacles = obstaclesOf(cards)
  return edgesOf(flow).map((edge) => {
    const node = flow.nodes.find(({ id }) => id === edge.from)
    const [from, to] = [byId.get(edge.from ?? '@start'), byId.get(edge.to)]
    if (!from || !to) throw new Error('no card')
    const course = courseOf(from, node ? portsOf(node) : [START.port], edge.port, to)
    const points = routeOf(obstacles, course)
    return { points, course, crosses: cards.filter((card) => crossed(points, card)), obstacles }
  })
}

test('no line crosses a card, nor the cards at its ends, in a flow the editor arranged', () => {
  fc.assert(
    fc.property(anyFlow, (flow) => {
      for (const { points, course, crosses } of linesOf(tidied(flow))) {
        expect(crosses).toEqual([])
        expect(points[0]).toEqual(course.from)
        expect(points.at(-1)).toEqual(course.to)
      }
    }),
    { numRuns: 150 },
  )
})

test('no line crosses cards that were placed manually, if there is room between them', () => {
  const places = fc.uniqueArray(fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 5 })), {
    minLength: 14,
    maxLength: 14,
    selector: ([x, y]) => x * 6 + y,
  })
  const shifts = fc.array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 })), { minLength: 14, maxLength: 14 })
  fc.assert(
    fc.property(anyFlow, places, shifts, (flow, places, shifts) => {
      const nodes = flow.nodes.map((node, at) => {
        const [[column, row] = [0, 0], [x, y] = [0, 0]] = [places[at], shifts[at]]
        return { ...node, position: { x: column * 350 + x, y: row * 290 + y } }
      })
      for (const { crosses } of linesOf({ ...flow, nodes })) expect(crosses).toEqual([])
    }),
    { numRuns: 150 },
  )
})

test('a line back up goes around the cards between, with rounded corners', () => {
  const column = [0, 1, 2].map((row) => rectOf({ x: 0, y: row * 210 }, CARD_HEIGHT))
  const [first, , last] = column
  if (!first || !last) throw new Error('no card')
  const points = routeOf(obstaclesOf(column), courseOf(last, ['next'], 'next', first))
  expect(column.some((card) => crossed(points, card))).toBe(false)
  expect(pathThrough(points)).toMatch(/^M[^Q]+(Q[^Q]+){4,6}$/)
})

test('with five hundred steps a line checks no more cards than with fifty', () => {
  const chain = (count: number): Flow => {
    const nodes = Array.from({ length: count }, (_, at) => ({ ...newNode('wait'), position: { x: 0, y: at * 210 } }))
    return {
      start: nodes[0]?.id ?? null,
      nodes: nodes.map((node, at) => ({ ...node, next: { next: nodes[at + 1]?.id ?? null } })),
    } as unknown as Flow
  }
  const looksPerLine = (count: number): number => {
    const lines = linesOf(chain(count))
    return (lines[0]?.obstacles.asked ?? 0) / lines.length
  }
  expect(looksPerLine(500)).toBeLessThan(looksPerLine(50) * 1.1)
  expect(looksPerLine(500)).toBeLessThan(40)
})
