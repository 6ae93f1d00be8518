import { setTimeout as sleep } from 'node:timers/promises'
import { stopwatch } from '../clock.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000
const SAID_AGAIN_AFTER_MS = 60_000

/** Waits longer after each try, and reports the reason at the first and then once a minute. `signal` ends a wait early, by throwing. */
export function createBackoff(say: (line: string) => void): (reason: string, signal?: AbortSignal) => Promise<void> {
  let waitMs = FIRST_WAIT_MS
  let sinceSaid: (() => number) | null = null
  return async (reason, signal) => {
    if (!sinceSaid || sinceSaid() >= SAID_AGAIN_AFTER_MS) {
      say(reason)
      sinceSaid = stopwatch()
    }
    await sleep(waitMs, undefined, { signal })
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
}
