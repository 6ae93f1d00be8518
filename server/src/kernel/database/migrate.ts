import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from './database.ts'
import {
  distributeTables,
  isDistributed,
  MIGRATING,
  refuseWhileOthersRun,
  refuseWithoutCluster,
} from './distribution.ts'
import { StartupError } from '../errors.ts'

const FOLDER = path.join(import.meta.dirname, '../../../migrations')
/** Any number; the same for all processes of an installation. */
const LOCK = 7_270_011

const listFiles = (): string[] =>
  fs
    .readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
/** The migrations of this program. */
const expected = listFiles()

/** Whether the database has exactly the migrations of this program: another version may have been started besides us. */
export async function compareMigrations(db: Database): Promise<'as_expected' | 'behind' | 'ahead'> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  if (expected.some((name) => !done.has(name))) return 'behind'
  return done.size > expected.length ? 'ahead' : 'as_expected'
}

/**
 * Applies missing migrations in order, each in its own transaction; on Citus their tables are distributed. If two processes start at once, they
 * take turns by an advisory lock. Returns the names applied.
 */
export const migrate = (url: string): Promise<string[]> =>
  alone(url, async (client) => {
    const applied: string[] = []
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const done = new Set(rows.map((row) => row.name))
    const files = listFiles()
    const unknown = [...done].filter((name) => !files.includes(name))
    if (unknown.length > 0)
      throw new StartupError(
        `The database is newer than this program (it has ${unknown.join(', ')}); update the program.`,
      )
    for (const name of files.filter((file) => !done.has(file))) {
      await client.query('begin')
      await client.query(fs.readFileSync(path.join(FOLDER, name), 'utf8'))
      await client.query('insert into migrations (name) values ($1)', [name])
      await client.query('commit')
      applied.push(name)
    }
    // Also tables left by an interrupted distribution.
    if (await isDistributed(client)) await distributeTables(client)
    return applied
  })

/**
 * Distributes the merchants over the nodes of a Citus cluster; returns the tables that were not distributed before. Throws
 * {@link StartupError} if there is no such cluster, or a process of Okaeri runs.
 */
export async function distribute(url: string): Promise<string[]> {
  await alone(url, async (client) => {
    await refuseWithoutCluster(client)
    // Before the migrations, too: what runs may be an older program, whose tables they would change.
    await refuseWhileOthersRun(client)
  })
  await migrate(url)
  return alone(url, async (client) => {
    await refuseWhileOthersRun(client)
    return distributeTables(client)
  })
}

/**
 * Runs the work under the lock of the migrations; other processes that start meanwhile wait. It is a transaction lock on a second connection:
 * through a pooler a session is shared, and would keep a session lock after our end.
 */
async function alone<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const [holder, client] = [createClient(url), createClient(url)]
  holder.on('error', () => void client.end())
  try {
    await holder.connect()
    await holder.query('begin')
    await holder.query('select pg_advisory_xact_lock($1)', [LOCK])
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
    await holder.end()
  }
}

function createClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: MIGRATING,
  })
  client.on('error', () => void client.end())
  return client
}
