import type { RichMenuSummary } from '@okaeri/contract/rich-menus/menu'
import { DateTime } from 'luxon'

export type CalendarMenu = Pick<RichMenuSummary, 'id' | 'title' | 'starts_at' | 'ends_at' | 'segment' | 'refusal'>

/** Seen all day; for a part of the day; not at all, though its period lasts; not at all, as LINE refuses it. */
type DayState = 'shown' | 'partly' | 'hidden' | 'refused'

/** Days side by side that look the same. */
export interface Span {
  /** Counted from the first of the month. */
  first: number
  days: number
  state: DayState
  /** When it is seen, of a day on which it is seen for a part. */
  times: readonly Interval[]
  /** What people see instead. */
  hiddenBy: readonly CalendarMenu[]
}

export interface Row {
  /** Null: what is for all friends, where the segment has no menu of its own. */
  menu: CalendarMenu | null
  spans: Span[]
}

/** What some people see: all friends, or those of a segment. */
export interface Lane {
  segment: CalendarMenu['segment']
  rows: Row[]
  /** Days on which one menu hides another. */
  clashes: number
}

/** From, and up to but not including, in ms. */
type Interval = readonly [from: number, to: number]

/** The first moment of each day of a month (`2026-07`) in a zone, and of the day after it. */
export function daysOf(month: string, zone: string): DateTime[] {
  const first = DateTime.fromISO(`${month}-01`, { zone })
  return Array.from({ length: (first.daysInMonth ?? 0) + 1 }, (_, day) => first.plus({ days: day }))
}

/** Menus are given the one with the latest start first, as the API does: so they hide each other (spec §5). One that LINE refuses hides none. */
export function lanesOf(menus: readonly CalendarMenu[], days: readonly DateTime[]): Lane[] {
  const starts = days.map((day) => day.toMillis())
  const forAll = menus.filter(({ segment }) => segment === null)
  const bySegment = Map.groupBy(
    menus.filter(({ segment }) => segment !== null),
    ({ segment }) => segment?.id,
  )
  const ofSegments = [...bySegment.values()].map((own): Lane => {
    const rows = rowsOf(
      [...own.map(entryOf), { menu: null, periods: forAll.filter(({ refusal }) => refusal === null).map(periodOf) }],
      starts,
    )
    return { segment: own[0]?.segment ?? null, rows, clashes: countClashes(rows) }
  })
  const rows = rowsOf(forAll.map(entryOf), starts)
  return [
    ...(rows.length > 0 ? [{ segment: null, rows, clashes: countClashes(rows) }] : []),
    ...ofSegments.sort((one, other) => (one.segment?.name ?? '').localeCompare(other.segment?.name ?? '')),
  ]
}

/** What is seen on a day, and what is hidden: the same rows, from the day's side. */
export const onDay = (lane: Lane, day: number): { menu: CalendarMenu | null; span: Span }[] =>
  lane.rows.flatMap(({ menu, spans }) => {
    const span = spans.find(({ first, days }) => first <= day && day < first + days)
    return span ? [{ menu, span }] : []
  })

interface Entry {
  menu: CalendarMenu | null
  periods: Interval[]
}

const periodOf = ({ starts_at, ends_at }: CalendarMenu): Interval => [
  starts_at ? Date.parse(starts_at) : Number.NEGATIVE_INFINITY,
  ends_at ? Date.parse(ends_at) : Number.POSITIVE_INFINITY,
]
const entryOf = (menu: CalendarMenu): Entry => ({ menu, periods: [periodOf(menu)] })

/** A part of a day in which no period begins or ends. */
interface Slice {
  at: Interval
  /** The entries whose period it is, the one that is seen first. */
  active: ReadonlySet<Entry>
  refused: ReadonlySet<Entry>
}

/** Each entry is hidden by those before it. */
function rowsOf(entries: readonly Entry[], starts: readonly number[]): Row[] {
  const days = starts.slice(0, -1).map((from, day) => slicesOf(entries, [from, starts[day + 1] ?? from]))
  return entries
    .map((entry) => ({ menu: entry.menu, spans: spansOf(entry, days) }))
    .filter(({ spans }) => spans.length > 0)
}

function spansOf(entry: Entry, days: readonly (readonly Slice[])[]): Span[] {
  const spans: Span[] = []
  for (const [day, slices] of days.entries()) {
    const look = lookOf(entry, slices)
    if (!look) continue
    const last = spans.at(-1)
    const isSame =
      last &&
      last.first + last.days === day &&
      look.state !== 'partly' &&
      last.state === look.state &&
      last.hiddenBy.every((menu, at) => menu === look.hiddenBy[at]) &&
      last.hiddenBy.length === look.hiddenBy.length
    if (isSame) last.days += 1
    else spans.push({ first: day, days: 1, ...look })
  }
  return spans
}

const REFUSED = { state: 'refused', times: [], hiddenBy: [] } as const

/** Null: it is not that day's. */
function lookOf(entry: Entry, slices: readonly Slice[]): Omit<Span, 'first' | 'days'> | null {
  if (entry.menu?.refusal) return slices.some(({ refused }) => refused.has(entry)) ? REFUSED : null
  const hiddenBy = new Set<CalendarMenu>()
  const times: [number, number][] = []
  let seen = 0
  for (const { at, active } of slices) {
    if (!active.has(entry)) continue
    const [first] = active
    const last = times.at(-1)
    if (first !== entry) {
      if (first?.menu) hiddenBy.add(first.menu)
      continue
    }
    seen += 1
    if (last?.[1] === at[0]) last[1] = at[1]
    else times.push([...at])
  }
  if (times.length === 0 && (hiddenBy.size === 0 || entry.menu === null)) return null
  const state = seen === 0 ? 'hidden' : seen === slices.length ? 'shown' : 'partly'
  return { state, times: state === 'partly' ? times : [], hiddenBy: [...hiddenBy] }
}

function slicesOf(entries: readonly Entry[], [from, to]: Interval): Slice[] {
  const ofDay = entries.filter(({ periods }) => periods.some(([begins, ends]) => begins < to && from < ends))
  const inside = ofDay.flatMap(({ periods }) => periods.flat()).filter((at) => from < at && at < to)
  const cuts = [...new Set([from, ...inside, to])].sort((one, other) => one - other)
  return cuts.slice(0, -1).map((cut, index) => {
    const at: Interval = [cut, cuts[index + 1] ?? to]
    const ofSlice = ofDay.filter(({ periods }) => periods.some((period) => covers(period, at)))
    const isRefused = ({ menu }: Entry): boolean => Boolean(menu?.refusal)
    return {
      at,
      active: new Set(ofSlice.filter((entry) => !isRefused(entry))),
      refused: new Set(ofSlice.filter(isRefused)),
    }
  })
}

const covers = ([from, to]: Interval, slice: Interval): boolean => from <= slice[0] && slice[1] <= to

function countClashes(rows: readonly Row[]): number {
  const days = rows
    .filter(({ menu }) => menu !== null)
    .flatMap(({ spans }) => spans)
    .filter(({ hiddenBy }) => hiddenBy.length > 0)
    .flatMap(({ first, days }) => Array.from({ length: days }, (_, at) => first + at))
  return new Set(days).size
}
