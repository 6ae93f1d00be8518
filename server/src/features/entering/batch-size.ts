import type { Context } from '../../kernel/context.ts'
import { isBrokenOff } from '../../kernel/database/statement-limits.ts'

/** Events of a merchant in one transaction: at first, at most, and at least. */
export const EVENTS_AT_ONCE = { first: 500, most: 2000, least: 200 }
/** The duration to aim for: other merchants wait meanwhile. */
const TIME_SLICE_MS = 2000
/** A longer statement is cancelled, and the batch is repeated with fewer events. With the fewest, the scenario that asks it fails. */
const TOO_LONG_MS = { most: 8000, least: 20_000 }
/**
 * At most doubled or halved after each batch. A fast small batch says little about a large one, and a slow one may be due to a busy
 * machine, which small batches make busier.
 */
const STEP = 2

/** The next size, by merchant. In memory: a new process starts from the beginning. */
const next = new WeakMap<Context, Map<string, number>>()

export interface BatchSize {
  readonly atOnce: number
  readonly statementLimitMs: number
  /** Reports how many events were processed, and how long that took. */
  took(count: number, elapsedMs: number): void
  /** Whether a statement was cancelled and a smaller batch may help. */
  isTooFast(error: unknown): boolean
  slowDown(): void
}

/** How many events of this merchant to process together, so that a time slice takes about two seconds whatever their scenarios cost. */
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
      // If these were all there were, only slowness says something.
      if (count >= atOnce || elapsedMs > TIME_SLICE_MS)
        set(Math.max(atOnce / STEP, Math.min(atOnce * STEP, (count * TIME_SLICE_MS) / Math.max(1, elapsedMs))))
    },
    isTooFast: (error) => atOnce > EVENTS_AT_ONCE.least && isBrokenOff(error),
    slowDown: () => set(atOnce / 4),
  }
}
