import type { ConditionType } from './condition-type.ts'
import { checkList, whyNotText } from './value-checks.ts'
import { type In, type ListPhrases, listed } from './wording.ts'

const phrases: In<ListPhrases> = {
  ja: {
    has: (field, value, several) => `${field}に${value}${several ? 'のいずれか' : ''}がある`,
    has_all: (field, value, several) => `${field}に${value}${several ? 'のすべて' : ''}がある`,
    has_not: (field, value, several) => `${field}に${value}${several ? 'のいずれもない' : 'がない'}`,
  },
  en: {
    has: (field, value) => `${field} include ${value}`,
    has_all: (field, value) => `${field} include all of ${value}`,
    has_not: (field, value, several) => `${field} ${several ? 'include none of' : 'do not include'} ${value}`,
  },
}

/** Several texts: tags, and metafields that are lists. Any of them, all of them, none of them. */
export const tags = {
  operators: { has: 'tags', has_all: 'tags', has_not: 'tags', is_set: 'none', is_not_set: 'none' },
  check: (value) => checkList(value, whyNotText),
  say: (comparison) => listed(comparison, phrases),
  sayPresence(called, yes, locale) {
    if (locale === 'ja') return `${called}の登録が${yes ? 'ある' : 'ない'}`
    return `${called} are ${yes ? '' : 'not '}set`
  },
} as const satisfies ConditionType
