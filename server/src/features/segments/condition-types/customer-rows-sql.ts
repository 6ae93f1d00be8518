import type { Leaf, Operator, Window } from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import { addDays, startOfDay } from '../membership/local-day.ts'
import { among, inUnits, not, type Sql, startOfDaysAgo, unknownOperator } from './comparison-sql.ts'
import type { CheckedComparison, ConditionContext, FieldSql } from './field-sql.ts'
import { iso, type JoinedReads, type Json } from './read-value-sql.ts'

// What customers did (orders, mails, carts, favorites, executions), as subqueries over other tables.

/** Rows about customers: the rows, their customer and time, and the measure per customer. */
export interface CustomerRows {
  /** `from … where …`. */
  rows: RawBuilder<unknown>
  customer: RawBuilder<string>
  at: RawBuilder<Date>
  measure: RawBuilder<number>
  /** The measure counts rows, so a row exists if it is at least one. */
  counts: boolean
  /** Units of the measure per unit of the value: for money, minor units per major unit. */
  unit: number
  /** A covering index in the order of customers exists, so each customer is read and hashed once. */
  byCustomer?: boolean
  /**
   * Stored sums that are read instead of the rows. `total` is the measure of `c`, a row of customers; `newest` the time of the newest row,
   * given if the window has no end and only existence matters. `summed`: one row per customer with the measure as a column.
   */
  stored?: {
    total?: RawBuilder<number>
    since?: { newest: RawBuilder<Date | null>; start: Date }
    summed?: Pick<CustomerRows, 'rows' | 'customer' | 'measure'>
  }
}

export const allOf = (conditions: readonly (RawBuilder<unknown> | null)[]): RawBuilder<unknown> =>
  sql.join(
    conditions.filter((each) => each !== null),
    sql` and `,
  )
/** Only rows with a customer, and with one of `only` if given. */
export const ofCustomers = (column: RawBuilder<string>, { only }: ConditionContext): RawBuilder<unknown> =>
  only ? sql`${column} = any(${[...only]}::uuid[])` : sql`${column} is not null`

/** Days in the merchant's zone, both ends included. Nothing happens in the future, so relative windows have no end. */
export function inWindow(
  column: RawBuilder<Date>,
  window: Window,
  context: ConditionContext,
): RawBuilder<unknown> | null {
  if (window === null) return null
  if ('within_days' in window) return sql`${column} >= ${startOfDaysAgo(window.within_days, context)}`
  const { timezone } = context
  return sql`${column} >= ${startOfDay(window.from, timezone)} and ${column} < ${startOfDay(addDays(window.to, 1), timezone)}`
}

/** Whether the newest row is in a window without an end. */
export const storedNewest = (newest: RawBuilder<Date | null>, window: Window, context: ConditionContext) =>
  window !== null && 'within_days' in window
    ? { since: { newest, start: startOfDaysAgo(window.within_days, context) } }
    : {}

/** Customers who have a row. */
export function hasRow(rows: CustomerRows): Sql {
  const { total, since, summed } = rows.stored ?? {}
  if (total) return sql`${total} > 0`
  if (since) return sql`${since.newest} >= ${since.start}`
  if (summed)
    return among(
      sql`c.id`,
      having(rows, (measure) => sql`${measure} > 0`),
    )
  const once = rows.byCustomer ? sql`group by ${rows.customer}` : sql``
  return among(sql`c.id`, sql`select ${rows.customer} ${rows.rows} ${once}`)
}

type Amount = number | readonly [number, number]

/**
 * Customers whose measure matches; it is zero for customers without rows. If zero matches too, the result is everyone except the customers
 * whose measure does not match.
 */
function measureMatches(rows: CustomerRows, operator: Operator, value: Amount): Sql {
  const [low, high] = boundsOf(operator, value)
  const { total } = rows.stored ?? {}
  if (total) return between(total, rows, low, high)
  if (low > 0) {
    if (rows.counts && low <= 1 && high === null) return hasRow(rows)
    return among(
      sql`c.id`,
      having(rows, (measure) => between(measure, rows, low, high)),
    )
  }
  if (high === null) return sql`true`
  if (rows.counts && high < 1) return not(hasRow(rows))
  return not(
    among(
      sql`c.id`,
      having(rows, (measure) => sql`${measure} > ${inUnits(high, rows.unit)}`),
    ),
  )
}

function having(
  { customer, rows, measure, stored }: CustomerRows,
  holds: (measure: RawBuilder<number>) => Sql,
): RawBuilder<unknown> {
  const summed = stored?.summed
  return summed
    ? sql`select ${summed.customer} ${summed.rows} and ${holds(summed.measure)}`
    : sql`select ${customer} ${rows} group by ${customer} having ${holds(measure)}`
}

function boundsOf(operator: Operator, value: Amount): [low: number, high: number | null] {
  const [first, second] = typeof value === 'number' ? [value, value] : value
  switch (operator) {
    case 'at_least':
      return [first, null]
    case 'at_most':
      return [0, first]
    case 'exactly':
      return [first, first]
    case 'between':
      return [first, second]
    default:
      throw unknownOperator(operator)
  }
}

function between(measure: RawBuilder<number>, { unit }: CustomerRows, low: number, high: number | null): Sql {
  const atLeast = sql<boolean>`${measure} >= ${inUnits(low, unit)}`
  return high === null ? atLeast : sql`(${atLeast} and ${measure} <= ${inUnits(high, unit)})`
}

/**
 * The measure of this customer's rows, with money in major units, and the time of the newest. All customers are read once: asked one by one without statistics, the
 * planner reads the rows of all customers again for each.
 */
function readRows({ rows, customer, measure, at, unit }: CustomerRows, joined: JoinedReads): Json {
  const name = sql.ref(`found_${joined.length}`)
  joined.push({
    query: sql`${name} as materialized (
      select ${customer} as customer_id, coalesce(${measure}, 0)::numeric / ${sql.lit(unit)} as number, max(${at}) as last_at
      ${rows} group by ${customer})`,
    join: sql`left join ${name} on ${name}.customer_id = c.id`,
  })
  return sql`jsonb_build_object('kind', 'found', 'number', coalesce(${name}.number, 0), 'last_at', ${iso(sql`${name}.last_at`)})`
}

type FindRows<Value> = (value: Value, context: ConditionContext) => CustomerRows
/** A field with a measure to compare. */
export const measuredField = <Value extends Leaf['value'] & { value: Amount }>(find: FindRows<Value>): FieldSql => ({
  effort: 1,
  compile({ operator, value, context }) {
    return measureMatches(find(value as Value, context), operator, (value as Value).value)
  },
  read: ({ value, context }, joined) => readRows(find(value as Value, context), joined),
})
/** A field that only exists or not: `none` is the operator for customers without rows. */
export const existenceField = <Value>(find: FindRows<Value>, none: Operator): FieldSql => ({
  effort: 1,
  compile({ operator, value, context }: CheckedComparison) {
    const some = hasRow(find(value as Value, context))
    return operator === none ? not(some) : some
  },
  read: ({ value, context }, joined) => readRows(find(value as Value, context), joined),
})
