import { z } from 'zod'

/** Spec §9: supported ja and en, default ja; en-US maps to en. */
export const locales = ['ja', 'en'] as const
export const Locale = z.enum(locales)
export type Locale = z.output<typeof Locale>
/** What people read in each language, side by side: `{ ja: '顧客', en: 'Customers' }`. Every text is written like this. */
export type Localized<T = string> = Readonly<Record<Locale, T>>
/** Each language in its own words. */
export const languageNames: Localized = { ja: '日本語', en: 'English' }
export const DEFAULT_LOCALE: Locale = 'ja'
const MAX_TAG = 35
/** A language tag, read as the supported locale it maps to: `en-US` is `en`. */
export const LocaleTag = z
  .string('not_a_text')
  .max(MAX_TAG, 'too_long')
  .transform((tag) => tag.trim().split(/[-_]/)[0]?.toLowerCase())
  .pipe(z.enum(locales, 'not_allowed'))
/** In which language to name what is made; left out, in the merchant's. */
export const NamedIn = z.strictObject({ language: Locale.optional() }).default({})

/** The supported locale for a tag such as `en-US` or an Accept-Language header; the default where none fits. */
export function toLocale(tag: string | null | undefined): Locale {
  for (const part of (tag ?? '').split(',')) {
    const language = part.trim().split(/[-_;]/)[0]?.toLowerCase()
    if (language === 'ja' || language === 'en') return language
  }
  return DEFAULT_LOCALE
}

/** `en` of `en-US`; null where nothing is known. A language that is not supported stays what it is. */
export const primaryLanguage = (tag: string | null | undefined): string | null =>
  (tag ?? '').trim().split(/[-_]/)[0]?.toLowerCase() || null

/** What {@link wordsIn} answers: lists and functions keep their form. */
export type WordsIn<T> =
  T extends Localized<infer Text>
    ? Text
    : T extends (...given: infer Given) => infer Said
      ? (...given: Given) => WordsIn<Said>
      : { [K in keyof T]: WordsIn<T[K]> }

const isLocalized = (words: object): words is Localized<unknown> => 'ja' in words && 'en' in words

/** Of words with both languages at each key, those of one: `wordsIn(words, 'en').title`. */
export function wordsIn<T>(words: T, language: Locale): WordsIn<T>
export function wordsIn(words: unknown, language: Locale): unknown {
  if (typeof words === 'function') return (...given: unknown[]) => wordsIn(words(...given), language)
  if (typeof words !== 'object' || words === null) return words
  if (Array.isArray(words)) return words.map((each) => wordsIn(each, language))
  if (isLocalized(words)) return words[language]
  return Object.fromEntries(Object.entries(words).map(([key, each]) => [key, wordsIn(each, language)]))
}
