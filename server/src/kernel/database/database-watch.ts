import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { stopwatch } from '../clock.ts'
import { CopyingClient } from './copying-client.ts'
import { DatabaseAwayError, saysAway, withItsCode } from './database-trouble.ts'
import { followWrites, noteStatement } from './written-tables.ts'

/** A database that takes longer than this to connect, or to answer a trivial query, counts as away. */
const ANSWER_MS = 4000
/** After this long without an answer to a statement, the watch checks whether the database is there and still works on it. */
const SUSPICIOUS_MS = 5000
const LOOK_EVERY_MS = 2000
/** A long statement is not checked all the time. */
const LOOK_AGAIN_MS = 10_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1000
/** When it is back, callers are spread over this time. */
const SPREAD_MS = 1000

export interface DatabaseWatch {
  /** Its connections report errors to the watch, and send nothing to a database that is away. */
  readonly Client: typeof pg.Client
  /** While true every statement fails at once with {@link DatabaseAwayError}; one attempt at a time checks whether it is back. */
  readonly isAway: boolean
  /** Resolves when the database is back (at once if it is not away), with a random delay per caller, or when the signal is aborted. */
  whenBack(signal: AbortSignal): Promise<void>
  /** Reports an error outside of a statement. Returns it as {@link DatabaseAwayError} if it means that the database is away. */
  met(error: Error): Error
  stop(): void
}

interface WatchOptions {
  name: string
  onAway: (error: DatabaseAwayError) => void
  onBack: (awayMs: number) => void
  onWritten?: (tables: readonly string[]) => void
  answerMs?: number
}

type Watched = pg.Client & { processID: number | null; connection: { stream: { destroy(): void } } }
type Done = (error: Error | null | undefined, ...rest: unknown[]) => void

/**
 * Knows for a process whether its database is available. For a connection an outage is an error or, if the network drops everything, silence.
 * Then the watch checks with its own connection. While the database is away all statements fail at once, so that callers get an answer, and a
 * database that has just started is not overloaded.
 */
export function watchDatabase(
  url: string,
  { name, onAway, onBack, onWritten = () => {}, answerMs = ANSWER_MS }: WatchOptions,
): DatabaseWatch {
  const stopping = new AbortController()
  const connections = new Set<Watched>()
  /** The age of the oldest running statement, by connection. */
  const asked = new Map<Watched, () => number>()
  let away: { age: () => number; back: Promise<void>; tell: () => void } | null = null
  let looking = false
  let sinceLook: (() => number) | null = null

  const goAway = (error: DatabaseAwayError): void => {
    if (!away) {
      let tell = (): void => {}
      const back = new Promise<void>((resolve) => (tell = resolve))
      away = { age: stopwatch(), back, tell }
    }
    // Existing connections are useless: silent, read only, or in a failed transaction.
    for (const client of connections) drop(client)
    onAway(error)
  }
  const comeBack = (): void => {
    if (!away) return
    const { age, tell } = away
    away = null
    onBack(Math.round(age()))
    tell()
  }

  /** Checks until the database is available. */
  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    sinceLook = stopwatch()
    let silent = 0
    for (let pauseMs = FIRST_PAUSE_MS; !stopping.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const found = await probe({ url, name, answerMs, asked })
      if (stopping.signal.aborted || found === 'there') break
      if (found.silent !== 'unheard') {
        // A very busy machine may be silent once.
        silent = found.silent ? silent + 1 : 0
        if (silent !== 1 || away) goAway(found.error)
      }
      await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: stopping.signal, ref: false }).catch(
        () => {},
      )
    }
    looking = false
    if (!stopping.signal.aborted) comeBack()
  }

  /** Returns the error for the caller, and checks whether the database is away. */
  const heard = (error: Error): Error => {
    if (!saysAway(error)) return withItsCode(error)
    if (!stopping.signal.aborted) {
      if ('code' in error && error.code === '25006') goAway(new DatabaseAwayError(error))
      void look()
    }
    return new DatabaseAwayError(error)
  }

  const watching = setInterval(() => {
    if (sinceLook && sinceLook() < LOOK_AGAIN_MS) return
    if ([...asked.values()].some((age) => age() > SUSPICIOUS_MS)) void look()
  }, LOOK_EVERY_MS).unref()

  return {
    Client: watchedClient({ isAway: () => away !== null, connections, asked, heard, onWritten }),
    get isAway() {
      return away !== null
    },
    async whenBack(signal) {
      if (!away || signal.aborted) return
      const listening = new AbortController()
      const aborted = new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => resolve(), { once: true, signal: listening.signal }),
      )
      await Promise.race([away.back, aborted])
      listening.abort()
      // If the process stops meanwhile, the caller checks the signal.
      await sleep(Math.random() * SPREAD_MS, undefined, { signal }).catch(() => {})
    },
    met: heard,
    stop() {
      stopping.abort()
      clearInterval(watching)
      away?.tell()
    },
  }
}

interface Watching {
  isAway(): boolean
  connections: Set<Watched>
  asked: Map<Watched, () => number>
  /** Returns the error for the caller. */
  heard(error: Error): Error
  onWritten(tables: readonly string[]): void
}

function watchedClient({ isAway, connections, asked, heard, onWritten }: Watching): typeof pg.Client {
  return class WatchedClient extends CopyingClient {
    readonly #follow = followWrites(onWritten)
    /** Asked and not answered: the later ones wait for the first. */
    #waiting = 0

    #answered(): void {
      this.#waiting -= 1
      const client = this as unknown as Watched
      if (this.#waiting > 0) asked.set(client, stopwatch())
      else asked.delete(client)
    }

    override connect(...given: unknown[]): never {
      const run = super.connect.bind(this) as (done: Done) => void
      const client = this as unknown as Watched
      const attempt = (done: Done): void => {
        if (isAway()) return process.nextTick(done, new DatabaseAwayError('it did not answer'))
        connections.add(client)
        client.once('end', () => connections.delete(client))
        run((error, ...rest) => {
          if (error) connections.delete(client)
          done(error && heard(error), ...rest)
        })
      }
      return called(attempt, given)
    }

    override query(...given: unknown[]): never {
      const run = super.query.bind(this) as (...given: unknown[]) => never
      const client = this as unknown as Watched
      const [first] = given
      // A query object that handles its own results (a cursor).
      if (typeof first === 'object' && first !== null && 'submit' in first) return run(...given)
      const last = given.at(-1)
      const done = typeof last === 'function' ? (last as Done) : null
      const text = typeof first === 'string' ? first : (first as { text?: string } | null)?.text
      if (text) noteStatement(text)
      const answer = isAway()
        ? Promise.reject(gone(client))
        : (run(...(done ? given.slice(0, -1) : given)) as Promise<unknown>)
      this.#waiting += 1
      const age = asked.get(client) ?? stopwatch()
      asked.set(client, age)
      const reported = answer.then(
        (result) => {
          this.#answered()
          if (text) this.#follow(text, result)
          return result
        },
        (error: Error) => {
          this.#answered()
          throw heard(error)
        },
      )
      if (!done) return reported as never
      reported.then(
        (result) => done(null, result),
        (error: Error) => done(error),
      )
      return undefined as never
    }
  }
}

/** The transaction cannot be ended properly, so the connection is closed with everything in it. */
const gone = (client: Watched): DatabaseAwayError => {
  drop(client)
  return new DatabaseAwayError('it does not answer')
}

const drop = (client: Watched): void => void client.connection.stream.destroy()

/** Checks with its own connection whether the database is available. `unheard`: this process was busy for so long that an answer may be unread. */
async function probe(given: {
  url: string
  name: string
  answerMs: number
  asked: ReadonlyMap<Watched, () => number>
}): Promise<'there' | { error: DatabaseAwayError; silent: boolean | 'unheard' }> {
  const { url, name, answerMs, asked } = given
  const begun = performance.eventLoopUtilization()
  const client = new pg.Client({
    connectionString: url,
    application_name: `${name}-watch`,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  }) as Watched
  client.on('error', () => {})
  const old = [...asked].filter(([, age]) => age() > SUSPICIOUS_MS)
  try {
    await client.connect()
    // Not tenant data: only this process's own connections.
    const { rows } = await client.query<{ me: number; read_only: string; busy: number[] }>(
      `select pg_backend_pid() as me, current_setting('transaction_read_only') as read_only, array(
         select pid from pg_stat_activity where pid = any($1) and coalesce(state, 'active') like 'active%') as busy`,
      [old.map(([{ processID }]) => processID)],
    )
    const [row] = rows
    void client.end()
    if (row?.read_only === 'on') return { error: new DatabaseAwayError('it is read only'), silent: false }
    // Through a pooler, a connection has the pooler's number.
    if (row && row.me === client.processID)
      // The database is there but has no such statement: it was lost in transit, or ran on the server before a failover.
      for (const [other, age] of old)
        if (!row.busy.includes(other.processID ?? 0) && asked.get(other) === age) drop(other)
    return 'there'
  } catch (error) {
    drop(client)
    if (!saysAway(error) && !isSilence(error)) return 'there'
    const wasBusy = performance.eventLoopUtilization(begun).active > answerMs / 2
    return { error: new DatabaseAwayError(error), silent: isSilence(error) && (wasBusy ? 'unheard' : true) }
  }
}

const isSilence = (error: unknown): boolean =>
  error instanceof Error && /timeout expired|Query read timeout|due to connection timeout/i.test(error.message)

/** Like pg: with a callback, or a promise. */
function called(attempt: (done: Done) => void, given: readonly unknown[]): never {
  const [done] = given
  if (typeof done === 'function') return attempt(done as Done) as never
  return new Promise<unknown>((resolve, reject) =>
    attempt((error, result) => (error ? reject(error) : resolve(result))),
  ) as never
}
