/**
 * The one clock. Product time (`now`) can run ahead of real time: the sandbox moves it, so that a 30-day flow can be watched in a minute.
 * Sessions, leases and access tokens use real time (`realNow`): moving the sandbox's clock signs no one out.
 */
export interface Clock {
  now(): Date
  realNow(): Date
  /** Sets how far product time is ahead of real time, in milliseconds. */
  setOffset(offsetMs: number): void
}

/** `offsetMs`: how far product time is ahead from the beginning. */
export function createClock(offsetMs = 0): Clock {
  let offset = offsetMs
  return {
    now: () => new Date(Date.now() + offset),
    realNow: () => new Date(),
    setOffset(next) {
      offset = next
    },
  }
}

/** For measuring durations, in milliseconds; not a time of day. */
export const stopwatch = (): (() => number) => {
  const start = performance.now()
  return () => performance.now() - start
}

/**
 * As {@link stopwatch}, but the larger value of two clocks: one stands still while the machine sleeps, the other can be set back. For actions
 * that must not happen too late.
 */
export const cautiousStopwatch = (): (() => number) => {
  const start = performance.now()
  const startedAt = Date.now()
  return () => Math.max(performance.now() - start, Date.now() - startedAt)
}
