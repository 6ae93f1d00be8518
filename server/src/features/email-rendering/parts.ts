import type { MessageData } from './data/message-data.ts'

/**
 * A template as a sender needs it: text that is the same for everyone; a value, looked up and escaped; products of the recipient's own; and
 * what only the engine can say, by its number among the texts a thread made for the recipient.
 */
export type Part = string | PlainValue | OwnProducts | { readonly text: number }
/** The products of a choice, if each looks the same to all who are shown it. */
export interface OwnProducts {
  /** Its number among the cards that a thread makes of each product. */
  readonly card: number
  readonly choice: string
  /** Said where the choice found nothing. */
  readonly otherwise: string
}
export interface PlainValue {
  readonly value: PlainPath
  /** Said where there is none: `{{ customer.last_name | default: 'お客' }}`. */
  readonly otherwise: string
}
type PlainPath = readonly [Group, string] | OwnPage
type OwnPage = 'unsubscribe_url' | 'preferences_url'
type Group = 'customer' | 'store' | 'sender' | 'coupon' | 'event'
export type Escape = 'html' | 'text'

/** The common case, a thousand times cheaper without the engine; `size`, `first` and `last` mean something to Liquid. */
const PLAIN_OUTPUT =
  /^\{\{-?\s*(?:(customer|store|sender|coupon|event)\.(?!(?:size|first|last)\b)([a-z_]+)|(unsubscribe_url|preferences_url))\s*(?:\|\s*default:\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*)?-?\}\}$/
/** Per value: 250 tags of a customer are shorter. A longer one is not filled in on the thread where others wait. */
const MAX_VALUE_CHARACTERS = 100_000

/** Null: it takes the engine. */
export function plainOutput(output: string): PlainValue | null {
  const plain = PLAIN_OUTPUT.exec(output)
  if (!plain) return null
  const [, group, property = '', page, single, double] = plain
  return { value: group ? [group as Group, property] : (page as OwnPage), otherwise: single ?? double ?? '' }
}

export function plainValue({ value: path, otherwise }: PlainValue, data: MessageData, escape: Escape): string {
  if (typeof path === 'string') return escaped(data[path] || otherwise, escape)
  const [group, property] = path
  const values: Readonly<Record<string, unknown>> = data[group]
  const value = Object.hasOwn(values, property) ? values[property] : null
  const text = otherwise !== '' && isNothing(value) ? otherwise : asText(value)
  if (text.length > MAX_VALUE_CHARACTERS) throw new Error(`${group}.${property} is longer than any mail needs`)
  return escaped(text, escape)
}

/** For Liquid's `default`. */
const isNothing = (value: unknown): boolean =>
  value === '' ||
  value === undefined ||
  value === null ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

const HTML_ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }
export const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (sign) => HTML_ESCAPES[sign] ?? sign)

/** Link markers are made of U+0001: no value may forge one. Mail knows no use for the other control characters. */
const CONTROLS = /(?![\t\n\r])\p{Cc}/gu
const clean = (value: string): string => value.replace(CONTROLS, '')
export const escaped = (value: string, escape: Escape): string =>
  escape === 'html' ? escapeHtml(clean(value)) : clean(value)

export const asText = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? value.map(asText).join('') : ''
}

/** One line without control characters, as a header needs it: a customer's name cannot add a header to the mail. */
export const oneLine = (value: string): string =>
  value
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

const MARK = '\u0001'
export const linkMarker = (position: number): string => `${MARK}L${position}${MARK}`
export const OPEN_MARKER = `${MARK}O${MARK}`
/** All markers of a rendered part; group 1 is the link's position, absent for the pixel. */
export const MARKERS = new RegExp(`${MARK}(?:L(\\d+)|O)${MARK}`, 'g')
/** An address of our own: nothing typed or filled in begins so. */
export const beginsWithMarker = (text: string): boolean => text.startsWith(MARK)
/** A typed U+0001 would be taken for a marker. */
export const withoutMarks = (source: string): string => source.replaceAll(MARK, '')
