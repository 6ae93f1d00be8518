import type { CustomerSort } from '@okaeri/contract/customers/view'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import {
  and,
  type Conditions,
  conditionsOf,
  inOrder,
  isSearched,
  ledBy,
  type ListFilter,
  matchesAll,
} from './list-filter-sql.ts'
import { foundOnes, type ListedId, type ListPosition, selectSorted, suppressedOnes } from './list-page-queries.ts'
import { countFound, isFound, lookUp, textMatches } from './search-queries.ts'

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
  const where = and([matchesAll(scope, conditions), ...along])
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
  const found = and([matchesAll(scope, conditions), ...along, ...textMatches(filter.searched)])
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
    const where = and([matchesAll(scope, conditions), sql`c.id = any(${few}::uuid[])`])
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
  const where = and([matchesAll(scope, conditions), ...along])
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
    matchesAll(scope, conditionsOf(scope, filter)),
    ...inOrder(position.sort, filter, conditionsOf(scope, filter)),
  ])
  const words = isFound(scope, filter.searched)
  const sorted = SORTED_FOR_ONE * (position.limit + 1) + position.offset
  const first = await selectSorted(scope, where, position, { words, isNarrowed: true, sorted })
  if (first.length > position.limit) return first
  if ((first[0]?.sorted ?? 0) < sorted) return null
  return selectSorted(scope, where, position, { words, isNarrowed: true })
}

/** The exact number, however long that takes. */
export async function countList(scope: MerchantScope, filter: ListFilter): Promise<number> {
  const conditions = conditionsOf(scope, filter)
  if (!isSearched(filter.searched)) return countAll(scope, matchesAll(scope, conditions))
  if (Object.keys(conditions).length === 0) return countFound(scope, filter.searched)
  return countAll(scope, and([matchesAll(scope, conditions), ...textMatches(filter.searched)]))
}

/** The next ids that match the filter, in order, to go through all of them. */
export async function selectIdsOfFilter(
  scope: MerchantScope,
  filter: ListFilter,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const where = and([
    matchesAll(scope, conditionsOf(scope, filter)),
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
  const where = matchesAll(scope, conditions)
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
