import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Clock } from '../kernel/clock.ts'

const Reported = z.object({ offset_ms: z.number() })
/** Between two questions, which are answered after a move: moves within it are reported together. */
const PAUSE_MS = 500
const TIMEOUT_MS = 2_000
/** The sandbox keeps a question for 20 seconds. */
const FOLLOW_TIMEOUT_MS = 30_000
/** `npm start` brings the sandbox up beside us; without one there is no other time to wait for. */
const FIRST_ANSWER_MS = 10_000

/**
 * Follows the clock of the sandbox, so that the sandbox and all processes of Okaeri move together. If the sandbox does not answer, the time
 * stays as it is. `onMove` is called at each move; `look` asks at once; `known` resolves when the sandbox has answered once, or after ten
 * seconds.
 */
export function followSandboxClock(
  clock: Clock,
  sandboxUrl: string,
  onMove: () => void,
): { stop(): void; look(): Promise<void>; known: Promise<void> } {
  const stopping = new AbortController()
  let offsetMs: number | null = null
  const ask = async (isFollowing: boolean): Promise<void> => {
    const before = offsetMs
    const query = isFollowing && before !== null ? `?unless_offset_ms=${before}` : ''
    try {
      const timeout = AbortSignal.timeout(query ? FOLLOW_TIMEOUT_MS : TIMEOUT_MS)
      const response = await fetch(`${sandboxUrl}/clock.json${query}`, {
        signal: AbortSignal.any([stopping.signal, timeout]),
      })
      const { offset_ms: reported } = Reported.parse(await response.json())
      // Another caller may know something newer.
      if (reported === offsetMs || (query && offsetMs !== before)) return
      offsetMs = reported
      clock.setOffset(reported)
      onMove()
    } catch {
      // Not up yet, or being restarted: asked again in a moment.
    }
  }
  let answered = (): void => {}
  const known = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, FIRST_ANSWER_MS)
    answered = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await ask(true)
      if (offsetMs !== null) answered()
      await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  void follow()
  return { stop: () => stopping.abort(), look: () => ask(false), known }
}
