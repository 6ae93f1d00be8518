/** Real time. */
const EVERY_MS = 60_000

export interface Tally {
  /** Adds to the count. The first is reported at once; later ones are counted, and reported together once a minute. */
  add(count?: number): void
  /** Drops what was not reported yet. The next one is reported at once. */
  reset(): void
}

/** For events that may happen thousands of times in a row: `say` is called for the first at once, then once a minute with the number since. */
export function createThrottledReport(say: (count: number) => void): Tally {
  let waiting = 0
  let timer: NodeJS.Timeout | null = null
  const tell = (): void => {
    if (waiting === 0) {
      timer = null
      return
    }
    const count = waiting
    waiting = 0
    timer = setTimeout(tell, EVERY_MS).unref()
    say(count)
  }
  return {
    add(count = 1) {
      waiting += count
      if (!timer) tell()
    },
    reset() {
      if (timer) clearTimeout(timer)
      timer = null
      waiting = 0
    },
  }
}
