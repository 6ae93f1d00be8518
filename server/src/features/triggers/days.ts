import { DateTime } from 'luxon'
import { addDays, localDay } from '../segments/index.ts'
import type { PastSource, PastEvent } from './trigger-kind.ts'

/** The instant of a trigger's time on a day of the merchant's calendar. If the clocks skip that time, just after. */
export const timeOn = (day: string, time: string, timezone: string): Date =>
  DateTime.fromISO(`${day}T${time}`, { zone: timezone }).toJSDate()

const FIRST_YEAR = 1900
/** Stands for an unknown year (contract: birthdays). */
const NO_YEAR = 1004

/** The same day in every year so far. On 28 February of a common year, also 29 February. */
export function datesOfYears(day: string): string[] {
  const thisYear = Number(day.slice(0, 4))
  const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const parts = [day.slice(5), ...(day.slice(5) === '02-28' && !isLeap(thisYear) ? ['02-29'] : [])]
  const years = [NO_YEAR, ...Array.from({ length: thisYear - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index)]
  return years.flatMap((year) =>
    parts.filter((part) => part !== '02-29' || isLeap(year)).map((part) => `${year}-${part}`),
  )
}

export const isWithin = ({ span }: Pick<PastSource, 'span'>, { at }: PastEvent): boolean =>
  at >= span.from.getTime() && at < span.until.getTime()

/** The past events of a daily trigger for each day of the span. `people`: customers with the day that matters to them. */
export function pastDays(
  people: readonly { customerId: string; day: string }[],
  { time, daysUntil, everyYear }: { time: string; daysUntil: number; everyYear: boolean },
  asked: PastSource,
): PastEvent[] {
  const { span, timezone } = asked
  const byDay = Map.groupBy(people, ({ day }) => (everyYear ? day.slice(-5) : day))
  const events: PastEvent[] = []
  const last = localDay(span.until, timezone)
  for (let day = localDay(span.from, timezone); day <= last; day = addDays(day, 1)) {
    const at = timeOn(day, time, timezone).getTime()
    const meant = addDays(day, daysUntil)
    const days = everyYear ? new Set(datesOfYears(meant).map((date) => date.slice(5))) : [meant]
    for (const date of days)
      for (const { customerId } of byDay.get(date) ?? []) {
        const event = { customerId, at }
        if (isWithin(asked, event)) events.push(event)
      }
  }
  return events
}
