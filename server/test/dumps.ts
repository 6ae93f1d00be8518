import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { migrate } from '../src/kernel/database/migrate.ts'

// What `pg_dump` and `psql` do, for machines without them: rows and sequences as of one moment, put back into new tables.

interface TableDump {
  name: string
  columns: string[]
  rows: string
}
export interface Dump {
  tables: TableDump[]
  sequences: { name: string; value: string | null }[]
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

export const dumpDatabase = (url: string): Promise<Dump> =>
  connected(url, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    // Merchants first: others refer to them.
    const { rows: columns } = await client.query<{ name: string; columns: string[] }>(`
      select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      group by 1 order by c.relname <> 'merchants', 1`)
    const tables: TableDump[] = []
    for (const table of columns) {
      const { rows } = await client.query<{ rows: string }>(
        `select coalesce(json_agg(t), '[]')::text as rows from (select ${quoted(table.columns)} from "${table.name}") t`,
      )
      tables.push({ ...table, rows: rows[0]?.rows ?? '[]' })
    }
    const { rows: sequences } = await client.query<{ name: string; value: string | null }>(
      `select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public'`,
    )
    return { tables, sequences }
  })

export async function restoreDatabase(url: string, dump: Dump): Promise<void> {
  await connected(url, makeEmpty)
  await migrate(url)
  await connected(url, (client) => fill(client, dump))
}

/** The rows in a database as it was after a migration, without what came later: what an installation of then would hold. */
export const restoreAsOf = (url: string, dump: Dump, last: string): Promise<void> =>
  connected(url, async (client) => {
    await makeEmpty(client)
    await client.query('create table migrations (name text primary key, applied_at timestamptz not null default now())')
    for (const name of fs.readdirSync(MIGRATIONS).toSorted()) {
      if (name > last) break
      await client.query(fs.readFileSync(path.join(MIGRATIONS, name), 'utf8'))
      await client.query('insert into migrations (name) values ($1)', [name])
    }
    const { rows } = await client.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`,
    )
    const known = new Set(rows.map(({ table, column }) => `${table}.${column}`))
    const tables = dump.tables
      .filter(({ name }) => !ofTheDatabase.includes(name))
      .map((table) => ({ ...table, columns: table.columns.filter((column) => known.has(`${table.name}.${column}`)) }))
    await fill(client, { ...dump, tables: tables.filter(({ columns }) => columns.length > 0) })
  })
/** What they say is about the database they stand in. */
const ofTheDatabase = ['migrations', 'ledger_state', 'installation']
const MIGRATIONS = path.join(import.meta.dirname, '../migrations')

async function makeEmpty(client: pg.Client): Promise<void> {
  await client.query('drop schema public cascade')
  await client.query('create schema public')
}

async function fill(client: pg.Client, dump: Dump): Promise<void> {
  await client.query('begin')
  for (const { name, columns, rows } of dump.tables) {
    await client.query(`delete from "${name}"`)
    await client.query(
      `insert into "${name}" (${quoted(columns)}) overriding system value
         select ${quoted(columns)} from json_populate_recordset(null::"${name}", $1)`,
      [rows],
    )
  }
  for (const { name, value } of dump.sequences)
    if (value) await client.query('select setval($1::regclass, $2::bigint)', [name, value])
  await client.query('commit')
}
