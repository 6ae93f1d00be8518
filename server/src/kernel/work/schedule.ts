import { setTimeout as sleep } from 'node:timers/promises'
import type { RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { isOutage } from '../database/database-trouble.ts'
import type { WakeUps } from './wake-ups.ts'
import { noteTables } from '../database/written-tables.ts'

/** Work that a worker repeats: it finds what is due in the database, so a restart loses nothing. */
export interface Recurring {
  readonly name: string
  readonly everyMs: number
  /** Returns whether there was work; then it is repeated at once. */
  readonly run: (context: Context, signal: AbortSignal) => Promise<boolean>
  /** For work in tables (due-merchants.ts): like `run`; it also answers whether it may sleep until a table that it names is written. */
  readonly look?: (context: Context, signal: AbortSignal) => Promise<Look>
  /** A look that does not ask when the clock makes work due. */
  readonly take?: (context: Context, signal: AbortSignal) => Promise<Pick<Look, 'worked' | 'found'>>
  /** Those that the statement of `merchants` reads. */
  readonly tables?: (context: Context) => readonly string[]
  /** The statement by which a look begins: without a row nothing is due. */
  readonly merchants?: (context: Context) => RawBuilder<{ merchant_id: string }>
}
export interface Look {
  worked: boolean
  /** Some merchant has due work, even if it cannot be done just now. */
  found: boolean
  /** In how many milliseconds work becomes due by the clock; null: none known. 0 with `found`: it is checked again every `everyMs`. */
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
/** What is due and cannot be done is checked again after twice the time of before, up to this, or when something is written that it reads. */
const UNDONE_MS = 5000
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
  /** What an item read and wrote since its last run began. */
  const noted = new Map<Recurring, Set<string>>()
  /** The controller that wakes a sleeping item, and the items woken since their last run began. */
  const resting = new Map<Recurring, AbortController>()
  const woken = new Set<Recurring>()
  /** How long what was found has been resting since it was woken. */
  const undone = new Map<Recurring, number>()
  wakeUps.listen((tables) => {
    for (const item of items)
      if (tables === null || tables.some((table) => noted.get(item)?.has(table))) {
        woken.add(item)
        undone.delete(item)
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
    // What settles may run without looking: what its loop noted, and was woken for, stays.
    const looks = lookOf !== null
    if (looks) woken.delete(item)
    const tables = looks ? new Set<string>() : (noted.get(item) ?? new Set<string>())
    noted.set(item, tables)
    try {
      const look = await noteTables(tables, async () =>
        lookOf
          ? lookOf(context, stopping.signal)
          : { worked: await item.run(context, stopping.signal), found: true, nextInMs: 0 },
      )
      outages.delete(item)
      return look
    } catch (error) {
      outages.set(item, isOutage(error) ? (outages.get(item) ?? 0) + 1 : 0)
      if (!stopping.signal.aborted)
        context.log.error({ recurring: item.name, error }, 'recurring work failed; it will be tried again')
      return { worked: false, found: true, nextInMs: 0 }
    }
  }
  const pause = (ms: number, wake: AbortController = nudged): Promise<void> =>
    sleep(ms, undefined, { signal: AbortSignal.any([stopping.signal, nudged.signal, wake.signal]) }).catch(ignoreAbort)
  /** How long nothing is to be looked for unless something is written. */
  const quietMsOf = (item: Recurring, { found, nextInMs }: Look): number => {
    if (!found) return isAskedTogether(item) ? LONGEST_REST_MS : LOST_WAKE_UP_MS * (0.8 + Math.random() / 5)
    if (nextInMs === 0) return 0
    const restedMs = undone.get(item) ?? item.everyMs / 2
    const restMs = Math.min(UNDONE_MS, restedMs * 2)
    undone.set(item, restMs)
    return restMs
  }
  /** Never shorter than `everyMs`, however much is written; longer while nothing can be done and wake-ups work. */
  const rest = async (item: Recurring, look: Look): Promise<void> => {
    const nudge = nudged
    const quietMs = Math.min(quietMsOf(item, look), (look.nextInMs ?? Infinity) + TIMER_MS) - item.everyMs
    await pause(pauseMs(item.everyMs, outages.get(item) ?? 0))
    if (quietMs <= 0 || nudge !== nudged || woken.has(item) || !wakeUps.arrive) return
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
      if (look.worked || !look.found) undone.delete(item)
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
