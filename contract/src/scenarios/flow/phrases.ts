import { isolated } from '../../direction.ts'
import type { CouponTerms } from '../../coupons/coupon.ts'
import type { Locale, Localized } from '../../locale.ts'
import { currencyDigits, withOneYenSign } from '../../money.ts'
import type { ConditionNames } from '../../segments/condition-words.ts'
import type { Duration } from '../duration.ts'

/** Names for the ids in a flow. */
export interface FlowNames extends ConditionNames {
  /** The name of an email or a LINE message. */
  contentName?: (id: string) => string | null | undefined
  /** Of another step of the flow. */
  stepName?: (nodeId: string) => string | null | undefined
}
/** How a flow is described: in which language, and with which names. */
export interface FlowSaying {
  language: Locale
  names?: FlowNames
}

type Unit = Duration['unit']
const units: Readonly<Record<Unit, Localized>> = {
  minutes: { ja: '分', en: 'minute' },
  hours: { ja: '時間', en: 'hour' },
  days: { ja: '日', en: 'day' },
}

export const languageTag = (language: Locale): string => (language === 'ja' ? 'ja-JP' : 'en-US')
export const quoted = (text: string, language: Locale): string =>
  ({ ja: `「${isolated(text)}」`, en: `“${isolated(text)}”` })[language]
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
/** A text that is the same in both languages, or is already in the language asked for. */
export const alike = (text: string): Localized => ({ ja: text, en: text })
/** The text, or the words for a missing one. */
export const orElse = (text: string | null | undefined, missing: Localized): Localized => (text ? alike(text) : missing)
const plural = (amount: number): string => (amount === 1 ? '' : 's')

/** a, b or c. */
export const orInEnglish = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`

const numberText = (of: number, language: Locale): string => new Intl.NumberFormat(languageTag(language)).format(of)
/** 3日, 3 days. */
export function amountOf(amount: number, unit: Unit, language: Locale): string {
  const number = numberText(amount, language)
  const { ja, en } = units[unit]
  return { ja: `${number}${ja}`, en: `${number} ${en}${plural(amount)}` }[language]
}
/** Minutes, in the largest unit that needs no fraction. */
export function minutesOf(minutes: number, language: Locale): string {
  if (minutes > 0 && minutes % 1440 === 0) return amountOf(minutes / 1440, 'days', language)
  if (minutes > 0 && minutes % 60 === 0) return amountOf(minutes / 60, 'hours', language)
  return amountOf(minutes, 'minutes', language)
}

/** What a coupon is worth, how long and for what. */
export function couponText(
  { ratio_percent, valid_days, minimum, applies_to }: CouponTerms,
  saying: FlowSaying,
): string {
  const { language } = saying
  const days = amountOf(valid_days, 'days', language)
  const parts: (Localized | null)[] = [
    { ja: `${ratio_percent}%オフ`, en: `${ratio_percent}% off` },
    { ja: `${days}間有効`, en: `valid for ${days}` },
    minimumText(minimum, saying),
    appliesToText(applies_to, language),
  ]
  return parts.flatMap((part) => (part ? [part[language]] : [])).join({ ja: '・', en: ', ' }[language])
}

function minimumText(minimum: CouponTerms['minimum'], saying: FlowSaying): Localized | null {
  if (minimum.kind === 'none') return null
  if (minimum.kind === 'subtotal') {
    const money = moneyText(minimum.amount, saying)
    return { ja: `${money}以上の購入`, en: `from ${money}` }
  }
  const number = numberText(minimum.quantity, saying.language)
  return { ja: `${number}点以上の購入`, en: `from ${number} item${plural(minimum.quantity)}` }
}

function appliesToText(applies: CouponTerms['applies_to'], language: Locale): Localized | null {
  if (applies.kind === 'all') return null
  const { length } = applies.ids
  const number = numberText(length, language)
  return applies.kind === 'collections'
    ? { ja: `コレクション${number}件が対象`, en: `${number} collection${plural(length)}` }
    : { ja: `商品${number}点が対象`, en: `${number} product${plural(length)}` }
}

export function moneyText(amount: number, { language, names }: FlowSaying): string {
  const currency = names?.currency ?? 'JPY'
  try {
    const format = new Intl.NumberFormat(languageTag(language), { style: 'currency', currency })
    return withOneYenSign(format.format(amount / 10 ** currencyDigits(currency)))
  } catch (error) {
    // An unknown currency is shown as its code.
    if (error instanceof RangeError) return `${amount} ${currency}`
    throw error
  }
}

/** What a node does, as part of a sentence. In Japanese `mid` is used if another part follows (配信し、), else `end` (配信します). */
export interface Clause {
  ja: Record<'mid' | 'end', string>
  en: string
}
export const doing = (what: string, mid: string, end: string): Clause['ja'] => ({
  mid: `${what}${mid}`,
  end: `${what}${end}`,
})
