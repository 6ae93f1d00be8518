import type { SuppressionReason } from '@okaeri/contract/customers/customer'
import type { BounceKind } from '@okaeri/contract/bounces/bounce'

/** Mails that came back soft or full on so many days, with none that arrived in between, show that the mailbox is no longer read. */
export const SOFT_DAYS = 4
/** Days that are looked back at for it. */
export const SOFT_WITHIN_DAYS = 30
/** A carrier's "unknown user" is believed when it said so on so many days (domain.md §9). */
export const DOUBTED_DAYS = 2
export const DOUBTED_WITHIN_DAYS = 180

/** What came back from an address since something last arrived there, the report that is decided on included. */
export interface BounceHistory {
  /** Days with a soft or full one. */
  softDays: number
  /** Days with a doubted one. */
  doubtedDays: number
}

/** What a report lets be done to the address; null: nothing. Pure, so that every case is one line of a test. */
export function decide(
  { kind, isDoubted, matchedBy }: { kind: BounceKind; isDoubted: boolean; matchedBy: string },
  history: BounceHistory,
): Exclude<SuppressionReason, 'manual'> | null {
  // The address in such a report may be forged.
  if (matchedBy === 'recipient') return null
  if (kind === 'complaint') return 'complaint'
  if (kind === 'hard') return 'hard_bounce'
  // Our reputation, which says nothing of the address.
  if (kind === 'blocked') return null
  if (isDoubted && history.doubtedDays >= DOUBTED_DAYS) return 'hard_bounce'
  return history.softDays >= SOFT_DAYS ? 'soft_bounce' : null
}
