import type { FieldType } from '@okaeri/contract/segments/condition'
import { birthday } from './birthday-sql.ts'
import { boolean } from './boolean-sql.ts'
import { choice } from './choice-sql.ts'
import { date } from './date-sql.ts'
import type { ConditionTypeSql, FieldSql, MetafieldSql } from './field-sql.ts'
import { mails } from './mails-sql.ts'
import { number } from './number-sql.ts'
import { ordered, product } from './ordered-sql.ts'
import { postalCode } from './postal-code-sql.ts'
import { inScenario, scenarios } from './scenarios-sql.ts'
import { segment } from './segment-sql.ts'
import { tags } from './tags-sql.ts'
import { text } from './text-sql.ts'
import { things } from './things-sql.ts'

const types: { [T in FieldType]: ConditionTypeSql<T> } = {
  text,
  number,
  boolean,
  date,
  tags,
  choice,
  birthday,
  postal_code: postalCode,
  product,
  ordered,
  mails,
  things,
  in_scenario: inScenario,
  scenarios,
  segment,
}

/** Any type, for callers that do not know which. */
interface AnyConditionType extends Pick<ConditionTypeSql<FieldType>, 'dependsOnCatalog'> {
  fields: Readonly<Record<string, FieldSql>>
  metafield?: MetafieldSql
}
export const conditionTypeSqlOf = (type: FieldType): AnyConditionType => types[type]
