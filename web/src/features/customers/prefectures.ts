import type { Locale } from '@okaeri/contract/locale'
import { prefectures } from '@okaeri/contract/segments/condition-places'

/** The choices: code and name in the current language. */
export const prefectureChoices = (language: Locale): { value: string; label: string }[] =>
  prefectures.map((each) => ({ value: each.value, label: each[`name_${language}`] }))

const plainLatin = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').trim()

/** `JP-13` for Tōkyō, 東京都 or the code itself; null for any other text. */
export function prefectureCode(province: string | null): string | null {
  if (province === null) return null
  const given = plainLatin(province)
  const found = prefectures.find(
    ({ value, name_ja, name_en }) => name_en === given || name_ja === province.trim() || value === given,
  )
  return found?.value ?? null
}

/** The platform writes prefectures in Latin letters (Tōkyō), but a Japanese address has 東京都. Other names stay unchanged. */
export function prefectureOf(province: string): string {
  const code = prefectureCode(province)
  return prefectures.find(({ value }) => value === code)?.name_ja ?? province
}
