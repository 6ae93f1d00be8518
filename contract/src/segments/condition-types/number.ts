import type { FieldReason } from '../../errors.ts'
import type { ConditionType, FieldTraits, Reading } from './condition-type.ts'
import { checkRange, one, whyNotNumber } from './value-checks.ts'
import { type In, moneyOf, plain } from './wording.ts'

const phrases: In<Record<string, (field: string, value: string, to: string) => string>> = {
  ja: {
    equals: (field, value) => `${field}が${value}`,
    not_equals: (field, value) => `${field}が${value}ではない`,
    greater: (field, value) => `${field}が${value}を超える`,
    greater_or_equal: (field, value) => `${field}が${value}以上`,
    less: (field, value) => `${field}が${value}未満`,
    less_or_equal: (field, value) => `${field}が${value}以下`,
    between: (field, value, to) => `${field}が${value}から${to}まで`,
  },
  en: {
    equals: (field, value) => `${field} is ${value}`,
    not_equals: (field, value) => `${field} is not ${value}`,
    greater: (field, value) => `${field} is more than ${value}`,
    greater_or_equal: (field, value) => `${field} is at least ${value}`,
    less: (field, value) => `${field} is less than ${value}`,
    less_or_equal: (field, value) => `${field} is at most ${value}`,
    between: (field, value, to) => `${field} is from ${value} to ${to}`,
  },
}

function amountOf(value: unknown, field: FieldTraits, reading: Reading): string {
  if (field.money) return moneyOf(value, reading)
  return reading.say.number(plain(value, reading), typeof value === 'number' ? (field.unit_ja ?? '') : '')
}

export const number = {
  operators: {
    equals: 'number',
    not_equals: 'number',
    greater: 'number',
    greater_or_equal: 'number',
    less: 'number',
    less_or_equal: 'number',
    between: 'number_range',
    is_set: 'none',
    is_not_set: 'none',
  },
  alwaysThere: true,
  check(value, field, operator) {
    const whyNot = (item: unknown): FieldReason | null => whyNotNumber(item, field)
    return operator === 'between' ? checkRange(value, whyNot) : one(whyNot(value))
  },
  say({ field, called, operator, value, reading }) {
    const [first, second] = Array.isArray(value) ? value : [value, value]
    return phrases[reading.locale][operator]?.(
      called,
      amountOf(first, field, reading),
      amountOf(second, field, reading),
    )
  },
} as const satisfies ConditionType
