import type { ConditionType } from './condition-type.ts'
import { checkList, whyNotText } from './value-checks.ts'
import { type ListPhrases, listed } from './phrases.ts'

const phrases: ListPhrases = {
  has: (field, value, several) => ({
    ja: `${field}に${value}${several ? 'のいずれか' : ''}がある`,
    en: `${field} include ${value}`,
  }),
  has_all: (field, value, several) => ({
    ja: `${field}に${value}${several ? 'のすべて' : ''}がある`,
    en: `${field} include all of ${value}`,
  }),
  has_not: (field, value, several) => ({
    ja: `${field}に${value}${several ? 'のいずれもない' : 'がない'}`,
    en: `${field} ${several ? 'include none of' : 'do not include'} ${value}`,
  }),
}

/** Several texts, for tags and list metafields: any, all or none of them. */
export const tags = {
  operators: { has: 'tags', has_all: 'tags', has_not: 'tags', is_set: 'none', is_not_set: 'none' },
  check: (value) => checkList(value, whyNotText),
  say: (comparison) => listed(comparison, phrases),
  sayPresence: (called, yes) => ({
    ja: `${called}の登録が${yes ? 'ある' : 'ない'}`,
    en: `${called} are ${yes ? '' : 'not '}set`,
  }),
} as const satisfies ConditionType
