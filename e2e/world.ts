import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Addresses } from './addresses.ts'
import { root, run } from './run.ts'

/** A whole Okaeri with a sandbox of its own outside: pages, workers, clock, mailbox, database, data folder. */
export interface World extends Addresses {
  /** In order; its data stays. */
  stop(): Promise<void>
  /** Stops it, and its data goes. */
  end(): Promise<void>
}

/** A world that was stopped: others begin as its copies. */
export interface Template {
  /** The PostgreSQL of the run. */
  postgresUrl: string
  database: string
  dataDir: string
  ports: Ports
}

interface Ports {
  okaeri: number
  sandbox: number
  smtp: number
  dns: number
  bounces: number
}

/** Below the range from which a system gives out ports: no other program gets one of ours between our choice and the listening. */
const FIRST_PORT = 20_000
const LAST_PORT = 32_000
const READY = 'Okaeri is ready'
const STOP_PATIENCE_MS = 30_000
const node = path.join(root, 'node_modules/.bin/node')
/** What the first has compiled, the others need not; the tests use it too (server/test/global-setup.ts). */
export const compiled = path.join(root, 'node_modules/.cache/compiled')

/** An empty one: the demo merchant's store is still to be copied. */
export async function startFirstWorld(postgresUrl: string): Promise<{ world: World; template: Template }> {
  const database = nameOfDatabase()
  const template = { postgresUrl, database, dataDir: makeFolder(), ports: await freePorts() }
  await atServer(postgresUrl, (admin) => admin.query(`create database ${database}`))
  return { world: await start(template), template }
}

/** As the template was when it was stopped, on ports of its own. */
export async function startWorld(template: Template): Promise<World> {
  const { postgresUrl } = template
  const copy = { postgresUrl, database: nameOfDatabase(), dataDir: makeFolder(), ports: await freePorts() }
  await atServer(postgresUrl, (admin) =>
    admin.query(`create database ${copy.database} template ${template.database} strategy file_copy`),
  )
  fs.cpSync(template.dataDir, copy.dataDir, { recursive: true })
  await moveAddresses(template, copy)
  return start(copy)
}

/** One that was started by hand. */
export const givenWorld = ({ port, sandboxPort, dataDir }: NonNullable<typeof run.given>): Addresses => ({
  okaeriUrl: `http://127.0.0.1:${port}`,
  sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
  environment: { PORT: String(port), SANDBOX_PORT: String(sandboxPort), DATA_DIR: dataDir },
})

const nameOfDatabase = (): string => `okaeri_world_${randomUUID().replaceAll('-', '')}`
const makeFolder = (): string => fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-world-'))

async function start({ postgresUrl, database, dataDir, ports }: Template): Promise<World> {
  const environment = {
    PORT: String(ports.okaeri),
    SANDBOX_PORT: String(ports.sandbox),
    SANDBOX_SMTP_PORT: String(ports.smtp),
    SANDBOX_DNS_PORT: String(ports.dns),
    BOUNCE_SMTP_PORT: String(ports.bounces),
    DATA_DIR: dataDir,
    DATABASE_URL: at(postgresUrl, database),
    DEMO_PASSWORD: run.password,
  }
  const child = spawn(node, ['scripts/start.mjs'], {
    cwd: root,
    // As under npm: it ends when this process is gone.
    env: { ...process.env, npm_lifecycle_event: 'start', NODE_COMPILE_CACHE: compiled, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await untilReady(child, path.join(dataDir, 'world.log'))
  const stop = () => stopped(child)
  return {
    okaeriUrl: `http://127.0.0.1:${ports.okaeri}`,
    sandboxUrl: `http://127.0.0.1:${ports.sandbox}`,
    environment,
    stop,
    async end() {
      await stop()
      await atServer(postgresUrl, (admin) => admin.query(`drop database ${database} with (force)`))
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Its output is kept beside its data, and shown if it does not start. */
function untilReady(child: ChildProcess, logFile: string): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      fs.appendFileSync(logFile, chunk)
      said += chunk.toString()
      if (said.includes(READY)) resolve()
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`Okaeri did not start (${code}): ${said}`)))
  })
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS)
  await gone
  clearTimeout(timer)
}

function at(postgresUrl: string, database: string): string {
  const url = new URL(postgresUrl)
  url.pathname = `/${database}`
  return url.href
}

async function atServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** A store knows where its app is, and the app where the store is: in the copy both are elsewhere. */
async function moveAddresses(template: Template, copy: Template): Promise<void> {
  const moves = (['okaeri', 'sandbox'] as const).map((which) => ({
    from: `http://127.0.0.1:${template.ports[which]}`,
    to: `http://127.0.0.1:${copy.ports[which]}`,
  }))
  await atServer(at(copy.postgresUrl, copy.database), async (client) => {
    const { rows } = await client.query<{ place: string; columns: string[] }>(
      `select format('%I.%I', table_schema, table_name) as place, array_agg(quote_ident(column_name::text)) as columns
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'text' and is_generated = 'NEVER' group by 1`,
    )
    for (const { place, columns } of rows)
      for (const column of columns)
        for (const { from, to } of moves)
          await client.query(
            `update ${place} set ${column} = replace(${column}, $1, $2) where strpos(${column}, $1) > 0`,
            [from, to],
          )
  })
  const sandbox = new DatabaseSync(path.join(copy.dataDir, 'sandbox/sandbox.sqlite'))
  const tables = sandbox.prepare(`select name from sqlite_master where type = 'table'`).all() as { name: string }[]
  for (const { name: table } of tables)
    for (const { name, type } of sandbox.prepare(`pragma table_info("${table}")`).all() as {
      name: string
      type: string
    }[])
      if (type === 'TEXT')
        for (const { from, to } of moves)
          sandbox
            .prepare(`update "${table}" set "${name}" = replace("${name}", ?, ?) where instr("${name}", ?) > 0`)
            .run(from, to, from)
  sandbox.close()
}

/** Four in a row; tried again elsewhere where one is taken. */
async function freePorts(): Promise<Ports> {
  for (;;) {
    const okaeri = randomInt(FIRST_PORT, LAST_PORT)
    const ports = { okaeri, sandbox: okaeri + 1, smtp: okaeri + 2, dns: okaeri + 3, bounces: okaeri + 4 }
    if ((await Promise.all(Object.values(ports).map(isFree))).every(Boolean)) return ports
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = net.createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
