/** Real time. */
const EVERY_MS = 60_000

export interface Tally {
  /** So many more. What is said at once counts them; what follows is counted, and said together once a minute. */
  add(count?: number): void
  /** Drops what was not reported yet. The next one is reported at once. */
  reset(): void
}

/** For what may happen thousands of times in a row: `say` hears of the first at once, then once a minute of how many there were since. */
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
