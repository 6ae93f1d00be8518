import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { isRoot, NOBODY } from '../src/kernel/data-folder.ts'
import { findPostmaster } from '../src/kernel/database/postmaster.ts'

// A Citus cluster for one run of tests: a coordinator and two workers on loopback, by the PostgreSQL whose programs CITUS_BIN names.

const NODES = ['coordinator', 'worker1', 'worker2'] as const
const PREFIX = 'okaeri-citus-'
const PLACE = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir()
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

export interface Cluster {
  /** The database `postgres` of each node, the coordinator's first. */
  urls: string[]
  /** Ends all connections to it; none can be made until it is started. */
  stopNode(number: number): void
  startNode(number: number): void
  stop(): Promise<void>
}

export async function startCluster(bin: string): Promise<Cluster> {
  for (const left of leftClusters()) removeCluster(bin, left)
  // The name says whose it is from its first moment, so that a run which is killed at any point leaves nothing without an owner.
  const folder = fs.mkdtempSync(path.join(PLACE, `${PREFIX}${process.pid}-${beginningOf(process.pid) ?? ''}-`))
  const forget = whenEnding(() => removeCluster(bin, folder))
  const password = randomBytes(18).toString('base64url')
  const passwords = path.join(folder, 'passwords')
  fs.writeFileSync(path.join(folder, 'password'), password)
  // For the nodes, which call each other.
  fs.writeFileSync(passwords, `127.0.0.1:*:*:okaeri:${password}\n`, { mode: 0o600 })
  for (const place of [folder, passwords, path.join(folder, 'password')])
    if (isRoot) fs.chownSync(place, NOBODY, NOBODY)
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', PGPASSFILE: passwords }
  const run = (program: string, args: string[]): void => runProgram(path.join(bin, program), args, env)
  const stop = async (): Promise<void> => {
    forget()
    removeCluster(bin, folder)
  }
  try {
    const urls: string[] = []
    for (const node of NODES) {
      const data = path.join(folder, node)
      const port = await freePort()
      run('initdb', [
        '-D',
        data,
        '-U',
        'okaeri',
        '-A',
        'scram-sha-256',
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
        '--pwfile',
        path.join(folder, 'password'),
      ])
      fs.appendFileSync(path.join(data, 'postgresql.conf'), settings(port))
      run('pg_ctl', ['-D', data, '-w', '-l', path.join(folder, `${node}.log`), 'start'])
      urls.push(`postgres://okaeri:${password}@127.0.0.1:${port}/postgres`)
    }
    const control = (number: number, ...what: string[]): void => {
      const node = NODES[number] ?? ''
      run('pg_ctl', ['-D', path.join(folder, node), '-w', '-l', path.join(folder, `${node}.log`), ...what])
    }
    return {
      urls,
      stopNode: (number) => control(number, '-m', 'fast', 'stop'),
      startNode: (number) => control(number, 'start'),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function runProgram(program: string, args: string[], env: NodeJS.ProcessEnv): void {
  const { status, stderr, error } = spawnSync(program, args, {
    ...identity,
    cwd: '/',
    env,
    // What it starts holds on to its streams.
    stdio: ['ignore', 'ignore', path.basename(program) === 'pg_ctl' ? 'ignore' : 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr ?? ''}`)
}

/** Stops the servers that run in this folder, and removes it. */
export function removeCluster(bin: string, folder: string): void {
  for (const node of NODES) {
    const data = path.join(folder, node)
    if (findPostmaster(data) === null) continue
    try {
      runProgram(path.join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', '-w', 'stop'], { PATH: '/usr/bin:/bin' })
    } catch (error) {
      // Another run that begins now may have stopped it first.
      if (findPostmaster(data) !== null) throw error
    }
  }
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** The folders of runs that are dead, by the process and its beginning in their names. */
export function leftClusters(place = PLACE): string[] {
  return fs.readdirSync(place).flatMap((name) => {
    const [, pid, began] = /^okaeri-citus-(\d+)-(\d+)-/.exec(name) ?? []
    return pid !== undefined && beginningOf(Number(pid)) !== began ? [path.join(place, name)] : []
  })
}

/** In ticks since the machine's start; null where no such process runs, or the system does not tell. */
function beginningOf(pid: number): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Behind the name, which may have anything in it.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? null : (fields[18] ?? null)
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

/** Does it also when the run is interrupted, or what started it is killed; returns how to call that off. */
function whenEnding(work: () => void): () => void {
  const interrupted = (signal: NodeJS.Signals): void => process.exit(128 + os.constants.signals[signal])
  for (const signal of SIGNALS) process.prependListener(signal, interrupted)
  process.once('exit', work)
  const abandoned = (): void => process.exit(1)
  process.once('disconnect', abandoned)
  // That listener alone is not to keep it from ending. Where it is a worker of Vitest, waiting for the next file is.
  if (process.listenerCount('message') === 0) process.channel?.unref()
  return () => {
    process.off('disconnect', abandoned)
    process.off('exit', work)
    for (const signal of SIGNALS) process.off(signal, interrupted)
  }
}

/** It holds nothing that outlives the run; one shard on each worker behaves as many would. */
const settings = (port: number): string => `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
port = ${port}
shared_preload_libraries = 'citus'
citus.node_conninfo = 'sslmode=disable'
citus.shard_count = 2
citus.max_cached_conns_per_worker = 1
citus.enable_statistics_collection = off
max_connections = 400
max_worker_processes = 100
max_prepared_transactions = 400
fsync = off
full_page_writes = off
synchronous_commit = off
autovacuum = off
jit = off
`

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })

async function on<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export const databaseOn = (url: string, name: string): string => {
  const database = new URL(url)
  database.pathname = `/${name}`
  return database.href
}

/** An empty database of that name on each node, joined to one. */
export async function createJoined({ urls }: Pick<Cluster, 'urls'>, name: string): Promise<string> {
  for (const url of urls) {
    await on(url, (client) => client.query(`create database ${name}`))
    await on(databaseOn(url, name), (client) => client.query('create extension citus'))
  }
  const [coordinator = '', ...workers] = urls.map((url) => databaseOn(url, name))
  await on(coordinator, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', ['127.0.0.1', Number(new URL(coordinator).port)])
    for (const url of workers)
      await client.query('select citus_add_node($1, $2)', ['127.0.0.1', Number(new URL(url).port)])
  })
  return coordinator
}

/** From now on no one can connect to it, so that it can be copied: not even Citus's own workers in each database. */
export async function closeTemplate(urls: readonly string[], name: string): Promise<void> {
  for (const url of urls)
    await on(url, async (client) => {
      await client.query(`alter database ${name} allow_connections false`)
      await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [name])
    })
}

/** Node by node: what Citus knows of its tables and nodes is in the database, under the same numbers. */
export async function copyJoined(urls: readonly string[], template: string, name: string): Promise<string> {
  await Promise.all(
    urls.map((url) =>
      on(url, (client) => client.query(`create database ${name} template ${template} strategy file_copy`)),
    ),
  )
  return databaseOn(urls[0] ?? '', name)
}

export async function dropJoined(urls: readonly string[], name: string): Promise<void> {
  await Promise.all(
    urls.map((url) => on(url, (client) => client.query(`drop database if exists ${name} with (force)`))),
  )
}
