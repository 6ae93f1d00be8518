import { z } from 'zod'
import type { Clock } from '../kernel/clock.ts'

const Told = z.object({ offset_ms: z.number() })
const EVERY_MS = 500
const TIMEOUT_MS = 2_000

/**
 * Follows the clock of the sandbox, so that it and every process of Okaeri move together. A sandbox that does not answer leaves the
 * time where it is. `onMove` hears of each move; `look` asks at once.
 */
export function followSandboxClock(
  clock: Clock,
  sandboxUrl: string,
  onMove: () => void,
): { stop(): void; look(): Promise<void> } {
  let offsetMs = 0
  const look = async (): Promise<void> => {
    try {
      const response = await fetch(`${sandboxUrl}/clock.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      const told = Told.safeParse(await response.json())
      if (!told.success || told.data.offset_ms === offsetMs) return
      offsetMs = told.data.offset_ms
    } catch {
      // Not up yet, or being restarted: asked again in a moment.
      return
    }
    clock.setOffset(offsetMs)
    onMove()
  }
  const timer = setInterval(() => void look(), EVERY_MS)
  void look()
  return { stop: () => clearInterval(timer), look }
}
