import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { startTestOkaeri, type TestOkaeri } from '../../../test/harness.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import type { Holder } from './queries.ts'
import { storeFavorite, takeAwayFavorite } from './visitor-batches.ts'

// Two processes of one installation: one database, one secret, and connections of their own.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-two-'))
const env = { SECRETS_FILE: path.join(folder, 'secrets.json') }
withMerchants({ env })
let other: TestOkaeri
beforeAll(async () => {
  other = await startTestOkaeri({ databaseUrl: okaeri.databaseUrl, env })
})
beforeEach(async () => {
  await okaeri.query`insert into products (merchant_id, id, store_product_id, title)
    select ${merchant.id}, okaeri_uuidv7(now()), n, 'p' from generate_series(1, 5) n`
})
afterAll(async () => {
  await other.close()
  fs.rmSync(folder, { recursive: true })
})

/** What is stored of these people: favorites, their events, and what they add to counts. */
async function stored(people: readonly string[]) {
  const rows = await okaeri.query<{ active: number; removed: number; again: number; events: number }>`
    select count(*) filter (where status = 'active')::int as active, count(*) filter (where status = 'removed')::int as removed,
      count(*) filter (where is_again)::int as again, count(e.id)::int as events
    from favorites f left join events e on e.merchant_id = f.merchant_id and e.key = 'favorite_added:' || f.id
    where f.merchant_id = ${merchant.id} and coalesce(f.customer_id, f.guest_id) = any(${[...people]}::uuid[])`
  return rows[0]
}
const counted = async (): Promise<number> =>
  (
    await okaeri.query<{ active: number }>`select (
        (select coalesce(sum(active), 0) from favorite_changes where merchant_id = ${merchant.id})
        + (select coalesce(sum(active_count), 0) from favorite_counts where merchant_id = ${merchant.id}))::int as active`
  )[0]?.active ?? 0

test('what the same people press in two processes at once is stored once, with one event and one count', async () => {
  const customers = await addCustomers(merchant.scope(), [{}, {}])
  const guests = Array.from({ length: 40 }, newId)
  const holders: Holder[] = [
    ...guests.map((guestId) => ({ guestId })),
    ...customers.map((customerId) => ({ customerId })),
  ]
  const scopes: MerchantScope[] = [okaeri, other].map(({ context }) => merchantScope(context, merchant.id))
  const all = (press: typeof storeFavorite): Promise<void[]> =>
    Promise.all(
      [1, 2, 3].flatMap((storeProductId) =>
        scopes.flatMap((scope, process) =>
          // Each process in an order of its own.
          (process === 0 ? holders : holders.toReversed()).map((holder) => press(scope, holder, { storeProductId })),
        ),
      ),
    )
  const people = [...guests, ...customers]
  const before = await counted()
  await all(storeFavorite)
  const count = people.length * 3
  expect(await stored(people)).toEqual({ active: count, removed: 0, again: 0, events: count })
  expect((await counted()) - before).toBe(count)
  await all(takeAwayFavorite)
  await all(storeFavorite)
  expect(await stored(people)).toEqual({ active: count, removed: count, again: count, events: count * 2 })
  expect((await counted()) - before).toBe(count)
})

test('a favorite whose event cannot be written is not stored, nor counted, and others of its batch are', async () => {
  const [bad, good] = [newId(), newId()]
  await okaeri.query`alter table events add constraint not_of_one check (guest_id <> ${sql.lit(bad)}::uuid)`
  const before = await counted()
  const answers = await Promise.allSettled(
    [bad, good].map((guestId) => storeFavorite(merchant.scope(), { guestId }, { storeProductId: 4 })),
  )
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(await stored([bad])).toEqual({ active: 0, removed: 0, again: 0, events: 0 })
  expect(await stored([good])).toEqual({ active: 1, removed: 0, again: 0, events: 1 })
  expect((await counted()) - before).toBe(1)
})
