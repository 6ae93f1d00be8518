import { nextOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { flowOf, granted, type PlainNode } from '../../../test/scenarios.ts'
import { edge, edgesBack } from './loops.ts'
import { shareOf } from './nodes/random-split.ts'

const ids = Array.from({ length: 12 }, (_, n) => `n${n}`)
const target = fc.option(fc.constantFrom(...ids))
const graph = fc.tuple(
  ...ids.map((id) =>
    fc
      .tuple(target, target)
      .map(([yes, no]): PlainNode => ({ id, kind: 'branch', settings: { condition: granted }, next: { yes, no } })),
  ),
)

test('every loop has a back edge, which begins a new lap; a flow without loops has none', () => {
  fc.assert(
    fc.property(graph, (nodes) => {
      const flow = flowOf(nodes)
      const back = edgesBack(flow)
      const followed = (id: string): string[] =>
        flow.nodes
          .filter((node) => node.id === id)
          .flatMap((node) => portsOf(node).flatMap((port) => nextOf(node, port) ?? []))
          .filter((next) => !back.has(edge(id, next)))
      // Without back edges there is no loop: nodes without a way out can be removed one after another until none is left.
      const left = new Set(reachable(flow.start, followed))
      for (let before = -1; before !== left.size; ) {
        before = left.size
        for (const id of left) if (followed(id).every((next) => !left.has(next))) left.delete(id)
      }
      expect([...left]).toEqual([])
    }),
    { numRuns: 500 },
  )
  expect(
    edgesBack(
      flowOf([
        { id: 'a', kind: 'add_note', settings: { text: '' }, next: { next: 'b' } },
        { id: 'b', kind: 'end', settings: {}, next: {} },
      ]),
    ).size,
  ).toBe(0)
})

function reachable(start: string | null, followed: (id: string) => string[]): string[] {
  const found = new Set(start === null ? [] : [start])
  for (const id of found) for (const next of followed(id)) found.add(next)
  return [...found]
}

test('a customer always gets the same branch of a split, and the shares are as set', () => {
  const shares = [20, 30, 50]
  const counts = [0, 0, 0]
  for (let n = 0; n < 20_000; n += 1) {
    const share = shareOf(`scenario node customer-${n}`, shares)
    expect(shareOf(`scenario node customer-${n}`, shares)).toBe(share)
    counts[share] = (counts[share] ?? 0) + 1
  }
  // Four standard deviations of 20,000 draws.
  for (const [index, share] of shares.entries()) expect(Math.abs((counts[index] ?? 0) / 200 - share)).toBeLessThan(1.5)
})
