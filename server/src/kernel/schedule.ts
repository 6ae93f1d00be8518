import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from './context.ts'

/** Something looked at again and again by the worker: it finds its due work in the database, so nothing is lost by a restart. */
export interface Recurring {
  readonly name: string
  readonly everyMs: number
  /** Answers whether there was work; then it is asked again at once. */
  readonly run: (context: Context, signal: AbortSignal) => Promise<boolean>
}

/** Runs each in its own loop, never two of one at a time in this process. A failure is logged and tried again at the next turn. */
export function startSchedule(context: Context, items: readonly Recurring[]): { stop(): Promise<void>; nudge(): void } {
  const stopping = new AbortController()
  let woken = new AbortController()
  const loops = items.map(async ({ name, everyMs, run }) => {
    while (!stopping.signal.aborted) {
      let busy = false
      try {
        busy = await run(context, stopping.signal)
      } catch (error) {
        if (!stopping.signal.aborted)
          context.log.error({ recurring: name, error }, 'recurring work failed; it will be tried again')
      }
      if (!busy && !stopping.signal.aborted)
        await sleep(everyMs, undefined, { signal: AbortSignal.any([stopping.signal, woken.signal]) }).catch(ignoreAbort)
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

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}
