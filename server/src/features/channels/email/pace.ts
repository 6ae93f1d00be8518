import type { PaceRow } from './pace-queries.ts'

// How fast one receiving operator is written to. Pure: what is learned from its answers, and who has to wait.

/** What is assumed of an operator that says for the first time that it was too much. */
const FIRST_PER_MINUTE = 600
/** Faster than this an operator is not held back. */
const UNLIMITED_PER_MINUTE = 6_000
const FASTER = 1.25
const FASTER_AFTER_MS = 60_000
/** Answers to what was under way at once are one answer. */
const ONE_ANSWER_MS = 30_000
const FIRST_HOLD_MS = 60_000
const LONGEST_HOLD_MS = 15 * 60_000
/** What is due is handed over so much at a time, or a worker would have to come by for each mail. */
const STEP_MS = 5_000
/** An operator that has not been slow for so long is not slow any more, whether or not it was written to. */
export const FORGOTTEN_AFTER_MS = 3 * 24 * 3_600_000
/** A mail of the day before yesterday may no longer be wanted; who waited so long is not sent it. */
export const GIVEN_UP_AFTER_MS = 48 * 3_600_000

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

/** The pace after an answer that it was too much; `known` is what was known before. */
export function slower(known: PaceRow | null, receiver: string, answer: string, now: Date): PaceRow {
  const current = known && !isForgotten(known, now) ? known : null
  if (current && now.getTime() - current.slowed_at.getTime() < ONE_ANSWER_MS) return { ...current, answer }
  const inARow = current ? current.slowed_in_a_row + 1 : 1
  const held = later(now, Math.min(LONGEST_HOLD_MS, FIRST_HOLD_MS * 2 ** Math.min(inARow - 1, 10)))
  return {
    receiver,
    per_minute: current ? Math.max(1, Math.floor(current.per_minute / 2)) : FIRST_PER_MINUTE,
    slowed_in_a_row: inARow,
    held_until: held,
    next_at: held,
    // The one that was refused waits, too.
    waiting: (current?.waiting ?? 0) + 1,
    sent_since: 0,
    changed_at: now,
    slowed_at: now,
    since: current?.since ?? now,
    answer,
  }
}

/** Long ago, or stored before the clock was set back. */
const isForgotten = ({ slowed_at: at }: PaceRow, now: Date): boolean =>
  Math.abs(now.getTime() - at.getTime()) > FORGOTTEN_AFTER_MS || at.getTime() - now.getTime() > LONGEST_HOLD_MS

/** A minute went well: a little more. Null when nothing is held back any more. */
function faster(pace: PaceRow, now: Date): PaceRow | null {
  if (isForgotten(pace, now)) return null
  if (pace.sent_since === 0 || now.getTime() - pace.changed_at.getTime() < FASTER_AFTER_MS) return pace
  const perMinute = Math.ceil(pace.per_minute * FASTER)
  if (perMinute > UNLIMITED_PER_MINUTE) return null
  return { ...pace, per_minute: perMinute, slowed_in_a_row: 0, changed_at: now, sent_since: 0 }
}

/** What is claimed for one operator: rows put off before, and others. */
export interface DueCounts {
  waited: number
  fresh: number
}

/**
 * How many of them may be handed over now, those put off before first, and until when the others are put off, at random: so that they come
 * back evenly over half the time that is left at this pace, and an operator that takes more again is given more. `pace` is null when nothing
 * is held back any more, and then all may.
 */
export function share(
  known: PaceRow,
  { waited, fresh }: DueCounts,
  now: Date,
): { pace: PaceRow | null; leave: number; retryAt: (random: number) => Date } {
  const pace = faster(known, now)
  if (!pace) return { pace, leave: waited + fresh, retryAt: () => now }
  const intervalMs = 60_000 / pace.per_minute
  const held = pace.held_until > now
  // Allowance that was not used is lost, except for one step.
  const from = Math.max(pace.next_at.getTime(), pace.held_until.getTime())
  const lost = Math.max(0, Math.floor((now.getTime() - STEP_MS - from) / intervalMs))
  const nextAt = from + lost * intervalMs
  const room = held || nextAt > now.getTime() ? 0 : Math.floor((now.getTime() - nextAt) / intervalMs) + 1
  const leave = Math.min(room, waited + fresh)
  const waitedLeave = Math.min(leave, waited)
  const waiting = Math.max(0, pace.waiting - lost - waitedLeave) + (fresh - (leave - waitedLeave))
  // No delivery is looked at again before the next one may go.
  const begin = Math.max(now.getTime() + STEP_MS, nextAt + leave * intervalMs)
  const spanMs = Math.max(STEP_MS, (waiting * intervalMs) / 2)
  return {
    pace: { ...pace, waiting, next_at: new Date(nextAt + leave * intervalMs), sent_since: pace.sent_since + leave },
    leave,
    retryAt: (random) => new Date(Math.ceil((begin + random * spanMs) / STEP_MS) * STEP_MS),
  }
}

/** Waits for an operator that has been slow all the while. */
export const isGivenUp = (pace: PaceRow, deliveryId: string, now: Date): boolean =>
  now.getTime() - pace.since.getTime() > GIVEN_UP_AFTER_MS && now.getTime() - madeAt(deliveryId) > GIVEN_UP_AFTER_MS

/** RFC 9562 §5.7: the first 48 bits of a UUIDv7 are Unix milliseconds. */
const madeAt = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
