import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  cannotWrite,
  closeFolder,
  closeToOthers,
  isRoot,
  lockFolder,
  makePrivateFolder,
  NOBODY,
} from '../data-folder.ts'
import { HOST_RULES, ROLE, roleStatements } from './embedded-postgres-sql.ts'
import { StartupError } from '../errors.ts'
import { createBackoff } from '../work/backoff.ts'
import { findPostmaster, forgetStalePostmaster, isPostmaster } from './postmaster.ts'

/** PostgreSQL refuses to run as root. Then it runs as `nobody`, from a folder that `nobody` can reach. */
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
/** Not our own environment, which contains passwords. */
const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' }
const LOOK_MS = 50
const ANSWERS_WITHIN_MS = 1_000
/** SSLRequest (PostgreSQL: Message Formats): length, and a number in place of a protocol version. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])
/** Recovery after a crash takes seconds; a longer one is reported. */
const LOOKS_UNTIL_SAID = 100
/** The programs take 60 MB, an empty database with its WAL 100 MB. */
const NEEDED_BYTES = 200 * 1024 * 1024
const LOG_LIMIT_BYTES = 5 * 1024 * 1024
const LOG_LOOKED_AT_MS = 60_000

export interface EmbeddedPostgres {
  url: string
  /** Stops the server. */
  stop(): Promise<void>
}

interface Options {
  log?: (line: string) => void
  /** Further settings of the server. */
  settings?: Record<string, string>
  /** Whether other databases than Okaeri's can be created, for tests and measurements. */
  createsDatabases?: boolean
}

/**
 * Starts the PostgreSQL that ships inside an npm package, with its data in `home`, for one process at a time. Only Okaeri's own role can
 * connect, with a password from a file beside the data (mode 600). A server whose starter was killed is taken over, and stopped with this
 * process. If the server dies it is started again on the same port. Throws {@link StartupError} with one sentence.
 */
export async function startEmbeddedPostgres(
  home: string,
  { log = () => {}, settings = {}, createsDatabases = false }: Options = {},
): Promise<EmbeddedPostgres> {
  const wanted = path.resolve(home)
  const lock = await takeLock(wanted)
  try {
    const place = await preparePlace(wanted, createsDatabases, log)
    const server = await keepServer(place, settings, log)
    const watch = setInterval(() => boundLog(place.logFile), LOG_LOOKED_AT_MS)
    watch.unref()
    return {
      url: urlOf(place.folder, server.port),
      async stop() {
        clearInterval(watch)
        await server.stop()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw cannotWrite(error, path.dirname(wanted))
  }
}

/** The address of the database that another process runs in `home`; null if there is none. Neither starts nor stops it. */
export function findEmbeddedPostgres(home: string): string | null {
  const folder = folderOf(path.resolve(home))
  const [port, password] = [portFile(folder), passwordFile(folder)].map(readIfThere)
  return port && password ? urlOf(folder, Number(port)) : null
}

/** Throws {@link StartupError} if another process runs the database in `home`. */
export async function refuseIfInUse(home: string): Promise<void> {
  if (fs.existsSync(home)) (await takeLock(path.resolve(home))).release()
}

/** Whether another process runs the database in `home`. */
export async function isInUse(home: string): Promise<boolean> {
  if (!fs.existsSync(home)) return false
  const lock = await lockFolder(path.resolve(home))
  lock?.release()
  return !lock
}

async function takeLock(home: string): Promise<{ release(): void }> {
  const ownerFile = path.join(home, 'pg-owner')
  try {
    makePrivateFolder(home)
    closeFolder(home)
    const lock = await lockFolder(home)
    if (!lock)
      throw new StartupError(
        `The data folder ${path.dirname(home)} is in use by another Okaeri (process ${readIfThere(ownerFile) ?? 'unknown'}): stop that one, set DATA_DIR to another folder, or add a worker to it with ROLE=worker.`,
      )
    fs.writeFileSync(ownerFile, String(process.pid), { mode: 0o600 })
    return lock
  } catch (error) {
    throw cannotWrite(error, path.dirname(home))
  }
}

interface Place {
  folder: string
  bin: string
  data: string
  logFile: string
}

const passwordFile = (folder: string): string => path.join(folder, 'password')
const portFile = (folder: string): string => path.join(folder, 'pg-port')
const hostRules = (data: string): string => path.join(data, 'pg_hba.conf')

function readIfThere(file: string): string | null {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null
}

function urlOf(folder: string, port: number): string {
  return `postgres://${ROLE}:${readIfThere(passwordFile(folder))}@127.0.0.1:${port}/postgres`
}

/** Creates what is missing of binaries, data, role and password. */
async function preparePlace(wanted: string, createsDatabases: boolean, log: (line: string) => void): Promise<Place> {
  const folder = folderOf(wanted)
  makePrivateFolder(folder)
  closeFolder(folder)
  for (const file of ['pg-port', 'pg-owner', 'lock', 'postgres.log', 'postgres.log.1'])
    closeToOthers(path.join(folder, file))
  const place: Place = {
    folder,
    bin: path.join(installRuntime(folder), 'bin'),
    data: path.join(folder, 'pgdata'),
    logFile: path.join(folder, 'postgres.log'),
  }
  boundLog(place.logFile)
  if (!fs.existsSync(path.join(place.data, 'PG_VERSION'))) initialize(place)
  await secure(place, createsDatabases, log)
  return place
}

/** The folder of the database: `wanted`, unless PostgreSQL runs as `nobody` and cannot reach it. */
function folderOf(wanted: string): string {
  if (!isRoot) return wanted
  const reachable = path.join('/var/lib/okaeri', createHash('sha256').update(wanted).digest('hex').slice(0, 12))
  const isMade = (folder: string): boolean => fs.existsSync(path.join(folder, 'pgdata/PG_VERSION'))
  // An existing database stays where it is, even if the permissions of the folders above have changed.
  if (!isMade(wanted) && isMade(reachable)) return reachable
  const test = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', wanted], { ...identity, cwd: '/' })
  if (test.status === 0) return wanted
  if (isMade(wanted))
    throw new StartupError(
      `The database in ${wanted} runs as the user nobody, who may not enter that folder: allow it for the folders above (chmod o+x).`,
    )
  fs.mkdirSync(path.dirname(reachable), { recursive: true })
  fs.chmodSync(path.dirname(reachable), 0o711)
  return reachable
}

/** npm strips links and runs no install script: the binaries are copied out once and the links made. */
function installRuntime(folder: string): string {
  const source = runtimeSource()
  const target = path.join(folder, 'pg-runtime')
  const [complete, closed] = ['.complete', '.closed'].map((name) => path.join(target, name)) as [string, string]
  if (!fs.existsSync(complete)) {
    refuseSmallDisk(folder)
    fs.rmSync(target, { recursive: true, force: true })
    try {
      fs.cpSync(source, target, { recursive: true, dereference: true })
      const links = JSON.parse(fs.readFileSync(path.join(source, 'pg-symlinks.json'), 'utf8')) as {
        source: string
        target: string
      }[]
      for (const link of links) {
        const to = path.join(target, path.relative('native', link.target))
        if (!fs.existsSync(to)) fs.symlinkSync(path.relative(path.dirname(link.target), link.source), to)
      }
      for (const name of fs.readdirSync(path.join(target, 'bin'))) fs.chmodSync(path.join(target, 'bin', name), 0o700)
      fs.writeFileSync(complete, '', { mode: 0o600 })
    } catch (error) {
      // A partial copy would only fill a disk that is full already.
      fs.rmSync(target, { recursive: true, force: true })
      throw error
    }
  }
  if (!fs.existsSync(closed)) {
    closeToOthers(target)
    if (isRoot) changeOwner(target)
    fs.writeFileSync(closed, '', { mode: 0o600 })
  }
  return target
}

/** Checked before anything is copied: half a database is useless. */
function refuseSmallDisk(folder: string): void {
  const { bavail, bsize } = fs.statfsSync(folder)
  if (bavail * bsize < NEEDED_BYTES) throw Object.assign(new Error('too little room'), { code: 'ENOSPC' })
}

function changeOwner(place: string): void {
  const stat = fs.lstatSync(place)
  fs.lchownSync(place, NOBODY, NOBODY)
  if (stat.isDirectory()) for (const name of fs.readdirSync(place)) changeOwner(path.join(place, name))
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

/** Created under another name, so that a start that is killed meanwhile leaves nothing that looks finished. */
function initialize({ bin, data }: Place): void {
  const fresh = `${data}.new`
  fs.rmSync(fresh, { recursive: true, force: true })
  fs.mkdirSync(fresh, { mode: 0o700 })
  if (isRoot) fs.chownSync(fresh, NOBODY, NOBODY)
  const args = ['-D', fresh, '-U', 'postgres', '-A', 'reject', '-E', 'UTF8', '--locale=C.UTF-8', '--no-instructions']
  const made = spawnSync(path.join(bin, 'initdb'), args, { ...identity, cwd: '/', env, encoding: 'utf8' })
  if (made.status !== 0) {
    fs.rmSync(fresh, { recursive: true, force: true })
    throw cannotWrite(
      new StartupError(`Cannot create the database: ${made.error?.message ?? whyItEnded(made.stderr)}`),
      path.dirname(path.dirname(data)),
    )
  }
  fs.renameSync(fresh, data)
}

/**
 * Makes Okaeri's own role the owner of the database and closes it to others. Done at the first start, for a database from before that role
 * existed, and if the password was lost. The connection rules are written last: until then everything is repeated.
 */
async function secure(place: Place, createsDatabases: boolean, log: (line: string) => void): Promise<void> {
  const { folder, bin, data } = place
  const file = passwordFile(folder)
  if (fs.existsSync(file) && readIfThere(hostRules(data)) === HOST_RULES) return closeToOthers(file)
  // It has the old rules until it ends.
  const running = findPostmaster(data)
  if (running) await stopServer(running.pid, data)
  writeWhole(hostRules(data), '# No one can connect while Okaeri prepares the database.\n')
  if (isRoot) fs.chownSync(hostRules(data), NOBODY, NOBODY)
  const password = readIfThere(file) ?? randomBytes(24).toString('base64url')
  writeWhole(file, password)
  const patience = createBackoff(log)
  for (;;) {
    forgetStalePostmaster(data)
    const args = ['--single', '-j', '-D', data]
    const quiet = { exit_on_error: 'on', log_min_error_statement: 'panic', log_error_verbosity: 'terse' }
    const run = spawnSync(path.join(bin, 'postgres'), [...args, ...settingArgs(quiet), 'postgres'], {
      ...identity,
      cwd: '/',
      env,
      encoding: 'utf8',
      input: roleStatements(password, createsDatabases),
    })
    if (run.status === 0) break
    const reason = run.error?.message ?? whyItEnded(run.stderr)
    if (!isPassing(reason)) throw cannotStart(reason, place)
    await patience(waitingFor(reason))
  }
  writeWhole(hostRules(data), HOST_RULES)
  if (isRoot) fs.chownSync(hostRules(data), NOBODY, NOBODY)
}

/** Writes a file completely or not at all, readable only for its owner. */
function writeWhole(file: string, text: string): void {
  const fresh = `${file}.${process.pid}`
  try {
    fs.writeFileSync(fresh, text, { mode: 0o600, flush: true })
    fs.renameSync(fresh, file)
  } catch (error) {
    fs.rmSync(fresh, { force: true })
    throw error
  }
}

/** Runs the server until `stop`; restarts it when it dies. */
async function keepServer(
  place: Place,
  settings: Record<string, string>,
  log: (line: string) => void,
): Promise<{ port: number; stop(): Promise<void> }> {
  const { data } = place
  const stopping = new AbortController()
  const { signal } = stopping
  let pid = 0
  let port = 0
  let hasRun = false

  const runOnce = async (): Promise<void> => {
    const found = findPostmaster(data)
    if (!found) forgetStalePostmaster(data)
    port = found?.port ?? (port || (await choosePort(place.folder)))
    const logged = sizeOf(place.logFile)
    const child = found ? null : spawnServer(place, port, settings)
    const error = child && (await failureToSpawn(child))
    if (error) throw new Error(error.message)
    pid = found?.pid ?? child?.pid ?? 0
    for (let looks = 1; !signal.aborted; looks += 1) {
      const now = findPostmaster(data)
      if (now?.pid === pid && now.isReady) {
        // One that was just killed, or is suspended, looks ready too, so a server that is not our child has to answer.
        if (child || (await answers(port))) break
        if (looks === 1) log('the database does not answer; waiting for it')
      }
      if (child && (child.exitCode !== null || child.signalCode !== null))
        throw new Error(whyItEnded(fs.readFileSync(place.logFile).subarray(logged).toString()))
      if (!child && !now) return runOnce()
      if (looks === LOOKS_UNTIL_SAID) log('the database is recovering; waiting for it')
      await sleep(LOOK_MS)
    }
    hasRun = true
    child?.unref()
    const again = (): void => {
      if (signal.aborted) return
      log('the database stopped; starting it again')
      running = run(() => true)
    }
    if (child) child.once('exit', again)
    else watchServer(pid, data, again)
  }
  /** Retries if that may help. */
  const run = async (mayPass: (reason: string) => boolean): Promise<void> => {
    const patience = createBackoff(log)
    while (!signal.aborted)
      try {
        return await runOnce()
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        if (!mayPass(reason)) throw cannotStart(reason, place)
        // The previous port was taken after our check.
        if (!hasRun && CANNOT_LISTEN.test(reason)) port = 0
        // Rejects only if stopped meanwhile, which the loop checks next.
        await patience(waitingFor(reason), signal).catch(() => {})
      }
  }
  let running = run(isPassing)
  await running
  return {
    port,
    async stop() {
      stopping.abort()
      await running
      await stopServer(pid, data)
    },
  }
}

const CANNOT_LISTEN = /could not (bind|create any TCP)/i
/** The remains of a killed server hold its shared memory for a moment; another program may use the port just now. */
const isPassing = (reason: string): boolean =>
  /shared memory block|lock file ".*" already exists/i.test(reason) || CANNOT_LISTEN.test(reason)
const waitingFor = (reason: string): string => `the database cannot start yet (${reason}); trying again`
const cannotStart = (reason: string, { data }: Place): unknown =>
  /database "postgres" does not exist|global\/pg_control|invalid data in file/i.test(reason)
    ? new StartupError(
        `The database in ${data} was never finished (${reason}): delete that folder, or restore it from a backup, and start again.`,
      )
    : cannotWrite(new StartupError(`The database did not start: ${reason}`), path.dirname(path.dirname(data)))

/** The first fatal line, without time and process; else the last line. */
function whyItEnded(said: string): string {
  const lines = said.trim().split('\n')
  const telling = lines.find((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? ''
  return telling.replace(/^.*?(FATAL|PANIC|LOG|ERROR|error): +/, '')
}

/** The previous port if it is free, so that other processes find the server again. */
async function choosePort(folder: string): Promise<number> {
  const last = Number(readIfThere(portFile(folder)) ?? 0)
  const port = (last && (await listenOnce(last))) || (await listenOnce(0))
  if (!port) throw new StartupError('No free port for the database.')
  writeWhole(portFile(folder), String(port))
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

const settingArgs = (settings: Record<string, string>): string[] =>
  Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])

function spawnServer({ bin, data, logFile }: Place, port: number, more: Record<string, string>): ChildProcess {
  const memoryMb = os.totalmem() / 1024 / 1024
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // A sixteenth of the memory, because other programs need it too; a million customers with their indexes are about a gigabyte.
    shared_buffers: `${Math.min(1024, Math.max(128, Math.floor(memoryMb / 16)))}MB`,
    effective_cache_size: `${Math.floor(memoryMb / 2)}MB`,
    max_wal_size: '2GB',
    max_connections: '100',
    jit: 'off',
    log_checkpoints: 'off',
    // For a local disk: the default assumes slower random reads.
    random_page_cost: '1.1',
    // Statements and rows in the log would be personal data.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...more,
  }
  // We open the log, so that the server can write to it after this process has ended. Its own process group: Ctrl-C in the terminal reaches only
  // us, and we stop the server properly.
  const out = fs.openSync(logFile, 'a', 0o600)
  try {
    return spawn(path.join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settingArgs(settings)], {
      ...identity,
      cwd: '/',
      env,
      stdio: ['ignore', out, out],
      detached: true,
    })
  } finally {
    fs.closeSync(out)
  }
}

const failureToSpawn = async (child: ChildProcess): Promise<Error | null> =>
  child.pid === undefined ? ((await once(child, 'error'))[0] as Error) : null

const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** The server has the file open for appending, so the content is moved to a second file and the first one is truncated. */
function boundLog(file: string): void {
  if (sizeOf(file) <= LOG_LIMIT_BYTES) return
  try {
    fs.copyFileSync(file, `${file}.1`)
    fs.chmodSync(`${file}.1`, 0o600)
  } catch {
    // On a full disk, space matters more than the log.
  }
  fs.truncateSync(file)
}

/** Fast shutdown: running statements are cancelled, and nothing committed is lost. */
async function stopServer(pid: number, data: string): Promise<void> {
  if (isPostmaster(pid, data)) process.kill(pid, 'SIGINT')
  while (isPostmaster(pid, data)) await sleep(20)
}

/** Whether a PostgreSQL server answers there: it sends one byte for a TLS request. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    const end = (answered: boolean): void => {
      socket.destroy()
      resolve(answered)
    }
    socket.setTimeout(ANSWERS_WITHIN_MS, () => end(false))
    socket.once('error', () => end(false))
    socket.once('close', () => end(false))
    socket.once('data', () => end(true))
    socket.write(TLS_REQUEST)
  })

/** A server that is not our child cannot be waited for, so it is polled. */
function watchServer(pid: number, data: string, onGone: () => void): void {
  const timer = setInterval(() => {
    if (isPostmaster(pid, data)) return
    clearInterval(timer)
    onGone()
  }, 500)
  timer.unref()
}
