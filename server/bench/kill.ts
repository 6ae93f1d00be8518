import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { describeHold, releaseHold } from '../src/features/deliveries/index.ts'
import { isOutage } from '../src/kernel/database/database-trouble.ts'
import { type CrashPoint, crashPoints } from '../src/kernel/crash-point.ts'
import { findPostmaster } from '../src/kernel/database/postmaster.ts'
import { dumpDatabase, restoreDatabase } from '../test/dumps.ts'
import { type BenchInstallation, mountSmallDisk, startInstallation, until } from './installation.ts'
import { addManyFriends, compareReceipts, freezeForAll, lineAt, readReceipts } from './line-programs.ts'
import { campaignOf, compare, type KillReport, type Program, reserveForAll, waitForAll } from './send-programs.ts'
import { findPrograms, runRestore, type WayBack } from './restoring.ts'
import { startSinkProcess } from './sending.ts'
import type { SunkMessage } from './smtp-sink.ts'

// Real processes, a mail server that counts per recipient, and kill -9. What must hold afterwards, wherever it struck: no one got the mail
// twice, everyone counted as sent got it, everyone who got it is sent or uncertain, the balance adds up.

export interface KillOptions {
  /** Who sends: a campaign, or a scenario whose executions wake up all at once; or the ledger by LINE, to one at a time or to many. */
  program: 'campaign' | 'canary' | 'ab_test' | 'scenario' | 'line_push' | 'line_multicast'
  recipients: number
  workers: number
  /** kill -9 of a random worker, so many times. */
  workerKills: number
  /** kill -9 of the database server, so many times. */
  databaseKills: number
  /** The sink cuts the connection after every nth body instead of answering; 0 never. */
  dropEvery: number
  /** A random worker is stopped for longer than its lease lasts and wakes up again, so many times. */
  freezes: number
  /** Connections of the workers are ended by the database: all at once, and one by kill -9, which restarts the others, so many times. */
  backendKills: number
  /** For some seconds there is no room where workers record what leaves, or for the database. Needs root, for a small disk of its own. */
  fullDisk: 'departures' | 'database' | null
  /** A worker dies unnoticed, and the time of day of all workers is set this many hours forward or back. */
  clockHours: number
  /** A dump taken while it is sent is put back a little later, and released by an operator. */
  restore: boolean
  /** A worker dies at this point instead of at random; it is armed again until it struck `workerKills` times. */
  crashAt: CrashPoint | null
  random: () => number
}

/** Sends the mails of one campaign or scenario while things are killed. Returns what each recipient got beside what the ledger says. */
export async function runKill(name: string, options: KillOptions): Promise<KillReport> {
  const start = performance.now()
  const byLine = options.program === 'line_push' || options.program === 'line_multicast'
  const dropped = options.dropEvery > 0 ? ['--drop-every', String(options.dropEvery)] : []
  const sink = byLine
    ? await startSinkProcess([...dropped, ...lineSinkOf(options)], 'line-sink.ts')
    : await startSinkProcess(dropped)
  const okaeri = await startInstallation({
    smtpUrl: `smtp://127.0.0.1:${byLine ? 9 : sink.port}`,
    env: {
      LEASE_SECONDS: '2',
      NODE_ENV: 'test',
      LOG_LEVEL: 'fatal',
      ...(byLine && lineAt(sink.port)),
    },
    ...(options.fullDisk === 'database' && { databaseDiskBytes: 1024 * MB }),
  })
  const folder = path.dirname(okaeri.databaseFolder)
  const ownDisk = options.fullDisk === 'departures' ? mountSmallDisk(path.join(folder, 'small'), MB) : null
  const disk = ownDisk ?? okaeri.disk
  // Workers that share a data folder hear of each other's death by it.
  let folders = 0
  const ownFolder = (): Record<string, string> =>
    ownDisk || options.clockHours !== 0
      ? {
          DATA_DIR: path.join(folder, ownDisk ? 'small' : `worker-${folders++}`),
          SECRETS_FILE: path.join(folder, 'data/secrets.json'),
        }
      : {}
  let kills = 0
  try {
    const program = await programOf(okaeri, options)
    let finished = false
    const team = Array.from({ length: options.workers }, () =>
      keepAlive(
        okaeri,
        () => finished,
        options,
        () => kills++,
        ownFolder,
      ),
    )
    await program.begin()
    const killing = killAtRandom(
      okaeri,
      team,
      options,
      () => finished,
      () => kills++,
    )
    // While a dump is read the tables are empty, which looks as if all were done.
    let isWhole = !options.restore
    const putBack = options.restore
      ? putBackADump(okaeri, program.deliveries).then(() => {
          isWhole = true
        })
      : null
    const trouble = Promise.all([
      disk && fillAndFree(okaeri, program.deliveries, disk),
      options.clockHours !== 0 && killAndMoveClock(okaeri, program.deliveries, team, options, () => kills++),
      putBack,
      endConnections(
        okaeri,
        options,
        () => finished,
        () => kills++,
      ),
    ])
    await until(
      async () => {
        // The database may be down at this very moment.
        return isWhole && program.isDone().catch(() => false)
      },
      { timeoutMs: 300_000, everyMs: 100, what: `${name}: the mails are sent` },
    )
    finished = true
    await killing
    await trouble
    await Promise.all(team.map((worker) => worker.stop()))
    // It looked done while a worker stood still that then reported some of its mails as not sent: the next worker sends them.
    if (!(await program.isDone())) {
      const next = await okaeri.startWorker(ownFolder())
      await until(() => program.isDone(), { timeoutMs: 60_000, everyMs: 100, what: `${name}: the rest is sent` })
      next.kill('SIGTERM')
      await once(next, 'exit')
    }
    if (byLine) {
      const verdict = await compareReceipts(okaeri.scope, program.deliveries, await readReceipts(sink.port))
      return { name, recipients: options.recipients, kills, seconds: (performance.now() - start) / 1000, ...verdict }
    }
    const answer = await fetch(`http://127.0.0.1:${sink.httpPort}/messages`)
    const messages = (await answer.json()) as SunkMessage[]
    const verdict = await compare(okaeri.scope, program.deliveries, messages)
    const known =
      options.workerKills + options.databaseKills + options.dropEvery + Math.abs(options.clockHours) === 0 &&
      !options.restore
    if (known && verdict.uncertainNotReceived > 0)
      verdict.problems.push(
        `uncertain, though a living worker knows that it did not leave: ${verdict.uncertainNotReceived}`,
      )
    return { name, recipients: options.recipients, kills, seconds: (performance.now() - start) / 1000, ...verdict }
  } finally {
    ownDisk?.unmount()
    await okaeri.stop()
    sink.process.kill()
  }
}

async function programOf(okaeri: BenchInstallation, { program, recipients }: KillOptions): Promise<Program> {
  if (program === 'campaign') return campaignOf(okaeri.scope, await reserveForAll(okaeri, recipients))
  if (program === 'canary' || program === 'ab_test')
    return campaignOf(okaeri.scope, await reserveForAll(okaeri, recipients, program))
  if (program === 'scenario') return waitForAll(okaeri, recipients)
  await addManyFriends(okaeri.scope, recipients)
  return freezeForAll(okaeri.scope, { isPersonal: program === 'line_push' })
}

/** It answers slowly enough that there is something to kill, and refuses some with 500. */
const lineSinkOf = ({ program, dropEvery }: KillOptions): string[] => [
  '--delay-ms',
  program === 'line_push' ? '50' : '300',
  ...(dropEvery > 0 ? ['--fail-every', String(dropEvery + 2)] : []),
]

interface KeptWorker {
  kill(): void
  /** Stands still for so long, and goes on. */
  freeze(ms: number): Promise<void>
  moveClock(hours: number): void
  stop(): Promise<void>
}

/** A worker that is started again whenever it dies; armed with the crash point while kills are left. */
function keepAlive(
  okaeri: BenchInstallation,
  finished: () => boolean,
  options: KillOptions,
  onDeath: () => void,
  /** Of each start. */
  env: () => Record<string, string>,
): KeptWorker {
  let child: ChildProcess | null = null
  let clockHours = 0
  let armed = options.crashAt ? options.workerKills : 0
  const loop = (async () => {
    while (!finished()) {
      const crash: Record<string, string> =
        armed > 0 ? { CRASH_AT: `${options.crashAt}:${1 + Math.floor(options.random() * pace(options))}` } : {}
      try {
        child = await okaeri.startWorker({ ...env(), ...crash, ...(options.clockHours !== 0 && movable(clockHours)) })
      } catch {
        // It came up while the database was down, and said so; it is started again.
        await sleep(100)
        continue
      }
      // Everything may have ended while it was starting; then nothing else stops it.
      if (finished()) child.kill('SIGTERM')
      const signal = await new Promise<NodeJS.Signals | null>((resolve) =>
        child?.once('exit', (_code, by) => resolve(by)),
      )
      if (signal === 'SIGKILL' && armed > 0) {
        armed -= 1
        onDeath()
      }
    }
  })()
  return {
    kill: () => child?.kill('SIGKILL'),
    moveClock(hours) {
      clockHours = hours
      if (child?.connected) child.send({ clockHours })
    },
    async freeze(ms) {
      const frozen = child
      frozen?.kill('SIGSTOP')
      await sleep(ms)
      frozen?.kill('SIGCONT')
    },
    async stop() {
      child?.kill('SIGTERM')
      await loop
    },
  }
}
const MB = 1024 * 1024
/** The machine's clock is not ours to set. */
const movable = (hours: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'moved-clock.ts')}`,
  CLOCK_HOURS: String(hours),
})

/** Points passed once per message strike somewhere in the first few hundred; those passed once per batch soon. */
const pace = ({ crashAt: point, program }: KillOptions): number => {
  const byLine = program === 'line_push' || program === 'line_multicast'
  // Few time slices are enough for messages by LINE.
  if (point === 'ending') return byLine ? 1 : 3
  if (point === 'claimed') return 3
  // Of 500 people at once.
  if (program === 'line_multicast') return 6
  if (point === 'cleared') return byLine ? 5 : 20
  return point === 'stored' ? 20 : 150
}

async function killAtRandom(
  okaeri: BenchInstallation,
  team: KeptWorker[],
  options: KillOptions,
  finished: () => boolean,
  onKill: () => void,
): Promise<void> {
  const targets = [
    ...Array.from({ length: options.crashAt ? 0 : options.workerKills }, () => 'worker' as const),
    ...Array.from({ length: options.databaseKills }, () => 'database' as const),
    ...Array.from({ length: options.freezes }, () => 'freeze' as const),
  ].sort(() => options.random() - 0.5)
  for (const target of targets) {
    await sleep(300 + options.random() * 1200)
    if (finished()) return
    onKill()
    const one = team[Math.floor(options.random() * team.length)]
    if (target === 'worker') one?.kill()
    else if (target === 'freeze') await one?.freeze(4_500)
    else killDatabase(okaeri)
  }
}

/** None while the database does not answer. */
async function pidsOfWorkers({ scope }: BenchInstallation): Promise<number[]> {
  try {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where application_name = 'okaeri-worker'`.execute(scope.db)
    return rows.map(({ pid }) => pid)
  } catch (error) {
    if (isOutage(error)) return []
    throw error
  }
}

/** As the database's operator ends them, and as a bug or the kernel does. */
async function endConnections(
  okaeri: BenchInstallation,
  options: KillOptions,
  finished: () => boolean,
  onKill: () => void,
): Promise<void> {
  for (let n = 0; n < options.backendKills; ) {
    await sleep(500 + options.random() * 1000)
    if (finished()) return
    const pids = await pidsOfWorkers(okaeri)
    // It comes back from the kill before.
    if (pids.length === 0) continue
    onKill()
    if (n % 2 === 0)
      await sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as pid`.execute(okaeri.scope.db)
    else process.kill(pids[0] as number, 'SIGKILL')
    n += 1
  }
}

const WAIT = { everyMs: 20, timeoutMs: 60_000 }
/** Waits until more than this many have their answer; returns how many. */
async function untilLeft({ scope }: BenchInstallation, deliveries: RawBuilder<boolean>, more: number): Promise<number> {
  let left = 0
  const look = async (): Promise<boolean> => {
    const { rows } = await sql<{ left: number }>`
      select count(*)::int as left from deliveries where ${deliveries} and status not in ('pending', 'sending')`.execute(
      scope.db,
    )
    left = rows[0]?.left ?? 0
    return left > more
  }
  await until(look, { ...WAIT, what: `more than ${more} are sent` })
  return left
}

/** In the midst of it the disk is full, for some seconds. */
async function fillAndFree(
  okaeri: BenchInstallation,
  deliveries: RawBuilder<boolean>,
  disk: ReturnType<typeof mountSmallDisk>,
): Promise<void> {
  await untilLeft(okaeri, deliveries, 200)
  disk.fill()
  // Files the database has already are written over for a while.
  const log = path.join(okaeri.databaseFolder, 'postgres.log')
  if (disk === okaeri.disk)
    await until(() => Promise.resolve(/no space left/i.test(fs.readFileSync(log, 'utf8'))), {
      ...WAIT,
      what: 'the database has met its full disk',
    })
  await sleep(4000)
  disk.free()
}

/** Once a worker is killed and its work waits for another, the time of day of all workers changes. */
async function killAndMoveClock(
  okaeri: BenchInstallation,
  deliveries: RawBuilder<boolean>,
  team: KeptWorker[],
  { clockHours }: KillOptions,
  onKill: () => void,
): Promise<void> {
  await untilLeft(okaeri, deliveries, 200)
  onKill()
  team[0]?.kill()
  for (const worker of team) worker.moveClock(clockHours)
}

async function putBackADump(okaeri: BenchInstallation, deliveries: RawBuilder<boolean>): Promise<void> {
  const { context } = okaeri.scope
  await untilLeft(okaeri, deliveries, 200)
  const dump = await dumpDatabase(okaeri.databaseUrl)
  await untilLeft(okaeri, deliveries, (await untilLeft(okaeri, deliveries, 200)) + 300)
  for (let tries = 0; ; tries += 1)
    try {
      await restoreDatabase(okaeri.databaseUrl, dump)
      break
    } catch (error) {
      // The workers are at it meanwhile; psql would be called again, too.
      if (tries === 20) throw error
    }
  await until(() => describeHold(context).then((hold) => hold !== null), { ...WAIT, what: 'sending is on hold' })
  // All workers have reported what they sent.
  await sleep(2000)
  await releaseHold(context)
}

function killDatabase(okaeri: BenchInstallation): void {
  // Null: already down from the kill before.
  const running = findPostmaster(path.join(okaeri.databaseFolder, 'pgdata'))
  if (running) process.kill(running.pid, 'SIGKILL')
}

/** mulberry32: the same seed strikes at the same moments, as far as processes let it. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

function lineRuns(
  program: 'line_push' | 'line_multicast',
  common: KillOptions,
  rounds: number,
): [string, KillOptions][] {
  const what = program === 'line_push' ? 'LINE push' : 'LINE multicast'
  const base = { ...common, program }
  const dropEvery = program === 'line_push' ? 97 : 11
  return [
    [`${what}, two workers`, { ...base, workers: 2 }],
    [`${what}, answers lost and 500s`, { ...base, dropEvery }],
    [`${what}, workers frozen`, { ...base, workers: 2, freezes: 3 }],
    [`${what}, connections and backends killed`, { ...base, workers: 2, backendKills: 4 }],
    ...crashPoints
      .filter((point) => point !== 'members_page')
      .map((point): [string, KillOptions] => [
        `${what}, worker dies at ${point}`,
        { ...base, workers: 2, crashAt: point, workerKills: 3 },
      ]),
    ...Array.from({ length: rounds }, (_, round): [string, KillOptions] => [
      `${what}, random kills, round ${round + 1}`,
      { ...base, workers: 2, workerKills: 6, databaseKills: 2, dropEvery },
    ]),
  ]
}

/** A campaign whose messages go out one after the other. */
function partRuns(program: 'canary' | 'ab_test', common: KillOptions, rounds: number): [string, KillOptions][] {
  const what = program === 'canary' ? 'to a few first' : 'an A/B test'
  const base = { ...common, program }
  return [
    [`${what}, two workers`, { ...base, workers: 2 }],
    [`${what}, workers frozen`, { ...base, workers: 2, freezes: 3 }],
    ...(['cleared', 'body_sent', 'stored', 'ending'] as const).map((point): [string, KillOptions] => [
      `${what}, worker dies at ${point}`,
      { ...base, workers: 2, crashAt: point, workerKills: 3 },
    ]),
    ...Array.from({ length: rounds }, (_, round): [string, KillOptions] => [
      `${what}, random kills, round ${round + 1}`,
      { ...base, workers: 2, workerKills: 6, databaseKills: 2, dropEvery: 401 },
    ]),
  ]
}

const show = (report: KillReport): string =>
  `${report.problems.length === 0 ? 'ok    ' : 'FAILED'} ${report.name.padEnd(34)} ${String(report.kills).padStart(2)} kills  ` +
  `sent ${report.sent}, uncertain ${report.uncertain} (${report.uncertainReceived} received, ${report.uncertainNotReceived} not)  ` +
  `lost ${report.lost}, twice ${report.twice}  ${report.seconds.toFixed(1)} s${report.problems.map((problem) => `\n         ${problem}`).join('')}`

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      recipients: { type: 'string', default: '8000' },
      rounds: { type: 'string', default: '3' },
      /** Only runs whose name begins so. */
      only: { type: 'string', default: '' },
      seed: { type: 'string' },
    },
  })
  const recipients = Number(values.recipients)
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const random = seeded(seed)
  console.log(`seed ${seed}, ${recipients} recipients a run`)
  const base: KillOptions = {
    program: 'campaign',
    recipients,
    workers: 1,
    workerKills: 0,
    databaseKills: 0,
    dropEvery: 0,
    freezes: 0,
    backendKills: 0,
    fullDisk: null,
    clockHours: 0,
    restore: false,
    crashAt: null,
    random,
  }
  const runs: [string, KillOptions][] = [
    ['nothing is killed, two workers', { ...base, workers: 2 }],
    ['connections cut after the body', { ...base, dropEvery: 97 }],
    ['workers are frozen longer than their lease', { ...base, workers: 2, freezes: 3 }],
    ['connections and backends are killed', { ...base, workers: 2, backendKills: 4 }],
    ['a dump is put back while it is sent', { ...base, workers: 2, restore: true }],
    ['a dump is put back, a scenario', { ...base, program: 'scenario', workers: 2, restore: true }],
    ['a worker dies, the clock an hour back', { ...base, workers: 2, clockHours: -1 }],
    ['a worker dies, the clock an hour forward', { ...base, workers: 2, clockHours: 1 }],
    ...(process.getuid?.() === 0
      ? ([
          ['no room to note what leaves', { ...base, workers: 2, fullDisk: 'departures' }],
          ['no room for the database', { ...base, workers: 2, fullDisk: 'database' }],
        ] satisfies [string, KillOptions][])
      : []),
    ...crashPoints.map((point): [string, KillOptions] => [
      `worker dies at ${point}`,
      { ...base, crashAt: point, workerKills: 3 },
    ]),
    ...(['canary', 'ab_test'] as const).flatMap((program) => partRuns(program, base, Number(values.rounds))),
    ...(['line_push', 'line_multicast'] as const).flatMap((program) => lineRuns(program, base, Number(values.rounds))),
    ...Array.from({ length: Number(values.rounds) }, (_, round): [string, KillOptions] => [
      `a scenario, random kills, round ${round + 1}`,
      { ...base, program: 'scenario', workers: 2, workerKills: 6, databaseKills: 2, dropEvery: 401 },
    ]),
    ...Array.from({ length: Number(values.rounds) }, (_, round): [string, KillOptions] => [
      `random kills, round ${round + 1}`,
      { ...base, workers: 2, workerKills: 6, databaseKills: 2, dropEvery: 401 },
    ]),
  ]
  const restores: [string, WayBack][] = [
    ['the data folder is put back', 'folder'],
    ['the data folder is copied back over it', 'folder_over'],
    ...(findPrograms() ? [['put back by psql', 'psql'] satisfies [string, WayBack]] : []),
  ]
  let failed = 0
  const all: [string, () => Promise<KillReport>][] = [
    ...restores.map(([name, way]): [string, () => Promise<KillReport>] => [
      name,
      () => runRestore(name, way, recipients),
    ]),
    ...runs.map(([name, options]): [string, () => Promise<KillReport>] => [name, () => runKill(name, options)]),
  ]
  const wanted = all.filter(([name]) => name.startsWith(values.only))
  for (const [, round] of wanted) {
    const report = await round()
    if (report.problems.length > 0) failed += 1
    console.log(show(report))
  }
  console.log(`${wanted.length - failed} passed, ${failed} failed`)
  process.exit(failed > 0 ? 1 : 0)
}
