import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SendingRate, slowerRate, turnOf } from './sending-rate.ts'

test('an answer makes it a third slower, those of the same second count once', () => {
  const first = slowerRate(null, 30, 0)
  expect(first).toEqual({ perSecond: 20, nextAt: 1_000, changedAt: 0 })
  expect(slowerRate(first, 30, 999)).toBe(first)
  expect(slowerRate(first, 30, 1_000)).toMatchObject({ perSecond: 13 })
  let rate = first
  for (let second = 1; second < 50; second++) rate = slowerRate(rate, 0, second * 1_000)
  expect(rate.perSecond).toBe(1)
})

/** Two processes that send all they may to a server that takes so many in a second; what it took and refused of each minute. */
function sendByTwo(most: number, minutes: number): { taken: number; refused: number }[] {
  const rates: (SendingRate | null)[] = [null, null]
  const lately = [0, 0]
  let inSecond = 0
  const figures: { taken: number; refused: number }[] = []
  for (let minute = 0; minute < minutes; minute++) {
    const figure = { taken: 0, refused: 0 }
    for (let ms = minute * 60_000; ms < (minute + 1) * 60_000; ms += 5) {
      if (ms % 1_000 === 0) {
        inSecond = 0
        lately.fill(0)
      }
      for (const which of [0, 1]) {
        const known = rates[which] ?? null
        if (known && known.nextAt > ms) continue
        const turn = known && turnOf(known, ms)
        rates[which] = turn?.rate ?? null
        if (inSecond < most) {
          inSecond += 1
          lately[which] = (lately[which] ?? 0) + 1
          figure.taken += 1
        } else {
          figure.refused += 1
          rates[which] = slowerRate(rates[which] ?? null, lately[which] ?? 0, ms)
        }
      }
    }
    figures.push(figure)
  }
  return figures
}

test('two processes together come to what a server takes, and few mails are refused', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 100 }), (most) => {
      const [, ...later] = sendByTwo(most, 4)
      for (const { taken, refused } of later) {
        expect(taken).toBeGreaterThan(most * 60 * 0.5)
        expect(refused).toBeLessThan(taken * 0.05)
      }
    }),
    { numRuns: 20 },
  )
})

test('a server that refuses nothing any more is sent to as fast as it goes', () => {
  let rate: SendingRate | null = slowerRate(null, 30, 0)
  let [now, turns] = [0, 0]
  while (rate && turns < 1_000_000) {
    const turn = turnOf(rate, now)
    rate = turn?.rate ?? null
    now = turn?.at ?? now
    turns += 1
  }
  expect(rate).toBeNull()
  // Within minutes.
  expect(now).toBeLessThan(3 * 60_000)
})
