import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/src/kernel/database/embedded-postgres.ts'
import { migrate } from '../server/src/kernel/database/migrate.ts'

// Writes what the migrations add up to: server/schema.sql to read, and the types queries are checked against.
// With --check it writes nothing and fails when the files in the repository differ.

const SCHEMA_FILE = path.join(import.meta.dirname, '../server/schema.sql')
const TYPES_FILE = path.join(import.meta.dirname, '../server/src/kernel/database/schema.ts')

interface Column {
  table_name: string
  column_name: string
  type: string
  not_null: boolean
  default_value: string | null
  identity: string
}

const tsTypes: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  boolean: 'boolean',
  integer: 'number',
  smallint: 'number',
  bigint: 'number',
  numeric: 'number',
  real: 'number',
  date: 'string',
  jsonb: 'Json',
  bytea: 'Buffer',
  'timestamp with time zone': 'Date',
  'text[]': 'string[]',
  'uuid[]': 'string[]',
  'integer[]': 'number[]',
  tsvector: 'string',
}

function typesOf(columns: Column[]): string {
  const pascal = (name: string) => name.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
  const tables = [...new Set(columns.map((column) => column.table_name))]
  const lines = [
    '// Made by `npm run schema` from the migrations; do not edit.',
    "import type { ColumnType, Generated } from 'kysely'",
    '',
    '/** jsonb: read as the value it holds, written as JSON text. */',
    'type Json = ColumnType<unknown, string, string>',
    'type GeneratedJson = ColumnType<unknown, string | undefined, string>',
  ]
  for (const table of tables) {
    lines.push('', `interface ${pascal(table)} {`)
    for (const column of columns.filter((one) => one.table_name === table)) {
      const base = tsTypes[column.type]
      if (!base) throw new Error(`no TypeScript type for ${column.type} (${table}.${column.column_name})`)
      const type = column.not_null ? base : `${base} | null`
      const generated = type === 'Json' ? 'GeneratedJson' : `Generated<${type}>`
      lines.push(`  ${column.column_name}: ${column.default_value || column.identity ? generated : type}`)
    }
    lines.push('}')
  }
  lines.push('', 'export interface DB {', ...tables.map((table) => `  ${table}: ${pascal(table)}`), '}', '')
  return lines.join('\n')
}

async function readSchema(url: string): Promise<{ sql: string; types: string }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: columns } = await client.query<Column>(`
    select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as not_null,
      pg_get_expr(d.adbin, d.adrelid) as default_value, a.attidentity as identity
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where n.nspname = 'public' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and c.relname <> 'migrations'
    order by c.relname, a.attnum`)
  const { rows: constraints } = await client.query<{ table_name: string; definition: string }>(`
    select c.relname as table_name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and k.contype in ('p', 'u', 'f', 'c') and c.relname <> 'migrations'
    order by c.relname, array_position(array['p', 'u', 'f', 'c'], k.contype::text), definition`)
  const { rows: indexes } = await client.query<{ indexdef: string }>(`
    select indexdef from pg_indexes where schemaname = 'public' and tablename <> 'migrations'
      and not exists (select 1 from pg_constraint where conname = indexname) order by tablename, indexname`)
  await client.end()
  const tables = [...new Set(columns.map((column) => column.table_name))].map((table) => {
    const lines = [
      ...columns
        .filter((column) => column.table_name === table)
        .map((column) =>
          [
            column.column_name,
            column.type,
            column.not_null ? 'not null' : '',
            column.default_value ? `default ${column.default_value}` : '',
            column.identity ? `generated ${column.identity === 'a' ? 'always' : 'by default'} as identity` : '',
          ]
            .filter(Boolean)
            .join(' '),
        ),
      ...constraints.filter((constraint) => constraint.table_name === table).map((constraint) => constraint.definition),
    ]
    return `create table ${table} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n);`
  })
  const sql = [
    '-- Made by `npm run schema` from the migrations; do not edit.',
    ...tables,
    indexes.map((index) => `${index.indexdef};`).join('\n'),
  ]
  return { sql: `${sql.join('\n\n')}\n`, types: typesOf(columns) }
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-schema-'))
fs.chmodSync(folder, 0o755)
const postgres = await startEmbeddedPostgres(folder)
try {
  await migrate(postgres.url)
  const { sql, types } = await readSchema(postgres.url)
  for (const [file, content] of [
    [SCHEMA_FILE, sql],
    [TYPES_FILE, types],
  ] as const) {
    if (!process.argv.includes('--check')) fs.writeFileSync(file, content)
    else if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== content) {
      console.error(`${path.basename(file)} is not what the migrations add up to: run npm run schema and commit it.`)
      process.exitCode = 1
    }
  }
} finally {
  await postgres.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}
