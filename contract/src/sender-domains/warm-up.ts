import { z } from 'zod'

/**
 * How many mails an unknown domain sends on each of its first days, so that receivers see a sender grow instead of a flood: about twice
 * as many each day, as large receivers and services advise. A day without mail is none of them. After the last one nothing is held back.
 */
export const WARM_UP_PLAN = [100, 200, 400, 800, 1_500, 3_000, 6_000, 12_000, 25_000, 50_000] as const

/** `dayIndex`: days with mail before this one. Null: no limit. */
export const warmUpLimit = (dayIndex: number): number | null => WARM_UP_PLAN[dayIndex] ?? null

export const WarmUp = z
  .object({
    since: z.iso.datetime(),
    /** Days with mail, today included: its date, what may be sent on it, and what was. `limit` null: over. */
    days: z.array(z.object({ day: z.iso.date(), limit: z.int().nullable(), sent: z.int() })),
  })
  .meta({ id: 'WarmUp' })
export type WarmUp = z.output<typeof WarmUp>

/** What is left of today, and all of the days after it; null where nothing is held back any more. */
export function warmUpLeft({ days }: Pick<WarmUp, 'days'>): { today: number; later: readonly number[] } | null {
  const today = days.at(-1)
  if (!today || today.limit === null) return null
  return { today: Math.max(0, today.limit - today.sent), later: WARM_UP_PLAN.slice(days.length) }
}

/** On which day the last of so many mails goes, today being the first. */
export function warmUpDaysFor(left: { today: number; later: readonly number[] }, mails: number): number {
  let rest = mails - left.today
  let day = 1
  for (const limit of left.later) {
    if (rest <= 0) return day
    rest -= limit
    day += 1
  }
  // After the plan the rest goes in one day.
  return rest > 0 ? day + 1 : day
}
