import type { Locale, Localized } from '@okaeri/contract/locale'
import { currencyDigits, type Money, withOneYenSign } from '@okaeri/contract/money'
import { useMemo } from 'react'
import { useLanguage } from './i18n.ts'
import { useMerchantIfKnown } from './merchant.tsx'

const tags = { ja: 'ja-JP', en: 'en-US' } as const satisfies Localized

/** The formats of inputs for days, in the letters of dayjs. */
const pickers = {
  ja: { date: 'YYYY年M月D日', dateTime: 'YYYY年M月D日(dd) HH:mm', month: 'YYYY年M月', year: 'YYYY年' },
  en: { date: 'MMM D, YYYY', dateTime: 'ddd, MMM D, YYYY HH:mm', month: 'MMMM YYYY', year: 'YYYY' },
} as const

const RELATIVE_STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Everything a page prints that depends on the language and the merchant's zone. Instants are ISO texts. */
export function formatsFor(language: Locale, zone: string) {
  const tag = tags[language]
  /** Intl puts a space after the number (「2 時間前」), which Japanese text does not have. */
  const unspaced = (text: string): string => (language === 'ja' ? text.replaceAll(' ', '') : text)
  const at = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(tag, { timeZone: zone, ...options })
    return (instant: string) => format.format(new Date(instant))
  }
  // 2026/09/03, but Sep 3, 2026.
  const day =
    language === 'ja'
      ? ({ year: 'numeric', month: '2-digit', day: '2-digit' } as const)
      : ({ year: 'numeric', month: 'short', day: 'numeric' } as const)
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const dateTime = at({ ...day, ...clock })
  const spoken = new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeZone: 'UTC' })
  const whole = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 })
  const oneDigit = new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const compact = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 2, useGrouping: 'always' })
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  const zoneName =
    new Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName: 'long' })
      .formatToParts(new Date())
      .find((part) => part.type === 'timeZoneName')?.value ?? zone

  return {
    language,
    zone,
    zoneName,
    pickers: pickers[language],
    /** A day of a calendar (`YYYY-MM-DD`) as screen readers say it. */
    spokenDay: (text: string) => spoken.format(new Date(`${text}T00:00:00Z`)),
    date: at(day),
    /** A calendar day (`YYYY-MM-DD`), the same in every zone. */
    calendarDay: (text: string) =>
      new Intl.DateTimeFormat(tag, { ...day, timeZone: 'UTC' }).format(new Date(`${text}T00:00:00Z`)),
    dateTime,
    time: at(clock),
    /** A future time, with the zone's name. */
    scheduled: (instant: string) =>
      ({ ja: `${dateTime(instant)}（${zoneName}）`, en: `${dateTime(instant)} (${zoneName})` })[language],
    number: (value: number) => whole.format(value),
    compact: (value: number) => compact.format(value),
    /** With as many decimals as it has. */
    decimal: (value: number) => new Intl.NumberFormat(tag, { maximumFractionDigits: 10 }).format(value),
    /** `value` is already in percent, like the contract's rates: 12.34 → 12.3%. */
    percent: (value: number) => `${oneDigit.format(value)}%`,
    /** In percent already, with up to two decimals: rates that are small. */
    decimalPercent: (value: number) => `${new Intl.NumberFormat(tag, { maximumFractionDigits: 2 }).format(value)}%`,
    /** A share of all, in percent; a tiny share is shown as more than zero. */
    share: (part: number, percent: number) => {
      if (part === 0 || percent > 0) return `${oneDigit.format(percent)}%`
      return { ja: '0.1%未満', en: 'under 0.1%' }[language]
    },
    /** An amount in minor units, in the format of its currency. */
    money: ({ amount, currency }: Money) => {
      const digits = currencyDigits(currency)
      return withOneYenSign(new Intl.NumberFormat(tag, { style: 'currency', currency }).format(amount / 10 ** digits))
    },
    /** As it was typed, in major units, with every decimal it has. */
    moneyTyped: (amount: number, currency: string) =>
      withOneYenSign(
        new Intl.NumberFormat(tag, {
          style: 'currency',
          currency,
          maximumFractionDigits: Math.max(currencyDigits(currency), 10),
        }).format(amount),
      ),
    /** An average amount: with a fraction of the smallest unit, because it would often round to zero. */
    moneyEach: ({ amount, currency }: Money) => {
      const digits = currencyDigits(currency)
      const options = { style: 'currency', currency, maximumFractionDigits: digits + 1 } as const
      return withOneYenSign(new Intl.NumberFormat(tag, options).format(amount / 10 ** digits))
    },
    /** ¥, $: for narrow places. */
    currencySymbol: (currency: string) =>
      withOneYenSign(
        new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
          .formatToParts(0)
          .find((part) => part.type === 'currency')?.value ?? currency,
      ),
    /** The relative time, past or future. */
    relative: (instant: string, now: number = Date.now()) => {
      const seconds = Math.round((Date.parse(instant) - now) / 1000)
      const [unit, size] = RELATIVE_STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? (['second', 1] as const)
      return unspaced(relative.format(Math.trunc(seconds / size), unit))
    },
    /** A span for people: "2 min", "1 hr 5 min". */
    duration: (seconds: number) => {
      const unit = (value: number, name: 'hour' | 'minute' | 'second') =>
        unspaced(new Intl.NumberFormat(tag, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value))
      if (seconds < 60) return unit(Math.max(0, Math.round(seconds)), 'second')
      const minutes = Math.round(seconds / 60)
      if (minutes < 60) return unit(minutes, 'minute')
      return unspaced(
        [unit(Math.trunc(minutes / 60), 'hour'), ...(minutes % 60 ? [unit(minutes % 60, 'minute')] : [])].join(' '),
      )
    },
    /** 92160 → 90 kB. */
    bytes: (size: number) => `${oneDigit.format(size / 1024).replace(/\.0$/, '')} kB`,
    /** Several names in a sentence. */
    list: (items: readonly string[]) => new Intl.ListFormat(tag, { type: 'conjunction' }).format(items),
  }
}
export type Formats = ReturnType<typeof formatsFor>

/** Formats in the current language and the merchant's zone (the browser's before sign-in). */
export function useFormat(): Formats {
  const language = useLanguage()
  const zone = useMerchantIfKnown()?.setting.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return useMemo(() => formatsFor(language, zone), [language, zone])
}
