import fc from 'fast-check'
import { DateTime } from 'luxon'
import { expect, test } from 'vitest'
import { endOfWait } from '../flows/waiting-times.ts'

const at = (text: string, zone: string): Date => DateTime.fromISO(text, { zone }).toJSDate()
const ends = (wait: Parameters<typeof endOfWait>[0], from: string, zone: string): string =>
  DateTime.fromJSDate(endOfWait(wait, at(from, zone), zone), { zone }).toISO({ suppressMilliseconds: true }) ?? ''
const days = (amount: number) => ({ mode: 'for', amount, unit: 'days' }) as const
const hours = (amount: number) => ({ mode: 'for', amount, unit: 'hours' }) as const
const until = (time: string) => ({ mode: 'until_time', time }) as const

const NEW_YORK = 'America/New_York'

test.each([
  // Clocks go forward at 02:00 on 8 March 2026, back at 02:00 on 1 November 2026.
  [
    'a day is a day of the calendar when the clocks go forward',
    days(1),
    '2026-03-07T10:00',
    '2026-03-08T10:00:00-04:00',
  ],
  ['and when they go back', days(1), '2026-10-31T10:00', '2026-11-01T10:00:00-05:00'],
  ['24 hours are 24 hours when the clocks go forward', hours(24), '2026-03-07T10:00', '2026-03-08T11:00:00-04:00'],
  ['and when they go back', hours(24), '2026-10-31T10:00', '2026-11-01T09:00:00-05:00'],
  [
    'a time the clocks skip is as much later as they jump',
    until('02:30'),
    '2026-03-08T01:00',
    '2026-03-08T03:30:00-04:00',
  ],
  ['a time that comes twice is the first', until('01:30'), '2026-11-01T00:10', '2026-11-01T01:30:00-04:00'],
  ['the day after a change it is itself again', until('02:30'), '2026-03-08T12:00', '2026-03-09T02:30:00-04:00'],
  ['29 February is a day like any other', days(1), '2028-02-28T10:00', '2028-02-29T10:00:00-05:00'],
  ['the day after 28 February of a common year is 1 March', days(1), '2026-02-28T10:00', '2026-03-01T10:00:00-05:00'],
  ['a year of 365 days from 29 February', days(365), '2028-02-29T10:00', '2029-02-28T10:00:00-05:00'],
  ['the end of a month', days(1), '2026-01-31T23:30', '2026-02-01T23:30:00-05:00'],
  ['the end of a year', until('00:00'), '2026-12-31T23:59', '2027-01-01T00:00:00-05:00'],
  ['this very moment is over', until('10:00'), '2026-05-01T10:00', '2026-05-02T10:00:00-04:00'],
])('%s', (_name, wait, from, expected) => {
  expect(ends(wait, from, NEW_YORK)).toBe(expected)
})

test('until a weekday: the next one at that time, also a week later', () => {
  // 20 November 2026 is a Friday.
  const wait = { mode: 'until_weekday' as const, weekdays: [5], time: '09:00' }
  expect(ends(wait, '2026-11-20T08:59', 'Asia/Tokyo')).toBe('2026-11-20T09:00:00+09:00')
  expect(ends(wait, '2026-11-20T09:00', 'Asia/Tokyo')).toBe('2026-11-27T09:00:00+09:00')
  expect(ends({ ...wait, weekdays: [1, 3] }, '2026-11-20T10:00', 'Asia/Tokyo')).toBe('2026-11-23T09:00:00+09:00')
})

const zones = [
  'Asia/Tokyo',
  NEW_YORK,
  'Europe/London',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'UTC',
]
const instant = fc.date({ min: new Date('2011-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
const time = fc
  .tuple(fc.nat({ max: 23 }), fc.nat({ max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
test('every wait ends later than it began, at the time and on a day it names, within a week', () => {
  fc.assert(
    fc.property(
      instant,
      fc.constantFrom(...zones),
      time,
      fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      (from, zone, time, weekdays) => {
        const end = endOfWait({ mode: 'until_weekday', weekdays, time }, from, zone)
        const local = DateTime.fromJSDate(end, { zone })
        expect(end.getTime()).toBeGreaterThan(from.getTime())
        expect(end.getTime() - from.getTime()).toBeLessThan(8.5 * 86_400_000)
        // A calendar may skip a day (Apia, 30 December 2011); the day after takes its place.
        if (zone !== 'Pacific/Apia') expect(weekdays).toContain(local.weekday)
        // If the clocks skip that time, at most an hour later.
        const [hour = 0, minute = 0] = time.split(':').map(Number)
        const off = (local.hour - hour) * 60 + local.minute - minute
        expect([0, 30, 60]).toContain((off + 1440) % 1440)
      },
    ),
    { numRuns: 2000 },
  )
})

test('minutes and hours have the same length in every zone', () => {
  fc.assert(
    fc.property(instant, fc.constantFrom(...zones), fc.integer({ min: 1, max: 525_600 }), (from, zone, amount) => {
      const wait = { mode: 'for', amount, unit: 'minutes' } as const
      expect(endOfWait(wait, from, zone).getTime() - from.getTime()).toBe(amount * 60_000)
    }),
  )
})
