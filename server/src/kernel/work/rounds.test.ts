import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { merchant, okaeri, withOneMerchant } from '../../../test/with-okaeri.ts'
import { type Connection, connect } from '../database/database.ts'
import { recurring } from './due-merchants.ts'
import { createRounds } from './rounds.ts'
import type { Recurring } from './schedule.ts'

withOneMerchant()

/** How often each looked. */
const looks = { names: 0, tags: 0 }
let connection: Connection
let rounds: ReturnType<typeof createRounds>
beforeAll(() => {
  const rename = counted('names', {
    due: { name: 'names', merchants: () => sql`select id as merchant_id from merchants where site_name = 'due'` },
    turn: async () => {
      await name('done')
      return true
    },
  })
  const waitForOther = counted('tags', {
    due: { name: 'tags', merchants: () => sql`select merchant_id from customers where display_name = 'due'` },
    // Another process has it.
    turn: async () => false,
  })
  connection = connect(okaeri.databaseUrl, { name: 'test', max: 1, onWritten: (tables) => rounds.written(tables) })
  rounds = createRounds(okaeri.context, [rename, waitForOther], connection.client)
})
afterAll(async () => {
  await rounds.close()
  await connection.close()
})

function counted(which: keyof typeof looks, work: Pick<Parameters<typeof recurring>[0], 'due' | 'turn'>): Recurring {
  const item = recurring({ name: which, everyMs: 1000, ...work })
  return {
    ...item,
    take: (context, signal) => {
      looks[which] += 1
      return item.take?.(context, signal) ?? Promise.reject(new Error('it is found in tables'))
    },
  }
}
const name = (text: string): Promise<unknown> =>
  sql`update merchants set site_name = ${text} where id = ${merchant.id}`.execute(connection.db)

test('in one settling all are asked together, and again once something is written where they look', async () => {
  const round = rounds.begin()
  expect([await round(), looks]).toEqual([false, { names: 0, tags: 0 }])
  expect([await round(), looks]).toEqual([false, { names: 0, tags: 0 }])
  await sql`update members set role = role where merchant_id = ${merchant.id}`.execute(connection.db)
  expect([await round(), looks]).toEqual([false, { names: 0, tags: 0 }])
  await name('due')
  expect([await round(), looks]).toEqual([true, { names: 1, tags: 0 }])
  expect([await round(), looks]).toEqual([false, { names: 2, tags: 0 }])
  rounds.end(round)
})

test('what is due and could not be done is looked for in every round; the next settling looks for everything', async () => {
  await sql`insert into customers (merchant_id, id, display_name, created_at, updated_at)
    values (${merchant.id}, ${merchant.memberId}, 'due', now(), now())`.execute(connection.db)
  Object.assign(looks, { names: 0, tags: 0 })
  const round = rounds.begin()
  for (const tags of [1, 2, 3]) expect([await round(), looks]).toEqual([false, { names: 0, tags }])
  rounds.end(round)
  const next = rounds.begin()
  await next()
  rounds.end(next)
  expect(looks).toEqual({ names: 0, tags: 4 })
})
