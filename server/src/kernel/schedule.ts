import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from './context.ts'
import { isOutage } from './database-trouble.ts'
import type { WakeUps } from './wake-ups.ts'

/** Something looked at again and again by the worker: it finds its due work in the database, so nothing is lost by a restart. */
export interface Recurring {
  readonly name: string
  readonly everyMs: number
  /** Answers whether there was work; then it is asked again at once. */
  readonly run: (context: Context, signal: AbortSignal) => Promise<boolean>
  /** For work that is found in tables (due-merchants.ts): as `run`; it also answers whether it may rest until the next write there. */
  readonly look?: (context: Context, signal: AbortSignal) => Promise<Look>
  readonly tables?: (context: Context) => readonly string[]
}
export interface Look {
  worked: boolean
  /** Some merchant has due work, even if it cannot be done just now: it is looked at every `everyMs`. */
  found: boolean
  /** In how many milliseconds the clock makes work due; null: none known. */
  nextInMs: number | null
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

/** Where nothing is due it is looked for so often, in case a wake-up is lost. */
const LOST_WAKE_UP_MS = 30_000
/** A timer may end a little early. */
const TIMER_MS = 5

/** While there is no room or no connection left, each loop looks again after twice the time, up to this. */
const LONGEST_PAUSE_MS = 30_000

/**
 * Runs each item in its own loop, one at a time in this process. A failure is logged and tried again at the next turn. While the database
 * is away there are no turns.
 */
export function startSchedule(context: Context, items: readonly Recurring[], wakeUps: WakeUps): Schedule {
  const stopping = new AbortController()
  const tablesOf = new Map(items.map((item) => [item, item.tables?.(context) ?? []]))
  /** What wakes an item that rests, and those woken since their last look began. */
  const resting = new Map<Recurring, AbortController>()
  const woken = new Set<Recurring>()
  wakeUps.listen((tables) => {
    for (const item of items)
      if (tables === null || tablesOf.get(item)?.some((table) => tables.includes(table))) {
        woken.add(item)
        resting.get(item)?.abort()
      }
  })
  let nudged = new AbortController()
  /** Ends when the turns are free. */
  let held: Promise<void> = Promise.resolve()
  const untilLetGo = async (): Promise<void> => {
    for (let seen: Promise<void> | null = null; seen !== held; await seen) seen = held
  }
  const underWay = new Set<Promise<Look>>()
  const outages = new Map<Recurring, number>()
  const takeTurn = async (item: Recurring, lookOf: Recurring['look'] | null = item.look): Promise<Look> => {
    woken.delete(item)
    try {
      const look = lookOf
        ? await lookOf(context, stopping.signal)
        : { worked: await item.run(context, stopping.signal), found: true, nextInMs: null }
      outages.delete(item)
      return look
    } catch (error) {
      outages.set(item, isOutage(error) ? (outages.get(item) ?? 0) + 1 : 0)
      if (!stopping.signal.aborted)
        context.log.error({ recurring: item.name, error }, 'recurring work failed; it will be tried again')
      return { worked: false, found: true, nextInMs: null }
    }
  }
  const pause = (ms: number, wake: AbortController = nudged): Promise<void> =>
    sleep(ms, undefined, { signal: AbortSignal.any([stopping.signal, nudged.signal, wake.signal]) }).catch(ignoreAbort)
  /** Never shorter than `everyMs`, however much is written; longer while nothing is due and a wake-up would be heard. */
  const rest = async (item: Recurring, { found, nextInMs }: Look): Promise<void> => {
    const nudge = nudged
    await pause(pauseMs(item.everyMs, outages.get(item) ?? 0))
    const quietMs =
      Math.min(LOST_WAKE_UP_MS * (0.8 + Math.random() / 5), (nextInMs ?? Infinity) + TIMER_MS) - item.everyMs
    if (found || quietMs <= 0 || nudge !== nudged || woken.has(item) || !wakeUps.arrive) return
    const wake = new AbortController()
    resting.set(item, wake)
    await pause(quietMs, wake)
    resting.delete(item)
  }
  const loops = items.map(async (item) => {
    while (!stopping.signal.aborted) {
      await untilLetGo()
      const turn = takeTurn(item)
      underWay.add(turn)
      const look = await turn
      underWay.delete(turn)
      if (!look.worked) await rest(item, look)
      await context.database.whenBack(stopping.signal)
    }
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
    nudge() {
      const previous = nudged
      nudged = new AbortController()
      previous.abort()
    },
    async settle() {
      const before = held
      const { promise, resolve: letGo } = Promise.withResolvers<void>()
      held = promise
      await before
      try {
        let worked = (await Promise.all(underWay)).some((look) => look.worked)
        for (const item of items) while (!stopping.signal.aborted && (await takeTurn(item, null)).worked) worked = true
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
