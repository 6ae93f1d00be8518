/** That the codes of a discount hold is believed for so long after the store said it; then it is asked again. */
export const LOOK_HOLDS_MS = 15 * 60_000
/** Of scenarios: while the store does not answer, the pool is given out for so long still. Afterwards each code is asked for when it is needed. */
export const POOL_HOLDS_MS = 60 * 60_000

/** A time in the future was stored before a clock was set back. */
export function holdsSince(lookedAt: Date | null | undefined, now: Date, forMs: number): boolean {
  const ageMs = lookedAt ? now.getTime() - lookedAt.getTime() : Infinity
  return ageMs >= 0 && ageMs <= forMs
}
