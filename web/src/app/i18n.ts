import { isolated } from '@okaeri/contract/direction'
import { DEFAULT_LOCALE, languageNames, type Locale, locales, toLocale } from '@okaeri/contract/locale'
import i18next from 'i18next'
import { useCallback } from 'react'
import { initReactI18next, useTranslation } from 'react-i18next'
import { textsIn, type WordKey, type WordTree } from './word-tree.ts'
import { type Namespace, words } from './words.ts'

/** Spec §9: the language is kept in local storage; default ja, en-US maps to en. */
const STORAGE_KEY = 'language'

type Key<N extends Namespace> = WordKey<(typeof words)[N]>
type Values = Record<string, string | number>
export type Words<N extends Namespace> = (key: Key<N>, values?: Values) => string

export const languageChoices = locales.map((value) => ({ value, label: languageNames[value] }))

export function storedLanguage(): Locale | null {
  const stored = localStorage.getItem(STORAGE_KEY)
  return stored === null ? null : toLocale(stored)
}

/** A cookie besides local storage: the server renders the skeleton by it. */
export function keepForFirstPaint(name: 'language' | 'color_scheme', value: string): void {
  document.cookie = `${name}=${value}; Path=/_app; Max-Age=31536000; SameSite=Strict`
}

export const currentLanguage = (): Locale => toLocale(i18next.language)

/** Markup is escaped by React. A name that is written right-to-left does not turn the sentence around it. */
export const interpolation = { escapeValue: true, escape: isolated } as const

export async function initI18n(): Promise<void> {
  const language = storedLanguage() ?? DEFAULT_LOCALE
  await i18next.use(initReactI18next).init({
    resources: { ja: textsIn(words, 'ja'), en: textsIn(words, 'en') },
    lng: language,
    fallbackLng: false,
    defaultNS: 'ui',
    interpolation,
  })
  document.documentElement.lang = language
}

/** Switches the pages to this language and stores it in this browser. */
export async function showLanguage(language: Locale): Promise<void> {
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  localStorage.setItem(STORAGE_KEY, language)
  keepForFirstPaint('language', language)
}

/** The words of a feature: `const t = useWords('campaigns'); t('status.draft'); t('people', { count: 3 })`. */
export function useWords<N extends Namespace>(namespace: N): Words<N> {
  const { t } = useTranslation(namespace)
  return useCallback((key: Key<N>, values?: Values) => t(key as string, values ?? {}), [t])
}

/** Every tree that {@link ownWords} was given by what is loaded. */
export const wordsOfParts: WordTree[] = []
/**
 * Words that stand beside the one part that shows them, as the labels of a step's form: `const useText = ownWords({ … })`. They are
 * loaded with the part, not with every page.
 */
export function ownWords<const T extends WordTree>(tree: T) {
  const ns = `part ${wordsOfParts.push(tree)}`
  return function useText(): (key: WordKey<T>, values?: Values) => string {
    const { t, i18n } = useTranslation()
    for (const language of locales)
      if (!i18n.hasResourceBundle(language, ns)) i18n.addResourceBundle(language, ns, textsIn(tree, language))
    return useCallback((key: WordKey<T>, values?: Values) => t(key as string, { ...values, ns }), [t])
  }
}

/** For places outside React, such as toasts; inside, use {@link useWords}, which follows a change of language. */
export const word = <N extends Namespace>(namespace: N, key: Key<N>, values?: Values): string =>
  i18next.t(key as string, { ns: namespace, ...values })

export function useLanguage(): Locale {
  const { i18n } = useTranslation()
  return toLocale(i18n.language)
}
