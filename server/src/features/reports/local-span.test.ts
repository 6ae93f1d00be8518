import fc from 'fast-check'
import { DateTime } from 'luxon'
import { describe, expect, test } from 'vitest'
import { dashboardSpans, daySpan, labelOf, rangeSpan } from './local-span.ts'

const hours = (date: string, zone: string): string[] => {
  const span = daySpan(date, zone)
  return span.marks.map((mark) => labelOf(mark, span))
}

describe('a local day', () => {
  test('has 24 hours in Tokyo, 23 or 25 where clocks change, each named once', () => {
    expect(hours('2026-11-01', 'Asia/Tokyo')).toHaveLength(24)
    expect(hours('2026-03-08', 'America/New_York')).toHaveLength(23)
    const long = hours('2026-11-01', 'America/New_York')
    expect(new Set(long).size).toBe(25)
    expect(long.slice(0, 3)).toEqual(['2026-11-01T00:00-04:00', '2026-11-01T01:00-04:00', '2026-11-01T01:00-05:00'])
  })
  test('begins late where its midnight is skipped', () => {
    expect(hours('2024-04-26', 'Africa/Cairo')[0]).toBe('2024-04-26T01:00+03:00')
  })
})

describe('a range of local days', () => {
  test('by the week or month is counted from its first day, named by the first of the unit', () => {
    const weeks = rangeSpan({ from: '2026-04-01', to: '2026-04-14', unit: 'week' }, 'Asia/Tokyo')
    expect(weeks.marks.map((mark) => labelOf(mark, weeks))).toEqual(['2026-03-30', '2026-04-06', '2026-04-13'])
    expect(weeks.marks[0]).toEqual(new Date('2026-03-31T15:00:00Z'))
    const months = rangeSpan({ from: '2026-01-31', to: '2026-03-01', unit: 'month' }, 'Asia/Tokyo')
    expect(months.marks.map((mark) => labelOf(mark, months))).toEqual(['2026-01-01', '2026-02-01', '2026-03-01'])
    const years = rangeSpan({ from: '2025-12-31', to: '2026-01-01', unit: 'year' }, 'Asia/Tokyo')
    expect(years.marks.map((mark) => labelOf(mark, years))).toEqual(['2025-01-01', '2026-01-01'])
  })

  test('has a point for every unit and no gap or overlap between them, whatever the zone', () => {
    const zones = [
      'Asia/Tokyo',
      'America/New_York',
      'Europe/London',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'Africa/Cairo',
      'America/Sao_Paulo',
      'Pacific/Apia',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom('hour' as const, 'day' as const, 'week' as const, 'month' as const, 'year' as const),
        fc.integer({ min: 0, max: 5000 }),
        fc.integer({ min: 0, max: 30 }),
        (zone, unit, startDay, days) => {
          const from = DateTime.fromISO('2011-06-01', { zone: 'UTC' }).plus({ days: startDay })
          const span = rangeSpan(
            { from: from.toISODate() ?? '', to: from.plus({ days }).toISODate() ?? '', unit },
            zone,
          )
          expect(span.marks[0]).toEqual(span.start)
          const times = [...span.marks.map((mark) => mark.getTime()), span.end.getTime()]
          for (let i = 1; i < times.length; i += 1) expect(times[i]).toBeGreaterThan(times[i - 1] ?? Infinity)
          expect(new Set(span.marks.map((mark) => labelOf(mark, span))).size).toBe(span.marks.length)
          if (unit === 'day') {
            const labels = span.marks.map((mark) => labelOf(mark, span))
            // Samoa had no 30 December 2011.
            expect(labels.length).toBeGreaterThanOrEqual(days)
            expect(labels.length).toBeLessThanOrEqual(days + 1)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test('that is the wrong way round, too long, or too long for hours is refused at its field', () => {
    const refusal = (from: string, to: string, unit: 'hour' | 'day') => {
      try {
        rangeSpan({ from, to, unit }, 'Asia/Tokyo')
      } catch (error) {
        return (error as { fields?: unknown }).fields
      }
      return 'accepted'
    }
    expect(refusal('2026-04-02', '2026-04-01', 'day')).toEqual({ to: 'too_small' })
    expect(refusal('2021-04-02', '2026-04-01', 'day')).toBe('accepted')
    expect(refusal('2021-04-01', '2026-04-01', 'day')).toEqual({ to: 'too_big' })
    expect(refusal('2026-05-01', '2026-05-31', 'hour')).toBe('accepted')
    expect(refusal('2026-05-01', '2026-06-01', 'hour')).toEqual({ unit: 'not_allowed' })
    expect(refusal('0001-01-01', '0001-01-02', 'day')).toEqual({ from: 'not_a_date' })
  })
})

test('the dashboard’s spans end with today and have as many days before them', () => {
  const now = new Date('2026-04-10T23:30:00Z') // 11 April in Tokyo
  const { current, previous } = dashboardSpans('30d', now, 'Asia/Tokyo')
  expect(current.marks).toHaveLength(30)
  expect([labelOf(current.marks[0] as Date, current), labelOf(current.marks.at(-1) as Date, current)]).toEqual([
    '2026-03-13',
    '2026-04-11',
  ])
  expect(previous.end).toEqual(current.start)
  expect((current.end.getTime() - current.start.getTime()) / (previous.end.getTime() - previous.start.getTime())).toBe(
    1,
  )
  expect(dashboardSpans('3m', now, 'Asia/Tokyo').current.unit).toBe('week')
  expect(dashboardSpans('1y', now, 'Asia/Tokyo').current.marks).toHaveLength(13)
})
