import { describe, expect, test } from 'vitest'
import { type CalendarMenu, daysOf, type Lane, lanesOf, onDay } from './menu-calendar.ts'

const TOKYO = 'Asia/Tokyo'
const menu = (
  title: string,
  from: string,
  to: string | null,
  segment: CalendarMenu['segment'] = null,
): CalendarMenu => ({
  id: title,
  title,
  starts_at: from,
  ends_at: to,
  segment,
  refusal: null,
})
const VIP = { id: 'vip', name: 'VIP' }
/** As `1-9 shown`, `10 partly 00:00-10:00`, `11-13 hidden by B`. */
const read = (lane: Lane | undefined, zone = TOKYO): [string | null, string[]][] =>
  (lane?.rows ?? []).map(({ menu, spans }) => [
    menu?.title ?? null,
    spans.map(({ first, days, state, times, hiddenBy }) =>
      [
        days === 1 ? first + 1 : `${first + 1}-${first + days}`,
        state,
        ...times.map((time) =>
          time
            .map((at) => new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(at))
            .join('-'),
        ),
        ...(hiddenBy.length > 0 ? [`by ${hiddenBy.map(({ title }) => title).join(', ')}`] : []),
      ].join(' '),
    ),
  ])

describe('the calendar of rich menus', () => {
  test('of two for all friends the one with the latest start is seen, and the other before and after it', () => {
    const [lane] = lanesOf(
      [menu('セール', '2026-07-10T01:00:00Z', '2026-07-12T15:00:00Z'), menu('いつも', '2026-01-01T00:00:00Z', null)],
      daysOf('2026-07', TOKYO),
    )
    expect(read(lane)).toEqual([
      ['セール', ['10 partly 10:00-00:00', '11-12 shown']],
      ['いつも', ['1-9 shown', '10 partly 00:00-10:00 by セール', '11-12 hidden by セール', '13-31 shown']],
    ])
    expect(lane?.clashes).toBe(3)
  })

  test('one that LINE refuses is seen on no day, and hides no other', () => {
    const refused = (one: CalendarMenu): CalendarMenu => ({
      ...one,
      refusal: { words: 'Invalid', retry_at: '2026-07-20T00:00:00Z' },
    })
    const lanes = lanesOf(
      [
        refused(menu('新しい', '2026-07-09T15:00:00Z', '2026-07-11T01:00:00Z')),
        refused(menu('お得意様', '2026-07-04T15:00:00Z', '2026-07-05T15:00:00Z', VIP)),
        menu('いつも', '2026-01-01T00:00:00Z', null),
      ],
      daysOf('2026-07', TOKYO),
    )
    expect(lanes.map((lane) => [read(lane), lane.clashes])).toEqual([
      [
        [
          ['新しい', ['10-11 refused']],
          ['いつも', ['1-31 shown']],
        ],
        0,
      ],
      [
        [
          ['お得意様', ['5 refused']],
          [null, ['1-31 shown']],
        ],
        0,
      ],
    ])
  })

  test('friends of a segment see its menu first, and that for all friends where it has none', () => {
    const lanes = lanesOf(
      [
        menu('お得意様', '2026-07-04T15:00:00Z', '2026-07-05T15:00:00Z', VIP),
        menu('いつも', '2026-07-02T15:00:00Z', '2026-07-07T15:00:00Z'),
      ],
      daysOf('2026-07', TOKYO),
    )
    expect(lanes.map(({ segment }) => segment)).toEqual([null, VIP])
    expect(read(lanes[0])).toEqual([['いつも', ['3-7 shown']]])
    expect(read(lanes[1])).toEqual([
      ['お得意様', ['5 shown']],
      [null, ['3-4 shown', '6-7 shown']],
    ])
    expect(lanes[1]?.clashes).toBe(0)
    expect(lanes[1] && onDay(lanes[1], 4).map(({ menu }) => menu?.title)).toEqual(['お得意様'])
  })

  test('a day is a day of the zone, also where clocks change', () => {
    const [lane] = lanesOf(
      [menu('A', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z')],
      daysOf('2026-03', 'America/New_York'),
    )
    expect(read(lane)).toEqual([['A', ['8 shown']]])
    expect(daysOf('2026-02', TOKYO)).toHaveLength(29)
  })

  test('one that is seen twice on a day says both times', () => {
    const [lane] = lanesOf(
      [
        menu('昼', '2026-07-10T03:00:00Z', '2026-07-10T04:00:00Z'),
        menu('朝から', '2026-07-09T15:00:00Z', '2026-07-10T15:00:00Z'),
      ],
      daysOf('2026-07', TOKYO),
    )
    expect(read(lane)[1]).toEqual(['朝から', ['10 partly 00:00-12:00 13:00-00:00 by 昼']])
  })
})
