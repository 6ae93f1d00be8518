import { z } from 'zod'

/** Spec §9: supported ja and en, default ja; en-US maps to en. */
export const locales = ['ja', 'en'] as const
export const Locale = z.enum(locales)
export type Locale = z.output<typeof Locale>
export const DEFAULT_LOCALE: Locale = 'ja'
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
