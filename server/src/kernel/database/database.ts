import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { DatabaseAwayError } from './database-trouble.ts'
import { type DatabaseWatch, watchDatabase } from './database-watch.ts'
import type { DB } from './schema.ts'

// bigint as a number: amounts and platform ids stay below 2^53. date as text: a birthday has no time zone.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

export type Database = Kysely<DB>
export type DatabaseTransaction = Transaction<DB>

export interface Connection {
  db: Database
  pool: pg.Pool
  /** A further connection, beside the pool and watched like it; the caller connects and ends it. */
  client(): pg.Client
  watch: DatabaseWatch
  close(): Promise<void>
}

interface ConnectOptions {
  /** The name in `pg_stat_activity`. */
  name: string
  max: number
  /** Called at each failed check while the database is away; `onBack` once, when it is back. */
  onAway?: (error: DatabaseAwayError) => void
  onBack?: (awayMs: number) => void
  /** Called with the tables written, after the commit. */
  onWritten?: (tables: readonly string[]) => void
  onConnect?: (client: pg.ClientBase) => void
}

/** A pool of connections. Broken connections are replaced; `onConnect` is called for each new one. */
export function connect(url: string, options: ConnectOptions): Connection {
  const watch = watchDatabase(url, {
    name: options.name,
    onAway: options.onAway ?? (() => {}),
    onBack: options.onBack ?? (() => {}),
    ...(options.onWritten && { onWritten: options.onWritten }),
  })
  const settings = {
    connectionString: url,
    application_name: options.name,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // The system's default is two hours.
    keepAliveInitialDelayMillis: 10_000,
  }
  // One stays however long nothing is asked: `operator -- distribute` knows by it that this process runs.
  const pool = new pg.Pool({ ...settings, min: 1, max: options.max, Client: watch.Client })
  // The pool does not wait for its connections to close: the database may end first, which is then no error.
  let closing = false
  pool.on('error', (error) => {
    if (!closing) watch.met(error)
  })
  // A broken connection reports twice: its query rejects, and it emits this event, which has no other listener.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    options.onConnect?.(client)
  })
  const client = (): pg.Client => new watch.Client(settings)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  const close = (): Promise<void> => {
    closing = true
    watch.stop()
    return db.destroy()
  }
  return { db, pool, client, watch, close }
}

/** Resolves when the database answers; throws if it does not. */
export async function pingDatabase(db: Database): Promise<void> {
  await sql`select 1`.execute(db)
}
