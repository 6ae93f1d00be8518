import { listCustomers } from '@okaeri/contract/customers/routes'
import { type CustomerSort, customerSorts } from '@okaeri/contract/customers/view'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { merchant, okaeri, withOneMerchant } from '../../../../test/with-okaeri.ts'
import { refreshSearchLater } from '../index.ts'
import { writeCursor } from './list-cursor.ts'

interface Person {
  id: string
  n: number
  value: string | null
}
/** More customers than a walk along an order passes before it is given up. */
const COUNT = 9000
const isWatanabe = (n: number): boolean => n > 3500
const isVip = (n: number): boolean => n <= 5500
const isGranted = (n: number): boolean => n % 3 === 0
const hasOrders = (n: number): boolean => n % 5 > 1
const isSuppressed = (n: number): boolean => n % 40 === 0
const isJapanese = (n: number): boolean => n % 9 > 0
/** Filters with their meaning: many and few matches, spread evenly or together at either end of an order. */
const filters: [Record<string, string>, (n: number) => boolean][] = [
  [{}, () => true],
  [{ q: 'watanabe' }, isWatanabe],
  [{ q: 'watanabe', marketing: 'granted' }, (n) => isWatanabe(n) && isGranted(n)],
  [{ q: 'watanabe', has_orders: 'no' }, (n) => isWatanabe(n) && !hasOrders(n)],
  [{ q: 'watanabe', suppressed: 'yes' }, (n) => isWatanabe(n) && isSuppressed(n)],
  [{ q: 'watanabe', tag: 'VIP' }, (n) => isWatanabe(n) && isVip(n)],
  [{ tag: 'VIP' }, isVip],
  [{ suppressed: 'yes' }, isSuppressed],
  [{ suppressed: 'no', language: 'ja' }, (n) => !isSuppressed(n) && isJapanese(n)],
  [{ has_orders: 'no' }, (n) => !hasOrders(n)],
  [{ has_orders: 'yes' }, hasOrders],
  [
    { marketing: 'not_granted', language: 'en', has_orders: 'no' },
    (n) => !isGranted(n) && !isJapanese(n) && !hasOrders(n),
  ],
  // Minutes from midnight UTC; a day in Tokyo begins nine hours earlier.
  [{ created_from: '2026-01-03', created_to: '2026-01-03' }, (n) => n >= 2340 && n < 3780],
  [{ created_from: '2026-01-05', has_orders: 'yes' }, (n) => n >= 5220 && hasOrders(n)],
  [{ line: 'yes' }, (n) => n > 8990],
  [{ orders_min: '3' }, (n) => hasOrders(n) && n % 4 >= 2],
  [{ sales_min: '4000', sales_max: '4500' }, (n) => hasOrders(n) && n % 50 >= 40 && n % 50 <= 45],
  [{ sent_max: '0', has_orders: 'yes' }, (n) => n % 7 === 0 && hasOrders(n)],
  [
    { q: 'watanabe', orders_max: '1', sent_min: '6' },
    (n) => isWatanabe(n) && n % 7 === 6 && (!hasOrders(n) || n % 4 === 0),
  ],
  [{ language: 'fr' }, () => false],
]

const inOrder = new Map<CustomerSort, Person[]>()
withOneMerchant()
beforeAll(async () => {
  const { db } = okaeri.context
  // Customers without orders are together in four orders; all orders have ties.
  await sql`
    insert into customers (merchant_id, id, email, email_key, last_name, first_name, display_name, tags, language, marketing_state,
      orders_count, orders_amount, last_order_at, email_sent_count, line_connected_at, created_at, updated_at)
    select ${merchant.id}, okaeri_uuidv7(${okaeri.clock.now()}), n || '@example.jp', n || '@example.jp', family, 'N' || n % 700,
      family || ' N' || n % 700, case when n <= 5500 then array['VIP'] else '{}' end, case when n % 9 > 0 then 'ja' else 'en' end,
      case when n % 3 = 0 then 'granted' when n % 3 = 1 then 'withdrawn' else 'unknown' end, case when bought then n % 4 + 1 else 0 end,
      case when bought then n % 50 * 100 else 0 end, case when bought then timestamptz '2026-02-01' + n % 300 * interval '1 hour' end,
      n % 7, case when n > 8990 then timestamptz '2026-03-01' end, timestamptz '2026-01-01Z' + n * interval '1 minute', now()
    from (select n, n % 5 > 1 as bought, case when n <= 3500 then 'Abe' else 'Watanabe' end as family from generate_series(1, ${COUNT}::int) n) people`.execute(
    db,
  )
  await sql`
    insert into suppressions (merchant_id, id, address_key, reason, created_at)
    select ${merchant.id}, okaeri_uuidv7(${okaeri.clock.now()}), n || '@example.jp', 'manual', now() from generate_series(40, ${COUNT}::int, 40) n`.execute(
    db,
  )
  await refreshSearchLater(merchant.scope())
  await okaeri.settle()
  const columns: Record<CustomerSort, string> = {
    created_at: 'created_at',
    name: 'display_name',
    total_revenue: 'orders_amount',
    orders_count: 'orders_count',
    last_order_at: 'last_order_at',
    email_sent_count: 'email_sent_count',
  }
  for (const sort of customerSorts) {
    const column = sql.ref(columns[sort])
    const { rows } = await sql<Person>`
      select id, split_part(email, '@', 1)::int as n, ${column}::text as value from customers
      where merchant_id = ${merchant.id} order by ${column} nulls first, id`.execute(db)
    inOrder.set(sort, rows)
  }
})

test('any page of any order, with any filter, is the right part of that order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...customerSorts),
      fc.constantFrom('asc' as const, 'desc' as const),
      fc.constantFrom(...filters),
      fc.constantFrom('next' as const, 'prev' as const),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 40 }),
      async (sort, direction, [filter, isMeant], toward, depth, limit) => {
        const ascending = inOrder.get(sort) ?? []
        const wanted = (direction === 'asc' ? ascending : ascending.toReversed()).filter(({ n }) => isMeant(n))
        const at = Math.floor(depth * (wanted.length + 1)) - 1
        const beside = wanted[at]
        const cursor = beside
          ? writeCursor(sort, direction, { toward, value: beside.value, id: beside.id })
          : toward === 'prev'
            ? 'end'
            : undefined
        const edge = beside ? at : wanted.length
        const piece =
          toward === 'prev'
            ? wanted.slice(Math.max(0, edge - limit), edge)
            : wanted.slice(beside ? at + 1 : 0, (beside ? at + 1 : 0) + limit)
        const page = await merchant.call(listCustomers, { query: { sort, direction, limit, ...filter, cursor } })
        expect(page.data.map(({ id }) => id)).toEqual(piece.map(({ id }) => id))
        if (page.total_exact) expect(page.total).toBe(wanted.length)
        else expect(page.total).toBeLessThanOrEqual(wanted.length)
      },
    ),
    { numRuns: 300 },
  )
})
