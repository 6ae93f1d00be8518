import type { Localized } from '../../locale.ts'
import type { ConditionType, Reading } from './condition-type.ts'
import { one, whyNotWhole } from './value-checks.ts'
import { plain } from './phrases.ts'

/** At most a leap year ahead. */
const MAX_DAYS_AHEAD = 366

const phrases: Record<string, (value: string) => Localized> = {
  month_is: (value) => ({ ja: `誕生日が${value}`, en: `the birthday is in ${value}` }),
  day_of_month_is: (value) => ({
    ja: `誕生日が${value}日（月は問わない）`,
    en: `the birthday is on day ${value} of a month`,
  }),
  is_today: () => ({ ja: '誕生日が今日', en: 'the birthday is today' }),
  within_next_days: (value) => ({
    ja: `誕生日が今日から${value}日以内`,
    en: `the birthday is within ${value} days from today`,
  }),
}

const monthOf = (value: unknown, { say }: Reading): string =>
  typeof value === 'number' && value >= 1 && value <= 12
    ? new Intl.DateTimeFormat(say.language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, value - 1, 1))
    : say.missing

export const birthday = {
  operators: {
    month_is: 'month',
    day_of_month_is: 'day_of_month',
    is_today: 'none',
    within_next_days: 'days',
    is_set: 'none',
    is_not_set: 'none',
  },
  check(value, _field, operator) {
    if (operator === 'month_is') return one(whyNotWhole(value, 1, 12))
    return one(operator === 'day_of_month_is' ? whyNotWhole(value, 1, 31) : whyNotWhole(value, 0, MAX_DAYS_AHEAD))
  },
  say: ({ operator, value, reading }) =>
    phrases[operator]?.(operator === 'month_is' ? monthOf(value, reading) : plain(value, reading))[reading.locale],
} as const satisfies ConditionType
