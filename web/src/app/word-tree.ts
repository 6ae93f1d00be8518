import type { Locale, Localized } from '@okaeri/contract/locale'

/** English may have a singular: `{ ja: '{{count}}人', en: { one: '{{count}} person', other: '{{count}} people' } }`. */
type Text = Localized<string | { readonly one: string; readonly other: string }>
/** The words of a feature: nested keys, and at each end its text in both languages. */
export interface WordTree {
  readonly [key: string]: Text | WordTree
}
/** Dotted paths to the texts: `status.draft`. */
export type WordKey<T> = {
  [K in keyof T & string]: T[K] extends Text ? K : `${K}.${WordKey<T[K]>}`
}[keyof T & string]

const isText = (words: Text | WordTree): words is Text => typeof words['ja'] === 'string'

interface Texts {
  [key: string]: string | Texts
}
/** The texts of one language in i18next's form: `x_one` and `x_other` are the plurals of `x`. */
export function textsIn(words: WordTree, language: Locale): Texts {
  return Object.fromEntries(
    Object.entries(words).flatMap(([key, value]): [string, string | Texts][] => {
      if (!isText(value)) return [[key, textsIn(value, language)]]
      const text = value[language]
      if (typeof text === 'string') return [[key, text]]
      return Object.entries(text).map(([form, each]) => [`${key}_${form}`, each])
    }),
  )
}
