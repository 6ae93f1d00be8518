import type { ConsentState } from '@okaeri/contract/customers/customer'

/** Who changed a permission. Closed: each has its place in the rule below. */
export const consentSources = [
  'store',
  'sync',
  'unsubscribe_link',
  'one_click',
  'subscribe_link',
  'storefront',
  'member',
  'complaint',
  'import',
] as const
export type ConsentSource = (typeof consentSources)[number]

/** Reported by the store platform: these are compared by time with what we have, and are not sent back to it. */
export const isFromStore = (source: ConsentSource): boolean => source === 'store' || source === 'sync'

export interface KnownConsent {
  state: ConsentState
  /** Null while nothing was ever said. */
  changedAt: Date | null
  /** Its time had not come yet: it was stored before the clock was set back, so which side is newer is not known. */
  isAhead?: boolean
}

/** The platform keeps whole seconds. */
const second = (at: Date): number => Math.floor(at.getTime() / 1000)

/**
 * Whether a change takes effect. Our own always do, since the person or a member acts now, with one exception: an import may fill in an
 * unknown state and may end a permission, but never brings back someone who opted out. Between the store and us the newer side wins; within
 * one second the opt-out does, and where our time cannot be believed. The store's "not subscribed" is not an opt-out and removes none.
 */
export function consentTakesEffect(
  known: KnownConsent,
  change: { to: ConsentState; source: ConsentSource; occurredAt: Date | null },
): boolean {
  if (change.to === known.state) return false
  if (change.source === 'import') return known.state === 'unknown' || change.to === 'withdrawn'
  if (!isFromStore(change.source)) return true
  if (change.to === 'unknown' && known.state === 'withdrawn') return false
  if (!known.changedAt) return true
  if (known.isAhead) return known.state !== 'withdrawn'
  if (!change.occurredAt) return false
  const difference = second(change.occurredAt) - second(known.changedAt)
  return difference > 0 || (difference === 0 && known.state !== 'withdrawn')
}

/** The platform's word for a state, in either letter case. A word it may add later says nothing to us. */
export function readStoreConsent(state: string | null | undefined): ConsentState {
  switch (state?.toUpperCase()) {
    case 'SUBSCRIBED':
      return 'granted'
    case 'UNSUBSCRIBED':
    case 'REDACTED':
      return 'withdrawn'
    case 'PENDING':
      return 'pending'
    default:
      return 'unknown'
  }
}
