import type { Localized } from '../../locale.ts'
import type { ConditionType } from './condition-type.ts'
import { checkList, one, whyNotText } from './value-checks.ts'
import { textOf } from './wording.ts'
import { listed, oneOf } from './phrases.ts'

const phrases: Record<string, (field: string, value: string) => Localized> = {
  equals: (field, value) => ({ ja: `${field}が${value}と一致する`, en: `${field} is ${value}` }),
  not_equals: (field, value) => ({ ja: `${field}が${value}と一致しない`, en: `${field} is not ${value}` }),
  contains: (field, value) => ({ ja: `${field}に${value}を含む`, en: `${field} contains ${value}` }),
  not_contains: (field, value) => ({ ja: `${field}に${value}を含まない`, en: `${field} does not contain ${value}` }),
  starts_with: (field, value) => ({ ja: `${field}が${value}で始まる`, en: `${field} starts with ${value}` }),
  ends_with: (field, value) => ({ ja: `${field}が${value}で終わる`, en: `${field} ends with ${value}` }),
}

export const text = {
  operators: {
    equals: 'text',
    not_equals: 'text',
    contains: 'text',
    not_contains: 'text',
    starts_with: 'text',
    ends_with: 'text',
    is_one_of: 'texts',
    is_none_of: 'texts',
    is_set: 'none',
    is_not_set: 'none',
  },
  check: (value, _field, operator) =>
    operator === 'is_one_of' || operator === 'is_none_of' ? checkList(value, whyNotText) : one(whyNotText(value)),
  say(comparison) {
    const { called, operator, value, reading } = comparison
    if (operator in oneOf) return listed(comparison, oneOf)
    return phrases[operator]?.(called, textOf(reading.say, value))[reading.locale]
  },
} as const satisfies ConditionType
