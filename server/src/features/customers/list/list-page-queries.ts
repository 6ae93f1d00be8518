import type { CustomerSort } from '@okaeri/contract/customers/view'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import type { CursorPlace } from './list-cursor.ts'
import { and } from './list-filter-sql.ts'
import { isFound, type Searched } from './search-queries.ts'

// One page of a list, read in one of several ways.

/** Each has an index that ends with the id, so that a page is read from the index. */
export const sortColumns: Record<CustomerSort, { column: string; type: string }> = {
  created_at: { column: 'created_at', type: 'timestamptz' },
  name: { column: 'display_name', type: 'text' },
  total_revenue: { column: 'orders_amount', type: 'bigint' },
  orders_count: { column: 'orders_count', type: 'int' },
  last_order_at: { column: 'last_order_at', type: 'timestamptz' },
  email_sent_count: { column: 'email_sent_count', type: 'int' },
}

export interface ListPosition {
  sort: CustomerSort
  direction: 'asc' | 'desc'
  limit: number
  offset: number
  /** Instead of the offset. */
  place: CursorPlace | null
}
export interface ListedId {
  id: string
  /** The value it is sorted by, in PostgreSQL's format; null if there is none. */
  value: string | null
  /** How many were sorted to find it, if that was limited. */
  sorted?: number
}

/** Rows of another table that lead to customers (`c`), each at most once. */
interface Few {
  table: RawBuilder<unknown>
  joined: RawBuilder<unknown>
  where: RawBuilder<unknown>
}
export const foundOnes = (scope: MerchantScope, searched: Searched): Few => ({
  table: sql`customer_search s`,
  joined: sql`c.id = s.customer_id`,
  where: isFound(scope, searched),
})
export const suppressedOnes = (scope: MerchantScope): Few => ({
  table: sql`suppressions u`,
  joined: sql`c.email_key = u.address_key`,
  where: sql`u.merchant_id = ${scope.merchantId} and u.channel = 'email' and u.lifted_at is null`,
})

/**
 * How a page is read. Empty: PostgreSQL decides. `walked`: at most this many along the index of the order, within the range `along`. `of`: all
 * matches are fetched through these rows and sorted (null: through the conditions). `words`: the matches of words, or the first `sorted` of
 * them, are sorted by the values in the table of words, and only the customers of the page are read; each row says how many were sorted.
 */
type PageReading =
  | Record<never, never>
  | { walked: number; along: readonly RawBuilder<unknown>[] }
  | { of: Few | null }
  | { words: RawBuilder<unknown>; isNarrowed: boolean; sorted?: number }

/**
 * A page by offset or from a position on. Customers without a last order come after all others (before them, ascending). A page that begins
 * among those with one continues among those without: these are two ranges of the index, read one after the other only as far as needed.
 */
export async function selectSorted(
  scope: MerchantScope,
  where: RawBuilder<unknown>,
  { sort, direction, limit, offset, place }: ListPosition,
  reading: PageReading = {},
): Promise<ListedId[]> {
  const { column, type } = sortColumns[sort]
  const by = sql.ref(`c.${column}`)
  const backwards = place?.toward === 'prev'
  const descending = (direction === 'desc') !== backwards
  const way = descending ? sql`desc` : sql`asc`
  const nullable = sort === 'last_order_at'
  const nulls = nullable ? (descending ? sql`nulls last` : sql`nulls first`) : sql``
  const order = sql`order by ${by} ${way} ${nulls}, c.id ${way}`
  const wanted = sql`c.id, ${by}::text as value`
  const page = (skip: number) => sql`limit ${limit + 1} offset ${skip}`
  // `offset 0` keeps PostgreSQL from reading the others by a walk along the whole order.
  const range = (more: RawBuilder<unknown>, skip = 0): RawBuilder<unknown> => {
    if ('walked' in reading)
      return sql`(select ${wanted} from (
          select * from customers c where ${and([sql`c.merchant_id = ${scope.merchantId}`, ...reading.along])} and ${more}
          ${order} limit ${reading.walked}
        ) c where ${where} ${page(skip)})`
    if ('words' in reading) {
      const found = sql`(
          select s.customer_id as id, ${sql.ref(`s.${column}`)} from customer_search s where ${reading.words} offset 0
        ) c where ${more}`
      if (!reading.isNarrowed) return sql`(select ${wanted} from ${found} ${order} ${page(skip)})`
      const some =
        reading.sorted === undefined
          ? sql`select c.* from ${found} ${order} offset 0`
          : sql`select c.*, count(*) over ()::int as sorted from (select c.* from ${found} ${order} limit ${reading.sorted}) c`
      return sql`(
        select ${sql.ref('f.id')}, ${sql.ref(`f.${column}`)}::text as value ${reading.sorted === undefined ? sql`` : sql`, f.sorted`}
        from (${some}) f cross join lateral (select from customers c where c.id = f.id and ${where} offset 0) x
        order by ${sql.ref(`f.${column}`)} ${way}, f.id ${way} ${page(skip)})`
    }
    if ('of' in reading)
      return reading.of === null
        ? sql`(select ${wanted} from (select c.id, ${by} from customers c where ${where} offset 0) c where ${more} ${order} ${page(skip)})`
        : sql`(select ${wanted} from (
          select c.* from ${reading.of.table} cross join lateral (
            select c.id, ${by} from customers c
            where c.merchant_id = ${scope.merchantId} and ${reading.of.joined} and ${where} and ${more} offset 0
          ) c where ${reading.of.where} offset 0
        ) c ${order} ${page(skip)})`
    return sql`(select ${wanted} from customers c where ${where} and ${more} ${order} ${page(skip)})`
  }
  const beyond = descending ? sql`<` : sql`>`
  const ranges: RawBuilder<unknown>[] = []
  if (!place || place.id === null) ranges.push(range(sql`true`, place ? 0 : offset))
  else if (place.value === null) {
    ranges.push(range(sql`${by} is null and c.id ${beyond} ${place.id}::uuid`))
    if (!descending) ranges.push(range(sql`${by} is not null`))
  } else {
    const value = sql`${place.value}::${sql.raw(type)}`
    ranges.push(range(sql`(${by}, c.id) ${beyond} (${value}, ${place.id}::uuid)`))
    if (nullable && descending) ranges.push(range(sql`${by} is null`))
  }
  const { rows } = await sql<ListedId>`
    select r.* from (${sql.join(ranges, sql` union all `)}) r limit ${limit + 1}
  `.execute(scope.db)
  return rows
}
