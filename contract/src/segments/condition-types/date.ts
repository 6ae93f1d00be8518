import type { ConditionType } from './condition-type.ts'
import { checkRange, MAX_DAYS_BACK, one, whyNotDate, whyNotWhole } from './value-checks.ts'
import { dayOf, type In, plain } from './wording.ts'

const phrases: In<Record<string, (field: string, value: string, to: string) => string>> = {
  ja: {
    before: (field, value) => `${field}が${value}より前`,
    after: (field, value) => `${field}が${value}より後`,
    on: (field, value) => `${field}が${value}`,
    between: (field, value, to) => `${field}が${value}から${to}まで`,
    within_last_days: (field, value) => `${field}が直近${value}日以内`,
    more_than_days_ago: (field, value) => `${field}が${value}日より前`,
  },
  en: {
    before: (field, value) => `${field} is before ${value}`,
    after: (field, value) => `${field} is after ${value}`,
    on: (field, value) => `${field} is ${value}`,
    between: (field, value, to) => `${field} is from ${value} to ${to}`,
    within_last_days: (field, value) => `${field} is within the last ${value} days`,
    more_than_days_ago: (field, value) => `${field} is more than ${value} days ago`,
  },
}
const isRelative = (operator: string): boolean => operator === 'within_last_days' || operator === 'more_than_days_ago'

export const date = {
  operators: {
    before: 'date',
    after: 'date',
    on: 'date',
    between: 'date_range',
    within_last_days: 'days',
    more_than_days_ago: 'days',
    is_set: 'none',
    is_not_set: 'none',
  },
  check(value, _field, operator) {
    if (operator === 'between') return checkRange(value, whyNotDate)
    return one(isRelative(operator) ? whyNotWhole(value, 0, MAX_DAYS_BACK) : whyNotDate(value))
  },
  say({ called, operator, value, reading }) {
    const phrase = phrases[reading.locale][operator]
    if (isRelative(operator)) return phrase?.(called, plain(value, reading), '')
    const [first, second] = Array.isArray(value) ? value : [value, value]
    return phrase?.(called, dayOf(first, reading.say), dayOf(second, reading.say))
  },
} as const satisfies ConditionType
