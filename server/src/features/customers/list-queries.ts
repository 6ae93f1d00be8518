import type { CustomerFilter, CustomerSort } from '@okaeri/contract/customers/view'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { CursorPlace } from './list-cursor.ts'
import { countFound, isFound, type Searched, selectFound, textMatches } from './search-queries.ts'

/** The contract's filters with words and tag folded and days as instants. */
export interface ListFilter extends Omit<CustomerFilter, 'q' | 'tag' | 'created_from' | 'created_to'> {
  searched: Searched
  createdFrom: Date | null
  /** The first instant after. */
  createdBefore: Date | null
}

/** Each with an index that ends in the id, so that a page is read off the index. */
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
  /** The value it is sorted by, as PostgreSQL writes it; null where there is none. */
  value: string | null
}

const isSearched = ({ words, tag }: Searched): boolean => words.length > 0 || tag !== undefined

/** All conditions but words and tag. */
function conditions(scope: MerchantScope, filter: ListFilter): RawBuilder<unknown>[] {
  const { marketing, notification, suppressed, has_orders: hasOrders, language, line } = filter
  const isSuppressed = sql`c.email_key in (select address_key from suppressions
    where merchant_id = ${scope.merchantId} and channel = 'email' and lifted_at is null)`
  return [
    sql`c.merchant_id = ${scope.merchantId}`,
    ...(marketing === undefined
      ? []
      : [
          marketing === 'not_granted'
            ? sql`c.marketing_state in ('unknown', 'withdrawn', 'pending')`
            : sql`c.marketing_state = ${marketing}`,
        ]),
    ...(notification === undefined
      ? []
      : [notification === 'granted' ? sql`c.notification_state = 'granted'` : sql`c.notification_state <> 'granted'`]),
    ...(suppressed === undefined ? [] : [suppressed === 'yes' ? isSuppressed : sql`(${isSuppressed}) is not true`]),
    ...(hasOrders === undefined ? [] : [hasOrders === 'yes' ? sql`c.orders_count > 0` : sql`c.orders_count = 0`]),
    ...(language === undefined ? [] : [sql`c.language = ${language}`]),
    ...(line === undefined
      ? []
      : [line === 'yes' ? sql`c.line_connected_at is not null` : sql`c.line_connected_at is null`]),
    ...(filter.createdFrom === null ? [] : [sql`c.created_at >= ${filter.createdFrom}`]),
    ...(filter.createdBefore === null ? [] : [sql`c.created_at < ${filter.createdBefore}`]),
  ]
}
const and = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join([...parts], sql` and `)

/** Up to this many found by their words are looked at one by one; more are met soon on a walk along the index of the sort order. */
const FEW = 5000
/** A total is counted up to this; what is beyond is asked for by itself. */
const COUNTED = 10_000
/** Customers passed on the way before a walk is given up. Sooner in the order of names, where those of one name stand together. */
const walkedIn = (sort: CustomerSort): number => (sort === 'name' ? 3_000 : 20_000)
/** Of those who must be looked at to be counted, this many are, while a page waits for its total. */
const LOOKED_AT = 20_000

export interface FoundIds {
  rows: ListedId[]
  total: number
  totalExact: boolean
}

/**
 * The ids of one page in their order, one more than asked for where there are more. PostgreSQL cannot know how rare a word is, so which
 * way the page is read is decided here: the few found are fetched and sorted, many are met on the way along the sort order.
 */
export async function selectList(scope: MerchantScope, filter: ListFilter, position: ListPosition): Promise<FoundIds> {
  const base = conditions(scope, filter)
  if (!isSearched(filter.searched)) {
    const where = and(base)
    // Each suppressed address is a look into another index: so many are not looked up while a page waits.
    const count = filter.suppressed === 'yes' ? countAmongFirst : countUpTo
    const [rows, total] = await Promise.all([selectSorted(scope, where, position), count(scope, where)])
    return { rows, ...total }
  }
  const few = await selectFound(scope, filter.searched, FEW + 1)
  if (few.length <= FEW) {
    if (few.length === 0) return { rows: [], total: 0, totalExact: true }
    const where = and([...base, sql`c.id = any(${few}::uuid[])`])
    const [rows, total] = await Promise.all([
      selectSorted(scope, where, position),
      base.length === 1 ? few.length : countAll(scope, where),
    ])
    return { rows, total, totalExact: true }
  }
  const where = and([...base, ...textMatches(filter.searched)])
  const [rows, total] = await Promise.all([
    selectAmongMany(scope, filter, position),
    base.length === 1 ? countFound(scope, filter.searched, COUNTED + 1).then(atMost) : countAmongFirst(scope, where),
  ])
  return { rows, ...total }
}

/**
 * Many are met soon on a walk along the sort order, unless they stand together far from where it begins (a family name in the order of
 * names, an old tag in the order of creation). Then the walk is given up, and those the index of words knows are fetched and sorted.
 */
async function selectAmongMany(scope: MerchantScope, filter: ListFilter, position: ListPosition): Promise<ListedId[]> {
  const base = conditions(scope, filter)
  const all = and([...base, ...textMatches(filter.searched)])
  // Few of many: they are looked through at once.
  if (filter.suppressed === 'yes') return selectSorted(scope, all, position, { of: suppressedOnes(scope) })
  const met = await selectSorted(scope, all, position, { walked: walkedIn(position.sort) })
  if (met.length > position.limit) return met
  return selectSorted(scope, and(base), position, { of: foundOnes(scope, filter.searched) })
}

/** Rows of another table that lead to customers (`c`); no customer is reached twice. */
interface Few {
  table: RawBuilder<unknown>
  joined: RawBuilder<unknown>
  where: RawBuilder<unknown>
}
const foundOnes = (scope: MerchantScope, searched: Searched): Few => ({
  table: sql`customer_search s`,
  joined: sql`c.id = s.customer_id`,
  where: isFound(scope, searched),
})
const suppressedOnes = (scope: MerchantScope): Few => ({
  table: sql`suppressions u`,
  joined: sql`c.email_key = u.address_key`,
  where: sql`u.merchant_id = ${scope.merchantId} and u.channel = 'email' and u.lifted_at is null`,
})

/** How many there are, however long that takes. */
export async function countList(scope: MerchantScope, filter: ListFilter): Promise<number> {
  const base = conditions(scope, filter)
  if (!isSearched(filter.searched)) return countAll(scope, and(base))
  if (base.length === 1) return countFound(scope, filter.searched, null)
  return countAll(scope, and([...base, ...textMatches(filter.searched)]))
}

const atMost = (count: number): { total: number; totalExact: boolean } => ({
  total: Math.min(count, COUNTED),
  totalExact: count <= COUNTED,
})

async function countUpTo(scope: MerchantScope, where: RawBuilder<unknown>) {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from customers c where ${where} limit ${COUNTED + 1}) found
  `.execute(scope.db)
  return atMost(rows[0]?.count ?? 0)
}

async function countAll(scope: MerchantScope, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from customers c where ${where}`.execute(
    scope.db,
  )
  return rows[0]?.count ?? 0
}

/** Looks at so many only: where there are more customers than that, the answer is how many there are at least. */
async function countAmongFirst(scope: MerchantScope, where: RawBuilder<unknown>) {
  const { rows } = await sql<{ total: number; looked: number }>`
    select count(*) filter (where ${where}) as total, count(*) as looked from (
      select * from customers c where c.merchant_id = ${scope.merchantId} limit ${LOOKED_AT}
    ) c
  `.execute(scope.db)
  const { total, looked } = rows[0] ?? { total: 0, looked: 0 }
  return { total, totalExact: looked < LOOKED_AT }
}

/**
 * A page by offset or from a place on. Customers without a last order stand behind all others (before them, ascending); a place among
 * those with one goes on into those without, which the index gives as two ranges, read one after the other only as far as needed.
 */
async function selectSorted(
  scope: MerchantScope,
  where: RawBuilder<unknown>,
  { sort, direction, limit, offset, place }: ListPosition,
  { walked, of }: { walked?: number; of?: Few } = {},
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
  // `offset 0` keeps PostgreSQL from turning the two last into a walk along the whole order.
  const range = (more: RawBuilder<unknown>, skip = 0): RawBuilder<unknown> => {
    if (walked !== undefined)
      return sql`(select ${wanted} from (
          select * from customers c where c.merchant_id = ${scope.merchantId} and ${more} ${order} limit ${walked}
        ) c where ${where} ${page(skip)})`
    if (of !== undefined)
      return sql`(select ${wanted} from (
          select c.* from ${of.table} cross join lateral (
            select c.id, ${by} from customers c
            where c.merchant_id = ${scope.merchantId} and ${of.joined} and ${where} and ${more} offset 0
          ) c where ${of.where} offset 0
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
    select r.id, r.value from (${sql.join(ranges, sql` union all `)}) r limit ${limit + 1}
  `.execute(scope.db)
  return rows
}
