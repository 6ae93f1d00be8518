import { z } from 'zod'
import type { Clock } from '../kernel/clock.ts'

const Told = z.object({ offset_ms: z.number() })
const EVERY_MS = 500
const TIMEOUT_MS = 2_000
/** `npm start` brings the sandbox up beside us; without one there is no other time to wait for. */
const FIRST_ANSWER_MS = 10_000

/**
 * Follows the clock of the sandbox, so that it and every process of Okaeri move together. A sandbox that does not answer leaves the
 * time where it is. `onMove` hears of each move; `look` asks at once; `known` resolves when it has told its time, or does not answer for ten
 * seconds.
 */
export function followSandboxClock(
  clock: Clock,
  sandboxUrl: string,
  onMove: () => void,
): { stop(): void; look(): Promise<void>; known: Promise<void> } {
  let offsetMs = 0
  let answered = (): void => {}
  const known = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, FIRST_ANSWER_MS)
    answered = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  const ask = async (): Promise<number | null> => {
    try {
      const response = await fetch(`${sandboxUrl}/clock.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      return Told.safeParse(await response.json()).data?.offset_ms ?? null
    } catch {
      // Not up yet, or being restarted: asked again in a moment.
      return null
    }
  }
  const look = async (): Promise<void> => {
    const told = await ask()
    if (told === null) return
    if (told !== offsetMs) {
      offsetMs = told
      clock.setOffset(offsetMs)
      onMove()
    }
    answered()
  }
  const timer = setInterval(() => void look(), EVERY_MS)
  void look()
  return { stop: () => clearInterval(timer), look, known }
}
