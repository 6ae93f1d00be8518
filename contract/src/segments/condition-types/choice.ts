import type { ConditionType } from './condition-type.ts'
import { checkList, whyNotChoice } from './value-checks.ts'
import { choiceName, listed, oneOf } from './phrases.ts'

export const choice = {
  operators: { is_one_of: 'choices', is_none_of: 'choices', is_set: 'none', is_not_set: 'none' },
  alwaysThere: true,
  check: (value, field) => checkList(value, whyNotChoice(field)),
  say: (comparison) =>
    listed(comparison, oneOf, (each) => choiceName(comparison.field, String(each), comparison.reading.locale)),
} as const satisfies ConditionType
