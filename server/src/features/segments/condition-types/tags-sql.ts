import type { Operator } from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import { foldText } from '../../../kernel/folding.ts'
import { among, listOf, not, andOnlyAsked, type Sql, unknownOperator, type Value } from './comparison-sql.ts'
import type { ConditionTypeSql } from './field-sql.ts'
import { FEW_TEXTS, foldedList, foldingFor, hasAnyText, isOneOf } from './text-folding-sql.ts'
import { readTexts } from './read-value-sql.ts'

/**
 * Customers with any of many tags, as a subquery: a test of each customer's tags would not run in parallel. Null if there are few tags.
 * `rows`: of `customers t`.
 */
function havingAnyTag(operator: Operator, value: Value, rows: RawBuilder<unknown>): Sql | null {
  const texts = listOf(value)
  if ((operator !== 'has' && operator !== 'has_not') || texts.length <= FEW_TEXTS) return null
  const found = among(
    sql`c.id`,
    sql`select t.id from customers t cross join lateral unnest(t.tags) as tag
      where ${rows} and t.tags <> '{}' and ${isOneOf(foldingFor(texts), sql`tag`)}`,
  )
  return operator === 'has_not' ? not(found) : found
}

function compare(column: RawBuilder<string[]>, operator: Operator, value: Value): Sql {
  switch (operator) {
    case 'has':
      return hasAnyText(column, listOf(value))
    case 'has_all': {
      const folding = foldingFor(listOf(value))
      return sql`(${column} <> '{}' and ${foldedList(folding, column)} @> ${folding.values()})`
    }
    case 'has_not':
      return not(hasAnyText(column, listOf(value)))
    case 'is_set':
      return sql`${column} <> '{}'`
    case 'is_not_set':
      return not(sql`${column} <> '{}'`)
    default:
      throw unknownOperator(operator)
  }
}

/** Texts of metafields are stored folded, one by one. */
function storedTexts(operator: Operator, value: Value): Sql {
  if (operator === 'is_set') return sql`m.value_texts <> '{}'`
  const wanted = (value as string[]).map((each) => foldText(each).trim())
  return operator === 'has_all'
    ? sql`m.value_texts @> ${wanted}::text[]`
    : sql`exists (select from unnest(m.value_texts) as each where each = any(${wanted}::text[]))`
}

export const tags: ConditionTypeSql<'tags'> = {
  fields: {
    tags: {
      effort: 2,
      compile: ({ operator, value, context }) =>
        havingAnyTag(operator, value, sql`t.merchant_id = ${context.merchantId} ${andOnlyAsked(sql`t.id`, context)}`) ??
        compare(sql`c.tags`, operator, value),
      read: () => readTexts(sql`c.tags`),
    },
  },
  metafield: {
    compile: ({ operator, value }) => storedTexts(operator, value),
    read: () => readTexts(sql`m.value_texts`),
  },
}
