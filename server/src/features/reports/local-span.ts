import type { StatsUnit, Timespan } from '@okaeri/contract/reports/routes'
import { DateTime, type DurationLike } from 'luxon'
import { invalid } from '../../kernel/errors.ts'

/** A run of time and the instants its points begin at; the first is its start. All exact instants, `end` excluded. */
export interface LocalSpan {
  unit: StatsUnit
  timezone: string
  start: Date
  end: Date
  marks: Date[]
}

const MAX_YEARS = 5
const MAX_HOURLY_DAYS = 31

const step: Record<StatsUnit, DurationLike> = {
  hour: { hours: 1 },
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
  year: { years: 1 },
}

/** The first of a span's points may begin before the span: a week whose Monday was earlier. It is counted from the span's start. */
function spanOf(from: DateTime, to: DateTime, unit: StatsUnit): LocalSpan {
  const marks = [from.toJSDate()]
  const first = from.startOf(unit)
  // Counted from the first, not from the one before: a local midnight that a clock change skips moves only its own day.
  const times = (n: number): DateTime => {
    const [[key, value]] = Object.entries(step[unit]) as [[string, number]]
    return first.plus({ [key]: value * n })
  }
  for (let n = 1; times(n) < to; n += 1) {
    const mark = times(n).startOf(unit).toJSDate()
    // Lord Howe's clocks change by half an hour: two steps may fall into one local hour; Samoa once skipped a day.
    if (mark > (marks.at(-1) ?? mark)) marks.push(mark)
  }
  return { unit, timezone: from.zoneName ?? 'UTC', start: from.toJSDate(), end: to.toJSDate(), marks }
}

/** As the contract writes a point's time: the first local day of its unit, or the local hour with its offset. */
export function labelOf(mark: Date, { unit, timezone }: Pick<LocalSpan, 'unit' | 'timezone'>): string {
  const local = DateTime.fromJSDate(mark, { zone: timezone })
  if (unit === 'hour') return local.toISO({ suppressMilliseconds: true, suppressSeconds: true }) ?? ''
  return local.startOf(unit).toISODate() ?? ''
}

/** Spec §2 and §9: last 30 days, 3 months, 1 year, today included; and as many days directly before. */
export function dashboardSpans(
  timespan: Timespan,
  now: Date,
  timezone: string,
): { current: LocalSpan; previous: LocalSpan } {
  const end = DateTime.fromJSDate(now, { zone: timezone }).startOf('day').plus({ days: 1 }).startOf('day')
  const [length, unit]: [DurationLike, StatsUnit] =
    timespan === '30d' ? [{ days: 30 }, 'day'] : timespan === '3m' ? [{ months: 3 }, 'week'] : [{ years: 1 }, 'month']
  const start = end.minus(length).startOf('day')
  const days = Math.round(end.diff(start, 'days').days)
  const before = start.minus({ days }).startOf('day')
  return {
    current: spanOf(start, end, unit),
    previous: { ...spanOf(before, start, 'year'), marks: [before.toJSDate()] },
  }
}

/** One local day by the hour. */
export function daySpan(date: string, timezone: string): LocalSpan {
  const start = localDay(date, timezone, 'date')
  return spanOf(start, start.plus({ days: 1 }).startOf('day'), 'hour')
}

/** Local days, both ends included. Refuses what is the wrong way round, or has too many points to be looked at. */
export function rangeSpan(range: { from: string; to: string; unit: StatsUnit }, timezone: string): LocalSpan {
  const start = localDay(range.from, timezone, 'from')
  const end = localDay(range.to, timezone, 'to').plus({ days: 1 }).startOf('day')
  if (end <= start) throw invalid({ to: 'too_small' })
  if (end > start.plus({ years: MAX_YEARS })) throw invalid({ to: 'too_big' })
  if (range.unit === 'hour' && end > start.plus({ days: MAX_HOURLY_DAYS })) throw invalid({ unit: 'not_allowed' })
  return spanOf(start, end, range.unit)
}

/** Local days, both ends included, where they are given: the first instant, and the first one after. */
export function localDays(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  timezone: string,
): { from?: Date; before?: Date } {
  if (from !== undefined && to !== undefined && to < from) throw invalid({ to: 'too_small' })
  return {
    ...(from !== undefined && { from: localDay(from, timezone, 'from').toJSDate() }),
    ...(to !== undefined && { before: localDay(to, timezone, 'to').plus({ days: 1 }).startOf('day').toJSDate() }),
  }
}

function localDay(date: string, timezone: string, field: string): DateTime {
  const day = DateTime.fromISO(date, { zone: timezone })
  if (!day.isValid || day.year < 1970 || day.year > 9000) throw invalid({ [field]: 'not_a_date' })
  return day.startOf('day')
}

/** For a campaign: by the hour while it is young, then by the local day. */
export function campaignSpan(startedAt: Date, now: Date, timezone: string): LocalSpan {
  const HOURLY_FOR = { days: 3 }
  const DAILY_FOR = { days: 90 }
  const started = DateTime.fromJSDate(startedAt, { zone: timezone })
  const today = DateTime.fromJSDate(now, { zone: timezone })
  if (today <= started.plus(HOURLY_FOR)) return spanOf(started.startOf('hour'), today.plus({ seconds: 1 }), 'hour')
  const end = DateTime.min(today, started.plus(DAILY_FOR)).plus({ days: 1 }).startOf('day')
  return spanOf(started.startOf('day'), end, 'day')
}
