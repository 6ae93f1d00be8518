import type { Localized } from '../../locale.ts'
import type { ConditionType } from './condition-type.ts'
import { one } from './value-checks.ts'

/** Fields with their own phrases instead of yes and no. */
const phrases: Record<string, (field: string, yes: boolean) => Localized> = {
  suppressed: (_, yes) => ({
    ja: yes ? '配信除外中である' : '配信除外中ではない',
    en: yes ? 'the address is suppressed' : 'the address is not suppressed',
  }),
  line_connected: (_, yes) => ({
    ja: yes ? 'LINEと連携している' : 'LINEと連携していない',
    en: yes ? 'LINE is connected' : 'LINE is not connected',
  }),
  line_blocked: (_, yes) => ({
    ja: yes ? 'LINEでブロックしている' : 'LINEでブロックしていない',
    en: yes ? 'blocked you on LINE' : 'has not blocked you on LINE',
  }),
  accepts_marketing: (field, yes) => ({
    ja: yes ? `${field}がある` : `${field}がない`,
    en: yes ? `${field} is given` : `${field} is not given`,
  }),
  accepts_transactions: (field, yes) => ({
    ja: yes ? `${field}がある` : `${field}がない`,
    en: yes ? `${field} is given` : `${field} is not given`,
  }),
  other: (field, yes) => ({
    ja: yes ? `${field}が「はい」` : `${field}が「いいえ」`,
    en: yes ? `${field} is “yes”` : `${field} is “no”`,
  }),
}

export const boolean = {
  operators: { is: 'boolean', is_set: 'none', is_not_set: 'none' },
  alwaysThere: true,
  check: (value) => one(typeof value === 'boolean' ? null : 'not_a_boolean'),
  say({ field, called, value, reading: { locale } }) {
    const say = phrases[field.name] ?? phrases['other']
    return typeof value === 'boolean' ? say?.(called, value)[locale] : undefined
  },
} as const satisfies ConditionType
