import { countCustomers, listCustomers } from '@okaeri/contract/customers/routes'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { merchant, okaeri, withOneMerchant } from '../../../../test/with-okaeri.ts'
import { refreshSearchLater } from '../index.ts'

withOneMerchant()
beforeAll(async () => {
  // More than are fetched one by one, and all with one family name come after more others than a walk passes.
  await okaeri.query`
    insert into customers (merchant_id, id, email, email_key, last_name, first_name, display_name, language, marketing_state, created_at, updated_at)
    select ${merchant.id}, okaeri_uuidv7(${okaeri.clock.now()}), n || '@example.jp', n || '@example.jp', family, 'N' || n, family || ' N' || n, 'en',
      case when n % 3 = 0 then 'granted' else 'unknown' end, timestamptz '2026-01-01' + n * interval '1 minute', now()
    from (select n, case when n <= 4000 then 'Abe' else 'Watanabe' end as family from generate_series(1, 10000) n) people`
  await refreshSearchLater(merchant.scope())
  await okaeri.settle()
})

const page = (query: Record<string, unknown>) => merchant.call(listCustomers, { query: { limit: 200, ...query } })

test.each([
  ['name', 'asc'],
  ['name', 'desc'],
  ['created_at', 'asc'],
  ['last_order_at', 'desc'],
] as const)('thousands who share a name are sorted by %s (%s) and paged as few are', async (sort, direction) => {
  const order = { sort, direction }
  for (const filter of [{}, { marketing: 'granted' }]) {
    const query = { q: 'watanabe', ...order, ...filter }
    const first = await page(query)
    expect(first.data).toHaveLength(200)
    expect(first.data.every(({ name }) => name.startsWith('Watanabe'))).toBe(true)
    const second = await page({ ...query, cursor: first.next })
    const both = await page({ ...query, offset: 100 })
    expect(both.data.map(({ id }) => id)).toEqual([...first.data, ...second.data].slice(100, 300).map(({ id }) => id))
    const back = await page({ ...query, cursor: second.prev })
    expect(back.data.map(({ id }) => id)).toEqual(first.data.map(({ id }) => id))
    const last = await page({ ...query, cursor: 'end' })
    expect(last.next).toBeNull()
    expect(last.data).toHaveLength(200)
  }
})

test('suppressed customers among thousands with the same name are found and paged', async () => {
  await okaeri.query`insert into suppressions (merchant_id, id, address_key, reason, created_at)
    select ${merchant.id}, okaeri_uuidv7(${okaeri.clock.now()}), n || '@example.jp', 'manual', now() from generate_series(3900, 4099) n`
  const query = { q: 'watanabe', suppressed: 'yes', sort: 'created_at', direction: 'asc', limit: 60 }
  const first = await page(query)
  const second = await page({ ...query, cursor: first.next })
  expect([...first.data, ...second.data].map(({ email }) => email)).toEqual(
    Array.from({ length: 99 }, (_, n) => `${4001 + n}@example.jp`),
  )
})

test('a total is exact if all could be read, and is otherwise a lower bound', async () => {
  expect(await page({ q: 'watanabe' })).toMatchObject({ total: 6000, total_exact: true })
  expect(await page({ q: 'watanabe', marketing: 'granted' })).toMatchObject({ total: 2000, total_exact: true })
  await okaeri.query`
    insert into customers (merchant_id, id, display_name, marketing_state, created_at, updated_at)
    select ${merchant.id}, okaeri_uuidv7(${okaeri.clock.now()}), 'Abe ' || n, 'unknown', timestamptz '2026-03-01', now()
    from generate_series(1, 11000) n`
  expect(await page({})).toMatchObject({ total: 10_000, total_exact: false })
  expect(await page({ q: 'watanabe', marketing: 'granted' })).toMatchObject({ total: 2000, total_exact: true })
  const some = await page({ q: 'watanabe', marketing: 'not_granted' })
  expect(some.total_exact).toBe(false)
  expect(some.total).toBeGreaterThanOrEqual(200)
  expect(await merchant.call(countCustomers, { query: { q: 'watanabe', marketing: 'not_granted' } })).toEqual({
    total: 4000,
  })
})

test('a condition that matches none or one of the first thousands found is answered from the others', async () => {
  const query = { q: 'watanabe', marketing: 'not_granted', sort: 'created_at', direction: 'asc' }
  const numbers = async (more: Record<string, unknown> = {}): Promise<number[]> =>
    (await page({ ...query, limit: 50, ...more })).data.map(({ email }) => Number.parseInt(email ?? '', 10))
  const grant = (where: RawBuilder<unknown>) =>
    okaeri.query`update customers set marketing_state = 'granted' where merchant_id = ${merchant.id} and ${where}`
  const number = sql`split_part(email, '@', 1)::int`
  await grant(sql`email is not null and ${number} between 4001 and 7500 and ${number} <> 5002`)
  const others = Array.from({ length: 10_000 - 7500 }, (_, n) => 7501 + n).filter((n) => n % 3 !== 0)
  expect(await numbers()).toEqual([5002, ...others].slice(0, 50))
  expect(await numbers({ offset: 300 })).toEqual([5002, ...others].slice(300, 350))
  await grant(sql`email = '5002@example.jp'`)
  expect(await numbers()).toEqual(others.slice(0, 50))
  const met: number[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const some = await page({ ...query, limit: 100, ...(cursor ? { cursor } : {}) })
    met.push(...some.data.map(({ email }) => Number.parseInt(email ?? '', 10)))
    cursor = some.next
  }
  expect(met).toEqual(others)
})
