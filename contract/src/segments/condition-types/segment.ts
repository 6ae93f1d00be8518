import type { ConditionType } from './condition-type.ts'
import { checkList, whyNotUsedId } from './value-checks.ts'
import { type In, named } from './wording.ts'

export const MAX_SEGMENTS = 20

const phrases: In<Record<string, (list: string) => string>> = {
  ja: {
    is_member: (list) => `セグメント${list}に入っている`,
    is_not_member: (list) => `セグメント${list}に入っていない`,
  },
  en: {
    is_member: (list) => `the customer is in segment ${list}`,
    is_not_member: (list) => `the customer is not in segment ${list}`,
  },
}

/** Who is in any of some other segments (ids). */
export const segment = {
  operators: { is_member: 'segments', is_not_member: 'segments' },
  check: (value) => checkList(value, whyNotUsedId, MAX_SEGMENTS),
  say: ({ operator, value, reading }) =>
    phrases[reading.locale][operator === 'is_member' ? operator : 'is_not_member']?.(named(reading, 'segments', value)),
  named: (value) => [{ kind: 'segments', ids: Array.isArray(value) ? value : [], key: '' }],
} as const satisfies ConditionType
