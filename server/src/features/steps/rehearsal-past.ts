import type { ChannelName, SkipReason } from '@okaeri/contract/deliveries/delivery'
import type { EventKind } from '@okaeri/contract/scenarios/event'

// What a rehearsal asks about the past. Times are milliseconds: there are hundreds of thousands of them.

/** What really happened, as far as the flow needs it. */
export interface RehearsalPast {
  scenarioId: string
  timezone: string
  until: number
  /** Whether a customer meets the condition of a node (null: of the entry) at that time. Null: it cannot be answered. */
  meets: (nodeId: string | null, customerId: string, at: number) => boolean | null
  /** Whether what a customer had at that time is left to their restock registration. */
  isNotifiedByRegistration: (customerId: string, at: number) => boolean
  /** When events of a kind happened to a customer, ascending. */
  happened: (kind: EventKind, customerId: string) => readonly number[]
  /** The usual interval of what a customer ordered at that time; null if not known. */
  usualDays: (customerId: string, at: number) => number | null
  /** Why a customer cannot be reached by that channel, as they are now; null for those who can. `isFirst`: nothing was sent on this way before. */
  whyNot: (channel: ChannelName, customerId: string, isFirst: boolean) => SkipReason | null
  /** When a message of this time leaves, by the sending hours. */
  leavesAt: (at: number) => number
  /** Emails and LINE messages there are; a node with any other gets stuck. */
  contents: ReadonlySet<string>
}

/** A customer's visit of a node. */
export interface PastVisit {
  past: RehearsalPast
  customerId: string
  enteredAt: number
  at: number
  /** Where a wait begins: now, or when its last message leaves. */
  waitsFrom: number
  /** Nothing was sent on this way before. */
  isFirst: boolean
}

/**
 * What would have happened. `sentAt`: when a message would have left, or `skipped`: why it would not. `stuck`: the customer would wait there for a
 * member.
 */
export type Rehearsed = { to: string; at?: number; sentAt?: number; skipped?: SkipReason } | 'stuck' | 'end'

/** The first of these times after `at`, or null. */
export function firstAfter(moments: readonly number[], at: number): number | null {
  let low = 0
  let high = moments.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((moments[middle] ?? 0) > at) high = middle
    else low = middle + 1
  }
  return moments[low] ?? null
}
