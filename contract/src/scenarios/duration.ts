import { z } from 'zod'

/** Spec §5: an interval lies between {min} minutes and {max} days. */
export const MIN_WAIT_MINUTES = 1
export const MAX_WAIT_DAYS = 365

export const waitUnits = ['minutes', 'hours', 'days'] as const
const minutesPer = { minutes: 1, hours: 60, days: 1440 } as const

/** The range is not checked here, so that a draft can be saved: {@link isAllowedDuration} finds the problem. */
export const duration = { amount: z.int('not_a_number').min(1, 'too_small'), unit: z.enum(waitUnits, 'not_allowed') }
export interface Duration {
  amount: number
  unit: (typeof waitUnits)[number]
}
/** A day counts as 1,440 minutes, also when the clocks change. */
export const durationMinutes = ({ amount, unit }: Duration): number => amount * minutesPer[unit]
export const isAllowedDuration = (of: Duration): boolean =>
  durationMinutes(of) >= MIN_WAIT_MINUTES && durationMinutes(of) <= MAX_WAIT_DAYS * 1440
