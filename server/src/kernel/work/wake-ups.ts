import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/database-trouble.ts'

// Work becomes due, or can be done, because something was written. Each process sees which tables its own statements write, wakes the work that reads them, and
// notifies other processes by NOTIFY. This is only for speed: after a lost wake-up the work is found by the next look at everything
// (lost-wake-ups.ts).

const CHANNEL = 'okaeri_written'
/** Instead of tables: a process that begins. Its predecessor may have died between a commit and its notification. */
const ANYTHING = '*'
/** For tables written all the time, others are notified no more often than they would check. */
const NOTIFY_EVERY_MS = 300
/** How often it is tested whether wake-ups still arrive. */
const PROBE_EVERY_MS = 30_000
const PROBE_ANSWER_MS = 5_000

export interface WakeUps {
  /** Reports tables written and committed by this process. */
  written(tables: readonly string[]): void
  /** Whether wake-ups of other processes arrive. While they do not, due work has to be polled. */
  readonly arrive: boolean
  /** From now on `heard` is called with the tables written, here or elsewhere; with null if anything may have been written. */
  listen(heard: (tables: readonly string[] | null) => void): void
  stop(): Promise<void>
}

export function createWakeUps(context: Context, url: string): WakeUps {
  const { db, database, log } = context
  const me = randomUUID()
  const stopping = new AbortController()
  const pending = new Set<string>()
  let telling: Promise<void> | null = null
  let arrive = false
  let missed = false
  let hear: (tables: readonly string[] | null) => void = () => {}
  let listening: Promise<void> = Promise.resolve()
  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => {})

  /** Sent alone, after the commit: NOTIFY in a transaction would make all commits wait for each other. */
  const notify = async (...tables: readonly string[]): Promise<boolean> => {
    try {
      await sql`select pg_notify(${CHANNEL}, ${[me, ...tables].join(' ')})`.execute(db)
      return true
    } catch (error) {
      if (!isDatabaseAway(error) && !stopping.signal.aborted) log.warn({ error }, 'a wake-up could not be sent')
      return false
    }
  }
  const notifyOfPending = async (): Promise<boolean> => {
    const tables = [...pending]
    pending.clear()
    const sent = await notify(...tables)
    if (!sent) for (const table of tables) pending.add(table)
    return sent
  }
  const keepNotifying = async (): Promise<void> => {
    while (pending.size > 0 && !stopping.signal.aborted) {
      const sent = await notifyOfPending()
      await database.whenBack(stopping.signal)
      await pause(sent ? NOTIFY_EVERY_MS : PROBE_ANSWER_MS)
    }
    telling = null
  }
  const notifyOthers = (): void => void (telling ??= keepNotifying())

  /** One connection, until it breaks or goes silent. */
  const listenOnce = async (): Promise<void> => {
    const client = new database.Client({
      connectionString: url,
      application_name: `okaeri-${context.settings.role}-wake-ups`,
      connectionTimeoutMillis: PROBE_ANSWER_MS,
      keepAlive: true,
    })
    const ended = new AbortController()
    const end = (): void => ended.abort()
    client.on('error', end).on('end', end)
    stopping.signal.addEventListener('abort', end, { signal: ended.signal })
    let echoed = (): void => {}
    client.on('notification', ({ payload = '' }) => {
      const [sender, ...tables] = payload.split(' ')
      if (sender !== me) hear(tables.includes(ANYTHING) ? null : tables)
      else if (tables.length === 0) echoed()
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      while (!ended.signal.aborted) {
        const echo = new Promise<boolean>((resolve) => (echoed = () => resolve(true)))
        await notify()
        const heard = await Promise.race([echo, sleep(PROBE_ANSWER_MS, false, { signal: ended.signal, ref: false })])
        if (!heard) {
          if (!missed) log.warn({}, 'wake-ups do not arrive; what is due is looked for instead')
          missed = true
          return
        }
        if (!arrive) {
          arrive = true
          missed = false
          // Earlier notifications were missed.
          hear(null)
        }
        await sleep(PROBE_EVERY_MS, undefined, { signal: ended.signal, ref: false })
      }
    } catch (error) {
      if (!ended.signal.aborted && !isDatabaseAway(error)) log.warn({ error }, 'wake-ups cannot be listened for')
    } finally {
      arrive = false
      end()
      // It may be broken already.
      await client.end().catch(() => {})
    }
  }
  const keepListening = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await listenOnce()
      hear(null)
      await database.whenBack(stopping.signal)
      await pause(PROBE_ANSWER_MS * (0.5 + Math.random()))
    }
  }

  pending.add(ANYTHING)
  notifyOthers()
  return {
    written(tables) {
      if (tables.length === 0 || stopping.signal.aborted) return
      hear(tables)
      for (const table of tables) pending.add(table)
      notifyOthers()
    },
    get arrive() {
      return arrive
    },
    listen(heard) {
      hear = heard
      listening = keepListening()
    },
    async stop() {
      stopping.abort()
      await Promise.all([listening, telling])
      if (pending.size > 0) await notifyOfPending()
    },
  }
}
