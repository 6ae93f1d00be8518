/** The platform counts its months in Japan's time, which has no summer time. */
const JAPAN_MS = 9 * 3_600_000

const there = (at: Date): Date => new Date(at.getTime() + JAPAN_MS)

/** As the platform names a day: `20270131`. */
export const dayInJapan = (at: Date): string => there(at).toISOString().slice(0, 10).replaceAll('-', '')

export const startOfMonth = (at: Date): Date =>
  new Date(Date.UTC(there(at).getUTCFullYear(), there(at).getUTCMonth(), 1) - JAPAN_MS)

export function endOfMonth(at: Date): Date {
  return new Date(Date.UTC(there(at).getUTCFullYear(), there(at).getUTCMonth() + 1, 1) - JAPAN_MS)
}
