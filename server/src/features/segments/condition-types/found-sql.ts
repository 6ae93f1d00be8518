import type { Leaf, Operator, Window } from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import { addDays, startOfDay } from '../membership/local-day.ts'
import { among, inUnits, not, type Sql, startOfDaysAgo, unknownOperator } from './comparing-sql.ts'
import type { CheckedCondition, ConditionContext, FieldSql } from './field-sql.ts'
import { found, type CustomerRows } from './reading-sql.ts'

// What customers did (orders, mails, carts, favorites, executions), as subqueries over other tables.

export const parts = (conditions: readonly (RawBuilder<unknown> | null)[]): RawBuilder<unknown> =>
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
export const keptSince = (newest: RawBuilder<Date | null>, window: Window, context: ConditionContext) =>
  window !== null && 'within_days' in window
    ? { since: { newest, start: startOfDaysAgo(window.within_days, context) } }
    : {}

/** Customers who have a row. */
export function compileFound(found: CustomerRows): Sql {
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
 * Customers whose measure matches; it is zero for customers without rows. If zero matches too, the result is everyone except the customers
 * whose measure does not match.
 */
export function compileMeasured(found: CustomerRows, operator: Operator, value: Amount): Sql {
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
  { customer, rows, measure, kept }: CustomerRows,
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

function between(measure: RawBuilder<number>, { unit }: CustomerRows, low: number, high: number | null): Sql {
  const atLeast = sql<boolean>`${measure} >= ${inUnits(low, unit)}`
  return high === null ? atLeast : sql`(${atLeast} and ${measure} <= ${inUnits(high, unit)})`
}

type Finding<Value> = (value: Value, context: ConditionContext) => CustomerRows
/** A field with a measure to compare. */
export const measuredField = <Value extends Leaf['value'] & { value: Amount }>(find: Finding<Value>): FieldSql => ({
  effort: 1,
  compile({ operator, value, context }) {
    return compileMeasured(find(value as Value, context), operator, (value as Value).value)
  },
  read: ({ value, context }, joined) => found(find(value as Value, context), joined),
})
/** A field that only exists or not: `none` is the operator for customers without rows. */
export const foundField = <Value>(find: Finding<Value>, none: Operator): FieldSql => ({
  effort: 1,
  compile({ operator, value, context }: CheckedCondition) {
    const any = compileFound(find(value as Value, context))
    return operator === none ? not(any) : any
  },
  read: ({ value, context }, joined) => found(find(value as Value, context), joined),
})
