import { birthday } from './birthday.ts'
import { boolean } from './boolean.ts'
import { choice } from './choice.ts'
import type { ConditionType } from './condition-type.ts'
import { date } from './date.ts'
import { mails, type MailsValue } from './mails.ts'
import { number } from './number.ts'
import { ordered, type OrderedValue } from './ordered.ts'
import { postalCode } from './postal-code.ts'
import { product, type ProductsValue } from './product.ts'
import { inScenario, type InScenarioValue, scenarios, type ScenariosValue } from './scenarios.ts'
import { segment } from './segment.ts'
import { tags } from './tags.ts'
import { text } from './text.ts'
import { things, type ThingsValue } from './things.ts'

/** The type of a field decides its operators, and how values are checked, compared, described and edited. */
export const conditionTypes = {
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
} as const satisfies Record<string, ConditionType>

type Types = typeof conditionTypes
export type FieldType = keyof Types
export type Operator = { [T in FieldType]: keyof Types[T]['operators'] }[FieldType]
/** The shape of a comparison's value, which decides the input on the page. */
export type ValueShape = { [T in FieldType]: Types[T]['operators'][keyof Types[T]['operators']] }[FieldType]

/** A value; its shape is the {@link ValueShape} of field and operator. */
export type LeafValue =
  | string
  | number
  | boolean
  | null
  | (string | number)[]
  | ProductsValue
  | OrderedValue
  | MailsValue
  | ThingsValue
  | InScenarioValue
  | ScenariosValue

export const conditionTypeOf = (type: FieldType): ConditionType => conditionTypes[type]
