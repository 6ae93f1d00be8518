import type { Operator } from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import { listOf, not, type Sql, type Text, unknownOperator, type Value } from './comparison-sql.ts'
import type { ConditionTypeSql, FieldSql } from './field-sql.ts'
import { type Json, orNone } from './read-value-sql.ts'
import { readScore, hasMatchingScore } from './scores-sql.ts'

function compare(column: Text, operator: Operator, value: Value): Sql {
  switch (operator) {
    case 'is_one_of':
      return sql`${column} = any(${listOf(value)}::text[])`
    case 'is_none_of':
      return not(compare(column, 'is_one_of', value))
    case 'is_set':
      return sql`${column} is not null`
    case 'is_not_set':
      return sql`${column} is null`
    default:
      throw unknownOperator(operator)
  }
}

const readChoice = (column: RawBuilder<unknown>): Json =>
  orNone(sql`${column} is null`, sql`jsonb_build_object('kind', 'choice', 'choice', ${column})`)
export const column = (text: Text): FieldSql => ({
  effort: 0,
  compile: ({ operator, value }) => compare(text, operator, value),
  read: () => readChoice(text),
})

export const choice: ConditionTypeSql<'choice'> = {
  fields: {
    prefecture: column(sql`c.province_code`),
    marketing_state: column(sql.ref('c.marketing_state')),
    notification_state: column(sql.ref('c.notification_state')),
    rfm_class: {
      effort: 1,
      compile: ({ operator, value, context }) =>
        hasMatchingScore(operator, (positive) => compare(sql`s.rfm_class`, positive, value), context),
      read: ({ context }) => readScore(readChoice(sql`s.rfm_class`), context),
    },
  },
}
