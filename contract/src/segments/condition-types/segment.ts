import type { Localized } from '../../locale.ts'
import type { ConditionType } from './condition-type.ts'
import { checkList, whyNotUsedId } from './value-checks.ts'
import { named } from './phrases.ts'

export const MAX_SEGMENTS = 20

const phrases: Record<string, (list: string) => Localized> = {
  is_member: (list) => ({ ja: `セグメント${list}に入っている`, en: `the customer is in segment ${list}` }),
  is_not_member: (list) => ({ ja: `セグメント${list}に入っていない`, en: `the customer is not in segment ${list}` }),
}

/** Members of any of these other segments (ids). */
export const segment = {
  operators: { is_member: 'segments', is_not_member: 'segments' },
  check: (value) => checkList(value, whyNotUsedId, MAX_SEGMENTS),
  say: ({ operator, value, reading }) =>
    phrases[operator === 'is_member' ? operator : 'is_not_member']?.(named(reading, 'segments', value))[reading.locale],
  references: (value) => [{ kind: 'segments', ids: Array.isArray(value) ? value : [], key: '' }],
} as const satisfies ConditionType
