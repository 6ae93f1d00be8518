import { isolated } from '../../direction.ts'
import type { Locale, Localized } from '../../locale.ts'
import { currencyDigits, withOneYenSign } from '../../money.ts'
import type { Comparison, FieldTraits, NamedKind, Reading } from './condition-type.ts'

// Parts that sentences of several types share.

/** The common phrases of one language. Fields and values are inserted already formatted. */
export interface Wording {
  language: string
  missing: string
  quoted: (text: string) => string
  /** Quoted values one after another, with `anyOf`, `allOf` or `inList` between them. */
  inARow: (values: readonly string[], between: string) => string
  anyOf: string
  allOf: string
  /** Between the values of a list of which any may match (「A」「B」のいずれか). */
  inList: string
  number: (text: string, unit: string) => string
}

const ja: Wording = {
  language: 'ja-JP',
  missing: '…',
  quoted: (text) => `「${text}」`,
  inARow: (values, between) => values.join(between),
  anyOf: 'または',
  allOf: 'と',
  inList: '',
  number: (text, unit) => `${text}${unit}`,
}
const en: Wording = {
  language: 'en-US',
  missing: '…',
  quoted: (text) => `“${text}”`,
  inARow: (values, between) =>
    values.length < 3 ? values.join(between) : `${values.slice(0, -1).join(', ')}${between}${values.at(-1)}`,
  anyOf: ' or ',
  allOf: ' and ',
  inList: ' or ',
  number: (text) => text,
}
export const wordings: Localized<Wording> = { ja, en }

/** A value within its quotes. */
export const quoted = (say: Wording, text: string): string => say.quoted(isolated(text))

export const textOf = (say: Wording, value: unknown): string =>
  typeof value === 'string' && value !== '' ? quoted(say, value) : say.missing

export function list(say: Wording, values: unknown, nameOf: (value: unknown) => string, between = say.anyOf): string {
  if (!Array.isArray(values) || values.length === 0) return say.missing
  return say.inARow(
    values.map((value) => quoted(say, nameOf(value))),
    between,
  )
}
export const isSeveral = (values: unknown): boolean => Array.isArray(values) && values.length > 1

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

export const named = ({ say, nameOf }: Reading, kind: NamedKind, ids: unknown, between = say.anyOf): string =>
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

/** A day is not an instant: parsed and formatted in UTC it stays the same day. */
export function dayOf(value: unknown, say: Wording): string {
  if (typeof value !== 'string' || value === '') return say.missing
  const at = new Date(`${value}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return quoted(say, value)
  return new Intl.DateTimeFormat(say.language, { dateStyle: 'long', timeZone: 'UTC' }).format(at)
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
