import { nextId, nowSeconds, type StoreScope } from './platform.ts'
import { planSegment, SegmentQueryError } from './segment-query.ts'
import { findResource } from './resources.ts'
import { execute, findRow, listRows, type Part, part } from '../sql.ts'
import type { CustomerRow } from './rows.ts'

/** The merchant's segments at the platform: a name and a query, which is evaluated each time. */
export interface SegmentRow {
  store_id: number
  id: number
  name: string
  query: string
  created_at: number
  updated_at: number
}

/** A list of members as found at one moment, to be read page by page. */
export interface MembersQueryRow {
  store_id: number
  id: number
  /** JSON list of ids of customers. */
  members: string
  total: number
  /** Machine time. */
  ready_ms: number
}

const seeded: readonly [name: string, query: string][] = [
  ['メールを購読している顧客', "email_subscription_status = 'SUBSCRIBED'"],
  ['4回以上購入した顧客', 'number_of_orders > 3'],
  ['VIP', "customer_tags CONTAINS 'VIP'"],
  ['購読しているが90日以上購入のない顧客', "email_subscription_status = 'SUBSCRIBED' AND last_order_date < -90d"],
  ['海外の顧客', "NOT customer_countries CONTAINS 'JP' AND customer_countries IS NOT NULL"],
]

/** A store opened before segments were played gets its first ones too. */
export function ensureSegments(scope: StoreScope): void {
  const known = findRow(scope.database)`SELECT 1 FROM store_counter WHERE store_id = ${scope.store.id}
    AND kind = 'segment'`
  if (known) return
  for (const [name, query] of seeded) createSegment(scope, name, query)
}

export function listSegments(scope: StoreScope): SegmentRow[] {
  ensureSegments(scope)
  return listRows<SegmentRow>(scope.database)`SELECT * FROM store_segment WHERE store_id = ${scope.store.id}
    ORDER BY created_at, id`
}

export function findSegment(scope: StoreScope, id: number): SegmentRow | null {
  ensureSegments(scope)
  return findResource(scope, 'Segment', id)
}

/** What is wrong with a query; null when it can be evaluated. */
export function checkQuery(scope: StoreScope, query: string): string | null {
  try {
    planSegment(query, nowSeconds(scope))
    return null
  } catch (error) {
    if (error instanceof SegmentQueryError) return error.message
    throw error
  }
}

export function createSegment(scope: StoreScope, name: string, query: string): SegmentRow {
  const id = nextId(scope, 'segment')
  const now = nowSeconds(scope)
  execute(scope.database)`INSERT INTO store_segment (store_id, id, name, query, created_at, updated_at)
    VALUES (${scope.store.id}, ${id}, ${name}, ${query}, ${now}, ${now})`
  return { store_id: scope.store.id, id, name, query, created_at: now, updated_at: now }
}

export function updateSegment(scope: StoreScope, id: number, fields: { name: string; query: string }): void {
  execute(scope.database)`UPDATE store_segment SET name = ${fields.name}, query = ${fields.query},
    updated_at = ${nowSeconds(scope)} WHERE store_id = ${scope.store.id} AND id = ${id}`
}

export function deleteSegment(scope: StoreScope, id: number): boolean {
  return execute(scope.database)`DELETE FROM store_segment WHERE store_id = ${scope.store.id} AND id = ${id}` > 0
}

function conditionOf(scope: StoreScope, query: string): Part {
  const { sql, parameters } = planSegment(query, nowSeconds(scope))
  return part(sql, ...parameters)
}

/** Ids of the customers a query finds now. Throws {@link SegmentQueryError}. */
export function findMembers(scope: StoreScope, query: string): number[] {
  const found = listRows<{ id: number }>(scope.database)`SELECT id FROM store_customer
    WHERE store_id = ${scope.store.id} AND ${conditionOf(scope, query)} ORDER BY id`
  return found.map(({ id }) => id)
}

export function countMembers(scope: StoreScope, query: string): number {
  const row = findRow<{ n: number }>(scope.database)`SELECT count(*) AS n FROM store_customer
    WHERE store_id = ${scope.store.id} AND ${conditionOf(scope, query)}`
  return row?.n ?? 0
}

export function isMember(scope: StoreScope, customerId: number, query: string): boolean {
  const found = findRow(scope.database)`SELECT 1 FROM store_customer
    WHERE store_id = ${scope.store.id} AND ${conditionOf(scope, query)} AND id = ${customerId}`
  return found !== undefined
}

/** Finding takes as long as the bulk switch says. */
export function startMembersQuery(scope: StoreScope, query: string): MembersQueryRow {
  const members = findMembers(scope, query)
  const row: MembersQueryRow = {
    store_id: scope.store.id,
    id: nextId(scope, 'segment_query'),
    members: JSON.stringify(members),
    total: members.length,
    ready_ms: Date.now() + scope.store.bulk_duration_ms,
  }
  execute(scope.database)`INSERT INTO store_segment_query (store_id, id, members, total, ready_ms)
    VALUES (${row.store_id}, ${row.id}, ${row.members}, ${row.total}, ${row.ready_ms})`
  return row
}

export const findMembersQuery = (scope: StoreScope, id: number): MembersQueryRow | null =>
  findResource(scope, 'CustomerSegmentMembersQuery', id)

export function listCustomers(scope: StoreScope, ids: readonly number[]): CustomerRow[] {
  return listRows<CustomerRow>(scope.database)`SELECT * FROM store_customer WHERE store_id = ${scope.store.id}
    AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) ORDER BY id`
}
