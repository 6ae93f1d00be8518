import type { Operator } from '@okaeri/contract/segments/condition'
import { sql } from 'kysely'
import { addDays } from '../membership/local-day.ts'
import { localToday, type Calendar, type Sql, unknownOperator, type Value } from './comparison-sql.ts'
import type { ConditionTypeSql } from './field-sql.ts'
import { readDay } from './read-value-sql.ts'

/** The year of a birthday is ignored: many are stored without it (year 1004). */
function compare(operator: Operator, value: Value, calendar: Calendar): Sql {
  switch (operator) {
    case 'month_is':
      return sql`extract(month from c.birthday) = ${Number(value)}`
    case 'day_of_month_is':
      return sql`extract(day from c.birthday) = ${Number(value)}`
    case 'is_today':
      return celebrated(0, calendar)
    case 'within_next_days':
      return celebrated(Number(value), calendar)
    case 'is_set':
      return sql`c.birthday is not null`
    case 'is_not_set':
      return sql`c.birthday is null`
    default:
      throw unknownOperator(operator)
  }
}

/** Birthdays as month × 100 + day: comparing a number is faster than formatting a text. */
const celebrated = (days: number, calendar: Calendar): Sql =>
  sql`(extract(month from c.birthday) * 100 + extract(day from c.birthday))::int = any(${celebratedWithin(days, calendar)}::int[])`

/** Birthdays from today to this many days ahead. 29 February counts as the 28th in a common year. */
function celebratedWithin(days: number, calendar: Calendar): number[] {
  const today = localToday(calendar)
  const found = new Set<number>()
  for (let ahead = 0; ahead <= days; ahead++) {
    const day = addDays(today, ahead)
    found.add(Number(day.slice(5, 7)) * 100 + Number(day.slice(8)))
    if (day.endsWith('-02-28') && addDays(day, 1).endsWith('-03-01')) found.add(229)
  }
  return [...found]
}

export const birthday: ConditionTypeSql<'birthday'> = {
  fields: {
    birthday: {
      effort: 1,
      compile: ({ operator, value, context }) => compare(operator, value, context),
      read: () => readDay(sql`c.birthday`),
    },
  },
}
