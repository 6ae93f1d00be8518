import type { ChildProcess } from 'node:child_process'
import type { Flow, FlowNode } from '@okaeri/contract/scenarios/flow/flow'
import { sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import { advanceExecutions } from '../src/features/steps/time-slice.ts'
import { insertScenario, updateScenario } from '../src/features/flows/queries.ts'
import { stopwatch } from '../src/kernel/clock.ts'
import { newId } from '../src/kernel/ids.ts'
import { type MerchantScope, merchantScope } from '../src/kernel/merchant-scope.ts'
import { databaseCpuSeconds } from './copying.ts'
import {
  addBenchEmail,
  addManyCustomers,
  type BenchInstallation,
  benchHtml,
  startInstallation,
  until,
} from './installation.ts'
import { letSend } from '../test/fixtures.ts'

export interface ExecutionFigures {
  sleeping: number
  idleTickMs: number
  /** With the worker in this process: CPU of worker and database is all there is to it. */
  one: Waking & { workerCpuSeconds: number; databaseCpuSeconds: number }
  /** As worker processes, on this machine at the same time. */
  oneProcess: Waking
  twoProcesses: Waking
  bareLoopPerSecond: number
  pgBossPerSecond: number
  /** Of 10,000 wake-ups spread over five seconds: how late each was. */
  lateness: { p50Ms: number; p95Ms: number; maxMs: number }
  /** A small merchant's wake-ups while another has a million steps due. */
  smallBesideLarge: { p50Ms: number; maxMs: number; largeStepsPerSecond: number }
}
export interface Waking {
  executions: number
  steps: number
  seconds: number
}

const CUSTOMERS = 20_000
const DUE = 10_000

const place = { name: '', position: { x: 0, y: 0 } }
const wait = (id: string, next: string | null): FlowNode => ({
  ...place,
  id,
  kind: 'wait',
  settings: { wait: { mode: 'for', amount: 30, unit: 'days' } },
  next: { next },
})
/** Asleep at the first wait; woken, it asks a condition, writes a mail and waits again. */
const flowOf = (emailId: string): Flow => ({
  trigger: { kind: 'customer_created' },
  condition: null,
  reentry: { mode: 'always' },
  ends_on: [],
  start: 'first',
  nodes: [
    wait('first', 'asks'),
    {
      ...place,
      id: 'asks',
      kind: 'branch',
      settings: {
        condition: {
          type: 'condition',
          id: 'c',
          category: 'consent',
          name: 'accepts_marketing',
          operator: 'is',
          value: true,
        },
      },
      next: { yes: 'mail', no: null },
    },
    {
      ...place,
      id: 'mail',
      kind: 'send_email',
      settings: { email_id: emailId, tracking_parameters: null },
      next: { next: 'second' },
    },
    wait('second', null),
  ],
})

async function addScenario(scope: MerchantScope): Promise<string> {
  const id = newId()
  const settings = { include_all_customers: false, priority: 'always', holdout_percent: 0 } as const
  const emailId = await addBenchEmail(scope, benchHtml(4_000))
  await insertScenario(
    scope,
    { id, name: 'bench', mode: 'flow', template: null, form: null, conditions: null, ...settings },
    flowOf(emailId),
  )
  await updateScenario(scope, id, { status: 'active', enabled_at: scope.now })
  return id
}

/** Mails wait for their hours: what is measured here is scenarios, not sending. */
async function closeHours(scope: MerchantScope): Promise<void> {
  const hour = (scope.now.getUTCHours() + 9 + 12) % 24
  const at = (hours: number): string => `${String(hours % 24).padStart(2, '0')}:00`
  const hours = { enabled: true, start: at(hour), end: at(hour + 1), exclude_post_purchase: false }
  await sql`update merchants set sending_hours = ${JSON.stringify(hours)}::jsonb where id = ${scope.merchantId}`.execute(
    scope.db,
  )
}

async function addSleeping(scope: MerchantScope, scenarioId: string, count: number, from: number): Promise<void> {
  await sql`
    insert into executions (merchant_id, id, scenario_id, version, customer_id, status, node_id, asleep, asleep_since, wake_at, steps, created_at)
    select ${scope.merchantId}, okaeri_uuidv7(${scope.now}), ${scenarioId}, 1, c.id, 'running', 'first', true, ${scope.now},
      ${scope.now}::timestamptz + interval '40 days' + n * interval '1 second', 1, ${scope.now}
    from generate_series(${from}::int, ${from + count - 1}::int) n
    join (select id, row_number() over (order by id) - 1 as at from customers where merchant_id = ${scope.merchantId}) c
      on c.at = n % ${CUSTOMERS}`.execute(scope.db)
}

/** These many that sleep at the first wait are due at once, or over so long from then on. */
async function makeDue(
  scope: MerchantScope,
  count: number,
  from = scope.context.clock.now(),
  overMs = 0,
): Promise<void> {
  await sql`
    update executions e set wake_at = ${from}::timestamptz + (r.at % 1000) * ${overMs / 1000}::float * interval '1 millisecond'
    from (select id, row_number() over () as at from executions
      where merchant_id = ${scope.merchantId} and node_id = 'first' and wake_at > ${from}::timestamptz + interval '1 day' limit ${count}) r
    where e.merchant_id = ${scope.merchantId} and e.id = r.id`.execute(scope.db)
}

const countSteps = async ({ db, merchantId }: MerchantScope): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from execution_steps
    where merchant_id = ${merchantId}`.execute(db)
  return rows[0]?.count ?? 0
}
const isAnyDue = async ({ db, merchantId, context }: MerchantScope): Promise<boolean> => {
  const { rows } = await sql<{ due: boolean }>`select exists (select from executions
    where merchant_id = ${merchantId} and status = 'running' and not held and wake_at <= ${context.clock.now()}) as due`.execute(
    db,
  )
  return rows[0]?.due ?? false
}

async function wake(scope: MerchantScope, work: () => Promise<void>): Promise<Waking> {
  const before = await countSteps(scope)
  await makeDue(scope, DUE)
  const elapsed = stopwatch()
  await work()
  const seconds = elapsed() / 1000
  // The line of the wait that is over is no step of its own.
  return { executions: DUE, steps: (await countSteps(scope)) - before - DUE, seconds }
}

const never = new AbortController().signal

async function wakeHere({ scope, databaseFolder }: BenchInstallation): Promise<ExecutionFigures['one']> {
  const cpu = () => {
    const { user, system } = process.cpuUsage()
    return { worker: (user + system) / 1e6, database: databaseCpuSeconds(databaseFolder) }
  }
  let before = cpu()
  const waking = await wake(scope, async () => {
    before = cpu()
    while (await advanceExecutions.run(scope.context, never));
  })
  const after = cpu()
  return {
    ...waking,
    workerCpuSeconds: after.worker - before.worker,
    databaseCpuSeconds: after.database - before.database,
  }
}

async function wakeByProcesses(okaeri: BenchInstallation, processes: number): Promise<Waking> {
  const workers: ChildProcess[] = []
  for (let n = 0; n < processes; n += 1) workers.push(await okaeri.startWorker())
  const waking = await wake(okaeri.scope, () =>
    until(async () => !(await isAnyDue(okaeri.scope)), { everyMs: 20, timeoutMs: 300_000, what: 'all are awake' }),
  )
  await stopAll(workers)
  return waking
}
async function stopAll(workers: readonly ChildProcess[]): Promise<void> {
  await Promise.all(
    workers.map((worker) => {
      const gone = new Promise((resolve) => worker.once('exit', resolve))
      worker.kill('SIGTERM')
      return gone
    }),
  )
}

const median = (values: readonly number[], at = 0.5): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * at))] ?? 0

async function measureIdleTick(scope: MerchantScope): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 50; n += 1) {
    const elapsed = stopwatch()
    await advanceExecutions.run(scope.context, never)
    times.push(elapsed())
  }
  return median(times)
}

/** The least there can be: a table of the same size, rows claimed 500 at a time and marked, nothing else. */
async function runBareLoop({ db }: MerchantScope, sleeping: number): Promise<number> {
  await sql`create table bare_waits as select n as id, now() + interval '40 days' + n * interval '1 second' as wake_at, false as done
    from generate_series(1, ${sql.lit(sleeping)}) n`.execute(db)
  await sql`alter table bare_waits add primary key (id)`.execute(db)
  await sql`create index bare_waits_due on bare_waits (wake_at) where not done`.execute(db)
  await sql`update bare_waits set wake_at = now() where id <= ${DUE}`.execute(db)
  const elapsed = stopwatch()
  for (let done = 0; done < DUE; ) {
    const { numAffectedRows } = await sql`
      with due as materialized (
        select id from bare_waits where not done and wake_at <= now() order by wake_at limit 500 for update skip locked
      ) update bare_waits b set done = true from due where b.id = due.id`.execute(db)
    done += Number(numAffectedRows)
  }
  const perSecond = DUE / (elapsed() / 1000)
  await sql`drop table bare_waits`.execute(db)
  return perSecond
}

/** One job for each execution, fetched 500 at a time and completed; the jobs do nothing. */
async function runPgBoss({ db }: MerchantScope, databaseUrl: string): Promise<number> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: 'bench_boss',
    schedule: false,
    supervise: false,
  } as ConstructorParameters<typeof PgBoss>[0] & object)
  await boss.start()
  await boss.createQueue('wake')
  for (let at = 0; at < DUE; at += 1000)
    await boss.insert(
      'wake',
      Array.from({ length: 1000 }, (_, n) => ({ data: { executionId: at + n } })),
      {
        db: fromKysely(db as Parameters<typeof fromKysely>[0]),
      },
    )
  const elapsed = stopwatch()
  for (;;) {
    const jobs = await boss.fetch('wake', { batchSize: 500 })
    if (jobs.length === 0) break
    await boss.complete(
      'wake',
      jobs.map(({ id }) => id),
    )
  }
  const perSecond = DUE / (elapsed() / 1000)
  await boss.stop({ graceful: false })
  await sql`drop schema bench_boss cascade`.execute(db)
  return perSecond
}

async function measureLateness(okaeri: BenchInstallation): Promise<ExecutionFigures['lateness']> {
  const { scope } = okaeri
  const worker = await okaeri.startWorker()
  // Writing them down takes a while too.
  const from = new Date(scope.context.clock.now().getTime() + 45_000)
  await makeDue(scope, DUE, from, 5000)
  if (scope.context.clock.now() > from) throw new Error('they were due before they were written')
  const { rows: due } = await sql<{ id: string; wake_at: Date }>`
    select id, wake_at from executions where merchant_id = ${scope.merchantId} and node_id = 'first'
      and wake_at < ${scope.context.clock.now()}::timestamptz + interval '1 hour'`.execute(scope.db)
  await until(async () => !(await anyLeft(scope, due)), {
    timeoutMs: 120_000,
    everyMs: 100,
    what: 'all woke',
  })
  await stopAll([worker])
  const { rows } = await sql<{ id: string; at: Date }>`
    select execution_id as id, min(at) filter (where outcome = 'next') as at from execution_steps
    where merchant_id = ${scope.merchantId} and execution_id = any(${due.map(({ id }) => id)}::uuid[]) group by 1`.execute(
    scope.db,
  )
  const woke = new Map(rows.map(({ id, at }) => [id, at.getTime()]))
  const late = due
    .map(({ id, wake_at }) => (woke.get(id) ?? Number.NaN) - wake_at.getTime())
    .filter((ms) => !Number.isNaN(ms))
  return { p50Ms: median(late), p95Ms: median(late, 0.95), maxMs: Math.max(...late) }
}
async function anyLeft(scope: MerchantScope, due: readonly { id: string }[]): Promise<boolean> {
  const { rows } = await sql<{ left: boolean }>`select exists (select from executions
    where merchant_id = ${scope.merchantId} and id = any(${due.map(({ id }) => id)}::uuid[]) and node_id = 'first') as left`.execute(
    scope.db,
  )
  return rows[0]?.left ?? false
}

const SMALL_WAKES = 20
async function measureFairness(okaeri: BenchInstallation): Promise<ExecutionFigures['smallBesideLarge']> {
  const { scope: large } = okaeri
  const small = merchantScope(large.context, newId())
  await sql`insert into merchants (id, site_name, sender_name, sender_email, postal_address, staff_email, test_mode, plan, created_at, updated_at)
    select ${small.merchantId}, site_name, sender_name, sender_email, postal_address, staff_email, false, plan, created_at, updated_at
    from merchants where id = ${large.merchantId}`.execute(large.db)
  await letSend(small)
  await closeHours(small)
  await sql`insert into customers (merchant_id, id, email, email_key, display_name, marketing_state, search_text, created_at, updated_at)
    select ${small.merchantId}, okaeri_uuidv7(${small.now}), 'small-' || n, 'small-' || n, 'x', 'granted', '', ${small.now}, ${small.now}
    from generate_series(0, ${CUSTOMERS - 1}::int) n where n < ${SMALL_WAKES}`.execute(small.db)
  const scenarioId = await addScenario(small)
  await addSleeping(small, scenarioId, SMALL_WAKES, 0)
  // Everything that still sleeps: with three steps each, more than a million.
  await sql`update executions set wake_at = ${large.context.clock.now()} where merchant_id = ${large.merchantId} and node_id = 'first'`.execute(
    large.db,
  )
  const before = await countSteps(large)
  const elapsed = stopwatch()
  const worker = await okaeri.startWorker()
  const delays: number[] = []
  for (let n = 0; n < SMALL_WAKES; n += 1) {
    const waited = stopwatch()
    await makeDue(small, 1)
    await until(async () => !(await isAnyDue(small)), {
      everyMs: 20,
      timeoutMs: 60_000,
      what: 'the small one is served',
    })
    delays.push(waited())
  }
  const seconds = elapsed() / 1000
  await stopAll([worker])
  return {
    p50Ms: median(delays),
    maxMs: Math.max(...delays),
    largeStepsPerSecond: ((await countSteps(large)) - before) / seconds,
  }
}

/** A million executions asleep, ten thousand of them woken, beside what a queue and a bare loop do with as many. */
export async function runExecutionsBench(sleeping: number): Promise<ExecutionFigures> {
  const okaeri = await startInstallation({ smtpUrl: 'smtp://127.0.0.1:9' })
  try {
    const { scope } = okaeri
    await closeHours(scope)
    await addManyCustomers(scope, CUSTOMERS)
    const scenarioId = await addScenario(scope)
    for (let at = 0; at < sleeping; at += 100_000)
      await addSleeping(scope, scenarioId, Math.min(100_000, sleeping - at), at)
    await sql`analyze executions`.execute(scope.db)
    const idleTickMs = await measureIdleTick(scope)
    const bareLoopPerSecond = await runBareLoop(scope, sleeping)
    const pgBossPerSecond = await runPgBoss(scope, okaeri.databaseUrl)
    await wakeHere(okaeri)
    const one = await wakeHere(okaeri)
    const oneProcess = await wakeByProcesses(okaeri, 1)
    const twoProcesses = await wakeByProcesses(okaeri, 2)
    const lateness = await measureLateness(okaeri)
    const smallBesideLarge = await measureFairness(okaeri)
    return {
      sleeping,
      idleTickMs,
      one,
      oneProcess,
      twoProcesses,
      bareLoopPerSecond,
      pgBossPerSecond,
      lateness,
      smallBesideLarge,
    }
  } finally {
    await okaeri.stop()
  }
}
