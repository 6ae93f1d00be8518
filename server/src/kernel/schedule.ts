import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from './context.ts'
import { isOutage } from './database-trouble.ts'

/** Something looked at again and again by the worker: it finds its due work in the database, so nothing is lost by a restart. */
export interface Recurring {
  readonly name: string
  readonly everyMs: number
  /** Answers whether there was work; then it is asked again at once. */
  readonly run: (context: Context, signal: AbortSignal) => Promise<boolean>
}

/** While there is no room or no connection left, each loop looks again after twice the time, up to this. */
const LONGEST_PAUSE_MS = 30_000

/** Runs each in its own loop, never two of one at a time in this process. A failure is logged and tried again at the next turn; while the database is away there is none. */
export function startSchedule(context: Context, items: readonly Recurring[]): { stop(): Promise<void>; nudge(): void } {
  const stopping = new AbortController()
  let woken = new AbortController()
  const loops = items.map(async ({ name, everyMs, run }) => {
    let outages = 0
    while (!stopping.signal.aborted) {
      let busy = false
      try {
        busy = await run(context, stopping.signal)
        outages = 0
      } catch (error) {
        outages = isOutage(error) ? outages + 1 : 0
        if (!stopping.signal.aborted)
          context.log.error({ recurring: name, error }, 'recurring work failed; it will be tried again')
      }
      if (!busy && !stopping.signal.aborted)
        await sleep(pauseMs(everyMs, outages), undefined, {
          signal: AbortSignal.any([stopping.signal, woken.signal]),
        }).catch(ignoreAbort)
      await context.database.whenBack(stopping.signal)
    }
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
    nudge() {
      const previous = woken
      woken = new AbortController()
      previous.abort()
    },
  }
}

/** Not all loops of all processes at the same moment. */
const pauseMs = (everyMs: number, outages: number): number =>
  outages === 0 ? everyMs : Math.min(LONGEST_PAUSE_MS, everyMs * 2 ** outages) * (0.5 + Math.random() / 2)

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}
