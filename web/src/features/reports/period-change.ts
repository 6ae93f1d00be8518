import type { Figures } from '@okaeri/contract/reports/routes'

interface Change {
  now: number
  /** Null where the period before has nothing to compare with. */
  before: number | null
  points?: boolean
}

/** A sum beside that of the period before; undefined while it is loading. A period without emails and orders compares with nothing. */
export function sumChange(
  of: 'sent' | 'orders' | 'unsubscribed' | 'revenue',
  now: Figures | undefined,
  before: Figures | null | undefined,
): Change | undefined {
  if (!now || before === undefined) return undefined
  const isEmpty = before === null || (before.sent === 0 && before.orders === 0)
  return { now: now[of], before: isEmpty ? null : before[of] }
}

/** Nothing was sent that could have this rate: opens are known of emails alone. */
const hasNone = (of: 'open_rate' | 'click_rate', { sent, mails_sent }: Figures): boolean =>
  (of === 'open_rate' ? mails_sent : sent) === 0

/** A rate beside that of the period before. */
export function rateChange(
  of: 'open_rate' | 'click_rate',
  now: Figures | undefined,
  before: Figures | null | undefined,
): Change | undefined {
  if (!now || before === undefined || hasNone(of, now)) return undefined
  return { now: now[of], before: before === null || hasNone(of, before) ? null : before[of], points: true }
}
