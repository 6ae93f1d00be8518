import { currencyDigits } from '@okaeri/contract/money'
import type { Leaf, Operator } from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import { addDays, localDay, startOfDay } from '../membership/local-day.ts'

// Parts that several types of comparison share. An expression is null if nothing is stored, which counts as no.

export type Sql = RawBuilder<boolean>
export type Text = RawBuilder<string | null>
export type Value = Leaf['value']
/** The calendar and currency of a comparison. */
export interface Calendar {
  timezone: string
  currency: string
  now: Date
}

/** Null counts as no, so its opposite is yes. */
export const not = (condition: Sql): Sql => sql<boolean>`(${condition}) is not true`
export const anyOf = (conditions: readonly Sql[]): Sql => sql<boolean>`(${sql.join(conditions, sql` or `)})`
export const unknownOperator = (operator: string): Error => new Error(`no comparison ${operator}`)

/**
 * Whether the customer is in the result of a subquery. `is true` keeps the planner from turning it into a join: the subquery is hashed once,
 * at any depth of nesting, and also right after a sync, when tables have no statistics yet and joins over `merchant_id` are planned as if a
 * merchant had one row.
 */
export const among = (column: RawBuilder<unknown>, found: RawBuilder<unknown>): Sql =>
  sql<boolean>`(${column} in (${found})) is true`

export const listOf = (value: Value): string[] => (Array.isArray(value) ? value.map(String) : [])

export const minorUnit = ({ currency }: Pick<Calendar, 'currency'>): number => 10 ** currencyDigits(currency)

/**
 * An amount of major units in minor ones. A whole number stays an integer: decimals are slow to compare. `times`: a factor the result is
 * multiplied with later; the product must fit a bigint.
 */
export function inUnits(amount: unknown, unit: number, times = 1): RawBuilder<number> {
  const product = Number(amount) * unit
  return Number.isSafeInteger(product * times) && Number.isSafeInteger(product)
    ? sql`${product}::bigint`
    : sql`${amount}::numeric * ${sql.lit(unit)}`
}
export const localToday = ({ now, timezone }: Calendar): string => localDay(now, timezone)
export const startOfDaysAgo = (days: number, calendar: Calendar): Date =>
  startOfDay(addDays(localToday(calendar), -days), calendar.timezone)

const opposites: Partial<Record<Operator, Operator>> = {
  not_equals: 'equals',
  not_contains: 'contains',
  is_none_of: 'is_one_of',
  has_not: 'has',
  is_not_set: 'is_set',
}
/** For values in rows of their own. "Not" is also true for customers without a row, so it negates the set of customers with a matching row. */
export function hasMatchingRow(operator: Operator, rows: (positive: Operator) => RawBuilder<unknown>): Sql {
  const positive = opposites[operator]
  const found = among(sql`c.id`, rows(positive ?? operator))
  return positive ? not(found) : found
}

export const andOnlyAsked = (
  column: RawBuilder<string>,
  { only }: { only?: readonly string[] },
): RawBuilder<unknown> => (only ? sql`and ${column} = any(${[...only]}::uuid[])` : sql``)
