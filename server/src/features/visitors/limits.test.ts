import { afterEach, expect, test, vi } from 'vitest'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { countGuestsAdding, MOST_ADDED_BY_GUESTS } from './limits.ts'

withOkaeri()
afterEach(() => vi.useRealTimers())

/** How many of so many are taken. */
function taken(ip: string, count: number): number {
  let added = 0
  for (let at = 0; at < count; at += 1)
    try {
      countGuestsAdding(okaeri.context, { ip })
      added += 1
    } catch (error) {
      expect(error).toMatchObject({ code: 'rate_limited' })
    }
  return added
}

test('a program that is thousands of guests fills the database only so fast, and keeps no others out', () => {
  const [one, other] = ['203.0.113.7', '203.0.113.8']
  expect(taken(one, MOST_ADDED_BY_GUESTS + 50)).toBe(MOST_ADDED_BY_GUESTS)
  expect(taken(other, 10)).toBe(10)
  // The addresses of one connection are one.
  expect(taken('2001:db8:1:2::1', MOST_ADDED_BY_GUESTS)).toBe(MOST_ADDED_BY_GUESTS)
  expect(taken('2001:db8:1:2:ffff::9', 1)).toBe(0)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 })
  expect(taken(one, 10)).toBe(10)
})

test('behind a proxy that does not say who asks no one is counted', () => {
  for (const ip of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    expect(taken(ip, MOST_ADDED_BY_GUESTS + 10)).toBe(MOST_ADDED_BY_GUESTS + 10)
})
