import { DateTime } from 'luxon'

// Days of the merchant's calendar. A day has 23, 24 or 25 hours if the clocks change, and in Apia 30 December 2011 did not exist.

/** The calendar day (`YYYY-MM-DD`) an instant falls on in a zone. */
export const localDay = (instant: Date, timezone: string): string =>
  DateTime.fromJSDate(instant, { zone: timezone }).toFormat('yyyy-MM-dd')

/** The calendar day this many days later (earlier if negative). */
export const addDays = (day: string, days: number): string =>
  DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toFormat('yyyy-MM-dd')

/** The first instant of a day in a zone: not always midnight, and the first one if midnight comes twice. */
export function startOfDay(day: string, timezone: string): Date {
  const midnight = DateTime.fromISO(day, { zone: timezone })
  const earlier = midnight.minus({ hours: 1 })
  return (earlier.toFormat('yyyy-MM-dd') === day ? earlier : midnight).toJSDate()
}
