import type { EventKind } from '@okaeri/contract/scenarios/event'

// What a rehearsal asks of the past. Moments are milliseconds: there are hundreds of thousands of them.

/** What really happened, as far as the flow asks about it. */
export interface Past {
  scenarioId: string
  timezone: string
  until: number
  /** Whether someone meets the condition of a node (or, with null, of the entry) at that time. Null: it cannot be asked. */
  meets: (nodeId: string | null, customerId: string, at: number) => boolean | null
  /** When things of a kind happened to someone, ascending. */
  happened: (kind: EventKind, customerId: string) => readonly number[]
  /** After how many days what somebody ordered at that moment is usually bought again; null where that is not known. */
  usualDays: (customerId: string, at: number) => number | null
  /** Whether mail may go to them. */
  isMailable: (customerId: string) => boolean
  /** The allowed sending hours: when a mail of this moment leaves. */
  leavesAt: (at: number) => number
  /** Mails that are there; a node with another gets stuck. */
  emails: ReadonlySet<string>
}

/** Somebody comes to a node. */
export interface PastVisit {
  past: Past
  customerId: string
  enteredAt: number
  at: number
}

/** What would have become of them there. `mailAt`: when a mail would have left; `stuck`: they would wait there for a person. */
export type Rehearsed = { to: string; at?: number; mailAt?: number } | 'stuck' | 'end'

/** The first of these moments after `at`; null when there is none. */
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
