import type { SendingHours } from '@okaeri/contract/merchants/merchant'
import { DateTime } from 'luxon'

/**
 * The next moment at which mail may be sent, or null when `at` is one. The hours are local; a window whose end is before its start
 * spans midnight. Across a change of the clocks the local time counts.
 */
export function nextAllowedTime(at: Date, hours: SendingHours, timezone: string): Date | null {
  if (!hours.enabled) return null
  const local = DateTime.fromJSDate(at, { zone: timezone })
  const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
  const [start, end] = [minutes(hours.start), minutes(hours.end)]
  const minuteOfDay = local.hour * 60 + local.minute
  const within = start <= end ? minuteOfDay >= start && minuteOfDay < end : minuteOfDay >= start || minuteOfDay < end
  if (within) return null
  const opening = (day: DateTime): DateTime =>
    day.set({ hour: Math.floor(start / 60), minute: start % 60, second: 0, millisecond: 0 })
  const today = opening(local)
  return (today > local ? today : opening(local.plus({ days: 1 }))).toJSDate()
}

const MINUTE_MS = 60_000

/** Whether the sending hours begin at this very moment. They do so at whole minutes; for any other time no calendar is asked. */
export const isOpening = (at: Date, hours: SendingHours, timezone: string): boolean =>
  at.getTime() % MINUTE_MS === 0 &&
  nextAllowedTime(new Date(at.getTime() - 1), hours, timezone)?.getTime() === at.getTime()
