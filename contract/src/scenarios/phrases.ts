import type { CouponTerms } from '../coupons/coupon.ts'
import type { Locale } from '../locale.ts'
import { currencyDigits, withOneYenSign } from '../money.ts'
import type { ConditionNames } from '../segments/condition-words.ts'
import type { Duration } from './duration.ts'

/** What ids in a flow stand for. */
export interface FlowNames extends ConditionNames {
  emailName?: (id: string) => string | null | undefined
}
/** Whom a flow is read out to: in which language, and by which names. */
export interface FlowSaying {
  language: Locale
  names?: FlowNames
}

type Unit = Duration['unit']
const unitsEn = { minutes: 'minute', hours: 'hour', days: 'day' } as const
const unitsJa = { minutes: '分', hours: '時間', days: '日' } as const

export const languageTag = (language: Locale): string => (language === 'ja' ? 'ja-JP' : 'en-US')
/** 「…」, “…”. */
export const quoted = (text: string, language: Locale): string => (language === 'ja' ? `「${text}」` : `“${text}”`)

/** a, b or c. */
export const orInEnglish = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`

/** 3日, 3 days. */
export function amountOf(amount: number, unit: Unit, language: Locale): string {
  const number = new Intl.NumberFormat(languageTag(language)).format(amount)
  if (language === 'ja') return `${number}${unitsJa[unit]}`
  return `${number} ${unitsEn[unit]}${amount === 1 ? '' : 's'}`
}
/** Minutes in the largest unit that says them exactly. */
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
  const ja = language === 'ja'
  const number = (of: number): string => new Intl.NumberFormat(languageTag(language)).format(of)
  const days = amountOf(valid_days, 'days', language)
  const parts = [ja ? `${ratio_percent}%オフ` : `${ratio_percent}% off`, ja ? `${days}間有効` : `valid for ${days}`]
  if (minimum.kind === 'subtotal') {
    const money = moneyText(minimum.amount, saying)
    parts.push(ja ? `${money}以上の購入` : `from ${money}`)
  } else if (minimum.kind === 'quantity')
    parts.push(
      ja
        ? `${number(minimum.quantity)}点以上の購入`
        : `from ${number(minimum.quantity)} item${minimum.quantity === 1 ? '' : 's'}`,
    )
  if (applies_to.kind === 'collections')
    parts.push(
      ja
        ? `コレクション${number(applies_to.ids.length)}件が対象`
        : `${number(applies_to.ids.length)} collection${applies_to.ids.length === 1 ? '' : 's'}`,
    )
  if (applies_to.kind === 'products')
    parts.push(
      ja
        ? `商品${number(applies_to.ids.length)}点が対象`
        : `${number(applies_to.ids.length)} product${applies_to.ids.length === 1 ? '' : 's'}`,
    )
  return parts.join(ja ? '・' : ', ')
}

function moneyText(amount: number, { language, names }: FlowSaying): string {
  const currency = names?.currency ?? 'JPY'
  try {
    const format = new Intl.NumberFormat(languageTag(language), { style: 'currency', currency })
    return withOneYenSign(format.format(amount / 10 ** currencyDigits(currency)))
  } catch (error) {
    // A currency nobody knows is shown as it is written.
    if (error instanceof RangeError) return `${amount} ${currency}`
    throw error
  }
}

/** What a node does as a part of a sentence: `mid` where another part follows (送り、 … / sends …, then), `end` where none does. */
export interface Clause {
  mid: string
  end: string
}
export const same = (text: string): Clause => ({ mid: text, end: text })
export const doing = (what: string, mid: string, end: string): Clause => ({
  mid: `${what}${mid}`,
  end: `${what}${end}`,
})
