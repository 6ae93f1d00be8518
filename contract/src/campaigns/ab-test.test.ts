import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AbCompared, groupBounds, winnerOf } from './ab-test.ts'

const figures = fc.record({
  sent: fc.nat(1_000_000),
  clicks: fc.nat(1_000_000),
  orders: fc.nat(1000),
  revenue: fc.nat(2_000_000_000),
})
test('who has more for each mail wins, and B never without more than A', () => {
  fc.assert(
    fc.property(figures, figures, fc.constantFrom('clicks' as const, 'revenue' as const), (a, b, measure) => {
      const compared: AbCompared = { a, b }
      const rateOf = (of: typeof a) => of[measure] / Math.max(1, of.sent)
      const { winner, why } = winnerOf(compared, measure)
      if (rateOf(b) > rateOf(a)) expect(winner).toBe('b')
      if (rateOf(b) < rateOf(a)) expect(winner).toBe('a')
      if (why !== 'more') expect(winner).toBe('a')
      if (winner === 'b') expect(b[measure]).toBeGreaterThan(0)
    }),
  )
})
test.each([
  [10, { a: 500, b: 1000 }],
  [33, { a: 1650, b: 3300 }],
  [50, { a: 2500, b: 5000 }],
])('of %i %% half is A and half is B', (share, bounds) => {
  expect(groupBounds({ share })).toEqual(bounds)
})
