import type { Leaf, Operator, Window } from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import { addDays, startOfDay } from '../local-day.ts'
import { among, inUnits, not, type Sql, startOfDaysAgo, unknownOperator } from './comparing-sql.ts'
import type { Asked, ConditionContext, FieldSql } from './field-sql.ts'
import { found } from './reading-sql.ts'

// What customers did (orders, mails, carts, favourites, ways through scenarios), as questions of their own over other tables.

/** Rows about customers: which, whose they are, when they happened, and what is measured of a customer's. */
export interface Found {
  /** `from … where …`. */
  rows: RawBuilder<unknown>
  customer: RawBuilder<string>
  at: RawBuilder<Date>
  measure: RawBuilder<number>
  /** That there is a row is the same as a measure of at least one. */
  counts: boolean
  /** What one of a value is in the measure: minor units of a major one. */
  unit: number
  /** An index holds all that is asked, in the order of the customers: each is then read once and put into the hash once. */
  byCustomer?: boolean
  /**
   * The same where it is kept: looked at instead of the rows. Of `c`, a row of customers, `total` is the measure, `newest` when the
   * newest row happened, given where the window has no end and only whether there is one matters. `summed`: a row for each customer,
   * with the measure as one of its values.
   */
  kept?: {
    total?: RawBuilder<number>
    since?: { newest: RawBuilder<Date | null>; start: Date }
    summed?: Pick<Found, 'rows' | 'customer' | 'measure'>
  }
}

export const parts = (conditions: readonly (RawBuilder<unknown> | null)[]): RawBuilder<unknown> =>
  sql.join(
    conditions.filter((each) => each !== null),
    sql` and `,
  )
/** The customers of rows, known and wanted. */
export const ofCustomers = (column: RawBuilder<string>, { only }: ConditionContext): RawBuilder<unknown> =>
  only ? sql`${column} = any(${[...only]}::uuid[])` : sql`${column} is not null`

/** Days are the merchant's, both ends included. Nothing happens in the future, so relative windows have no end. */
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

/** `since` of rows in a window that has no end. */
export const keptSince = (newest: RawBuilder<Date | null>, window: Window, context: ConditionContext) =>
  window !== null && 'within_days' in window
    ? { since: { newest, start: startOfDaysAgo(window.within_days, context) } }
    : {}

/** Customers who have a row. */
export function compileFound(found: Found): Sql {
  const { total, since, summed } = found.kept ?? {}
  if (total) return sql`${total} > 0`
  if (since) return sql`${since.newest} >= ${since.start}`
  if (summed)
    return among(
      sql`c.id`,
      having(found, (measure) => sql`${measure} > 0`),
    )
  const once = found.byCustomer ? sql`group by ${found.customer}` : sql``
  return among(sql`c.id`, sql`select ${found.customer} ${found.rows} ${once}`)
}

type Amount = number | readonly [number, number]

/**
 * Customers whose measure is as wanted; customers without rows measure zero. If zero is as wanted too, the result is everyone except those
 * whose rows measure otherwise.
 */
export function compileMeasured(found: Found, operator: Operator, value: Amount): Sql {
  const [low, high] = boundsOf(operator, value)
  const { total } = found.kept ?? {}
  if (total) return between(total, found, low, high)
  if (low > 0) {
    if (found.counts && low <= 1 && high === null) return compileFound(found)
    return among(
      sql`c.id`,
      having(found, (measure) => between(measure, found, low, high)),
    )
  }
  if (high === null) return sql`true`
  if (found.counts && high < 1) return not(compileFound(found))
  return not(
    among(
      sql`c.id`,
      having(found, (measure) => sql`${measure} > ${inUnits(high, found.unit)}`),
    ),
  )
}

function having(
  { customer, rows, measure, kept }: Found,
  holds: (measure: RawBuilder<number>) => Sql,
): RawBuilder<unknown> {
  const summed = kept?.summed
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

function between(measure: RawBuilder<number>, { unit }: Found, low: number, high: number | null): Sql {
  const atLeast = sql<boolean>`${measure} >= ${inUnits(low, unit)}`
  return high === null ? atLeast : sql`(${atLeast} and ${measure} <= ${inUnits(high, unit)})`
}

type Finding<Value> = (value: Value, context: ConditionContext) => Found
/** A field that is measured: its value says how much is wanted. */
export const measuredField = <Value extends Leaf['value'] & { value: Amount }>(find: Finding<Value>): FieldSql => ({
  effort: 1,
  compile({ operator, value, context }) {
    return compileMeasured(find(value as Value, context), operator, (value as Value).value)
  },
  read: ({ value, context }, findings) => found(find(value as Value, context), findings),
})
/** A field of which there is one or none: `none` is the operator that asks for none. */
export const foundField = <Value>(find: Finding<Value>, none: Operator): FieldSql => ({
  effort: 1,
  compile({ operator, value, context }: Asked) {
    const any = compileFound(find(value as Value, context))
    return operator === none ? not(any) : any
  },
  read: ({ value, context }, findings) => found(find(value as Value, context), findings),
})
