import type { ConditionType } from './condition-type.ts'
import { checkList, one, whyNotText } from './value-checks.ts'
import { type In, listed, oneOf, textOf } from './wording.ts'

const phrases: In<Record<string, (field: string, value: string) => string>> = {
  ja: {
    equals: (field, value) => `${field}が${value}と一致する`,
    not_equals: (field, value) => `${field}が${value}と一致しない`,
    contains: (field, value) => `${field}に${value}を含む`,
    not_contains: (field, value) => `${field}に${value}を含まない`,
    starts_with: (field, value) => `${field}が${value}で始まる`,
    ends_with: (field, value) => `${field}が${value}で終わる`,
  },
  en: {
    equals: (field, value) => `${field} is ${value}`,
    not_equals: (field, value) => `${field} is not ${value}`,
    contains: (field, value) => `${field} contains ${value}`,
    not_contains: (field, value) => `${field} does not contain ${value}`,
    starts_with: (field, value) => `${field} starts with ${value}`,
    ends_with: (field, value) => `${field} ends with ${value}`,
  },
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
    if (operator in oneOf.ja) return listed(comparison, oneOf)
    return phrases[reading.locale][operator]?.(called, textOf(reading.say, value))
  },
} as const satisfies ConditionType
