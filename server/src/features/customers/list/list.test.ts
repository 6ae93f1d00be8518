import {
  countCustomers,
  createCustomerView,
  deleteCustomerView,
  listCustomers,
  listCustomerViews,
} from '@okaeri/contract/customers/routes'
import { customerSorts } from '@okaeri/contract/customers/view'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { merchant, okaeri, withOneMerchant } from '../../../../test/with-okaeri.ts'
import { newId } from '../../../kernel/ids.ts'
import { suppress } from '../../consent/index.ts'
import { refreshSearchLater, type StoreCustomer, upsertStoreCustomers } from '../index.ts'

const COUNT = 60

const person = (n: number): StoreCustomer => ({
  storeCustomerId: n,
  email: `person${n}@example${n % 3}.com`,
  firstName: '花子',
  lastName: n % 2 ? '山田' : '佐藤',
  phone: null,
  language: n % 5 === 0 ? 'en' : 'ja',
  address: null,
  tags: n % 4 === 0 ? ['VIP 会員'] : n % 4 === 1 ? ['vip'] : [],
  createdAt: new Date(Date.UTC(2026, 0, 1 + (n % 7), 15)),
  updatedAt: new Date('2026-02-01T00:00:00Z'),
})

withOneMerchant()
beforeAll(async () => {
  await upsertStoreCustomers(
    merchant.scope(),
    Array.from({ length: COUNT }, (_, n) => person(n)),
  )
  // Ties in every order, and a third without an order.
  const numbers = Array.from({ length: COUNT }, (_, n) => n)
  await okaeri.query`update customers c set orders_count = r.n % 3, orders_amount = case when r.n % 3 > 0 then (r.n % 4) * 100 else 0 end,
      last_order_at = case when r.n % 3 > 0 then r.ordered_at end, line_connected_at = case when r.n = 7 then r.ordered_at end
    from unnest(${numbers}::int[], ${numbers.map((n) => `2026-01-0${1 + (n % 5)} 00:00:00.123456Z`)}::timestamptz[]) as r (n, ordered_at)
    where c.merchant_id = ${merchant.id} and c.store_customer_id = r.n`
  const other = await okaeri.merchant()
  await upsertStoreCustomers(other.scope(), [person(1)])
})

const total = async (query: Record<string, unknown>): Promise<number> =>
  (await merchant.call(listCustomers, { query })).total

test('paging by cursors gives every customer once, in the same order forwards and backwards, in every order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...customerSorts),
      fc.constantFrom('asc' as const, 'desc' as const),
      fc.integer({ min: 1, max: 25 }),
      fc.constantFrom<Record<string, string>[]>(
        {},
        { q: '山田' },
        { tag: 'vip' },
        { has_orders: 'no' },
        { has_orders: 'yes' },
        { has_orders: 'yes', q: '佐藤' },
        { created_from: '2026-01-03', created_to: '2026-01-06' },
        { created_from: '2026-01-03', has_orders: 'yes', language: 'ja' },
        { marketing: 'not_granted', notification: 'not_granted' },
        { suppressed: 'yes' },
        { suppressed: 'no', q: 'example1.com' },
      ),
      async (sort, direction, limit, filter) => {
        const whole = await merchant.call(listCustomers, { query: { sort, direction, limit: 200, ...filter } })
        const wanted = whole.data.map(({ id }) => id)
        const walk = async (step: 'next' | 'prev', first?: string): Promise<string[]> => {
          const met: string[][] = []
          for (let cursor: string | null | undefined = first; cursor !== null; ) {
            const page: Awaited<ReturnType<typeof merchant.call<(typeof listCustomers)['~types'] & object>>> =
              await merchant.call(listCustomers, {
                query: { sort, direction, limit, ...filter, ...(cursor === undefined ? {} : { cursor }) },
              })
            met.push(page.data.map(({ id }) => id))
            cursor = page[step]
          }
          return (step === 'next' ? met : met.reverse()).flat()
        }
        expect(await walk('next')).toEqual(wanted)
        expect(await walk('prev', 'end')).toEqual(wanted)
      },
    ),
    { numRuns: 30 },
  )
})

test('a cursor leads back to its page; an invalid one is refused', async () => {
  const first = await merchant.call(listCustomers, { query: { limit: 10 } })
  expect(first.prev).toBeNull()
  const second = await merchant.call(listCustomers, { query: { limit: 10, cursor: first.next ?? '' } })
  const back = await merchant.call(listCustomers, { query: { limit: 10, cursor: second.prev ?? '' } })
  expect(back.data.map(({ id }) => id)).toEqual(first.data.map(({ id }) => id))
  expect(back.prev).toBeNull()
  const forged = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')
  const wrong = [
    'x',
    '\u202e',
    forged(null),
    forged(['name', 'desc', 'next', 'a', newId()]),
    forged(['created_at', 'desc', 'next', '2026-02-31 00:00:00+00', newId()]),
    forged(['created_at', 'desc', 'next', "'; drop table customers; --", newId()]),
    forged(['created_at', 'desc', 'next', null, 'x']),
    'A'.repeat(3999),
  ]
  for (const cursor of wrong)
    await expect(merchant.call(listCustomers, { query: { cursor } }), cursor).rejects.toMatchObject({
      fields: { cursor: 'invalid' },
    })
  await expect(
    merchant.call(listCustomers, { query: { sort: 'name', cursor: first.next ?? '' } }),
  ).rejects.toMatchObject({ status: 400 })
  await expect(merchant.call(listCustomers, { query: { offset: 60_000 } })).rejects.toMatchObject({
    fields: { offset: 'too_big' },
  })
})

test('every filter narrows the list, alone and with a search, and the count matches', async () => {
  await suppress(merchant.scope(), {
    address: 'person8@example2.com',
    reason: 'hard_bounce',
    detail: '550 no such user',
  })
  const filters: [Record<string, unknown>, number][] = [
    [{}, COUNT],
    [{ marketing: 'granted' }, 0],
    [{ marketing: 'not_granted' }, COUNT],
    [{ marketing: 'unknown', notification: 'not_granted' }, COUNT],
    [{ tag: 'ＶＩＰ　会員' }, 15],
    [{ tag: 'vip' }, 15],
    [{ q: 'vip' }, 30],
    [{ q: '会員 佐藤' }, 15],
    [{ suppressed: 'yes' }, 1],
    [{ suppressed: 'no' }, COUNT - 1],
    [{ has_orders: 'yes' }, 40],
    [{ language: 'en' }, 12],
    [{ line: 'yes' }, 1],
    // 15:00 UTC is midnight of the next day in Tokyo.
    [{ created_from: '2026-01-02', created_to: '2026-01-02' }, 9],
    [{ q: 'example1.com', has_orders: 'yes', language: 'ja' }, 16],
    [{ q: 'person', tag: 'VIP', suppressed: 'no' }, 15],
  ]
  for (const [query, wanted] of filters) {
    expect(await total(query), JSON.stringify(query)).toBe(wanted)
    expect((await merchant.call(countCustomers, { query })).total, JSON.stringify(query)).toBe(wanted)
  }
  await expect(total({ created_from: '2026-02-02', created_to: '2026-02-01' })).rejects.toMatchObject({ status: 400 })
  await expect(total({ tag: '' })).rejects.toMatchObject({ status: 400 })
})

test('the search field takes any text, never a pattern', async () => {
  for (const q of [
    '%',
    '_',
    '\\',
    "'",
    "':*",
    '!',
    '&',
    "a' | 'b",
    '<->',
    '\u202e',
    '👩‍👩‍👧‍👦',
    '\\\\%',
    "''",
    '\ufffd',
  ])
    expect(await total({ q }), q).toBe(q === '\u202e' ? COUNT : 0)
})

test('bulk work leaves the search index to a job at its end', async () => {
  await okaeri.query`update customers set search_text = 'old', last_name = '鈴木' where merchant_id = ${merchant.id} and store_customer_id = 3`
  expect(await total({ q: '鈴木' })).toBe(0)
  await refreshSearchLater(merchant.scope())
  await okaeri.settle()
  expect(await total({ q: '鈴木' })).toBe(1)
})

test('a view with numbers is saved and listed', async () => {
  const merchant = await okaeri.merchant()
  const search = { orders_min: 5, sales_min: 1980.5, sales_max: 90_000, sent_max: 3 }
  const { view } = await merchant.call(createCustomerView, { body: { name: 'よく買う', search } })
  expect(view.search).toEqual(search)
  expect((await merchant.call(listCustomerViews, {})).views).toEqual([view])
})

test('a view belongs to its member until it is shared', async () => {
  const { view } = await merchant.call(createCustomerView, {
    body: { name: '常連', search: { tag: 'VIP', sort: 'name', columns: ['tags'] } },
  })
  const names = async (call = merchant.call) => (await call(listCustomerViews, {})).views.map(({ name }) => name)
  expect(await names()).toEqual(['常連'])
  await okaeri.query`update saved_views set member_id = ${newId()} where merchant_id = ${merchant.id}`
  expect(await names()).toEqual([])
  await expect(merchant.call(deleteCustomerView, { params: { id: view.id } })).rejects.toMatchObject({ status: 404 })
  await merchant.call(createCustomerView, { body: { name: 'みんな', search: {}, shared: true } })
  expect(await names(merchant.as('viewer'))).toEqual(['みんな'])
  expect(await names((await okaeri.merchant()).call)).toEqual([])
  await expect(
    merchant.call(createCustomerView, { body: { name: 'x', search: { nonsense: 1 } as never } }),
  ).rejects.toMatchObject({ fields: { 'search.nonsense': 'unknown_field' } })
  for (const q of ['half a character \ud800', 'a\0b'])
    await expect(merchant.call(createCustomerView, { body: { name: 'x', search: { q } } })).rejects.toMatchObject({
      status: 400,
      fields: { 'search.q': 'invalid' },
    })
})
