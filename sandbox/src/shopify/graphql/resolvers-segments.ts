import { GraphQLError } from 'graphql'
import { type ConnectionArguments, pageOf, presentPage } from '../connection.ts'
import { customerName } from '../customers.ts'
import { gid, idIn, isoSeconds, type StoreScope } from '../platform.ts'
import { type GraphContext, metafieldsOf, type Resolvers } from './graph-context.ts'
import { moneyOf, unitOf } from '../goods/money.ts'
import { SegmentQueryError } from '../segment-query.ts'
import {
  findMembers,
  findMembersQuery,
  findSegment,
  isMember,
  listCustomers,
  listSegments,
  type MembersQueryRow,
  type SegmentRow,
  startMembersQuery,
} from '../segments.ts'
import { findRow, part } from '../../sql.ts'
import type { CustomerRow } from '../rows.ts'

interface MembersArguments extends ConnectionArguments {
  segmentId?: string | null
  queryId?: string | null
}

/** Rules: graphql_limits.page_max. */
const membersPageMax = 1000

const refused = (message: string, code = 'BAD_REQUEST') => new GraphQLError(message, { extensions: { code } })

function asked<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof SegmentQueryError) throw refused(error.message)
    throw error
  }
}

function idsOf(scope: StoreScope, given: MembersArguments): number[] {
  if (given.queryId != null) {
    const query = findMembersQuery(scope, idIn('CustomerSegmentMembersQuery', given.queryId) ?? -1)
    if (!query) throw refused('Query not found', 'NOT_FOUND')
    if (query.ready_ms > Date.now()) throw refused('The query has not finished yet')
    return JSON.parse(query.members) as number[]
  }
  if (given.segmentId != null) {
    const segment = findSegment(scope, idIn('Segment', given.segmentId) ?? -1)
    if (!segment) throw refused('Segment not found', 'NOT_FOUND')
    return asked(() => findMembers(scope, segment.query))
  }
  const { query } = given
  if (query == null) throw refused('One of segmentId, queryId and query must be provided')
  return asked(() => findMembers(scope, query))
}

/** Where a page begins is in its cursor: members of one query do not move. */
function members(_: unknown, given: MembersArguments, { scope }: GraphContext) {
  const size = given.first ?? 0
  if (given.first == null) throw refused('you must provide one of first or last')
  if (size > membersPageMax) throw refused(`first cannot exceed ${membersPageMax}`)
  const ids = idsOf(scope, given)
  const after =
    given.after == null ? 0 : Number(/^m(\d{1,9})$/.exec(Buffer.from(given.after, 'base64').toString())?.[1])
  if (Number.isNaN(after)) throw refused('Invalid cursor for current pagination sort.')
  const part = (given.reverse ? ids.toReversed() : ids).slice(after, after + size)
  const rows = new Map(listCustomers(scope, part).map((row) => [row.id, row]))
  const cursor = (index: number) => Buffer.from(`m${after + index + 1}`).toString('base64')
  const edges = part.flatMap((id, index) => {
    const row = rows.get(id)
    return row ? [{ node: row, cursor: cursor(index) }] : []
  })
  return {
    edges,
    totalCount: ids.length,
    statistics: ids,
    pageInfo: {
      hasNextPage: after + size < ids.length,
      hasPreviousPage: after > 0,
      startCursor: part.length === 0 ? null : cursor(0),
      endCursor: part.length === 0 ? null : cursor(part.length - 1),
    },
  }
}

const statistics: Record<string, string> = { amount_spent: 'total_spent', number_of_orders: 'orders_count' }

export const segmentResolvers: Resolvers = {
  Segment: {
    id: (row: SegmentRow) => gid('Segment', row.id),
    creationDate: (row: SegmentRow) => isoSeconds(row.created_at),
    lastEditDate: (row: SegmentRow) => isoSeconds(row.updated_at),
  },
  CustomerSegmentMember: {
    ...metafieldsOf('Customer'),
    id: (row: CustomerRow) => gid('CustomerSegmentMember', row.id),
    displayName: customerName,
    firstName: (row: CustomerRow) => row.first_name,
    lastName: (row: CustomerRow) => row.last_name,
    amountSpent: (row: CustomerRow, _, { scope }) => moneyOf(scope, row.total_spent),
    numberOfOrders: (row: CustomerRow) => String(row.orders_count),
    lastOrderId: (row: CustomerRow) => (row.last_order_id === null ? null : gid('Order', row.last_order_id)),
    defaultEmailAddress: (row: CustomerRow) => (row.email === null ? null : row),
    defaultPhoneNumber: (row: CustomerRow) => (row.phone === null ? null : row),
  },
  SegmentStatistics: {
    attributeStatistics: (ids: number[], given: { attributeName: string }, { scope }: GraphContext) => {
      const column = statistics[given.attributeName]
      if (!column) throw refused(`'${given.attributeName}' has no statistics`)
      const row = findRow<{ sum: number }>(
        scope.database,
      )`SELECT coalesce(sum(${part(column)}), 0) AS sum FROM store_customer
        WHERE store_id = ${scope.store.id} AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
      const sum = (row?.sum ?? 0) / (column === 'total_spent' ? unitOf(scope) : 1)
      return { sum, average: ids.length === 0 ? 0 : sum / ids.length }
    },
  },
  CustomerSegmentMembersQuery: {
    id: (row: MembersQueryRow) => gid('CustomerSegmentMembersQuery', row.id),
    done: (row: MembersQueryRow) => row.ready_ms <= Date.now(),
    currentCount: (row: MembersQueryRow) => (row.ready_ms <= Date.now() ? row.total : Math.floor(row.total / 2)),
  },
}

export const segmentQueries: Resolvers[string] = {
  segments: (_, given: ConnectionArguments, { scope, bulk }: GraphContext) =>
    presentPage(pageOf(listSegments(scope), given, { bulk }), (row) => row),
  segment: (_, given: { id: string }, { scope }: GraphContext) => findSegment(scope, idIn('Segment', given.id) ?? -1),
  segmentsCount: (_, given: { limit?: number | null }, { scope }: GraphContext) => {
    const found = listSegments(scope).length
    const limit = given.limit ?? Number.POSITIVE_INFINITY
    return { count: Math.min(found, limit), precision: found > limit ? 'AT_LEAST' : 'EXACT' }
  },
  customerSegmentMembers: members,
  customerSegmentMembersQuery: (_, given: { id: string }, { scope }: GraphContext) =>
    findMembersQuery(scope, idIn('CustomerSegmentMembersQuery', given.id) ?? -1),
  customerSegmentMembership: (
    _,
    { customerId, segmentIds }: { customerId: string; segmentIds: string[] },
    { scope }: GraphContext,
  ) => ({
    memberships: segmentIds.map((segmentId) => {
      const segment = findSegment(scope, idIn('Segment', segmentId) ?? -1)
      const member = segment !== null && asked(() => isMember(scope, idIn('Customer', customerId) ?? -1, segment.query))
      return { segmentId, isMember: member }
    }),
  }),
}

export const segmentMutations: Resolvers[string] = {
  customerSegmentMembersQueryCreate: (
    _,
    { input }: { input: { segmentId?: string | null; query?: string | null } },
    { scope }: GraphContext,
  ) => {
    const invalid = (field: string, message: string) => ({
      customerSegmentMembersQuery: null,
      userErrors: [{ field: ['input', field], code: 'INVALID', message }],
    })
    const segment = input.segmentId == null ? null : findSegment(scope, idIn('Segment', input.segmentId) ?? -1)
    if (input.segmentId != null && !segment) return invalid('segmentId', 'Segment does not exist')
    const query = segment?.query ?? input.query
    if (query == null) return invalid('query', 'Query cannot be blank')
    try {
      return { customerSegmentMembersQuery: startMembersQuery(scope, query), userErrors: [] }
    } catch (error) {
      if (error instanceof SegmentQueryError) return invalid('query', error.message)
      throw error
    }
  },
}
