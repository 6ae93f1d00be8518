import type { FieldType } from '@okaeri/contract/segments/condition'
import { boolean } from './boolean.tsx'
import { choice } from './choice.tsx'
import { birthday, date } from './dates.tsx'
import type { EditedType } from './edited-type.ts'
import { mails } from './mails.tsx'
import { number } from './number.tsx'
import { ordered } from './ordered.tsx'
import { product } from './product.tsx'
import { inScenario, scenarios } from './scenarios.tsx'
import { segment } from './segment.tsx'
import { postalCode, tags, text } from './texts.tsx'
import { things } from './things.tsx'

/** How conditions of each type are edited. */
export const editedTypes: Record<FieldType, EditedType> = {
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
