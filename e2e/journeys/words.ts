import { textsIn, type WordKey } from '../../web/src/app/word-tree.ts'
import { type Namespace, words } from '../../web/src/app/words.ts'

export const languages = ['ja', 'en'] as const
export type Language = (typeof languages)[number]

/** `campaigns.form.segment`: a key that does not exist does not compile. */
export type Word = { [N in Namespace]: `${N}.${WordKey<(typeof words)[N]>}` }[Namespace]
export type Say = (word: Word, values?: Record<string, string | number>) => string

/** What the pages say in a language: journeys find things by their words, as people do. */
export function wordsIn(language: Language): Say {
  return (word, values = {}) => {
    const [namespace = '', ...keys] = word.split('.')
    const tree: unknown = textsIn(words[namespace as Namespace], language)
    const at = (path: string[]): unknown =>
      path.reduce((branch, key) => (branch as Record<string, unknown> | undefined)?.[key], tree)
    const last = keys.pop() ?? ''
    const plural = language === 'en' && values.count === 1 ? '_one' : '_other'
    const found = at([...keys, last]) ?? at([...keys, last + plural])
    if (typeof found !== 'string') throw new Error(`No word: ${word}`)
    return found.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
  }
}

/** Every text of the pages in a language, with its key. */
export function everyText(language: Language): [key: string, text: string][] {
  const texts = (tree: object, path: string): [string, string][] =>
    Object.entries(tree).flatMap(([key, value]: [string, unknown]) =>
      typeof value === 'string' ? [[`${path}.${key}`, value]] : texts(value as object, `${path}.${key}`),
    )
  return Object.entries(words).flatMap(([name, tree]) => texts(textsIn(tree, language), name))
}

/** As a page shows a key without a word: `form.segment`. */
const everyKey = new Set(
  everyText('ja')
    .map(([key]) => key.slice(key.indexOf('.') + 1))
    .filter((key) => key.includes('.')),
)
export const showsKey = (text: string): boolean => text.split(' ').some((piece) => everyKey.has(piece))

/** What only the other language says: in one page both would be a mixture. */
export const phrasesOfTheOtherLanguage: Record<Language, string[]> = {
  ja: phrases('en', 'ja'),
  en: phrases('ja', 'en'),
}

/** Long enough not to be met by chance in a name or an address. */
function phrases(of: Language, notIn: Language): string[] {
  const others = everyText(notIn).map(([, text]) => text)
  const long = (text: string) => (of === 'en' ? text.length >= 8 && text.includes(' ') : text.length >= 5)
  const pieces = everyText(of).flatMap(([, text]) => text.split(/\{\{\w+\}\}/).map((piece) => piece.trim()))
  return [...new Set(pieces)].filter((piece) => long(piece) && !others.some((other) => other.includes(piece)))
}
