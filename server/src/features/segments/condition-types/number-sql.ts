import type { Operator } from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import { inUnits, localToday, minorUnit, not, type Sql, unknownOperator, type Value } from './comparison-sql.ts'
import type { ConditionContext, ConditionTypeSql, FieldSql } from './field-sql.ts'
import { type Json, orNone } from './read-value-sql.ts'
import { readScore, hasMatchingScore } from './scores-sql.ts'

/** Beyond PostgreSQL's int, the type of `orders_count`. */
const MOST_ORDERS = 2 ** 31

/** `per`: the column divided by this is compared. */
function compare(
  column: RawBuilder<number>,
  operator: Operator,
  value: Value,
  { unit, per }: { unit: number; per?: RawBuilder<number> },
): Sql {
  const [first, second] = Array.isArray(value) ? value : [value]
  const bound = (amount: unknown): RawBuilder<number> =>
    per ? sql`${inUnits(amount, unit, MOST_ORDERS)} * ${per}` : inUnits(amount, unit)
  switch (operator) {
    case 'equals':
      return sql`${column} = ${bound(first)}`
    case 'not_equals':
      return not(compare(column, 'equals', value, per ? { unit, per } : { unit }))
    case 'greater':
      return sql`${column} > ${bound(first)}`
    case 'greater_or_equal':
      return sql`${column} >= ${bound(first)}`
    case 'less':
      return sql`${column} < ${bound(first)}`
    case 'less_or_equal':
      return sql`${column} <= ${bound(first)}`
    case 'between':
      return sql`${column} between ${bound(first)} and ${bound(second)}`
    case 'is_set':
      return sql`${column} is not null`
    case 'is_not_set':
      return sql`${column} is null`
    default:
      throw unknownOperator(operator)
  }
}

/** Orders in another currency are in no amount, so not in an average either. */
const ordersOfAmount = sql<number>`(c.orders_count - c.orders_other_currency)`

function average(operator: Operator, value: Value, context: ConditionContext): Sql {
  const ordered = sql<boolean>`${ordersOfAmount} > 0`
  if (operator === 'is_set') return ordered
  if (operator === 'is_not_set') return not(ordered)
  if (operator === 'not_equals') return not(average('equals', value, context))
  // Compares the sum with the bound times the count: dividing a million sums takes longer.
  const compared = compare(sql`c.orders_amount`, operator, value, {
    unit: minorUnit(context),
    per: ordersOfAmount,
  })
  return sql`(${ordered} and ${compared})`
}

const readNumber = (column: RawBuilder<unknown>): Json =>
  orNone(sql`${column} is null`, sql`jsonb_build_object('kind', 'number', 'number', ${column})`)
const readMoney = (column: RawBuilder<unknown>, { currency }: ConditionContext): Json =>
  orNone(
    sql`${column} is null`,
    sql`jsonb_build_object('kind', 'money', 'amount', ${column}, 'currency', ${currency}::text)`,
  )

/** Members enter major units (円); the column has minor units. */
const money = (column: RawBuilder<number>): FieldSql => ({
  effort: 0,
  compile: ({ operator, value, context }) => compare(column, operator, value, { unit: minorUnit(context) }),
  read: ({ context }) => readMoney(column, context),
})
const count = (column: RawBuilder<number>): FieldSql => ({
  effort: 0,
  compile: ({ operator, value }) => compare(column, operator, value, { unit: 1 }),
  read: () => readNumber(column),
})
const score = (column: (context: ConditionContext) => RawBuilder<number>): FieldSql => ({
  effort: 1,
  compile: ({ operator, value, context }) =>
    hasMatchingScore(operator, (positive) => compare(column(context), positive, value, { unit: 1 }), context),
  read: ({ context }) => readScore(readNumber(column(context)), context),
})

export const number: ConditionTypeSql<'number'> = {
  fields: {
    orders_count: count(sql`c.orders_count`),
    orders_amount: money(sql`c.orders_amount`),
    average_amount: {
      effort: 0,
      compile: ({ operator, value, context }) => average(operator, value, context),
      read: ({ context }) => readMoney(sql`round(c.orders_amount::numeric / nullif(${ordersOfAmount}, 0))`, context),
    },
    rfm_recency: score(() => sql.ref('s.recency')),
    rfm_frequency: score(() => sql.ref('s.frequency')),
    rfm_monetary: score(() => sql.ref('s.monetary')),
    days_to_next_order: score((context) => sql`(s.next_order_on - ${localToday(context)}::date)`),
  },
  metafield: {
    compile: ({ operator, value }) => compare(sql`m.value_number`, operator, value, { unit: 1 }),
    read: () => readNumber(sql`m.value_number`),
  },
}
