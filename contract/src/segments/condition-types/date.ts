import type { Localized } from '../../locale.ts'
import type { ConditionType } from './condition-type.ts'
import { checkRange, MAX_DAYS_BACK, one, whyNotDate, whyNotWhole } from './value-checks.ts'
import { dayOf } from './wording.ts'
import { plain } from './phrases.ts'

const phrases: Record<string, (field: string, value: string, to: string) => Localized> = {
  before: (field, value) => ({ ja: `${field}が${value}より前`, en: `${field} is before ${value}` }),
  after: (field, value) => ({ ja: `${field}が${value}より後`, en: `${field} is after ${value}` }),
  on: (field, value) => ({ ja: `${field}が${value}`, en: `${field} is ${value}` }),
  between: (field, value, to) => ({ ja: `${field}が${value}から${to}まで`, en: `${field} is from ${value} to ${to}` }),
  within_last_days: (field, value) => ({
    ja: `${field}が直近${value}日以内`,
    en: `${field} is within the last ${value} days`,
  }),
  more_than_days_ago: (field, value) => ({
    ja: `${field}が${value}日より前`,
    en: `${field} is more than ${value} days ago`,
  }),
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
    const { say, locale } = reading
    const phrase = phrases[operator]
    if (isRelative(operator)) return phrase?.(called, plain(value, reading), '')[locale]
    const [first, second] = Array.isArray(value) ? value : [value, value]
    return phrase?.(called, dayOf(first, say), dayOf(second, say))[locale]
  },
} as const satisfies ConditionType
