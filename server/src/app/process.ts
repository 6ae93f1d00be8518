import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { listenForBounces, watchBounceMailbox } from '../features/bounces/index.ts'
import { askAfterOutage } from '../features/campaigns/index.ts'
import { askStoresAfterOutage } from '../features/data-sync/index.ts'
import { compareWithJournals } from '../features/deliveries/index.ts'
import { renderingThread } from '../features/email-rendering/index.ts'
import { askAboutMissedEvents } from '../features/entering/index.ts'
import { followSandboxClock } from '../integrations/sandbox-clock.ts'
import { type Clock, createClock } from '../kernel/clock.ts'
import type { Context, Job } from '../kernel/context.ts'
import { armCrashPoint } from '../kernel/crash-point.ts'
import { openDataFolder } from '../kernel/data-folder.ts'
import { connect } from '../kernel/database/database.ts'
import { explainDatabase } from '../kernel/database/database-reach.ts'
import {
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  isInUse,
  startEmbeddedPostgres,
} from '../kernel/database/embedded-postgres.ts'
import { NotReadyError, StartupError } from '../kernel/errors.ts'
import { createPublish } from '../kernel/subscriptions.ts'
import type { Identity } from '../kernel/http/http.ts'
import { checkInstallation } from '../kernel/installation.ts'
import { createJobs } from '../kernel/work/jobs.ts'
import { createKeyring } from '../kernel/keyring.ts'
import { createLog, type Logger } from '../kernel/log.ts'
import { lookForLost } from '../kernel/work/lost-wake-ups.ts'
import { isDistributed } from '../kernel/database/distribution.ts'
import { migrate } from '../kernel/database/migrate.ts'
import { lowerConnectionPriority, lowerPriority } from '../kernel/work/priority.ts'
import { createRounds } from '../kernel/work/rounds.ts'
import { type Recurring, type Schedule, startSchedule } from '../kernel/work/schedule.ts'
import { readOrMakeSecrets } from '../kernel/secrets-file.ts'
import { createThreads, type Threads } from '../kernel/work/threads.ts'
import { createWakeUps, type WakeUps } from '../kernel/work/wake-ups.ts'
import { type Config, KEPT_IN_DATA_FOLDER } from './config.ts'
import { createIntegrations } from './integrations.ts'
import { jobs } from './jobs.ts'
import { ports } from './ports.ts'
import { answerHealth } from './readiness.ts'
import { schedule } from './schedule.ts'
import { buildServer } from './server.ts'
import { authenticate } from './sign-in.ts'
import { subscriptions } from './subscriptions.ts'

export interface OkaeriProcess {
  context: Context
  /** Null in a process that is a worker only. */
  server: FastifyInstance | null
  databaseUrl: string
  /** Where a process that is a worker only says how it is; null in others, whose server does. */
  healthUrl: string | null
  /** The port that takes mails that come back; null where this process does not. */
  bounceSmtpPort: number | null
  /** Looks for due work at once instead of at the next turn. */
  nudge(): void
  /** Does all due work now and answers when none is left, and whether there was any; for tests. */
  settle(): Promise<boolean>
  stop(): Promise<void>
}

interface ProcessOptions {
  clock?: Clock
  /** Asked first who a token belongs to; tests sign in without a password by it. */
  authenticate?: (token: string) => Identity | null
  /** Those of several processes that follow each other in one test run. */
  threads?: Threads
  /** Called once configuration, secrets and database are found right, before anything is done with them. */
  onReachable?: () => void
}

const WEB_FOLDER = path.join(import.meta.dirname, '../../../web/dist')

/**
 * Starts one process in its roles: database (embedded unless DATABASE_URL is set), migrations, jobs, recurring work, HTTP. Throws {@link
 * StartupError} with one sentence when an operator can correct the cause, {@link NotReadyError} when it only has to wait.
 */
export async function startProcess(config: Config, options: ProcessOptions = {}): Promise<OkaeriProcess> {
  const log = createLog(config.logLevel)
  if (config.crashAt) armCrashPoint(config.crashAt)
  const closers: Closers = []
  const stopping = new AbortController()
  let databaseUrl = ''
  const stop = async (): Promise<void> => {
    stopping.abort()
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    openDataFolder(config.dataDir, KEPT_IN_DATA_FOLDER)
    const secrets = readOrMakeSecrets(config.secretsFile)
    const keyring = createKeyring(secrets)
    const database = await openDatabase(config, log)
    closers.push(() => database.stop())
    databaseUrl = database.url
    await migrate(databaseUrl)
    const role = config.roles.api && config.roles.worker ? 'all' : config.roles.api ? 'api' : 'worker'
    if (role === 'worker') lowerPriority()
    let wakeUps: WakeUps | null = null
    let rounds: ReturnType<typeof createRounds> | null = null
    const connection = connect(databaseUrl, {
      onWritten: (tables) => {
        wakeUps?.written(tables)
        rounds?.written(tables)
      },
      name: role === 'all' ? 'okaeri' : `okaeri-${role}`,
      max: config.databasePool,
      ...(role === 'worker' && { onConnect: lowerConnectionPriority }),
      onAway: (error) => log.error({ error }, 'the database is away'),
      onBack: (awayMs) => log.warn({ awayMs, over: 'database_away' }, 'the database is there again'),
    })
    closers.push(() => connection.close())
    closers.push(async () => rounds?.close())
    const { watch } = connection
    const queue = await createJobs({ url: databaseUrl, jobs: jobs as readonly Job<never>[], log, watch })
    closers.push(() => queue.stop())
    const clock = options.clock ?? createClock()
    const context: Context = {
      settings: settingsOf(config, role),
      clock,
      db: connection.db,
      database: watch,
      keyring,
      jobs: queue,
      threads: options.threads ?? createThreads({ file: renderingThread }),
      publish: createPublish(subscriptions),
      log,
      stopping: stopping.signal,
      integrations: await createIntegrations(config, clock),
      ports,
    }
    closers.push(async () => context.integrations.mailers.close())
    closers.push(() => context.integrations.line.close())
    closers.push(async () => context.integrations.storage.close())
    const recurring: readonly Recurring[] = [...schedule, ...queue.recurring]
    const woken = createWakeUps(context, databaseUrl)
    wakeUps = woken
    closers.push(() => woken.stop())
    await checkInstallation(context)
    await compareWithJournals(context)
    options.onReachable?.()
    const healthUrl = await answerHealthOfWorker(context, config, closers)
    let running: Schedule | null = null
    let following: ReturnType<typeof followSandboxClock> | null = null
    if (config.sandbox && !options.clock) {
      following = followSandboxClock(context.clock, config.sandbox.url, () => running?.nudge())
      closers.push(async () => following?.stop())
      // What is due is a matter of the sandbox's time. A worker that joins later finds it there.
      if (role !== 'worker') await following.known
    }
    if (config.roles.worker) {
      await askStoresAfterOutage(context)
      await askAfterOutage(context)
      await askAboutMissedEvents(context)
      await queue.work(context)
      const lost = lookForLost(schedule, woken, { isDistributed: await isDistributed(connection.pool) })
      running = startSchedule(context, [...recurring, lost], woken)
      closers.push(() => running?.stop() ?? Promise.resolve())
    }
    const settle = async (): Promise<boolean> => {
      await following?.look()
      const own = (rounds ??= createRounds(context, schedule, connection.client))
      const round = running ? running.settle : own.begin()
      try {
        for (let worked = false; ; worked = true) {
          const jobsWorked = await queue.settle(context)
          if (!(await round()) && !jobsWorked) return worked
        }
      } finally {
        own.end(round)
      }
    }
    const server = config.roles.api ? await answerHttp(context, config, { ...options, settle, closers }) : null
    const bounceSmtpPort = await takeReturnedMails(context, config, closers)
    // Closed first: at the end no one waits for rendered content.
    closers.push(() => context.threads.close())
    // A load balancer asks from time to time whether to send requests here. It must see "not ready" before requests are refused.
    const drain = async (): Promise<void> => {
      stopping.abort()
      if (server) await sleep(config.drainSeconds * 1000)
      await stop()
    }
    return {
      context,
      server,
      databaseUrl,
      bounceSmtpPort,
      healthUrl,
      nudge: () => running?.nudge(),
      settle,
      stop: drain,
    }
  } catch (error) {
    await stop()
    throw explainDatabase(error, databaseUrl)
  }
}

/** What is to be closed at the end, the last first. */
type Closers = (() => Promise<void>)[]

const settingsOf = (config: Config, role: Context['settings']['role']): Context['settings'] => ({
  publicUrl: config.publicUrl,
  production: config.production,
  staging: config.staging,
  spfMechanism: config.spfMechanism,
  linkTarget: config.linkTarget,
  sandboxUrl: config.sandbox?.url ?? null,
  isLocalSandbox: config.isLocalSandbox,
  role,
  dataDir: config.dataDir,
  leaseSeconds: config.leaseSeconds,
  testModeCap: config.testModeCap,
  testMailsPerDay: config.testMailsPerDay,
  databasePool: config.databasePool,
  bounces: config.bounces,
  signUp: config.signUp,
  policies: config.policies,
  mediaQuota: config.mediaQuota,
})

/** Not of the operator's commands, which run beside a worker with the same settings. */
async function answerHealthOfWorker(context: Context, config: Config, closers: Closers): Promise<string | null> {
  if (!config.roles.worker || config.roles.api) return null
  const health = await answerHealth(context, { port: config.healthPort, host: config.host })
  closers.push(() => health.close())
  return `http://${config.host}:${health.port}`
}

async function answerHttp(
  context: Context,
  config: Config,
  {
    authenticate: known,
    settle,
    closers,
  }: Pick<ProcessOptions, 'authenticate'> & { settle: () => Promise<boolean>; closers: Closers },
): Promise<FastifyInstance> {
  const server = await buildServer({
    context,
    authenticate: async (token) => known?.(token) ?? authenticate(context, token),
    webFolder: fs.existsSync(WEB_FOLDER) ? WEB_FOLDER : null,
    ...(config.isLocalSandbox && { settle }),
  })
  closers.push(() => server.close())
  await listen(server, config)
  return server
}

/** Mails that come back, by a port or from a mailbox. Returns the port; null where this process has none. */
async function takeReturnedMails(context: Context, config: Config, closers: Closers): Promise<number | null> {
  const { domain, smtpPort, tls } = config.bounces
  const bounces =
    config.roles.api && domain !== null && smtpPort !== null
      ? await listenForBounces(context, { host: config.host, port: smtpPort, domain, tls })
      : null
  if (bounces) closers.push(() => bounces.close())
  if (config.roles.worker) {
    const mailbox = watchBounceMailbox(context)
    closers.push(() => mailbox.close())
  }
  return bounces?.port ?? null
}

/**
 * The database of DATABASE_URL, or the embedded one. The process that answers HTTP runs the embedded database, one for each data folder. A
 * worker beside it uses that database and waits for it. A process without a role (the operator's) does the same, and starts the database
 * when no other process runs it.
 */
async function openDatabase(config: Config, log: Logger): Promise<EmbeddedPostgres> {
  const stop = (): Promise<void> => Promise.resolve()
  if (config.databaseUrl) return { url: config.databaseUrl, stop }
  const home = path.join(config.dataDir, 'postgres')
  const isWorkerOnly = config.roles.worker && !config.roles.api
  if (isWorkerOnly || (!config.roles.api && (await isInUse(home)))) {
    const url = findEmbeddedPostgres(home)
    if (!url)
      throw new NotReadyError(
        `There is no database in the data folder ${config.dataDir} yet: start Okaeri on it, or set DATABASE_URL`,
      )
    return { url, stop }
  }
  return startEmbeddedPostgres(home, { log: (line) => log.warn(line) })
}

async function listen(server: FastifyInstance, config: Config): Promise<void> {
  try {
    await server.listen({ port: config.port, host: config.host })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartupError(`Port ${config.port} is in use by another program; stop it or set PORT to another number.`)
    throw new StartupError(`Cannot listen on ${config.host}:${config.port} (${code ?? message}).`)
  }
}
