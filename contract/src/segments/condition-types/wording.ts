import { isolated } from '../../direction.ts'
import type { Localized } from '../../locale.ts'

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

/** A day is not an instant: parsed and formatted in UTC it stays the same day. */
export function dayOf(value: unknown, say: Wording): string {
  if (typeof value !== 'string' || value === '') return say.missing
  const at = new Date(`${value}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return quoted(say, value)
  return new Intl.DateTimeFormat(say.language, { dateStyle: 'long', timeZone: 'UTC' }).format(at)
}
