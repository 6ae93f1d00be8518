import { DateTime } from 'luxon'

/** What the date picker holds: the clock on the merchant's wall. */
const WALL = 'yyyy-MM-dd HH:mm:ss'

/** The moment a wall clock time in the merchant's zone is, as ISO in UTC; null when it is no time. */
export function instantOf(wall: string | null, zone: string): string | null {
  if (!wall) return null
  return DateTime.fromFormat(wall, WALL, { zone }).toUTC().toISO()
}

export const wallOf = (instant: string | null, zone: string): string | null =>
  instant ? DateTime.fromISO(instant, { zone }).toFormat(WALL) : null

export const quickPicks = ['inHour', 'tomorrow10', 'tomorrow20', 'nextMonday'] as const
export type QuickPick = (typeof quickPicks)[number]

/** A common time as wall clock time. */
export function quickPick(pick: QuickPick, zone: string, now: Date): string {
  const local = DateTime.fromJSDate(now, { zone })
  const at = (day: DateTime, hour: number) => day.set({ hour, minute: 0, second: 0, millisecond: 0 })
  const times: Record<QuickPick, () => DateTime> = {
    // The next full five minutes after an hour from now.
    inHour: () => {
      const later = local.plus({ hours: 1 })
      return later.plus({ minutes: (5 - (later.minute % 5)) % 5 }).startOf('minute')
    },
    tomorrow10: () => at(local.plus({ days: 1 }), 10),
    tomorrow20: () => at(local.plus({ days: 1 }), 20),
    nextMonday: () => at(local.plus({ days: 8 - local.weekday }), 10),
  }
  return times[pick]().toFormat(WALL)
}
