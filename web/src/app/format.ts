import type { Locale, Localized } from '@okaeri/contract/locale'
import { currencyDigits, type Money, withOneYenSign } from '@okaeri/contract/money'
import { useMemo } from 'react'
import { useLanguage } from './i18n.ts'
import { useMerchantIfKnown } from './merchant.tsx'

const tags = { ja: 'ja-JP', en: 'en-US' } as const satisfies Localized

/** As the inputs for days write them: dayjs’ own letters. */
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
  const at = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(tag, { timeZone: zone, ...options })
    return (instant: string) => format.format(new Date(instant))
  }
  const day = { year: 'numeric', month: language === 'ja' ? '2-digit' : 'short', day: '2-digit' } as const
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const dateTime = at({ ...day, ...clock })
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
    date: at(day),
    /** A day that is no instant (`YYYY-MM-DD`): it stays the day it is in every zone. */
    calendarDay: (text: string) =>
      new Intl.DateTimeFormat(tag, { ...day, timeZone: 'UTC' }).format(new Date(`${text}T00:00:00Z`)),
    dateTime,
    time: at(clock),
    /** A moment something will happen at: with the zone's name beside it. */
    scheduled: (instant: string) =>
      ({ ja: `${dateTime(instant)}（${zoneName}）`, en: `${dateTime(instant)} (${zoneName})` })[language],
    number: (value: number) => whole.format(value),
    compact: (value: number) => compact.format(value),
    /** With as many decimals as it has. */
    decimal: (value: number) => new Intl.NumberFormat(tag, { maximumFractionDigits: 10 }).format(value),
    /** `value` is already in percent, as the contract's rates are: 12.34 → 12.3%. */
    percent: (value: number) => `${oneDigit.format(value)}%`,
    /** What part of them all, in percent; of a few of a million it says that they are more than none. */
    share: (part: number, percent: number) => {
      if (part === 0 || percent > 0) return `${oneDigit.format(percent)}%`
      return { ja: '0.1%未満', en: 'under 0.1%' }[language]
    },
    /** Minor units in, the currency's own way of writing out. */
    money: ({ amount, currency }: Money) => {
      const digits = currencyDigits(currency)
      return withOneYenSign(new Intl.NumberFormat(tag, { style: 'currency', currency }).format(amount / 10 ** digits))
    },
    /** An amount for one of many: a fraction of the smallest coin says more than none. */
    moneyEach: ({ amount, currency }: Money) => {
      const digits = currencyDigits(currency)
      const options = { style: 'currency', currency, maximumFractionDigits: digits + 1 } as const
      return withOneYenSign(new Intl.NumberFormat(tag, options).format(amount / 10 ** digits))
    },
    /** ¥, $: for what has no room for more. */
    currencySymbol: (currency: string) =>
      withOneYenSign(
        new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
          .formatToParts(0)
          .find((part) => part.type === 'currency')?.value ?? currency,
      ),
    /** How long ago, or in how long. */
    relative: (instant: string, now: number = Date.now()) => {
      const seconds = Math.round((Date.parse(instant) - now) / 1000)
      const [unit, size] = RELATIVE_STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? (['second', 1] as const)
      // Intl sets a blank behind the number (「2 時間前」), which running Japanese does not.
      const text = relative.format(Math.trunc(seconds / size), unit)
      return language === 'ja' ? text.replaceAll(' ', '') : text
    },
    /** A span for people: "2 min", "1 hr 5 min". */
    duration: (seconds: number) => {
      const unit = (value: number, name: 'hour' | 'minute' | 'second') =>
        new Intl.NumberFormat(tag, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value)
      if (seconds < 60) return unit(Math.max(0, Math.round(seconds)), 'second')
      const minutes = Math.round(seconds / 60)
      if (minutes < 60) return unit(minutes, 'minute')
      return [unit(Math.trunc(minutes / 60), 'hour'), ...(minutes % 60 ? [unit(minutes % 60, 'minute')] : [])].join(' ')
    },
    /** 92160 → 90 kB. */
    bytes: (size: number) => `${oneDigit.format(size / 1024).replace(/\.0$/, '')} kB`,
    /** Several names in a sentence. */
    list: (items: readonly string[]) => new Intl.ListFormat(tag, { type: 'conjunction' }).format(items),
  }
}
export type Formats = ReturnType<typeof formatsFor>

/** Formats in the language shown and the merchant's zone (the browser's before sign-in). */
export function useFormat(): Formats {
  const language = useLanguage()
  const zone = useMerchantIfKnown()?.setting.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return useMemo(() => formatsFor(language, zone), [language, zone])
}
