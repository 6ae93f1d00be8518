/** The platform counts its months in Japan's time, which has no summer time. */
const JAPAN_MS = 9 * 3_600_000

export function endOfMonth(at: Date): Date {
  const there = new Date(at.getTime() + JAPAN_MS)
  return new Date(Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + 1, 1) - JAPAN_MS)
}
