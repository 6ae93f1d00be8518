import type { Localized } from '../../locale.ts'
import type { FieldReason } from '../../errors.ts'
import type { Reading } from './condition-type.ts'
import { checkRange, MAX_COUNT, type NumberLimits, one, whyNotNumber, type ValueErrors } from './value-checks.ts'

// Phrases for a count or a sum: how often, how much, how many.

/** A pair for `between`. */
export type MeasuredValue = number | [number, number]

export const measuredOperators = <Shape extends string>(shape: Shape) =>
  ({ at_least: shape, at_most: shape, exactly: shape, between: shape }) as const

export function checkMeasured(value: unknown, operator: string, limits: NumberLimits): ValueErrors {
  const whyNot = (item: unknown): FieldReason | null => whyNotNumber(item, limits)
  return operator === 'between' ? checkRange(value, whyNot) : one(whyNot(value))
}
export const checkCount = (value: unknown, operator: string): ValueErrors =>
  checkMeasured(value, operator, { max: MAX_COUNT, whole: true })

const compare: Record<string, (value: string, to: string) => Localized> = {
  at_least: (value) => ({ ja: `${value}以上`, en: `at least ${value}` }),
  at_most: (value) => ({ ja: `${value}以下`, en: `at most ${value}` }),
  exactly: (value) => ({ ja: value, en: `exactly ${value}` }),
  between: (value, to) => ({ ja: `${value}から${to}まで`, en: `from ${value} to ${to}` }),
}
export function compared(
  operator: string,
  value: unknown,
  { say, locale }: Reading,
  amount: (value: unknown) => string,
): string {
  const [first, second] = Array.isArray(value) ? value : [value, value]
  return compare[operator]?.(amount(first), amount(second))[locale] ?? say.missing
}

/** "At most 0 times" is hard to read, so it is written as "none at all". */
export const isNone = (operator: string, value: unknown): boolean =>
  value === 0 && (operator === 'exactly' || operator === 'at_most')

/** "exactly 1 email", "at least 2 emails": the last number decides. */
export const isOne = (amount: string): boolean => /(?:^| )1$/.test(amount) && !amount.startsWith('from ')
export const counted = (amount: string, thing: string): string => `${amount} ${thing}${isOne(amount) ? '' : 's'}`
export const wereOf = (amount: string): string => (isOne(amount) ? 'was' : 'were')
