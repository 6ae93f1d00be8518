import type { Locale } from '@okaeri/contract/locale'

const prefectures: ReadonlyMap<string, string> = new Map([
  ['Hokkaido', '北海道'],
  ['Aomori', '青森県'],
  ['Iwate', '岩手県'],
  ['Miyagi', '宮城県'],
  ['Akita', '秋田県'],
  ['Yamagata', '山形県'],
  ['Fukushima', '福島県'],
  ['Ibaraki', '茨城県'],
  ['Tochigi', '栃木県'],
  ['Gunma', '群馬県'],
  ['Saitama', '埼玉県'],
  ['Chiba', '千葉県'],
  ['Tokyo', '東京都'],
  ['Kanagawa', '神奈川県'],
  ['Niigata', '新潟県'],
  ['Toyama', '富山県'],
  ['Ishikawa', '石川県'],
  ['Fukui', '福井県'],
  ['Yamanashi', '山梨県'],
  ['Nagano', '長野県'],
  ['Gifu', '岐阜県'],
  ['Shizuoka', '静岡県'],
  ['Aichi', '愛知県'],
  ['Mie', '三重県'],
  ['Shiga', '滋賀県'],
  ['Kyoto', '京都府'],
  ['Osaka', '大阪府'],
  ['Hyogo', '兵庫県'],
  ['Nara', '奈良県'],
  ['Wakayama', '和歌山県'],
  ['Tottori', '鳥取県'],
  ['Shimane', '島根県'],
  ['Okayama', '岡山県'],
  ['Hiroshima', '広島県'],
  ['Yamaguchi', '山口県'],
  ['Tokushima', '徳島県'],
  ['Kagawa', '香川県'],
  ['Ehime', '愛媛県'],
  ['Kochi', '高知県'],
  ['Fukuoka', '福岡県'],
  ['Saga', '佐賀県'],
  ['Nagasaki', '長崎県'],
  ['Kumamoto', '熊本県'],
  ['Oita', '大分県'],
  ['Miyazaki', '宮崎県'],
  ['Kagoshima', '鹿児島県'],
  ['Okinawa', '沖縄県'],
])

const inOrder = [...prefectures]
/** ISO 3166-2 by the number of the prefecture, which is the order above. */
const codeAt = (index: number): string => `JP-${String(index + 1).padStart(2, '0')}`

/** For choosing one: code and name in the language shown. */
export const prefectureChoices = (language: Locale): { value: string; label: string }[] =>
  inOrder.map(([latin, kanji], index) => ({ value: codeAt(index), label: language === 'ja' ? kanji : latin }))

const plainLatin = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').trim()

/** `JP-13` of Tōkyō, 東京都 or itself; null for what is no prefecture. */
export function prefectureCode(province: string | null): string | null {
  if (province === null) return null
  const given = plainLatin(province)
  const index = inOrder.findIndex(
    ([latin, kanji], at) => latin === given || kanji === province.trim() || codeAt(at) === given,
  )
  return index < 0 ? null : codeAt(index)
}

/** The platform names prefectures in Latin letters (Tōkyō); a Japanese address is written with 東京都. Anything else stays. */
export function prefectureOf(province: string): string {
  const code = prefectureCode(province)
  return (code !== null && inOrder[Number(code.slice(3)) - 1]?.[1]) || province
}
