import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { schedule } from '../src/app/schedule.ts'
import { type DueWork, recurring } from '../src/kernel/work/due-merchants.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'
import { lookForLost } from '../src/kernel/work/lost-wake-ups.ts'
import { type Recurring, type Schedule, startSchedule } from '../src/kernel/work/schedule.ts'
import { createWakeUps, type WakeUps } from '../src/kernel/work/wake-ups.ts'
import { onCluster } from './one-node.ts'
import { okaeri, withOkaeri } from './with-okaeri.ts'

// A worker beside a process that writes: what the one writes wakes the other, and nothing depends on it.

withOkaeri()

const changes: DueWork = {
  name: 'changes',
  merchants: () => sql`select distinct merchant_id from changed_customers`,
}

/** A worker that waits for `due`, with a beat beside it, by which time is counted. `netMs`: how often it looks for what no wake-up announced. */
function startWorker(
  due: DueWork,
  {
    everyMs = 20,
    netMs = 3_600_000,
    watches = false,
    mayWork = (_scope: MerchantScope): Promise<boolean> => Promise.resolve(true),
  } = {},
) {
  const { context, databaseUrl } = okaeri
  let [looks, beats] = [0, 0]
  let later: { after: number; resolve: () => void } | null = null
  let turned = Promise.withResolvers<string>()
  const work = recurring({
    name: 'work',
    everyMs,
    due: { ...due, merchants: (context) => ((looks += 1), due.merchants(context)) },
    watches,
    turn: async (scope) => {
      const { merchantId, db } = scope
      if (!(await mayWork(scope))) return false
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
  const wakeUps: WakeUps = createWakeUps(context, databaseUrl)
  const net = lookForLost([work], wakeUps, { isDistributed: onCluster, everyMs: netMs })
  const schedule: Schedule = startSchedule(context, [work, beat, net], wakeUps)
  return {
    looks: () => looks,
    now: () => beats,
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
  await okaeri.query`insert into changed_customers (merchant_id, customer_id, changed_at) values (${merchantId}, okaeri_uuidv7(now()), now())`
}

/** Without any notification. */
const writeUnseen = async (merchantId: string): Promise<void> => {
  await okaeri.query`do ${sql.raw(`$$ begin execute 'insert into ' || 'changed_customers (merchant_id, customer_id, changed_at) values (''${merchantId}'', okaeri_uuidv7(now()), now())'; end $$`)}`
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
    await okaeri.query`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'okaeri-api-wake-ups'`
    await writeUnseen(merchant.id)
    expect(await worker.turned()).toBe(merchant.id)
  } finally {
    await worker.stop()
  }
})

test('what no wake-up tells of is found by the look at everything, though wake-ups arrive', async () => {
  const merchant = await okaeri.merchant()
  const worker = startWorker(changes, { netMs: 100 })
  try {
    for (let turns = 0; turns < 2; turns += 1) {
      while (!worker.wakeUps.arrive) await worker.beats(10)
      await writeUnseen(merchant.id)
      expect(await worker.turned()).toBe(merchant.id)
    }
  } finally {
    await worker.stop()
  }
})

test('one of many workers looks at everything, and wakes where something is', async () => {
  const [merchant, { context }] = [await okaeri.merchant(), okaeri]
  await sql`update installation set all_asked_at = null`.execute(context.db)
  const wakened: string[] = []
  let asked = 0
  const work = recurring({
    name: 'work',
    everyMs: 20,
    due: { ...changes, merchants: (context) => ((asked += 1), changes.merchants(context)) },
    turn: () => Promise.resolve(false),
  })
  const written = (tables: readonly string[]): void => void wakened.push(...tables)
  const look = lookForLost([work], { written }, { isDistributed: onCluster, everyMs: 3_600_000 })
  await writeUnseen(merchant.id)
  const { signal } = new AbortController()
  await Promise.all([look.run(context, signal), look.run(context, signal), look.run(context, signal)])
  expect(wakened).toEqual(['changed_customers'])
  await look.run(context, signal)
  // By the look, and for the names of the tables.
  expect(asked).toBe(2)
  // A statement that began a little later had the row first.
  await okaeri.query`update installation set all_asked_at = now() + interval '1 second'`
  await look.run(context, signal)
  expect(asked).toBe(2)
  // The clock was set back.
  await okaeri.query`update installation set all_asked_at = now() + interval '2 hours'`
  await look.run(context, signal)
  expect(asked).toBe(4)
  await sql`delete from changed_customers where merchant_id = ${merchant.id}`.execute(context.db)
})

test('all that is due can be asked for in one statement', async () => {
  const { context } = okaeri
  await sql`update installation set all_asked_at = null`.execute(context.db)
  const warned: unknown[] = []
  const log = { ...context.log, warn: (...line: unknown[]) => void warned.push(line) }
  await lookForLost(schedule, { written: () => {} }, { isDistributed: onCluster }).run(
    { ...context, log },
    new AbortController().signal,
  )
  expect(warned).toEqual([])
})

test('what a process did not tell before it was killed is found when one begins; what it still has to tell it tells while it ends', async () => {
  const { context, databaseUrl } = okaeri
  const merchant = await okaeri.merchant()
  const worker = startWorker(changes)
  try {
    await untilQuiet(worker)
    await writeUnseen(merchant.id)
    const begun = createWakeUps(context, databaseUrl)
    expect(await worker.turned()).toBe(merchant.id)
    await untilQuiet(worker)
    await writeUnseen(merchant.id)
    begun.written(['changed_customers'])
    begun.written(['changed_customers'])
    await begun.stop()
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

/** In beats. */
const A_PAUSE = 100
/** A table that no question for due work reads. */
const hasSignedUp = async ({ db, merchantId }: MerchantScope): Promise<boolean> =>
  (
    await sql`select from sign_in_directory where merchant_id = ${merchantId} and email_key = 'waited@shop.test'`.execute(
      db,
    )
  ).rows.length > 0
test('settling takes no wake-up from what only wakes others: it looks at once when its table is written', async () => {
  const { context, databaseUrl } = okaeri
  let [beats, looks, looksBefore, still] = [0, 0, 0, 0]
  const rests = Promise.withResolvers<void>()
  const looked = Promise.withResolvers<string>()
  const late = Promise.withResolvers<string>()
  let lateAt = Infinity
  let isWritten = false
  const wakeUps = createWakeUps(context, databaseUrl)
  const wakesOthers: Recurring = {
    name: 'wakes others',
    everyMs: 1,
    look: async ({ db }) => {
      looks += 1
      await sql`select from changed_customers limit 1`.execute(db)
      if (isWritten) looked.resolve('looked')
      return { worked: false, found: false, nextInMs: null }
    },
    run: () => Promise.resolve(false),
  }
  const beat: Recurring = {
    name: 'beat',
    everyMs: 20,
    run: async () => {
      beats += 1
      still = looks > 0 && looks === looksBefore ? still + 1 : 0
      looksBefore = looks
      if (still === 5) rests.resolve()
      if (beats === lateAt) late.resolve('late')
      return false
    },
  }
  const schedule = startSchedule(context, [wakesOthers, beat], wakeUps)
  await rests.promise
  await schedule.settle()
  isWritten = true
  lateAt = beats + 100
  wakeUps.written(['changed_customers'])
  expect(await Promise.race([looked.promise, late.promise])).toBe('looked')
  await schedule.stop()
  await wakeUps.stop()
})

test('what is due and cannot be done is looked for ever less, and at once when a table is written that the look read', async () => {
  const merchant = await okaeri.merchant()
  const rested = Promise.withResolvers<void>()
  let lookedAt = Infinity
  const worker = startWorker(changes, {
    mayWork(scope) {
      // The next pause is twice as long.
      if (worker.now() > lookedAt + A_PAUSE) rested.resolve()
      lookedAt = worker.now()
      return hasSignedUp(scope)
    },
  })
  try {
    await write(merchant.id)
    await rested.promise
    await okaeri.query`insert into sign_in_directory (email_key, merchant_id, member_id)
      values ('waited@shop.test', ${merchant.id}, okaeri_uuidv7(now()))`
    expect(await Promise.race([worker.turned(), worker.beats(A_PAUSE)])).toBe(merchant.id)
  } finally {
    await worker.stop()
  }
})

test('what is due and cannot be done is done when the clock says, if it is known when', async () => {
  const merchant = await okaeri.merchant()
  const until = new Date(okaeri.clock.now().getTime() + 1_500)
  const worker = startWorker(
    { ...changes, next: () => sql`select ${until}::timestamptz as at` },
    { mayWork: ({ now }) => Promise.resolve(now >= until) },
  )
  try {
    await write(merchant.id)
    expect(await worker.turned()).toBe(merchant.id)
    expect(worker.looks()).toBeLessThan(25)
  } finally {
    await worker.stop()
  }
})

const overdue: DueWork = { ...changes, next: ({ clock }) => sql`select ${clock.now()}::timestamptz as at` }
test.for([
  ['should have been done already', {}, overdue],
  ['is watched', { watches: true }, changes],
] as const)('what %s is looked at as often as the work says', async ([, options, due]) => {
  const merchant = await okaeri.merchant()
  const worker = startWorker(due, { ...options, mayWork: () => Promise.resolve(false) })
  try {
    await write(merchant.id)
    while (!worker.wakeUps.arrive) await worker.beats(10)
    const before = worker.looks()
    await worker.beats(100)
    expect(worker.looks()).toBeGreaterThan(before + 20)
  } finally {
    await worker.stop()
    await okaeri.query`delete from changed_customers where merchant_id = ${merchant.id}`
  }
})

test('what the clock makes due is met at its time, though no one writes', async () => {
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
