import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { schedule } from '../src/app/schedule.ts'
import { type DueWork, recurring } from '../src/kernel/due-merchants.ts'
import { type Recurring, type Schedule, startSchedule } from '../src/kernel/schedule.ts'
import { createWakeUps, type WakeUps } from '../src/kernel/wake-ups.ts'
import { okaeri, withOkaeri } from './with-okaeri.ts'

// A worker beside a process that writes: what the one writes wakes the other, and nothing depends on it.

withOkaeri()

const changes: DueWork = {
  name: 'changes',
  merchants: () => sql`select distinct merchant_id from changed_customers`,
}

/** A worker that waits for `due`, with a beat beside it, by which time is counted. */
function startWorker(due: DueWork, everyMs = 20) {
  const { context, databaseUrl } = okaeri
  let [looks, beats] = [0, 0]
  let later: { after: number; resolve: () => void } | null = null
  let turned = Promise.withResolvers<string>()
  const work = recurring({
    name: 'work',
    everyMs,
    due: { ...due, merchants: (context) => ((looks += 1), due.merchants(context)) },
    turn: async ({ merchantId, db }) => {
      await sql`delete from changed_customers where merchant_id = ${merchantId}`.execute(db)
      turned.resolve(merchantId)
      return true
    },
  })
  const beat: Recurring = {
    name: 'beat',
    everyMs: 20,
    run: async () => {
      beats += 1
      if (later && beats >= later.after) later.resolve()
      return false
    },
  }
  const wakeUps: WakeUps = createWakeUps(context, databaseUrl, new Set(['changed_customers']))
  const schedule: Schedule = startSchedule(context, [work, beat], wakeUps)
  return {
    looks: () => looks,
    /** Resolves after so many more beats. */
    beats: (count: number) => new Promise<void>((resolve) => (later = { after: beats + count, resolve })),
    async turned() {
      const merchantId = await turned.promise
      turned = Promise.withResolvers()
      return merchantId
    },
    wakeUps,
    async stop() {
      await schedule.stop()
      await wakeUps.stop()
    },
  }
}
type Worker = ReturnType<typeof startWorker>

async function untilQuiet(worker: Worker): Promise<number> {
  for (let before = -1; !worker.wakeUps.arrive || worker.looks() !== before; ) {
    before = worker.looks()
    await worker.beats(10)
  }
  return worker.looks()
}

const write = async (merchantId: string): Promise<void> => {
  await sql`insert into changed_customers (merchant_id, customer_id, changed_at) values (${merchantId}, okaeri_uuidv7(now()), now())`.execute(
    okaeri.context.db,
  )
}

test('a worker with nothing due asks nothing until another process has written', async () => {
  const merchant = await okaeri.merchant()
  const worker = startWorker(changes)
  try {
    const quiet = await untilQuiet(worker)
    await worker.beats(20)
    expect(worker.looks()).toBe(quiet)
    await write(merchant.id)
    expect(await worker.turned()).toBe(merchant.id)
  } finally {
    await worker.stop()
  }
})

test('what is written while no wake-up arrives is found: once they arrive again all is looked at', async () => {
  const merchant = await okaeri.merchant()
  const worker = startWorker(changes)
  try {
    await untilQuiet(worker)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'okaeri-api-wake-ups'`.execute(okaeri.context.db)
    // Without any notification.
    await sql`do ${sql.raw(`$$ begin execute 'insert into ' || 'changed_customers (merchant_id, customer_id, changed_at) values (''${merchant.id}'', okaeri_uuidv7(now()), now())'; end $$`)}`.execute(
      okaeri.context.db,
    )
    expect(await worker.turned()).toBe(merchant.id)
  } finally {
    await worker.stop()
  }
})

test('where wake-ups do not arrive it is looked as often as the work says', async () => {
  const merchant = await okaeri.merchant()
  const worker = startWorker(changes)
  try {
    await worker.wakeUps.stop()
    const before = worker.looks()
    await worker.beats(40)
    expect(worker.looks()).toBeGreaterThan(before + 10)
    await write(merchant.id)
    expect(await worker.turned()).toBe(merchant.id)
  } finally {
    await worker.stop()
  }
})

test('what the clock makes due is met at its time, though nobody writes', async () => {
  const merchant = await okaeri.merchant()
  const dueAt = new Date(okaeri.clock.now().getTime() + 1_500)
  const worker = startWorker({
    name: 'by the clock',
    merchants: ({ clock }) =>
      sql`select ${merchant.id}::uuid as merchant_id where ${dueAt}::timestamptz <= ${clock.now()}`,
    next: () => sql`select ${dueAt}::timestamptz as at`,
  })
  try {
    expect(await worker.turned()).toBe(merchant.id)
    expect(okaeri.clock.now().getTime() - dueAt.getTime()).toBeGreaterThanOrEqual(0)
    expect(worker.looks()).toBeLessThan(20)
  } finally {
    await worker.stop()
  }
})

test.for(schedule.map((item) => [item.name, item] as const))(
  '%s says whether it may be left alone',
  async ([, item]) => {
    const look = await item.look?.(okaeri.context, new AbortController().signal)
    expect(look?.nextInMs ?? 0).toBeGreaterThanOrEqual(0)
  },
)
