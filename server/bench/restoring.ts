import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Readiness } from '@okaeri/contract/system/routes'
import { sql } from 'kysely'
import { readConfig } from '../src/app/config.ts'
import { startProcess } from '../src/app/process.ts'
import { stopwatch } from '../src/kernel/clock.ts'
import { connect, type Database } from '../src/kernel/database/database.ts'
import { isRoot, NOBODY } from '../src/kernel/data-folder.ts'
import { findEmbeddedPostgres } from '../src/kernel/database/embedded-postgres.ts'
import { addBenchMerchant, until } from './installation.ts'
import { campaignOf, compare, reserveForAll, type KillReport } from './send-programs.ts'
import { startSinkProcess } from './sending.ts'
import type { SinkReport, SunkMessage } from './smtp-sink.ts'

// An installation as people run it: one process in both roles. It is restored in the middle of a campaign and started normally. Nothing may
// leave before a person has looked; afterwards no one gets anything twice.

/**
 * The whole data folder with the database in it, copied while stopped: put in the place of the present one, or copied over it. Or a
 * PostgreSQL beside it, by `pg_dump` and `psql`.
 */
export type WayBack = 'folder' | 'folder_over' | 'psql'

const LOOKED_MS = { everyMs: 50, timeoutMs: 120_000 }
const MAIN = path.join(import.meta.dirname, '../src/main.ts')
const OPERATOR = path.join(import.meta.dirname, '../src/operator.ts')

/** Sends the mails of one campaign, and puts back an earlier state on the way. */
export async function runRestore(name: string, way: WayBack, recipients: number): Promise<KillReport> {
  const elapsed = stopwatch()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-restore-'))
  fs.chmodSync(folder, 0o755)
  const sink = await startSinkProcess()
  const server = way === 'psql' ? await startServer(folder) : null
  const dataDir = path.join(folder, 'data')
  const port = await freePort()
  const env: Record<string, string> = {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    SANDBOX: 'off',
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    LEASE_SECONDS: '2',
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    ...(server && { DATABASE_URL: server.url }),
  }
  const installation = installationOf(env)
  const ask = async <T>(what: string): Promise<T> =>
    (await (await fetch(`http://127.0.0.1:${sink.httpPort}${what}`)).json()) as T
  const countSent = async (): Promise<number> => (await ask<SinkReport>('/')).total
  const untilSent = (more: number) =>
    until(async () => (await countSent()) > more, { ...LOOKED_MS, what: `more than ${more} are sent` })
  try {
    const campaignId = await prepare(env, recipients)
    await installation.start()
    await installation.withDatabase((db) => campaignOf({ db }, campaignId).begin())
    await untilSent(200)
    const putBack = await backUp(way, installation, server, folder)
    await untilSent((await countSent()) + 300)
    await installation.stop()
    putBack()
    const before = await countSent()
    await installation.start()
    await installation.withDatabase((db) =>
      until(() => isHeld(db, campaignId), { ...LOOKED_MS, what: 'the campaign waits, since sending is on hold' }),
    )
    const health = (await (await fetch(`${env['PUBLIC_URL']}/readyz`)).json()) as Readiness
    const problems = (await countSent()) === before ? [] : ['something left before anybody had looked']
    if (health.sending !== 'on_hold') problems.push(`nobody is told that sending is on hold: ${health.sending}`)
    installation.operator('sending')
    installation.operator('release-sending', way === 'psql' ? '--known' : '--uncertain')
    const verdict = await installation.withDatabase(async (db) => {
      const program = campaignOf({ db }, campaignId)
      await until(program.isDone, { ...LOOKED_MS, what: 'the campaign is done' })
      return compare({ db }, program.deliveries, await ask<SunkMessage[]>('/messages'))
    })
    if (way === 'psql' && verdict.uncertainNotReceived > 0)
      problems.push(`uncertain, though the journals know that it did not leave: ${verdict.uncertainNotReceived}`)
    return {
      name,
      recipients,
      kills: 0,
      seconds: elapsed() / 1000,
      ...verdict,
      problems: [...problems, ...verdict.problems],
    }
  } finally {
    await installation.stop()
    server?.stop()
    sink.process.kill()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** A merchant with a campaign for an hour from now; returns its id. Everything is stopped again. */
async function prepare(env: Record<string, string>, recipients: number): Promise<string> {
  const api = await startProcess(readConfig({ ...env, ROLE: 'api' }))
  try {
    return await reserveForAll({ scope: await addBenchMerchant(api.context), api }, recipients)
  } finally {
    await api.stop()
  }
}

async function isHeld(db: Database, campaignId: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select status = 'waiting' and wait_reason = 'sending_held' as held from campaigns where id = ${campaignId}`.execute(
    db,
  )
  return rows[0]?.held === true
}

/** Takes a backup; returns how it is put back while everything is stopped. */
async function backUp(
  way: WayBack,
  installation: ReturnType<typeof installationOf>,
  server: Server | null,
  folder: string,
): Promise<() => void> {
  const backup = path.join(folder, 'backup')
  if (server) {
    server.dump(backup)
    return () => server.restore(backup)
  }
  const data = path.join(folder, 'data')
  await installation.stop()
  run('cp', ['-a', data, backup])
  await installation.start()
  return () => {
    if (way === 'folder_over') return run('cp', ['-a', `${backup}/.`, data])
    fs.rmSync(data, { recursive: true })
    return run('cp', ['-a', backup, data])
  }
}

function installationOf(env: Record<string, string>) {
  let running: ChildProcess | null = null
  const given = { ...process.env, ...env }
  return {
    start: () =>
      new Promise<void>((resolve, reject) => {
        const child = spawn(process.execPath, [MAIN], { env: given, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
        running = child
        child.once('error', reject)
        child.once('exit', (code) => reject(new Error(`Okaeri ended with ${code}`)))
        child.on('message', (message: { ready?: boolean }) => message.ready && resolve())
      }),
    async stop() {
      const child = running
      running = null
      if (!child || child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
    operator: (...command: string[]) => run(process.execPath, [OPERATOR, ...command], given),
    async withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
      const url = env['DATABASE_URL'] ?? findEmbeddedPostgres(path.join(env['DATA_DIR'] ?? '', 'postgres'))
      if (!url) throw new Error('no database runs here')
      const { db, close } = connect(url, { name: 'restore', max: 1 })
      try {
        return await work(db)
      } finally {
        await close()
      }
    },
  }
}

/** A PostgreSQL of the machine that comes with `pg_dump`; null when there is none. */
export function findPrograms(): string | null {
  const debian = '/usr/lib/postgresql'
  const folders = [
    ...(process.env['PATH'] ?? '').split(':'),
    ...(fs.existsSync(debian) ? fs.readdirSync(debian) : [])
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => path.join(debian, version, 'bin')),
  ]
  const all = ['initdb', 'pg_ctl', 'pg_dump', 'psql']
  return folders.find((folder) => all.every((name) => fs.existsSync(path.join(folder, name)))) ?? null
}

interface Server {
  url: string
  dump(file: string): void
  /** Into the same server, in the place of what is there. */
  restore(file: string): void
  stop(): void
}

async function startServer(folder: string): Promise<Server> {
  const programs = findPrograms()
  if (!programs) throw new Error('no PostgreSQL with pg_dump is installed here')
  const data = path.join(folder, 'postgresql')
  fs.mkdirSync(data, { mode: 0o700 })
  if (isRoot) fs.chownSync(data, NOBODY, NOBODY)
  const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  const program = (name: string, ...args: string[]): void => run(path.join(programs, name), args, process.env, identity)
  const port = await freePort()
  program('initdb', '-D', data, '-U', 'okaeri', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8')
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`
  program('pg_ctl', '-D', data, '-w', '-l', path.join(data, 'log'), '-o', settings, 'start')
  const url = `postgres://okaeri@127.0.0.1:${port}`
  const tell = (command: string): void => program('psql', '-qc', command, `${url}/postgres`)
  tell('create database okaeri')
  return {
    url: `${url}/okaeri`,
    // The file is made as root where we are root.
    dump: (file) => run(path.join(programs, 'pg_dump'), ['-f', file, `${url}/okaeri`]),
    restore(file) {
      tell('drop database okaeri with (force)')
      tell('create database okaeri')
      run(path.join(programs, 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', '-f', file, `${url}/okaeri`])
    },
    stop: () => program('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop'),
  }
}

function run(program: string, args: string[], env = process.env, identity: { uid?: number; gid?: number } = {}): void {
  // What it leaves running must not hold our pipes.
  const { status, error, stderr } = spawnSync(program, args, {
    cwd: '/',
    env,
    ...identity,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (status !== 0) throw new Error(`${path.basename(program)} ${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
}

async function freePort(): Promise<number> {
  const server = net.createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
