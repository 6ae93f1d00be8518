import { type Operator, postalKey } from '@okaeri/contract/segments/condition'
import { sql } from 'kysely'
import { anyOf, listOf, not, type Sql, type Text, unknownOperator, type Value } from './comparison-sql.ts'
import type { ConditionTypeSql, FieldSql } from './field-sql.ts'
import { orNone } from './read-value-sql.ts'

/** Prefixes of one length are looked up together. */
function compare(column: Text, operator: Operator, value: Value): Sql {
  if (operator === 'is_set') return sql`${column} <> ''`
  if (operator === 'is_not_set') return not(compare(column, 'is_set', value))
  if (operator === 'starts_with_none') return not(compare(column, 'starts_with_any', value))
  if (operator !== 'starts_with_any') throw unknownOperator(operator)
  // The same as `postalKey`: hyphens and dashes, spaces, width, case.
  const key = sql`upper(translate(case when octet_length(${column}) = length(${column}) then ${column}
    else normalize(${column}, nfkc) end, ${sql.lit(' -\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fc\u3000')}, ''))`
  const prefixes = Map.groupBy(new Set(listOf(value).map(postalKey)), (prefix) => prefix.length)
  return anyOf(
    [...prefixes].map(([length, some]) => sql<boolean>`left(${key}, ${sql.lit(length)}) = any(${some}::text[])`),
  )
}

const column = (code: Text): FieldSql => ({
  effort: 2,
  compile: ({ operator, value }) => compare(code, operator, value),
  read: () => orNone(sql`coalesce(${code}, '') = ''`, sql`jsonb_build_object('kind', 'text', 'text', ${code})`),
})

export const postalCode: ConditionTypeSql<'postal_code'> = {
  fields: { postal_code: column(sql`c.address ->> 'zip'`) },
}
