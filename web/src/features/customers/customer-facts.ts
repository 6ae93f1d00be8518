import type { Address } from '@okaeri/contract/customers/customer'
import type { Locale } from '@okaeri/contract/locale'
import { prefectureOf } from './prefectures.ts'

/** The year of birthdays with an unknown year; it has a 29 February. */
export const YEAR_UNKNOWN = '1004'
const JAPAN = new Set(['JP', 'Japan', '日本', ''])

/** A birthday (`YYYY-MM-DD`) for people; without an unknown year. */
export function birthdayText(birthday: string, language: Locale): string {
  const known = !birthday.startsWith(YEAR_UNKNOWN)
  // A day is not an instant: parsed and formatted in UTC it stays the same day.
  return new Intl.DateTimeFormat(language === 'ja' ? 'ja-JP' : 'en-US', {
    timeZone: 'UTC',
    month: 'long',
    day: 'numeric',
    ...(known && { year: 'numeric' }),
  }).format(new Date(`${birthday}T00:00:00Z`))
}

/** National numbers by their first digits, with the groups of digits. */
const JAPANESE_GROUPS: [starts: RegExp, groups: RegExp][] = [
  [/^0800/, /^(\d{4})(\d{3})(\d{4})$/],
  [/^0[57-9]0/, /^(\d{3})(\d{4})(\d{4})$/],
  [/^0(120|570|990)/, /^(\d{4})(\d{3})(\d{3})$/],
  [/^0[36]/, /^(\d{2})(\d{4})(\d{4})$/],
  // Sapporo, Kawasaki, Yokohama, Nagoya, Kyoto, Kobe. Most other areas share their first digits with longer codes.
  [/^0(11|44|45|52|75|78)/, /^(\d{3})(\d{3})(\d{4})$/],
]

/** `+819012345678` → 090-1234-5678, the domestic form in Japan. Numbers of other countries stay unchanged. */
export function phoneText(phone: string): string {
  const national = /^\+81(\d{9,10})$/.exec(phone.replace(/[\s()-]/g, ''))?.[1]
  if (national === undefined || national.startsWith('0')) return phone
  const digits = `0${national}`
  const parts = JAPANESE_GROUPS.flatMap(([starts, groups]) => (starts.test(digits) ? [groups.exec(digits)] : [])).find(
    (found) => found !== null,
  )
  return parts ? parts.slice(1).join('-') : digits
}

/** An address in lines: Japanese ones with 〒 first and then the largest part, others in western order. */
export function addressLines(address: Address | null): string[] {
  if (!address) return []
  const { zip, province, city, address1, address2, company, country } = address
  const isSome = (part: string | null): part is string => part !== null && part.trim() !== ''
  if (JAPAN.has(country ?? '')) {
    const code = zip?.replace(/^(\d{3})-?(\d{4})$/, '$1-$2')
    return [
      isSome(code ?? null) ? `〒${code}` : null,
      [province && prefectureOf(province), city, address1].filter(isSome).join(''),
      address2,
      company,
    ].filter(isSome)
  }
  return [company, address1, address2, [city, province, zip].filter(isSome).join(', '), country].filter(isSome)
}

/** `ja` → 日本語 or Japanese; an unknown code is shown unchanged. */
export function languageName(code: string, shownIn: string): string {
  try {
    return new Intl.DisplayNames(shownIn, { type: 'language' }).of(code) ?? code
  } catch (error) {
    // Stores send the value of the customer's browser, which may not be a language tag.
    if (error instanceof RangeError) return code
    throw error
  }
}

const countryNames: Record<string, string> = {
  Japan: 'JP',
  日本: 'JP',
  'United States': 'US',
  Taiwan: 'TW',
  'Hong Kong': 'HK',
  'Hong Kong SAR': 'HK',
  'South Korea': 'KR',
  China: 'CN',
  Singapore: 'SG',
  'United Kingdom': 'GB',
  Canada: 'CA',
  Australia: 'AU',
}
/** Two letters of a country the platform names in English; null for one that is not offered. */
export const countryCode = (country: string | null): string | null =>
  country === null ? null : /^[A-Z]{2}$/.test(country) ? country : (countryNames[country] ?? null)
