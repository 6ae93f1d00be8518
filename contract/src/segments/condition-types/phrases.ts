import type { Locale, Localized } from '../../locale.ts'
import { currencyDigits, withOneYenSign } from '../../money.ts'
import type { Comparison, FieldTraits, ReferenceKind, Reading } from './condition-type.ts'
import { isSeveral, list } from './wording.ts'

// Parts that sentences of several types share.

/** Phrases of an operator with a list: for one value, and, if different, for several. */
export type ListPhrases = Record<string, (called: string, list: string, several: boolean) => Localized>

export function listed(
  { called, operator, value, reading: { say, locale } }: Comparison,
  phrases: ListPhrases,
  nameOf: (value: unknown) => string = String,
): string | undefined {
  const between = operator === 'has_all' ? say.allOf : say.inList
  return phrases[operator]?.(called, list(say, value, nameOf, between), isSeveral(value))[locale]
}

export const named = ({ say, nameOf }: Reading, kind: ReferenceKind, ids: unknown, between = say.anyOf): string =>
  list(say, ids, (id) => nameOf?.(kind, String(id)) || String(id), between)

export function choiceName(field: FieldTraits, value: string, locale: Locale): string {
  const choice = field.choices?.find((each) => each.value === value)
  if (!choice) return value
  return choice[`name_${locale}`]
}

export function plain(value: unknown, { say }: Reading): string {
  return typeof value === 'number'
    ? new Intl.NumberFormat(say.language, { maximumFractionDigits: 10 }).format(value)
    : say.missing
}

export function moneyOf(value: unknown, { say, currency }: Reading): string {
  if (typeof value !== 'number') return say.missing
  try {
    // Shows more digits than the currency has, so that nothing typed is hidden.
    const digits = { minimumFractionDigits: 0, maximumFractionDigits: Math.max(currencyDigits(currency), 10) }
    return withOneYenSign(new Intl.NumberFormat(say.language, { style: 'currency', currency, ...digits }).format(value))
  } catch (error) {
    if (error instanceof RangeError) return `${value} ${currency}`
    throw error
  }
}

/** One of the values of a list, or none of them. 「AまたはBではない」 would be ambiguous, so several values have another phrase. */
export const oneOf: ListPhrases = {
  is_one_of: (field, value, several) => ({
    ja: `${field}が${value}${several ? 'のいずれか' : ''}`,
    en: `${field} is ${value}`,
  }),
  is_none_of: (field, value, several) => ({
    ja: `${field}が${value}${several ? 'のいずれでもない' : 'ではない'}`,
    en: `${field} is ${several ? 'none of' : 'not'} ${value}`,
  }),
}
