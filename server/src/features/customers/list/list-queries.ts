import type { CustomerFilter, CustomerRange, CustomerSort } from '@okaeri/contract/customers/view'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import type { CursorPlace } from './list-cursor.ts'
import { countFound, isFound, lookUp, type Searched, textMatches } from './search-queries.ts'

/** The contract's filters, with folded words and tag, and days as instants. */
export interface ListFilter
  extends Omit<CustomerFilter, 'q' | 'tag' | 'created_from' | 'created_to' | 'sales_min' | 'sales_max'> {
  searched: Searched
  /** Minor units. */
  salesMin: number | null
  salesMax: number | null
  createdFrom: Date | null
  /** The first instant after the span. */
  createdBefore: Date | null
}

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

const isSearched = ({ words, tag }: Searched): boolean => words.length > 0 || tag !== undefined

type Conditions = Partial<Record<keyof CustomerFilter | 'created' | CustomerRange, RawBuilder<unknown>>>

/** One for each filter except words and tag. */
function conditionsOf(scope: MerchantScope, filter: ListFilter): Conditions {
  const {
    marketing,
    notification,
    suppressed,
    has_orders: hasOrders,
    language,
    line,
    createdFrom,
    createdBefore,
  } = filter
  const orders = between('orders_count', filter.orders_min, filter.orders_max)
  const sales = between('orders_amount', filter.salesMin, filter.salesMax)
  const sent = between('email_sent_count', filter.sent_min, filter.sent_max)
  const isSuppressed = sql`c.email_key in (select address_key from suppressions
    where merchant_id = ${scope.merchantId} and channel = 'email' and lifted_at is null)`
  const NOT_GRANTED = sql`('unknown', 'withdrawn', 'pending')`
  return {
    ...(marketing && {
      marketing:
        marketing === 'not_granted' ? sql`c.marketing_state in ${NOT_GRANTED}` : sql`c.marketing_state = ${marketing}`,
    }),
    ...(notification && {
      notification:
        notification === 'granted'
          ? sql`c.notification_state = 'granted'`
          : sql`c.notification_state in ${NOT_GRANTED}`,
    }),
    ...(suppressed && { suppressed: suppressed === 'yes' ? isSuppressed : sql`(${isSuppressed}) is not true` }),
    ...(hasOrders && { has_orders: hasOrders === 'yes' ? sql`c.orders_count > 0` : sql`c.orders_count = 0` }),
    ...(language && { language: sql`c.language = ${language}` }),
    ...(line && { line: line === 'yes' ? sql`c.line_connected_at is not null` : sql`c.line_connected_at is null` }),
    ...((createdFrom || createdBefore) && {
      created: sql.join(
        [
          ...(createdFrom ? [sql`c.created_at >= ${createdFrom}`] : []),
          ...(createdBefore ? [sql`c.created_at < ${createdBefore}`] : []),
        ],
        sql` and `,
      ),
    }),
    ...(orders && { orders }),
    ...(sales && { sales }),
    ...(sent && { sent }),
  }
}

/** Both ends included; null if neither is given. */
function between(
  column: 'orders_count' | 'orders_amount' | 'email_sent_count',
  min: number | null | undefined,
  max: number | null | undefined,
): RawBuilder<unknown> | null {
  const value = sql.ref(`c.${column}`)
  const ends = [
    ...(typeof min === 'number' ? [sql`${value} >= ${min}`] : []),
    ...(typeof max === 'number' ? [sql`${value} <= ${max}`] : []),
  ]
  return ends.length > 0 ? sql.join(ends, sql` and `) : null
}

const all = (scope: MerchantScope, conditions: Conditions): RawBuilder<unknown> =>
  and([sql`c.merchant_id = ${scope.merchantId}`, ...Object.values(conditions)])
const and = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join([...parts], sql` and `)

/**
 * The conditions as ranges of the sort order, so that a walk along it covers only this range. Customers without orders have no amount and no
 * last order (projections.ts).
 */
function inOrder(sort: CustomerSort, filter: ListFilter, conditions: Conditions): RawBuilder<unknown>[] {
  const { created, has_orders: bought, orders, sales, sent } = conditions
  const given = (...parts: (RawBuilder<unknown> | undefined)[]) => parts.filter((part) => part !== undefined)
  const has = filter.has_orders === 'yes'
  switch (sort) {
    case 'created_at':
      return given(created)
    case 'orders_count':
      return given(bought, orders)
    case 'email_sent_count':
      return given(sent)
    case 'total_revenue':
      // This condition makes PostgreSQL use the partial index of customers with orders.
      return given(bought, bought && !has ? sql`c.orders_amount = 0` : undefined, sales)
    case 'last_order_at':
      return bought ? [has ? sql`c.last_order_at is not null` : sql`c.last_order_at is null`] : []
    default:
      return []
  }
}

/** The conditions that {@link inOrder} turns into ranges of the order. */
const ledBy: Record<CustomerSort, readonly (keyof Conditions)[]> = {
  created_at: ['created'],
  name: [],
  total_revenue: ['has_orders', 'sales'],
  orders_count: ['has_orders', 'orders'],
  last_order_at: ['has_orders'],
  email_sent_count: ['sent'],
}

/** Up to this many customers found by words are read one by one; more are soon met on a walk along the index of the sort order. */
const FEW = 5000
/** A total is counted up to this; an exact larger one is a separate request. */
const COUNTED = 10_000
/** At most this many rows are read to count, because a page waits for its total. */
const LOOKED_AT = 12_000
/** Up to this many customers found by words are looked up one by one; with more, reading everyone's text is cheaper. */
const MANY = 60_000

/**
 * How many customers a walk passes before it is given up and all matches are fetched and sorted. If matches are spread evenly, 1 in n, a page
 * is full after n × limit; fetching them costs (a million ÷ n). Both are equal at 1000 √limit, so the cost is at most about twice that of the
 * better way.
 */
const walkedFor = (limit: number): number => Math.ceil(1500 * Math.sqrt(limit + 1))
/** The first walk for words, before it is known how many have them. Letters that begin a word of everyone need no more. */
const WALKED_FIRST = 3000
/** The second walk for words. It is longer, because matches of words cost more to fetch than those of a condition. */
const WALKED_FOR_WORDS = 20_000
/**
 * With a condition besides words, this many matches of the words are sorted for each wanted customer: the condition matches more than one in
 * a hundred (for fewer it is used to fetch them), and finding the first of many takes less time than sorting all.
 */
const SORTED_FOR_ONE = 40
/** Orders whose values are in the table of words; in them, matches of a word are together or are met at once. */
const isBesideWords = (sort: CustomerSort): boolean => sort === 'name' || sort === 'created_at'

export interface FoundIds {
  rows: ListedId[]
  total: number
  totalExact: boolean
}

/**
 * The ids of one page in order, and one more if there is another page. PostgreSQL knows neither how rare a word is nor that all customers
 * without orders are at the end of the order by revenue, so the way to read the page is decided here.
 */
export async function selectList(scope: MerchantScope, filter: ListFilter, position: ListPosition): Promise<FoundIds> {
  if (isSearched(filter.searched)) return selectSearchedList(scope, filter, position)
  const [rows, total] = await Promise.all([
    selectFiltered(scope, filter, position),
    countSoon(scope, conditionsOf(scope, filter), filter),
  ])
  return { rows, ...total }
}

/** Without words: along the order if the conditions are ranges of it, or if matches are met soon; else all matches are fetched and sorted. */
async function selectFiltered(scope: MerchantScope, filter: ListFilter, position: ListPosition): Promise<ListedId[]> {
  const conditions = conditionsOf(scope, filter)
  const along = inOrder(position.sort, filter, conditions)
  const where = and([all(scope, conditions), ...along])
  const isLed = (Object.keys(conditions) as (keyof Conditions)[]).every((name) => ledBy[position.sort].includes(name))
  if (isLed) return selectSorted(scope, where, position)
  const met = await selectSorted(scope, where, position, { walked: walkedFor(position.limit), along })
  if (met.length > position.limit) return met
  return selectSorted(scope, where, position, { of: filter.suppressed === 'yes' ? suppressedOnes(scope) : null })
}

/** By words: frequent words are met at once; then the matches of rare conditions, then those of rare words are read. */
async function selectSearchedList(scope: MerchantScope, filter: ListFilter, position: ListPosition): Promise<FoundIds> {
  const conditions = conditionsOf(scope, filter)
  const isNarrowed = Object.keys(conditions).length > 0
  const along = inOrder(position.sort, filter, conditions)
  const found = and([all(scope, conditions), ...along, ...textMatches(filter.searched)])
  const isOfSuppressed = filter.suppressed === 'yes'
  if (!isOfSuppressed) {
    const [met, narrowed] = await Promise.all([
      selectSorted(scope, found, position, { walked: WALKED_FIRST, along }),
      isNarrowed ? countSoon(scope, conditions, filter) : null,
    ])
    if (met.length > position.limit) return { rows: met, ...(await countAmong(scope, sql`true`, found)) }
    if (narrowed?.totalExact) {
      const [rows, total] = await Promise.all([
        selectSorted(scope, found, position, { of: null }),
        countAll(scope, found),
      ])
      return { rows, total, totalExact: true }
    }
  }
  if (!isNarrowed && isBesideWords(position.sort)) {
    const [rows, { count }] = await Promise.all([
      selectSorted(scope, found, position, { words: isFound(scope, filter.searched), isNarrowed }),
      lookUp(scope, filter.searched, { few: 0, counted: COUNTED + 1 }),
    ])
    return { rows, ...atMost(count) }
  }
  if (isNarrowed && isBesideWords(position.sort) && !isOfSuppressed) {
    const [rows, total] = await Promise.all([
      selectFirstSorted(scope, filter, position),
      countAmong(scope, sql`true`, found),
    ])
    if (rows) return { rows, ...total }
  }
  // With a condition, the matches are counted below.
  const counted = isNarrowed ? FEW + 1 : COUNTED + 1
  const { count, ids: few } = await lookUp(scope, filter.searched, { few: FEW, counted })
  if (few !== null) {
    if (few.length === 0) return { rows: [], total: 0, totalExact: true }
    const where = and([all(scope, conditions), sql`c.id = any(${few}::uuid[])`])
    const [rows, total] = await Promise.all([
      selectSorted(scope, where, position),
      isNarrowed ? countAll(scope, where) : few.length,
    ])
    return { rows, total, totalExact: true }
  }
  const [rows, total] = await Promise.all([
    // Suppressed addresses are few, so all of them are read.
    isOfSuppressed
      ? selectSorted(scope, found, position, { of: suppressedOnes(scope) })
      : selectAmongMany(scope, filter, position),
    isNarrowed ? countAmong(scope, sql`true`, found) : atMost(count),
  ])
  return { rows, ...total }
}

/**
 * Matches that the first walk did not meet are together far from its beginning (a family name in the order of names), or further apart. Orders
 * with values in the table of words are sorted at once; in others a longer walk is tried before all matches are fetched.
 */
async function selectAmongMany(scope: MerchantScope, filter: ListFilter, position: ListPosition): Promise<ListedId[]> {
  const conditions = conditionsOf(scope, filter)
  const along = inOrder(position.sort, filter, conditions)
  const where = and([all(scope, conditions), ...along])
  const found = and([where, ...textMatches(filter.searched)])
  if (isBesideWords(position.sort))
    return selectSorted(scope, where, position, { words: isFound(scope, filter.searched), isNarrowed: true })
  const met = await selectSorted(scope, found, position, { walked: WALKED_FOR_WORDS, along })
  if (met.length > position.limit) return met
  const { count } = await lookUp(scope, filter.searched, { few: 0, counted: MANY })
  if (count === MANY) return selectSorted(scope, found, position, { of: null })
  return selectSorted(scope, where, position, { of: foundOnes(scope, filter.searched) })
}

/** A page by words and a condition, in an order with values in the table of words. Null if the matches may be few. */
async function selectFirstSorted(
  scope: MerchantScope,
  filter: ListFilter,
  position: ListPosition,
): Promise<ListedId[] | null> {
  const where = and([
    all(scope, conditionsOf(scope, filter)),
    ...inOrder(position.sort, filter, conditionsOf(scope, filter)),
  ])
  const words = isFound(scope, filter.searched)
  const sorted = SORTED_FOR_ONE * (position.limit + 1) + position.offset
  const first = await selectSorted(scope, where, position, { words, isNarrowed: true, sorted })
  if (first.length > position.limit) return first
  if ((first[0]?.sorted ?? 0) < sorted) return null
  return selectSorted(scope, where, position, { words, isNarrowed: true })
}

/** Rows of another table that lead to customers (`c`), each at most once. */
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
/** The exact number, however long that takes. */
export async function countList(scope: MerchantScope, filter: ListFilter): Promise<number> {
  const conditions = conditionsOf(scope, filter)
  if (!isSearched(filter.searched)) return countAll(scope, all(scope, conditions))
  if (Object.keys(conditions).length === 0) return countFound(scope, filter.searched)
  return countAll(scope, and([all(scope, conditions), ...textMatches(filter.searched)]))
}

/** The next ids that match the filter, in order, to go through all of them. */
export async function selectIdsOfFilter(
  scope: MerchantScope,
  filter: ListFilter,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const where = and([
    all(scope, conditionsOf(scope, filter)),
    ...(isSearched(filter.searched) ? textMatches(filter.searched) : []),
    sql`c.id > ${after}::uuid`,
  ])
  const { rows } = await sql<{ id: string }>`
    select c.id from customers c where ${where} order by c.id limit ${limit}
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** Those that exist, in the order of ids. */
export async function selectKnownIds(scope: MerchantScope, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from customers where merchant_id = ${scope.merchantId} and id = any(${ids}::uuid[]) order by id
  `.execute(scope.db)
  return rows.map(({ id }) => id)
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

/**
 * A quick total: one kind of condition is counted in its index. With several, a limited number of the matches of one is read, or of all
 * customers if none has an index (each suppressed address needs a look into another index).
 */
function countSoon(scope: MerchantScope, conditions: Conditions, { suppressed }: ListFilter) {
  const { marketing, notification, language, created, line, has_orders: hasOrders, orders, sales, sent } = conditions
  const permitted = [marketing, notification, language].filter((part) => part !== undefined)
  const bought = [hasOrders, orders].filter((part) => part !== undefined)
  const leading = [
    line,
    created,
    sales,
    sent,
    bought.length > 0 ? and(bought) : undefined,
    permitted.length > 0 ? and(permitted) : undefined,
  ].filter((part) => part !== undefined)
  const where = all(scope, conditions)
  if (leading.length <= 1 && suppressed !== 'yes') return countUpTo(scope, where)
  return countAmong(scope, leading[0] ?? sql`true`, where)
}

/** Reads a limited number of the matches of `leading`: if there are more, the answer is a lower bound. */
async function countAmong(scope: MerchantScope, leading: RawBuilder<unknown>, where: RawBuilder<unknown>) {
  const { rows } = await sql<{ total: number; looked: number }>`
    select count(*) filter (where ${where}) as total, count(*) as looked from (
      select * from customers c where c.merchant_id = ${scope.merchantId} and ${leading} limit ${LOOKED_AT}
    ) c
  `.execute(scope.db)
  const { total, looked } = rows[0] ?? { total: 0, looked: 0 }
  return { total: Math.min(total, COUNTED), totalExact: looked < LOOKED_AT && total <= COUNTED }
}

/**
 * How a page is read. Empty: PostgreSQL decides. `walked`: at most this many along the index of the order, within the range `along`. `of`: all
 * matches are fetched through these rows and sorted (null: through the conditions). `words`: the matches of words, or the first `sorted` of
 * them, are sorted by the values in the table of words, and only the customers of the page are read; each row says how many were sorted.
 */
type Reading =
  | Record<never, never>
  | { walked: number; along: readonly RawBuilder<unknown>[] }
  | { of: Few | null }
  | { words: RawBuilder<unknown>; isNarrowed: boolean; sorted?: number }

/**
 * A page by offset or from a position on. Customers without a last order come after all others (before them, ascending). A page that begins
 * among those with one continues among those without: these are two ranges of the index, read one after the other only as far as needed.
 */
async function selectSorted(
  scope: MerchantScope,
  where: RawBuilder<unknown>,
  { sort, direction, limit, offset, place }: ListPosition,
  reading: Reading = {},
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
