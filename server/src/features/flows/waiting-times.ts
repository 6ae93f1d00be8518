import { type Duration, durationMinutes } from '@okaeri/contract/scenarios/duration'
import type { Waiting } from '@okaeri/contract/scenarios/node-kinds/wait'
import { DateTime } from 'luxon'

const MINUTE_MS = 60_000
/** Seven weekdays, and one more for a calendar that skipped a day. */
const MAX_DAYS_AHEAD = 8

/**
 * When a wait that began at `from` ends. Minutes and hours are exact. Days are calendar days, so that three days after Friday 10:00 is
 * Monday 10:00 also when the clocks change. A time of day is the next one, never this same moment. A time the clocks skip is later by
 * as much as they skip; of a time that comes twice, the first that is not over. `usualDays`: the usual interval, if known.
 */
export function endOfWait(wait: Waiting, from: Date, timezone: string, usualDays: number | null = null): Date {
  const local = DateTime.fromJSDate(from, { zone: timezone })
  if (wait.mode === 'usual_interval') return local.plus({ days: usualDays ?? wait.days }).toJSDate()
  if (wait.mode === 'for')
    return wait.unit === 'days'
      ? local.plus({ days: wait.amount }).toJSDate()
      : new Date(from.getTime() + durationMinutes(wait) * MINUTE_MS)
  const [hour, minute] = wait.time.split(':').map(Number)
  for (let days = 0; days <= MAX_DAYS_AHEAD; days += 1) {
    const day = local.plus({ days })
    if (wait.mode === 'until_weekday' && !wait.weekdays.includes(day.weekday)) continue
    const at = day.set({ hour: hour ?? 0, minute: minute ?? 0, second: 0, millisecond: 0 })
    if (at.toMillis() > from.getTime()) return at.toJSDate()
  }
  throw new Error(`no end of ${JSON.stringify(wait)} after ${from.toISOString()} in ${timezone}`)
}

/** A limit, calculated like a wait of that length. */
export const endOfLimit = ({ amount, unit }: Duration, from: Date, timezone: string): Date =>
  endOfWait({ mode: 'for', amount, unit }, from, timezone)
