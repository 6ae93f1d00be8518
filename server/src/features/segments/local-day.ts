import { DateTime } from 'luxon'

// Days as the merchant's calendar has them. A day is 23, 24 or 25 hours long where clocks change, and Apia had none at all on
// 30 December 2011.

/** The calendar day (`YYYY-MM-DD`) an instant falls on in a zone. */
export const localDay = (instant: Date, timezone: string): string =>
  DateTime.fromJSDate(instant, { zone: timezone }).toFormat('yyyy-MM-dd')

/** The calendar day so many days later (earlier when negative). */
export const addDays = (day: string, days: number): string =>
  DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toFormat('yyyy-MM-dd')

/** The first instant of a day in a zone: not always midnight, and where midnight comes twice the first one. */
export function startOfDay(day: string, timezone: string): Date {
  const midnight = DateTime.fromISO(day, { zone: timezone })
  const earlier = midnight.minus({ hours: 1 })
  return (earlier.toFormat('yyyy-MM-dd') === day ? earlier : midnight).toJSDate()
}
