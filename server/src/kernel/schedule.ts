import { setTimeout as sleep } from 'node:timers/promises'
import type { RawBuilder } from 'kysely'
import type { Context } from './context.ts'
import { isOutage } from './database-trouble.ts'
import type { WakeUps } from './wake-ups.ts'

/** Work that a worker repeats: it finds what is due in the database, so a restart loses nothing. */
export interface Recurring {
  readonly name: string
  readonly everyMs: number
  /** Returns whether there was work; then it is repeated at once. */
  readonly run: (context: Context, signal: AbortSignal) => Promise<boolean>
  /** For work in tables (due-merchants.ts): like `run`; it also answers whether it may sleep until the next write there. */
  readonly look?: (context: Context, signal: AbortSignal) => Promise<Look>
  /** A look that does not ask when the clock makes work due. */
  readonly take?: (context: Context, signal: AbortSignal) => Promise<Pick<Look, 'worked' | 'found'>>
  readonly tables?: (context: Context) => readonly string[]
  /** The statement by which a look begins: without a row nothing is due. */
  readonly merchants?: (context: Context) => RawBuilder<{ merchant_id: string }>
}
export interface Look {
  worked: boolean
  /** Some merchant has due work, even if it cannot be done just now: checked again every `everyMs`. */
  found: boolean
  /** In how many milliseconds work becomes due by the clock; null: none known. */
  nextInMs: number | null
}

export const isAskedTogether = ({ merchants, everyMs }: Recurring): boolean =>
  merchants !== undefined && everyMs <= ASKED_TOGETHER_MS

export interface Schedule {
  stop(): Promise<void>
  /** Runs all now instead of at their next turn. */
  nudge(): void
  /**
   * Pauses the loops and runs the items one after another until none finds work: in parallel, two may skip what the other holds. Returns whether
   * any found work. For tests of a running process.
   */
  settle(): Promise<boolean>
}

/** Without due work it is checked this often, in case a wake-up is lost; what is asked together (lost-wake-ups.ts) is not. */
const LOST_WAKE_UP_MS = 30_000
/** A timer takes no more. */
const LONGEST_REST_MS = 86_400_000
/** Work of this much distance or less is asked for together with all else of its kind. The rest is asked for seldom, and may take long. */
const ASKED_TOGETHER_MS = 60_000
/** A timer may end a little early. */
const TIMER_MS = 5

/** While there is no space or no connection left, each loop doubles its pause, up to this. */
const LONGEST_PAUSE_MS = 30_000

/**
 * Runs each item in its own loop, one run at a time in this process. A failure is logged, and the next turn tries again. There are no turns
 * while the database is away.
 */
export function startSchedule(context: Context, items: readonly Recurring[], wakeUps: WakeUps): Schedule {
  const stopping = new AbortController()
  const tablesOf = new Map(items.map((item) => [item, item.tables?.(context) ?? []]))
  /** The controller that wakes a sleeping item, and the items woken since their last run began. */
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
  /** Resolves when turns are allowed again. */
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
  /** Never shorter than `everyMs`, however much is written; longer while nothing is due and wake-ups work. */
  const rest = async (item: Recurring, { found, nextInMs }: Look): Promise<void> => {
    const nudge = nudged
    await pause(pauseMs(item.everyMs, outages.get(item) ?? 0))
    const askedMs = isAskedTogether(item) ? LONGEST_REST_MS : LOST_WAKE_UP_MS * (0.8 + Math.random() / 5)
    const quietMs = Math.min(askedMs, (nextInMs ?? Infinity) + TIMER_MS) - item.everyMs
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

/** Spread, so that not all loops of all processes run at the same moment. */
const pauseMs = (everyMs: number, outages: number): number =>
  outages === 0 ? everyMs : Math.min(LONGEST_PAUSE_MS, everyMs * 2 ** outages) * (0.5 + Math.random() / 2)

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}
