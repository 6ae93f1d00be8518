import { type ChildProcess, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import { createCampaign } from '../src/features/campaigns/campaign.ts'
import { reserveCampaign } from '../src/features/campaigns/reservation.ts'
import { describeHold, releaseHold } from '../src/features/deliveries/index.ts'
import { dumpDatabase, restoreDatabase } from '../test/dumps.ts'
import { addExecutions, addScenario, flowOf } from '../test/scenarios.ts'
import { type CrashPoint, crashPoints } from '../src/kernel/crash-point.ts'
import {
  addBenchEmail,
  addManyCustomers,
  type BenchInstallation,
  benchHtml,
  startInstallation,
  until,
} from './installation.ts'
import { startSinkProcess } from './sending.ts'
import type { SunkMessage } from './smtp-sink.ts'

// Real processes, a mail server that counts per recipient, and kill -9. What must hold afterwards, wherever it struck:
// nobody got the mail twice, everybody counted as sent got it, everybody who got it is sent or uncertain, the balance adds up.

export interface KillOptions {
  /** Who mails: a campaign, or a scenario whose executions wake up all at once. */
  program: 'campaign' | 'scenario'
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
  /** There is no room any more where workers note what leaves, for some seconds. Needs root, for a small disk of its own. */
  fullDisk: boolean
  /** A dump taken while it is sent is put back a little later, and released by an operator. */
  restore: boolean
  /** A worker dies at this point instead of at random; it is armed again until it struck `workerKills` times. */
  crashAt: CrashPoint | null
  random: () => number
}

export interface KillReport {
  name: string
  recipients: number
  kills: number
  seconds: number
  sent: number
  uncertain: number
  /** Of the uncertain: the server has the mail; only its answer was cut off. */
  uncertainReceived: number
  /** Of the uncertain: it never reached the server; the process died between the commit and the first byte, or with the body on the way. */
  uncertainNotReceived: number
  lost: number
  twice: number
  problems: string[]
}

/** Sends the mails of one campaign or scenario while things are killed. Answers what each recipient got beside what the ledger says. */
export async function runKill(name: string, options: KillOptions): Promise<KillReport> {
  const start = performance.now()
  const sink = await startSinkProcess(options.dropEvery > 0 ? ['--drop-every', String(options.dropEvery)] : [])
  const okaeri = await startInstallation({
    smtpUrl: `smtp://127.0.0.1:${sink.port}`,
    env: { LEASE_SECONDS: '2', NODE_ENV: 'test', LOG_LEVEL: 'fatal' },
  })
  const disk = options.fullDisk ? mountSmallDisk(okaeri) : null
  let kills = 0
  try {
    const program = await (options.program === 'campaign' ? reserveForAll : waitForAll)(okaeri, options.recipients)
    let finished = false
    const team = Array.from({ length: options.workers }, () =>
      keepAlive(
        okaeri,
        () => finished,
        options,
        () => kills++,
        disk?.env ?? {},
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
      disk?.fillAndFree(),
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
    const answer = await fetch(`http://127.0.0.1:${sink.httpPort}/messages`)
    const messages = (await answer.json()) as SunkMessage[]
    const verdict = await compare(okaeri, program.deliveries, messages)
    const known = options.workerKills + options.databaseKills + options.dropEvery === 0 && !options.restore
    if (known && verdict.uncertainNotReceived > 0)
      verdict.problems.push(
        `uncertain, though a living worker knows that it did not leave: ${verdict.uncertainNotReceived}`,
      )
    return { name, recipients: options.recipients, kills, seconds: (performance.now() - start) / 1000, ...verdict }
  } finally {
    disk?.unmount()
    await okaeri.stop()
    sink.process.kill()
  }
}

interface Program {
  begin(): Promise<unknown>
  isDone(): Promise<boolean>
  /** Which deliveries are its. */
  deliveries: RawBuilder<boolean>
}

/** Executions at a mail, due in an hour. */
async function waitForAll(okaeri: BenchInstallation, recipients: number): Promise<Program> {
  const { scope } = okaeri
  const { db, merchantId } = scope
  await addManyCustomers(scope, recipients)
  const email_id = await addBenchEmail(scope, benchHtml(4_000))
  const scenarioId = await addScenario(
    scope,
    flowOf([
      { id: 'm', kind: 'send_email', settings: { email_id, tracking_parameters: null }, next: { next: 'e' } },
      { id: 'e', kind: 'end', settings: {}, next: {} },
    ]),
  )
  const { rows } = await sql<{ id: string }>`select id from customers where merchant_id = ${merchantId}`.execute(db)
  await addExecutions(
    scope,
    scenarioId,
    rows.map(({ id }) => ({ customerId: id })),
  )
  const setWakeUp = (at: Date) =>
    sql`update executions set wake_at = ${at} where merchant_id = ${merchantId} and scenario_id = ${scenarioId}`.execute(
      db,
    )
  await setWakeUp(new Date(scope.now.getTime() + 3_600_000))
  return {
    begin: () => setWakeUp(new Date(scope.now.getTime() - 1000)),
    async isDone() {
      const left = await sql<{ left: boolean }>`
        select exists (select from executions where merchant_id = ${merchantId} and scenario_id = ${scenarioId} and status <> 'done')
          or exists (select from messages where merchant_id = ${merchantId} and scenario_id = ${scenarioId} and state <> 'done')
          as left`.execute(db)
      return left.rows[0]?.left === false
    },
    deliveries: sql<boolean>`merchant_id = ${merchantId} and scenario_id = ${scenarioId}`,
  }
}

async function reserveForAll(okaeri: BenchInstallation, recipients: number): Promise<Program> {
  const { scope } = okaeri
  await addManyCustomers(scope, recipients)
  const campaign = await createCampaign(scope, {
    name: 'Kill',
    send_type: 'scheduled',
    scheduled_at: new Date(scope.now.getTime() + 3_600_000).toISOString(),
    segment_type: 'all',
    customer_segment_id: null,
    email_id: await addBenchEmail(scope, benchHtml(4_000)),
    send_to_all: false,
    tracking_enabled: true,
    tracking_parameters: { source: null, medium: null, campaign: null },
  })
  await reserveCampaign(scope, campaign.id, recipients)
  await okaeri.api.settle()
  const { db } = scope
  return {
    begin: () =>
      sql`update campaigns set scheduled_at = now() - interval '1 second' where id = ${campaign.id}`.execute(db),
    async isDone() {
      const { rows } = await sql<{ status: string }>`select status from campaigns where id = ${campaign.id}`.execute(db)
      return rows[0]?.status === 'sent' || rows[0]?.status === 'send_failure'
    },
    deliveries: sql<boolean>`campaign_id = ${campaign.id}`,
  }
}

interface KeptWorker {
  kill(): void
  /** Stands still for so long, and goes on. */
  freeze(ms: number): Promise<void>
  stop(): Promise<void>
}

/** A worker that is started again whenever it dies; armed with the crash point while kills are left. */
function keepAlive(
  okaeri: BenchInstallation,
  finished: () => boolean,
  options: KillOptions,
  onDeath: () => void,
  env: Record<string, string>,
): KeptWorker {
  let child: ChildProcess | null = null
  let armed = options.crashAt ? options.workerKills : 0
  const loop = (async () => {
    while (!finished()) {
      const crash: Record<string, string> =
        armed > 0 ? { CRASH_AT: `${options.crashAt}:${1 + Math.floor(options.random() * pace(options.crashAt))}` } : {}
      try {
        child = await okaeri.startWorker({ ...env, ...crash })
      } catch {
        // It came up while the database was down, and said so; it is started again.
        await sleep(100)
        continue
      }
      // Everything may have ended while it was starting; then nobody else stops it.
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
/** Points passed once per message strike somewhere in the first few hundred; those passed once per batch soon. */
const pace = (point: CrashPoint | null): number =>
  point === 'claimed' || point === 'ending' ? 3 : point === 'stored' || point === 'cleared' ? 20 : 150

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

/** As the database's operator ends them, and as a bug or the kernel does. */
async function endConnections(
  okaeri: BenchInstallation,
  options: KillOptions,
  finished: () => boolean,
  onKill: () => void,
): Promise<void> {
  for (let n = 0; n < options.backendKills; n += 1) {
    await sleep(500 + options.random() * 1000)
    if (finished()) return
    onKill()
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where application_name = 'okaeri-worker'`.execute(okaeri.scope.db)
    if (n % 2 === 0)
      await sql`select pg_terminate_backend(pid) from unnest(${rows.map(({ pid }) => pid)}::int[]) as pid`.execute(
        okaeri.scope.db,
      )
    else if (rows[0]) process.kill(rows[0].pid, 'SIGKILL')
  }
}

/** A disk of 64 kB for what workers note: full after some hundred mails, until the file that fills it goes. */
function mountSmallDisk(okaeri: BenchInstallation) {
  const folder = path.join(path.dirname(okaeri.databaseFolder), 'small')
  fs.mkdirSync(folder)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { encoding: 'utf8' })
  if (mounted.status !== 0) throw new Error(`a small disk cannot be mounted here: ${mounted.stderr.trim()}`)
  const filler = path.join(folder, 'filler')
  return {
    env: { DATA_DIR: folder, SECRETS_FILE: path.join(path.dirname(okaeri.databaseFolder), 'data/secrets.json') },
    async fillAndFree() {
      await sleep(1500)
      const full = fs.openSync(filler, 'w')
      try {
        for (;;) fs.writeSync(full, Buffer.alloc(4096))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        fs.closeSync(full)
      }
      await sleep(4000)
      fs.rmSync(filler)
    },
    unmount: () => void spawnSync('umount', ['-l', folder]),
  }
}

async function putBackADump(okaeri: BenchInstallation, deliveries: RawBuilder<boolean>): Promise<void> {
  const { context } = okaeri.scope
  const left = async (): Promise<number> => {
    const { rows } = await sql<{ left: number }>`
      select count(*)::int as left from deliveries where ${deliveries} and status not in ('pending', 'sending')`.execute(
      context.db,
    )
    return rows[0]?.left ?? 0
  }
  const wait = { everyMs: 20, timeoutMs: 60_000 }
  await until(async () => (await left()) > 200, { ...wait, what: 'some are sent' })
  const dump = await dumpDatabase(okaeri.databaseUrl)
  const then = await left()
  await until(async () => (await left()) > then + 300, { ...wait, what: 'more are sent' })
  for (let tries = 0; ; tries += 1)
    try {
      await restoreDatabase(okaeri.databaseUrl, dump)
      break
    } catch (error) {
      // The workers are at it meanwhile; psql would be called again, too.
      if (tries === 20) throw error
    }
  await until(() => describeHold(context).then((hold) => hold !== null), { ...wait, what: 'sending is on hold' })
  // All workers have told what they sent.
  await sleep(2000)
  await releaseHold(context)
}

function killDatabase(okaeri: BenchInstallation): void {
  const pidFile = path.join(okaeri.databaseFolder, 'pgdata/postmaster.pid')
  if (!fs.existsSync(pidFile)) return
  const pid = Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0])
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // Already down from the kill before.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function compare(okaeri: BenchInstallation, where: RawBuilder<boolean>, messages: readonly SunkMessage[]) {
  const { rows } = await sql<{ address: string; status: string }>`
    select address, status from deliveries where ${where}`.execute(okaeri.scope.db)
  const got = new Map<string, number>()
  for (const { recipient } of messages) got.set(recipient, (got.get(recipient) ?? 0) + 1)
  const by = (status: string) => rows.filter((row) => row.status === status)
  const [sent, uncertain] = [by('sent'), by('uncertain')]
  const others = rows.filter(({ status }) => status !== 'sent' && status !== 'uncertain')
  const problems: string[] = []
  const lost = sent.filter(({ address }) => !got.has(address))
  const twice = [...got].filter(([, count]) => count > 1)
  const surprising = others.filter(({ address }) => got.has(address))
  if (lost.length > 0)
    problems.push(
      `counted as sent, never received: ${lost
        .map(({ address }) => address)
        .slice(0, 5)
        .join(' ')}`,
    )
  if (twice.length > 0)
    problems.push(
      `received twice: ${twice
        .map(([address]) => address)
        .slice(0, 5)
        .join(' ')}`,
    )
  if (surprising.length > 0)
    problems.push(`received, but neither sent nor uncertain: ${surprising[0]?.address} ${surprising[0]?.status}`)
  if (others.length > 0) problems.push(`neither sent nor uncertain at the end: ${others.length}`)
  const expected = new Set(rows.map(({ address }) => address))
  for (const address of got.keys()) if (!expected.has(address)) problems.push(`not in the audience: ${address}`)
  const uncertainReceived = uncertain.filter(({ address }) => got.has(address)).length
  return {
    sent: sent.length,
    uncertain: uncertain.length,
    uncertainReceived,
    uncertainNotReceived: uncertain.length - uncertainReceived,
    lost: lost.length,
    twice: twice.length,
    problems,
  }
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

const show = (report: KillReport): string =>
  `${report.problems.length === 0 ? 'ok    ' : 'FAILED'} ${report.name.padEnd(34)} ${String(report.kills).padStart(2)} kills  ` +
  `sent ${report.sent}, uncertain ${report.uncertain} (${report.uncertainReceived} received, ${report.uncertainNotReceived} not)  ` +
  `lost ${report.lost}, twice ${report.twice}  ${report.seconds.toFixed(1)} s${report.problems.map((problem) => `\n         ${problem}`).join('')}`

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      recipients: { type: 'string', default: '8000' },
      rounds: { type: 'string', default: '3' },
      /** Only runs whose name has this in it. */
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
    fullDisk: false,
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
    ...(process.getuid?.() === 0
      ? [['no room to note what leaves', { ...base, workers: 2, fullDisk: true }] satisfies [string, KillOptions]]
      : []),
    ...crashPoints.map((point): [string, KillOptions] => [
      `worker dies at ${point}`,
      { ...base, crashAt: point, workerKills: 3 },
    ]),
    ...Array.from({ length: Number(values.rounds) }, (_, round): [string, KillOptions] => [
      `a scenario, random kills, round ${round + 1}`,
      { ...base, program: 'scenario', workers: 2, workerKills: 6, databaseKills: 2, dropEvery: 401 },
    ]),
    ...Array.from({ length: Number(values.rounds) }, (_, round): [string, KillOptions] => [
      `random kills, round ${round + 1}`,
      { ...base, workers: 2, workerKills: 6, databaseKills: 2, dropEvery: 401 },
    ]),
  ]
  let failed = 0
  const wanted = runs.filter(([name]) => name.includes(values.only))
  for (const [name, options] of wanted) {
    const report = await runKill(name, options)
    if (report.problems.length > 0) failed += 1
    console.log(show(report))
  }
  console.log(`${wanted.length - failed} passed, ${failed} failed`)
  process.exit(failed > 0 ? 1 : 0)
}
