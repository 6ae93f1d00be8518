import { sql } from 'kysely'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { createTestDatabase, startTestOkaeri } from '../../../test/harness.ts'
import type { Context } from '../context.ts'
import { createJobs, job, type JobRunner } from './jobs.ts'
import { createLog } from '../log.ts'
import { type MerchantScope, merchantScope } from '../merchant-scope.ts'
import { migrate } from '../database/migrate.ts'

test('a queue that cannot be created leaves no listener: the start is retried with another queue', async () => {
  const url = await createTestDatabase()
  await migrate(url)
  const jobs = [
    job(
      'no name of a queue',
      () => '',
      () => Promise.resolve(),
    ),
  ]
  await expect(createJobs({ url, jobs, log: createLog('silent'), watch: null })).rejects.toThrow(/^Name can/)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    "select query from pg_stat_activity where application_name = 'okaeri-jobs' and datname = current_database()",
  )
  await client.end()
  expect(rows).toEqual([])
})

const nothing = job(
  'nothing',
  () => '',
  () => Promise.resolve(),
)
/** A process with a queue of its own for that job, and a merchant. */
async function withRunner(
  use: (runner: JobRunner, context: Context, scope: MerchantScope) => Promise<void>,
): Promise<void> {
  const okaeri = await startTestOkaeri()
  const { context, databaseUrl } = okaeri
  const runner = await createJobs({ url: databaseUrl, jobs: [nothing], log: context.log, watch: context.database })
  try {
    const { id } = await okaeri.merchant()
    await use(runner, context, merchantScope(context, id))
  } finally {
    await runner.stop()
    await okaeri.close()
  }
}

test('a job for later is due by the database’s clock, also where that of the process is far ahead', () =>
  withRunner(async (runner, context, scope) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400 * 86_400_000 })
    try {
      await runner.later(scope, nothing, {}, { delayMs: 90_500 })
    } finally {
      vi.useRealTimers()
    }
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from start_after - created_on)::float8 as seconds from pgboss.job where name = ${nothing.name}`.execute(
      context.db,
    )
    expect(rows).toEqual([{ seconds: 90.5 }])
  }))

test('the job of a dead worker waits again after enough missing heartbeats', () =>
  withRunner(async (runner, context, scope) => {
    await runner.later(scope, nothing, {})
    const look = async () => {
      for (const { look } of runner.recurring) await look?.(context, context.stopping)
      const { rows } = await sql<{ state: string }>`select state from pgboss.job where name = ${nothing.name}`.execute(
        context.db,
      )
      return rows[0]?.state
    }
    const beatBefore = (seconds: number) =>
      sql`update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - ${seconds} * interval '1 second'
        where name = ${nothing.name}`.execute(context.db)
    await beatBefore(8)
    expect(await look()).toBe('active')
    await beatBefore(11)
    expect(await look()).toBe('retry')
  }))
