import { GraphQLError } from 'graphql'
import type { StoreScope } from './platform.ts'
import type { Listing } from './resources.ts'
import { planSearch } from './graphql/search.ts'
import { findRow, listRows, type Parameter, part } from '../sql.ts'

export interface ConnectionArguments {
  first?: number | null
  last?: number | null
  after?: string | null
  before?: string | null
  query?: string | null
  reverse?: boolean | null
  sortKey?: string | null
}

export interface ConnectionPage<Row> {
  rows: Row[]
  cursors: string[]
  hasNextPage: boolean
  hasPreviousPage: boolean
}

/** Inside a bulk operation nested connections give everything and need no `first`. */
export interface Paging {
  bulk: boolean
}

/** Documented page limit: 250 (rules: graphql_limits.page_max). */
export const pageMax = 250

/**
 * One page by keyset: no OFFSET, so the last page of 100,000 costs what the first does. `where` narrows further (its
 * parameters first), as in "the orders of this customer".
 */
export function listPage<Row extends { id: number }>(
  scope: StoreScope,
  listing: Listing,
  given: ConnectionArguments,
  options: Paging & { where?: string; parameters?: Parameter[] },
): ConnectionPage<Row> {
  const size = pageSize(given, options.bulk)
  const backwards = given.first == null && given.last != null
  const column = listing.sorts[given.sortKey ?? 'ID'] ?? 'id'
  const descending = Boolean(given.reverse) !== backwards
  const search = planSearch(given.query ?? '', listing.fields, listing.words)
  const conditions = ['store_id = ?', options.where ?? '1', search.sql]
  const parameters: Parameter[] = [scope.store.id, ...(options.parameters ?? []), ...search.parameters]
  for (const [cursor, beyond] of [
    [given.after, !given.reverse],
    [given.before, Boolean(given.reverse)],
  ] as const) {
    if (cursor == null) continue
    const [value, id] = readCursor(cursor)
    conditions.push(`(${column}, id) ${beyond ? '>' : '<'} (?, ?)`)
    parameters.push(value, id)
  }
  const direction = descending ? 'DESC' : 'ASC'
  const order = column === 'id' ? `id ${direction}` : `${column} ${direction}, id ${direction}`
  const rows = listRows<Row & Record<string, Parameter>>(scope.database)`SELECT * FROM ${part(listing.table)}
    WHERE ${part(conditions.join(' AND '), ...parameters)} ORDER BY ${part(order)} LIMIT ${size + 1}`
  const more = rows.length > size
  if (more) rows.pop()
  if (backwards) rows.reverse()
  return {
    rows,
    cursors: rows.map((row) => writeCursor(row[column] ?? '', row.id)),
    hasNextPage: backwards ? given.before != null : more,
    hasPreviousPage: backwards ? more : given.after != null,
  }
}

export function countListed(scope: StoreScope, listing: Listing, query: string | null | undefined): number {
  const search = planSearch(query ?? '', listing.fields, listing.words)
  const row = findRow<{ n: number }>(scope.database)`SELECT count(*) AS n FROM ${part(listing.table)}
    WHERE store_id = ${scope.store.id} AND ${part(search.sql, ...search.parameters)}`
  return row?.n ?? 0
}

/** A page of things already at hand (metafields, addresses), for the same shape. */
export function pageOf<Row>(rows: Row[], given: ConnectionArguments, { bulk }: Paging): ConnectionPage<Row> {
  const size = pageSize(given, bulk)
  const ordered = given.reverse ? rows.toReversed() : rows
  const from = given.after == null ? 0 : Number(readCursor(given.after)[1]) + 1
  const part = ordered.slice(from, from + size)
  return {
    rows: part,
    cursors: part.map((_, index) => writeCursor(0, from + index)),
    hasNextPage: from + size < ordered.length,
    hasPreviousPage: from > 0,
  }
}

/** The connection object every resolver returns. */
export function presentPage<Row, Node>(page: ConnectionPage<Row>, present: (row: Row) => Node) {
  const nodes = page.rows.map(present)
  return {
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: page.cursors[index] ?? '' })),
    pageInfo: {
      hasNextPage: page.hasNextPage,
      hasPreviousPage: page.hasPreviousPage,
      startCursor: page.cursors[0] ?? null,
      endCursor: page.cursors.at(-1) ?? null,
    },
  }
}

function pageSize(given: ConnectionArguments, bulk: boolean): number {
  const size = given.first ?? given.last
  if (size == null) {
    if (bulk) return 1_000_000
    throw badRequest('you must provide one of first or last')
  }
  if (given.first != null && given.last != null)
    throw badRequest('providing both first and last on a connection is not supported')
  if (size < 0) throw badRequest(`${given.first == null ? 'last' : 'first'} cannot be negative`)
  if (size > pageMax && !bulk) throw badRequest(`${given.first == null ? 'last' : 'first'} cannot exceed ${pageMax}`)
  return size
}

function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } })
}

function writeCursor(value: Parameter, id: number): string {
  return Buffer.from(JSON.stringify({ last_id: id, last_value: value })).toString('base64')
}

function readCursor(cursor: string): [Parameter, number] {
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64').toString())
  } catch {
    throw badRequest('Invalid cursor for current pagination sort.')
  }
  if (parsed === null || typeof parsed !== 'object' || !('last_id' in parsed) || !('last_value' in parsed))
    throw badRequest('Invalid cursor for current pagination sort.')
  const { last_id: id, last_value: value } = parsed
  if (typeof id !== 'number' || (typeof value !== 'number' && typeof value !== 'string'))
    throw badRequest('Invalid cursor for current pagination sort.')
  return [value, id]
}
