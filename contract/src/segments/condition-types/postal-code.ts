import type { FieldReason } from '../../errors.ts'
import type { ConditionType } from './condition-type.ts'
import { checkList } from './value-checks.ts'
import { type ListPhrases, listed } from './phrases.ts'

/** The form in which postal codes are compared: without hyphens and spaces, one width, capitals. */
export const postalKey = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s‐-―ー−-]/g, '')
    .toUpperCase()

const whyNotPostal = (value: unknown): FieldReason | null => {
  if (typeof value !== 'string') return 'not_a_text'
  return /^[0-9A-Z]{1,12}$/.test(postalKey(value)) ? null : 'invalid'
}

const phrases: ListPhrases = {
  starts_with_any: (field, value, several) => ({
    ja: `${field}が${value}${several ? 'のいずれか' : ''}で始まる`,
    en: `${field} starts with ${value}`,
  }),
  starts_with_none: (field, value, several) => ({
    ja: `${field}が${value}${several ? 'のいずれでも' : 'で'}始まらない`,
    en: `${field} ${several ? 'starts with none of' : 'does not start with'} ${value}`,
  }),
}

/** Prefixes of postal codes; hyphens and width make no difference. */
export const postalCode = {
  operators: {
    starts_with_any: 'postal_prefixes',
    starts_with_none: 'postal_prefixes',
    is_set: 'none',
    is_not_set: 'none',
  },
  check: (value) => checkList(value, whyNotPostal),
  say: (comparison) => listed(comparison, phrases),
} as const satisfies ConditionType
