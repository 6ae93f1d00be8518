import type { Locale } from '@okaeri/contract/locale'
import { prefectures } from '@okaeri/contract/segments/condition-places'

/** For choosing one: code and name in the language shown. */
export const prefectureChoices = (language: Locale): { value: string; label: string }[] =>
  prefectures.map((each) => ({ value: each.value, label: each[`name_${language}`] }))

const plainLatin = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').trim()

/** `JP-13` of Tōkyō, 東京都 or itself; null for what is no prefecture. */
export function prefectureCode(province: string | null): string | null {
  if (province === null) return null
  const given = plainLatin(province)
  const found = prefectures.find(
    ({ value, name_ja, name_en }) => name_en === given || name_ja === province.trim() || value === given,
  )
  return found?.value ?? null
}

/** The platform names prefectures in Latin letters (Tōkyō); a Japanese address is written with 東京都. Anything else stays. */
export function prefectureOf(province: string): string {
  const code = prefectureCode(province)
  return prefectures.find(({ value }) => value === code)?.name_ja ?? province
}
