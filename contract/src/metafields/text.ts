import type { Locale } from '../locale.ts'
import { withOneYenSign } from '../money.ts'
import { isListType, memberTypeOf, type MetafieldType, type SingleType } from './value-type.ts'

/** A value for people: amounts with currency, measures with unit, lists with commas. An unreadable one stays unchanged. */
export function metafieldText(type: MetafieldType, value: string, locale: Locale): string {
  if (!isListType(type)) return textOf(type as SingleType, value, locale)
  const members = parsed(value)
  if (!Array.isArray(members)) return value
  return members.map((member) => textOf(memberTypeOf(type), asValue(member), locale)).join(', ')
}

/** The members of a list are JSON: texts as strings, measures as objects. */
const asValue = (member: unknown): string => (typeof member === 'string' ? member : JSON.stringify(member))

function textOf(type: SingleType, value: string, locale: Locale): string {
  switch (type) {
    case 'money': {
      const money = objectIn(value)
      const amount = Number(money?.['amount'])
      const currency = money?.['currency_code']
      if (!money || !Number.isFinite(amount) || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency))
        return value
      return withOneYenSign(new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount))
    }
    case 'rating': {
      const rating = objectIn(value)
      return rating && ['string', 'number'].includes(typeof rating['value']) ? String(rating['value']) : value
    }
    case 'dimension':
    case 'weight':
    case 'volume': {
      const measure = objectIn(value)
      if (!measure || typeof measure['unit'] !== 'string') return value
      return `${String(measure['value'])} ${measure['unit']}`
    }
    case 'link': {
      const link = objectIn(value)
      return typeof link?.['url'] === 'string' ? link['url'] : value
    }
    case 'rich_text_field':
      return richText(parsed(value)) ?? value
    default:
      return value
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The original text is shown.
    return undefined
  }
}

function objectIn(text: string): Record<string, unknown> | null {
  const value = parsed(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

/** Deeper than any editor nests. */
const DEEPEST = 50

/** The words of a rich text, one line per paragraph; null if it is not a rich text. */
export function richText(root: unknown, depth = 0): string | null {
  if (typeof root !== 'object' || root === null || depth > DEEPEST) return null
  const { type, value, children } = root as { type?: unknown; value?: unknown; children?: unknown }
  if (type === 'text') return typeof value === 'string' ? value : null
  if (!Array.isArray(children)) return null
  const parts = children.map((child) => richText(child, depth + 1) ?? '')
  return parts.join(type === 'root' || type === 'list' ? '\n' : '')
}
