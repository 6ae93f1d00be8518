import { countries, isCountry } from '@okaeri/contract/customers/country'
import { plain, type Read } from './cells.ts'

/** A country's code, and its name as the store platform writes it, so that conditions find both. */
export interface Country {
  code: string
  name: string
}

const NAMES = {
  en: new Intl.DisplayNames('en', { type: 'region' }),
  ja: new Intl.DisplayNames('ja', { type: 'region' }),
}
/** Other names that people write. */
const OTHER_NAMES: Record<string, readonly string[]> = {
  CN: ['中華人民共和国'],
  CZ: ['Czech Republic'],
  GB: ['UK', 'U.K.', 'Great Britain', 'England', '英国'],
  HK: ['Hong Kong', '香港'],
  JP: ['JPN', '日本国', 'にほん'],
  KR: ['Korea', 'Republic of Korea', '大韓民国'],
  MO: ['Macau', 'Macao', 'マカオ'],
  RU: ['Russian Federation'],
  TR: ['Turkey'],
  TW: ['Taiwan, Province of China', '中華民国'],
  US: ['USA', 'U.S.A.', 'U.S.', 'United States of America', '米国', 'アメリカ'],
  VN: ['Viet Nam'],
}

const folded = (name: string): string => name.toLowerCase().replace(/[\s.・]/g, '')

let known: Map<string, string> | null = null
function codesByName(): Map<string, string> {
  if (known) return known
  known = new Map()
  for (const code of countries)
    for (const name of [NAMES.en.of(code), NAMES.ja.of(code), ...(OTHER_NAMES[code] ?? [])])
      if (name && !known.has(folded(name))) known.set(folded(name), code)
  return known
}

/** A country by its code or its name in Japanese or English. */
export function readCountry(cell: string): Read<Country> {
  const text = plain(cell)
  const upper = text.toUpperCase()
  const code = isCountry(upper) ? upper : codesByName().get(folded(text))
  return code === undefined ? { wrong: 'unknown_country' } : { value: { code, name: NAMES.en.of(code) ?? code } }
}

/** ISO 3166-2 (`JP-13`), or its second part where the country is known; the same as may be typed for one customer. */
export function readProvinceCode(cell: string, country: Country | null): Read<string> {
  const text = plain(cell).toUpperCase()
  const code = country && /^[A-Z0-9]{1,3}$/.test(text) ? `${country.code}-${text}` : text
  const isOne = /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(code) && isCountry(code.slice(0, 2))
  return isOne && (!country || code.startsWith(`${country.code}-`)) ? { value: code } : { wrong: 'unknown_province' }
}
