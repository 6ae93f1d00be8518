/**
 * One rule for everything that should have gone out earlier: found due later than this, it asks a person instead of being sent, for every
 * cause (an outage, a restored backup, a moved clock, a late webhook). In hours of product time; domain.md §3 and §7. A mail that waits for
 * the sending hours is due when they begin.
 */
export const LATE_HOURS = { campaign: 6, scenario: 24 } as const

/** What was due before this is late at `now`. */
export const lateBefore = (what: keyof typeof LATE_HOURS, now: Date): Date =>
  new Date(now.getTime() - LATE_HOURS[what] * 3_600_000)
