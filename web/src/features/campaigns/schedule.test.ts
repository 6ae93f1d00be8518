import { describe, expect, test } from 'vitest'
import { instantOf, quickPick, wallOf } from './schedule.ts'

const TOKYO = 'Asia/Tokyo'
// A Friday, 15:30 in Tokyo.
const NOW = new Date('2026-11-20T06:30:12Z')

describe('the time of a reservation', () => {
  test('is read on the merchant’s clock, not the browser’s', () => {
    expect(instantOf('2026-12-01 10:00:00', TOKYO)).toBe('2026-12-01T01:00:00.000Z')
    expect(instantOf('2026-12-01 10:00:00', 'America/New_York')).toBe('2026-12-01T15:00:00.000Z')
    expect(wallOf('2026-12-01T01:00:00.000Z', TOKYO)).toBe('2026-12-01 10:00:00')
  })
  test('is nothing where nothing was chosen or no time was given', () => {
    expect(instantOf(null, TOKYO)).toBeNull()
    expect(instantOf('soon', TOKYO)).toBeNull()
    expect(wallOf(null, TOKYO)).toBeNull()
  })
  test('a time that daylight saving skips moves forward', () => {
    expect(instantOf('2027-03-14 02:30:00', 'America/New_York')).toBe('2027-03-14T07:30:00.000Z')
  })
})

describe('quick picks', () => {
  test.each([
    ['inHour', '2026-11-20 16:30:00'],
    ['tomorrow10', '2026-11-21 10:00:00'],
    ['tomorrow20', '2026-11-21 20:00:00'],
    ['nextMonday', '2026-11-23 10:00:00'],
  ] as const)('%s', (pick, wall) => {
    expect(quickPick(pick, TOKYO, NOW)).toBe(wall)
  })
  test('next Monday seen on a Monday is a week away', () => {
    expect(quickPick('nextMonday', TOKYO, new Date('2026-11-23T01:00:00Z'))).toBe('2026-11-30 10:00:00')
  })
})
