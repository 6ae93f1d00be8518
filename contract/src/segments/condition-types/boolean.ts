import type { ConditionType } from './condition-type.ts'
import { one } from './value-checks.ts'
import type { In } from './wording.ts'

/** Fields of which more can be said than yes or no. */
const phrases: In<Record<string, (field: string, yes: boolean) => string>> = {
  ja: {
    suppressed: (_, yes) => (yes ? '配信除外中である' : '配信除外中ではない'),
    line_connected: (_, yes) => (yes ? 'LINEと連携している' : 'LINEと連携していない'),
    accepts_marketing: (field, yes) => (yes ? `${field}がある` : `${field}がない`),
    accepts_transactions: (field, yes) => (yes ? `${field}がある` : `${field}がない`),
    other: (field, yes) => (yes ? `${field}が「はい」` : `${field}が「いいえ」`),
  },
  en: {
    suppressed: (_, yes) => (yes ? 'the address is suppressed' : 'the address is not suppressed'),
    line_connected: (_, yes) => (yes ? 'LINE is connected' : 'LINE is not connected'),
    accepts_marketing: (field, yes) => (yes ? `${field} is given` : `${field} is not given`),
    accepts_transactions: (field, yes) => (yes ? `${field} is given` : `${field} is not given`),
    other: (field, yes) => (yes ? `${field} is “yes”` : `${field} is “no”`),
  },
}

export const boolean = {
  operators: { is: 'boolean', is_set: 'none', is_not_set: 'none' },
  alwaysThere: true,
  check: (value) => one(typeof value === 'boolean' ? null : 'not_a_boolean'),
  say({ field, called, value, reading: { locale } }) {
    const say = phrases[locale][field.name] ?? phrases[locale]['other']
    return typeof value === 'boolean' ? say?.(called, value) : undefined
  },
} as const satisfies ConditionType
