import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { isRoot, NOBODY } from '../src/kernel/data-folder.ts'

// A Citus cluster for one run of tests: a coordinator and two workers on loopback, by the PostgreSQL whose programs CITUS_BIN names.

const NODES = ['coordinator', 'worker1', 'worker2'] as const
const PREFIX = 'okaeri-citus-'
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

export interface Cluster {
  /** The database `postgres` of each node, the coordinator's first. */
  urls: string[]
  stop(): Promise<void>
}

export async function startCluster(bin: string): Promise<Cluster> {
  const folder = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), PREFIX))
  const password = randomBytes(18).toString('base64url')
  const passwords = path.join(folder, 'passwords')
  fs.writeFileSync(path.join(folder, 'password'), password)
  // For the nodes, which call each other.
  fs.writeFileSync(passwords, `127.0.0.1:*:*:okaeri:${password}\n`, { mode: 0o600 })
  for (const place of [folder, passwords, path.join(folder, 'password')])
    if (isRoot) fs.chownSync(place, NOBODY, NOBODY)
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', PGPASSFILE: passwords }
  const run = (program: string, args: string[]): void => {
    const { status, stderr, error } = spawnSync(path.join(bin, program), args, {
      ...identity,
      cwd: '/',
      env,
      // What it starts holds on to its streams.
      stdio: ['ignore', 'ignore', program === 'pg_ctl' ? 'ignore' : 'pipe'],
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr ?? ''} (see ${folder})`)
  }
  const started: string[] = []
  const stop = async (): Promise<void> => {
    for (const data of started.splice(0)) run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
    fs.rmSync(folder, { recursive: true, force: true })
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
      started.push(data)
      urls.push(`postgres://okaeri:${password}@127.0.0.1:${port}/postgres`)
    }
    return { urls, stop }
  } catch (error) {
    await stop()
    throw error
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
