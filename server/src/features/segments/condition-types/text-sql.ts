import type { Operator } from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import { anyOf, listOf, not, type Sql, type Text, unknownOperator, type Value } from './comparison-sql.ts'
import type { ConditionTypeSql, FieldSql } from './field-sql.ts'
import { foldingFor } from './text-folding-sql.ts'
import { type Json, orNone, readTexts } from './read-value-sql.ts'

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

function compare(columns: readonly Text[], operator: Operator, value: Value): Sql {
  const folding = foldingFor(Array.isArray(value) ? listOf(value) : [typeof value === 'string' ? value : ''])
  const [wanted = ''] = folding.wanted
  const each = (holds: (folded: Text) => Sql): Sql => anyOf(columns.map((column) => holds(folding.column(column))))
  const like = (before: string, after: string): Sql => {
    const pattern = folding.value(`${before}${escapeLike(wanted)}${after}`)
    return each((folded) => sql`${folded} like ${pattern}`)
  }
  const isSet = (): Sql => anyOf(columns.map((column) => sql<boolean>`${column} <> ''`))
  switch (operator) {
    case 'equals':
      return each((folded) => sql`${folded} = ${folding.value(wanted)}`)
    case 'not_equals':
      return not(compare(columns, 'equals', value))
    case 'contains':
      return like('%', '%')
    case 'not_contains':
      return not(like('%', '%'))
    case 'starts_with':
      return like('', '%')
    case 'ends_with':
      return like('%', '')
    case 'is_one_of':
      return each((folded) => sql`${folded} = any(${folding.values()})`)
    case 'is_none_of':
      return not(compare(columns, 'is_one_of', value))
    case 'is_set':
      return isSet()
    case 'is_not_set':
      return not(isSet())
    default:
      throw unknownOperator(operator)
  }
}

const readText = (column: RawBuilder<unknown>): Json =>
  orNone(sql`coalesce(${column}, '') = ''`, sql`jsonb_build_object('kind', 'text', 'text', ${column})`)

const texts = (columns: readonly Text[], read: Json): FieldSql => ({
  effort: 2,
  compile: ({ operator, value }) => compare(columns, operator, value),
  read: () => read,
})
const column = (text: Text): FieldSql => texts([text], readText(text))

export const text: ConditionTypeSql<'text'> = {
  fields: {
    email: column(sql.ref('c.email')),
    display_name: column(sql.ref('c.display_name')),
    first_name: column(sql.ref('c.first_name')),
    last_name: column(sql.ref('c.last_name')),
    phone: column(sql.ref('c.phone')),
    last_address: column(sql.ref('c.last_address')),
    city: column(sql`c.address ->> ${sql.lit('city')}`),
    country: column(sql`c.address ->> ${sql.lit('country')}`),
    // Our id, or the store's number.
    id: texts(
      [sql`c.id::text`, sql`c.store_customer_id::text`],
      readTexts(sql`array_remove(array[c.id::text, c.store_customer_id::text], null)`),
    ),
  },
  metafield: {
    compile: ({ operator, value }) => compare([sql`m.value_texts[1]`], operator, value),
    read: () => readText(sql`m.value`),
  },
}
