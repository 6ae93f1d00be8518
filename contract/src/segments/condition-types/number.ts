import type { Localized } from '../../locale.ts'
import type { FieldReason } from '../../errors.ts'
import type { ConditionType, FieldTraits, Reading } from './condition-type.ts'
import { checkRange, one, whyNotNumber } from './value-checks.ts'
import { moneyOf, plain } from './phrases.ts'

const phrases: Record<string, (field: string, value: string, to: string) => Localized> = {
  equals: (field, value) => ({ ja: `${field}が${value}`, en: `${field} is ${value}` }),
  not_equals: (field, value) => ({ ja: `${field}が${value}ではない`, en: `${field} is not ${value}` }),
  greater: (field, value) => ({ ja: `${field}が${value}を超える`, en: `${field} is more than ${value}` }),
  greater_or_equal: (field, value) => ({ ja: `${field}が${value}以上`, en: `${field} is at least ${value}` }),
  less: (field, value) => ({ ja: `${field}が${value}未満`, en: `${field} is less than ${value}` }),
  less_or_equal: (field, value) => ({ ja: `${field}が${value}以下`, en: `${field} is at most ${value}` }),
  between: (field, value, to) => ({ ja: `${field}が${value}から${to}まで`, en: `${field} is from ${value} to ${to}` }),
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
    return phrases[operator]?.(called, amountOf(first, field, reading), amountOf(second, field, reading))[
      reading.locale
    ]
  },
  amounts: (value, field) => (field.money ? [value].flat() : []),
} as const satisfies ConditionType
