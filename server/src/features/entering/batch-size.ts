import type { Context } from '../../kernel/context.ts'
import { isBrokenOff } from '../../kernel/statement-limits.ts'

/** Events of a merchant looked at in one transaction: at first, at most, and where their conditions are heavy. */
export const EVENTS_AT_ONCE = { first: 500, most: 2000, least: 200 }
/** So long a merchant's time slice should take: the others wait for it. */
const TIME_SLICE_MS = 2000
/** A statement of a time slice is broken off after so long: then fewer are looked at. Of the fewest, what one scenario asks is given up. */
const TOO_LONG_MS = { most: 8000, least: 20_000 }
/**
 * At most twice or half as many after each: what went quickly says little about a batch many times as large, and what went slowly may have
 * done so because the machine is busy, where small batches make it busier.
 */
const STEP = 2

/** How many are next, by merchant. In memory: a new process starts from the beginning. */
const next = new WeakMap<Context, Map<string, number>>()

export interface BatchSize {
  readonly atOnce: number
  readonly statementLimitMs: number
  /** So many were looked at, in so long. */
  took(count: number, elapsedMs: number): void
  /** Whether a statement was broken off, and fewer will do. */
  isTooFast(error: unknown): boolean
  slowDown(): void
}

/** How many events of this merchant are looked at together, so that a time slice takes about two seconds, however costly their scenarios are. */
export function batchSizeOf(context: Context, merchantId: string): BatchSize {
  const known = next.get(context) ?? new Map<string, number>()
  next.set(context, known)
  const atOnce = known.get(merchantId) ?? EVENTS_AT_ONCE.first
  const set = (count: number): void => {
    known.set(merchantId, Math.max(EVENTS_AT_ONCE.least, Math.min(EVENTS_AT_ONCE.most, Math.floor(count))))
  }
  return {
    atOnce,
    statementLimitMs: atOnce > EVENTS_AT_ONCE.least ? TOO_LONG_MS.most : TOO_LONG_MS.least,
    took(count, elapsedMs) {
      // Of a few that were all there were, only slowness says something.
      if (count >= atOnce || elapsedMs > TIME_SLICE_MS)
        set(Math.max(atOnce / STEP, Math.min(atOnce * STEP, (count * TIME_SLICE_MS) / Math.max(1, elapsedMs))))
    },
    isTooFast: (error) => atOnce > EVENTS_AT_ONCE.least && isBrokenOff(error),
    slowDown: () => set(atOnce / 4),
  }
}
