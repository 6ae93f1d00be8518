import type { Reentry } from '@okaeri/contract/scenarios/flow'
import { localDay } from '../segments/index.ts'

export interface Before {
  /** When they entered last; null when they never did. */
  last_at: Date | null
  last_execution_id: string | null
  /** Whether an execution of theirs is on its way: also one that is paused, asked about or failed. */
  is_open: boolean
}

/** Days are those of the merchant's calendar: what comes every seven days at ten comes on the seventh day at ten. */
export function mayEnterAgain(
  reentry: Reentry,
  before: Pick<Before, 'last_at' | 'is_open'>,
  now: Date,
  timezone: string,
): boolean {
  if (reentry.mode === 'always') return true
  if (before.last_at === null) return true
  if (reentry.mode === 'once' || before.is_open) return false
  if (reentry.mode === 'when_none_runs') return true
  const dayOf = (at: Date): number => Date.parse(localDay(at, timezone)) / 86_400_000
  return dayOf(now) - dayOf(before.last_at) >= reentry.days
}
