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

export interface Schedule {
  stop(): Promise<void>
  /** All look at once instead of at their next turn. */
  nudge(): void
  /**
   * Their turns are held, and taken one after another until each found nothing: side by side two may pass over what the other holds just
   * then. Answers whether any found something. For tests of a running process.
   */
  settle(): Promise<boolean>
}

/** While there is no room or no connection left, each loop looks again after twice the time, up to this. */
const LONGEST_PAUSE_MS = 30_000

/** Runs each in its own loop, never two of one at a time in this process. A failure is logged and tried again at the next turn; while the database is away there is none. */
export function startSchedule(context: Context, items: readonly Recurring[]): Schedule {
  const stopping = new AbortController()
  let woken = new AbortController()
  /** Ends when nobody holds the turns. */
  let held: Promise<void> = Promise.resolve()
  const untilLetGo = async (): Promise<void> => {
    for (let seen: Promise<void> | null = null; seen !== held; await seen) seen = held
  }
  const underWay = new Set<Promise<boolean>>()
  const outages = new Map<Recurring, number>()
  const takeTurn = async (item: Recurring): Promise<boolean> => {
    try {
      const busy = await item.run(context, stopping.signal)
      outages.delete(item)
      return busy
    } catch (error) {
      outages.set(item, isOutage(error) ? (outages.get(item) ?? 0) + 1 : 0)
      if (!stopping.signal.aborted)
        context.log.error({ recurring: item.name, error }, 'recurring work failed; it will be tried again')
      return false
    }
  }
  const loops = items.map(async (item) => {
    while (!stopping.signal.aborted) {
      await untilLetGo()
      const turn = takeTurn(item)
      underWay.add(turn)
      const busy = await turn
      underWay.delete(turn)
      if (!busy && !stopping.signal.aborted)
        await sleep(pauseMs(item.everyMs, outages.get(item) ?? 0), undefined, {
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
    async settle() {
      const before = held
      const { promise, resolve: letGo } = Promise.withResolvers<void>()
      held = promise
      await before
      try {
        let worked = (await Promise.all(underWay)).includes(true)
        for (const item of items) while (!stopping.signal.aborted && (await takeTurn(item))) worked = true
        return worked
      } finally {
        letGo()
      }
    },
  }
}

/** Not all loops of all processes at the same moment. */
const pauseMs = (everyMs: number, outages: number): number =>
  outages === 0 ? everyMs : Math.min(LONGEST_PAUSE_MS, everyMs * 2 ** outages) * (0.5 + Math.random() / 2)

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}
