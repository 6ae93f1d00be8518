import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { CopyingClient } from './copy-in.ts'
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
  close(): Promise<void>
}

interface ConnectOptions {
  /** What the database's operator sees in `pg_stat_activity`. */
  name: string
  max: number
  onError: (error: Error) => void
  onConnect?: (client: pg.ClientBase) => void
}

/** A pool of connections. Connections that die while idle are replaced; `onError` hears of them, `onConnect` of each new one. */
export function connect(url: string, options: ConnectOptions): Connection {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    application_name: options.name,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    Client: CopyingClient,
  })
  // The pool does not wait for its connections' end: the database may end first, which is no news then.
  let closing = false
  pool.on('error', (error) => {
    if (!closing) options.onError(error)
  })
  // A connection in use that breaks tells it twice: the query rejects, and this event, which nobody else listens to.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    options.onConnect?.(client)
  })
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  const close = (): Promise<void> => {
    closing = true
    return db.destroy()
  }
  return { db, pool, close }
}

/** Answers when the database does; throws when it does not. */
export async function pingDatabase(db: Database): Promise<void> {
  await sql`select 1`.execute(db)
}
