import type { Reentry } from '@okaeri/contract/scenarios/flow/flow'
import { localDay } from '../segments/index.ts'

export interface EarlierEntries {
  /** When they last entered; null if never. */
  last_at: Date | null
  last_execution_id: string | null
  /** Whether they have an execution that has not ended; also paused, late and failed ones. */
  is_open: boolean
}

/** Days are calendar days of the merchant: every seven days at ten is allowed on the seventh day at ten. */
export function mayEnterAgain(
  reentry: Reentry,
  before: Pick<EarlierEntries, 'last_at' | 'is_open'>,
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
