import { setTimeout as sleep } from 'node:timers/promises'
import { fromKysely, PgBoss } from 'pg-boss'
import { sql } from 'kysely'
import type { Context, Job, Jobs, MerchantScope } from '../context.ts'
import type { Database, DatabaseTransaction } from '../database/database.ts'
import { DatabaseAwayError } from '../database/database-trouble.ts'
import type { DatabaseWatch } from '../database/database-watch.ts'
import type { Logger } from '../log.ts'
import { merchantScope } from '../merchant-scope.ts'
import type { Recurring } from './schedule.ts'

/** `key` names the work within the merchant: a job that waits under it is not enqueued again. */
export const job = <Data extends object>(
  name: string,
  key: (data: Data) => string,
  run: Job<Data>['run'],
): Job<Data> => ({
  name,
  key,
  run,
})

/** Deletes jobs of this merchant, waiting or done, that contain one of these texts (without texts, all of the merchant's). */
export async function forgetJobs(scope: MerchantScope, texts: readonly string[] | null): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from pgboss.job where data ->> 'merchantId' = ${scope.merchantId} and (${texts === null}
      or exists (select from unnest(${texts ?? []}::text[]) as mark where strpos(lower(data::text), lower(mark)) > 0))
  `.execute(scope.db)
  return Number(numAffectedRows ?? 0n)
}

export interface JobRunner extends Jobs {
  /** Starts the workers; only in processes with the worker role. */
  work(context: Context): Promise<void>
  /** For the schedule: without it workers sleep, and jobs of dead workers are locked for an hour. */
  readonly recurring: readonly Recurring[]
  /**
   * Runs all waiting jobs and waits for those that this process's workers have begun. Returns whether there were any since the last call. For
   * tests, which must not wait for a poll. Throws what a job threw if no workers run.
   */
  settle(context: Context): Promise<boolean>
  stop(): Promise<void>
}

type Envelope = { merchantId: string; data: object }
/** A dead worker's job is given to another after this. */
const HEARTBEAT_SECONDS = 10
const LOOKED_AGAIN_MS = 10
/** Workers of a queue in each process. */
const WORKERS = 2
/** Workers sleep until they are woken (`wakeWorkers`): pg-boss would poll for each of them, and NOTIFY within the enqueuing transactions. */
const REST_SECONDS = 600
// "not blocked" is always true, but is part of the predicate of pg-boss's index.
const waiting = sql`select name, start_after from pgboss.job_common where state in ('created', 'retry') and not blocked`
const abandoned = sql<{ in_ms: number | null }>`select extract(epoch from min(least(
  heartbeat_on + heartbeat_seconds * interval '1 second', started_on + expire_seconds * interval '1 second')) - now())::float8 * 1000 as in_ms
  from pgboss.job_common where state = 'active'`

/** pg-boss passes on a copy of the error, which is not an Error. */
function thrown(copy: Error): Error {
  if (copy instanceof Error) return copy
  const { name, message, stack } = copy as Error
  if (name === DatabaseAwayError.name) return new DatabaseAwayError(message)
  return Object.assign(new Error(message), { ...(copy as Error), name, stack })
}

interface JobOptions {
  url: string
  jobs: readonly Job<never>[]
  log: Logger
  /** Null: the database is not watched. */
  watch: DatabaseWatch | null
}
type Run = Job<object>['run']
const runOf = ({ run }: Job<never>): Run => run as Run

/** Creates the queue of each job; no job runs before `work`. Throws if the database is away. */
export async function createJobs(options: JobOptions): Promise<JobRunner> {
  const { jobs, log } = options
  let stopping = false
  const boss = await openBoss(options, () => stopping)
  let working = false
  /** Jobs taken by this process's workers since the last call. */
  let taken = false
  const workers = new Map<string, string[]>()
  return {
    recurring: [wakeWorkers(boss, workers), giveOn(boss)],
    async later(scope, { name, key }, data, { delayMs } = {}) {
      const db = scope.db as Database | DatabaseTransaction
      await boss.send(name, { merchantId: scope.merchantId, data } satisfies Envelope, {
        db: fromKysely(db as Parameters<typeof fromKysely>[0]),
        singletonKey: `${scope.merchantId}:${key(data as never)}`,
        // By the database's clock, which also says when it is due: ours may be far ahead, and be set back.
        ...(delayMs ? { startAfter: delayMs / 1000 } : {}),
      })
    },
    async work(context) {
      working = true
      for (const job of jobs.flatMap((job) => Array.from({ length: WORKERS }, () => job))) {
        const { name } = job
        const id = await boss.work<Envelope>(
          name,
          { batchSize: 1, pollingIntervalSeconds: REST_SECONDS },
          async ([task]) => {
            if (!task) return
            taken = true
            const { merchantId, data } = task.data
            try {
              await runOf(job)(merchantScope(context, merchantId), data)
            } catch (error) {
              // Its connections were closed during the stop: this is no error, and the next run continues.
              if (stopping)
                log.info({ job: name, merchantId, error }, 'job cut off by the stop; it will be tried again')
              else log.error({ job: name, merchantId, error }, 'job failed; it will be tried again')
              throw error
            }
          },
        )
        workers.set(name, [...(workers.get(name) ?? []), id])
      }
    },
    async settle(context) {
      for (;;) {
        const drained = await drain(context, boss, jobs, (failure) => {
          if (!working) throw failure.error
          log.error(failure, 'job failed; it will be tried again')
        })
        const worked = drained > 0 || taken
        // Our own workers may be faster.
        if (!working || !(await anyActive(context))) {
          taken = false
          return worked
        }
        taken = true
        await sleep(LOOKED_AGAIN_MS)
      }
    },
    stop: () => {
      stopping = true
      return boss.stop({ graceful: true, timeout: 5000 })
    },
  }
}

/** With a queue for each job. */
async function openBoss({ url, jobs, log, watch }: JobOptions, isStopping: () => boolean): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    max: 4,
    application_name: 'okaeri-jobs',
    schedule: false,
    // We call it when a heartbeat is missing (`giveOn`); on its own it only cleans up, and checks features we do not use.
    monitorIntervalSeconds: 5,
    superviseIntervalSeconds: 3600,
    flowIntervalSeconds: 3600,
    ...(watch && { Client: watch.Client }),
  } as ConstructorParameters<typeof PgBoss>[0] & object)
  let isGivenUp = false
  boss.on('error', (copy) => {
    const error = thrown(copy)
    // A job that outlasts the stop finds the queue closed; it was returned to the queue before that.
    if (isGivenUp || isStopping()) log.info({ error }, 'the job queue is closed')
    else log.error({ error: watch?.met(error) ?? error }, 'job queue')
  })
  try {
    await boss.start()
    const there = new Set((await boss.getQueues()).map(({ name }) => name))
    for (const { name } of jobs.filter(({ name }) => !there.has(name)))
      await boss.createQueue(name, {
        policy: 'short',
        retryLimit: 20,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 300,
        expireInSeconds: 3600,
        heartbeatSeconds: HEARTBEAT_SECONDS,
      })
    return boss
  } catch (error) {
    // The next try creates a new one. This one would otherwise keep listening besides it.
    isGivenUp = true
    await boss.stop({ graceful: false })
    throw error
  }
}

/** One query over all queues: most are empty, and fetching from a queue costs more. */
async function listDue({ db }: Context, jobs: readonly Job<never>[]): Promise<readonly Job<never>[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from (${waiting}) j where start_after <= now()`.execute(db)
  const names = new Set(rows.map(({ name }) => name))
  return jobs.filter(({ name }) => names.has(name))
}

/** Runs what waits, in this order; returns how many it were. A failure is passed on after the job was given back. */
async function drain(
  context: Context,
  boss: PgBoss,
  jobs: readonly Job<never>[],
  failed: (failure: { job: string; merchantId: string; error: unknown }) => void,
): Promise<number> {
  let worked = 0
  for (const job of await listDue(context, jobs))
    for (;;) {
      const { name } = job
      const [task] = await boss.fetch<Envelope>(name)
      if (!task) break
      worked += 1
      const { merchantId, data } = task.data
      try {
        await runOf(job)(merchantScope(context, merchantId), data)
      } catch (error) {
        await boss.fail(name, task.id)
        failed({ job: name, merchantId, error })
        continue
      }
      await boss.complete(name, task.id)
    }
  return worked
}

const anyActive = async ({ db }: Context): Promise<boolean> =>
  (await sql`select from pgboss.job where state = 'active' limit 1`.execute(db)).rows.length > 0

/** `workers`: the ids of this process's workers, by queue. */
const wakeWorkers = (boss: PgBoss, workers: ReadonlyMap<string, readonly string[]>): Recurring => ({
  name: 'wake the workers of jobs',
  everyMs: 200,
  async look({ db }) {
    const { rows } = await sql<{ name: string; is_due: boolean; in_ms: number }>`
      select name, min(start_after) <= now() as is_due, extract(epoch from min(start_after) - now())::float8 * 1000 as in_ms
      from (${waiting}) j group by name`.execute(db)
    const due = rows.filter(({ is_due }) => is_due)
    for (const { name } of due) for (const id of workers.get(name) ?? []) boss.notifyWorker(id)
    // What waits for a worker that is busy now is notified again and again: a worker that ends its work then rests.
    if (due.length > 0) return { worked: false, found: true, nextInMs: 0 }
    return {
      worked: false,
      found: false,
      nextInMs: rows.length > 0 ? Math.min(...rows.map(({ in_ms }) => in_ms)) : null,
    }
  },
  run: async () => false,
})

const giveOn = (boss: PgBoss): Recurring => ({
  name: 'give on the jobs of the dead',
  everyMs: 5000,
  async look({ db }) {
    const inMs = (await abandoned.execute(db)).rows[0]?.in_ms ?? null
    const found = inMs !== null && inMs <= 0
    if (found) await boss.supervise()
    return { worked: false, found, nextInMs: found ? 0 : inMs }
  },
  run: async () => false,
})
