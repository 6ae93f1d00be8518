import type { Operator } from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import { addDays, startOfDay } from '../membership/local-day.ts'
import { localToday, type Calendar, type Sql, startOfDaysAgo, unknownOperator, type Value } from './comparison-sql.ts'
import type { ConditionTypeSql, FieldSql } from './field-sql.ts'
import { iso, type Json, orNone, readDay } from './read-value-sql.ts'

/** Days in the merchant's zone: "on" a day is from its first instant to the next day's; relative days count from today's date. */
function instant(column: RawBuilder<Date | null>, operator: Operator, value: Value, calendar: Calendar): Sql {
  const [first, second] = (Array.isArray(value) ? value : [value, value]).map(String)
  const start = (day = ''): Date => startOfDay(day, calendar.timezone)
  const end = (day = ''): Date => start(addDays(day, 1))
  switch (operator) {
    case 'before':
      return sql`${column} < ${start(first)}`
    case 'after':
      return sql`${column} >= ${end(first)}`
    case 'on':
    case 'between':
      return sql`(${column} >= ${start(first)} and ${column} < ${end(second)})`
    case 'within_last_days':
      return sql`(${column} >= ${startOfDaysAgo(Number(value), calendar)} and ${column} <= ${calendar.now})`
    case 'more_than_days_ago':
      return sql`${column} < ${startOfDaysAgo(Number(value), calendar)}`
    case 'is_set':
      return sql`${column} is not null`
    case 'is_not_set':
      return sql`${column} is null`
    default:
      throw unknownOperator(operator)
  }
}

/** A date without a time, stored as midnight UTC. Only "today" depends on the merchant's zone. */
const wholeDay = (column: RawBuilder<Date | null>, operator: Operator, value: Value, calendar: Calendar): Sql =>
  instant(column, operator, value, { ...calendar, timezone: 'UTC', now: new Date(`${localToday(calendar)}T00:00:00Z`) })

const readInstant = (column: RawBuilder<unknown>): Json =>
  orNone(sql`${column} is null`, sql`jsonb_build_object('kind', 'instant', 'at', ${iso(column)})`)

const column = (name: string): FieldSql => ({
  effort: 0,
  compile: ({ operator, value, context }) => instant(sql.ref(`c.${name}`), operator, value, context),
  read: () => readInstant(sql.ref(`c.${name}`)),
})
const withBoundary = (name: string): FieldSql => ({ ...column(name), boundary: name })

export const date: ConditionTypeSql<'date'> = {
  fields: {
    created_at: withBoundary('created_at'),
    first_order_at: withBoundary('first_order_at'),
    last_order_at: withBoundary('last_order_at'),
    marketing_changed_at: withBoundary('marketing_changed_at'),
    line_connected_at: withBoundary('line_connected_at'),
    notification_changed_at: column('notification_changed_at'),
    last_sent_at: column('last_sent_at'),
    last_opened_at: column('last_opened_at'),
    last_clicked_at: column('last_clicked_at'),
  },
  metafield: {
    compile: ({ field, operator, value, context }) =>
      (field.whole_days ? wholeDay : instant)(sql`m.value_at`, operator, value, context),
    read: ({ field }) =>
      field.whole_days ? readDay(sql`(m.value_at at time zone 'UTC')`) : readInstant(sql`m.value_at`),
  },
}
