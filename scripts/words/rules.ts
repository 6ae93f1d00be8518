import { JAPANESE, type Language, type Text } from './texts.ts'

/** A word that is not said, and what is said instead. */
interface Retired {
  language: Language
  word: string
  fine: readonly string[]
  better: string
}
export interface Finding {
  word: string
  better: string
}

const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** 「送信 (fine: テスト送信、送信者)」 and others of its kind, apart. */
function retiredIn(cell: string, language: Language, better: string): Retired[] {
  const entries = cell.match(/(?:\(fine: [^)]*\)|[^、])+/g) ?? []
  return entries.map((entry) => {
    const [, word = '', fine = ''] = /^(.*?)(?: \(fine: ([^)]*)\))?$/.exec(entry.trim()) ?? []
    return { language, word, fine: fine === '' ? [] : fine.split('、'), better }
  })
}

/** What the two tables of GLOSSARY.md "Words of the pages" say. */
export function retiredWords(glossary: string): Retired[] {
  const [, section = ''] = /\n## Words of the pages\n([\s\S]*?)\n## /.exec(glossary) ?? []
  const rows = section.split('\n').filter((line) => /^\| (?!---|thing |turn )/.test(line))
  return rows
    .map(cells)
    .flatMap((row) => {
      const [first = '', second = '', notJa = '', en = '', notEn = ''] = row
      if (row.length === 2) return retiredIn(first, JAPANESE.test(first) ? 'ja' : 'en', second)
      return [...retiredIn(notJa, 'ja', second), ...retiredIn(notEn, 'en', en)]
    })
    .filter(({ word }) => word !== '')
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
/** A word of Japanese stands anywhere; of English on its own, in any case of letters, or in its own where it has capitals. */
const matcher = ({ language, word }: Retired): RegExp =>
  language === 'ja'
    ? new RegExp(escaped(word), 'gu')
    : new RegExp(
        `(?<![\\p{L}\\p{N}])${escaped(word).replaceAll(' ', String.raw`\s+`)}(?![\\p{L}\\p{N}_])`,
        /[A-Z]/.test(word) ? 'gu' : 'giu',
      )

/** How texts are written. Tested on the text without values, addresses and markup. */
const manners: readonly {
  language: Language | null
  offends: (bare: string, whole: string) => string | null
  better: string
}[] = [
  {
    language: null,
    offends: (bare, whole) => (/<\w/.test(whole) ? null : (/\S( {2,})\S/.exec(bare)?.[1] ?? null)),
    better: 'one space',
  },
  { language: null, offends: (bare) => /\{\w+\}/.exec(bare)?.[0] ?? null, better: 'two braces around a value' },
  { language: null, offends: (bare) => /\.{3}/.exec(bare)?.[0] ?? null, better: '…' },
  { language: null, offends: (bare) => /￥/.exec(bare)?.[0] ?? null, better: '¥' },
  {
    language: null,
    offends: (bare) => /\p{L}'\p{L}|(?<![(（])"(?![)）])/u.exec(bare)?.[0] ?? null,
    better: 'curly quotes: ’ “ ”',
  },
  { language: 'en', offends: (bare) => JAPANESE.exec(bare)?.[0] ?? null, better: 'English' },
  { language: 'en', offends: (bare) => /[、。「」（）：]/.exec(bare)?.[0] ?? null, better: 'English punctuation' },
  {
    language: 'en',
    offends: (bare) =>
      /(?<!\b(?:e\.g|i\.e|[Nn]o))(?<=[a-z)”])\. +\p{Lu}/u.test(bare) && !/[.?!:…”)]\s*$|\n/.test(bare)
        ? bare.trim().slice(-12)
        : null,
    better: 'a full stop at the end, as after the sentence before it',
  },
  {
    language: 'ja',
    offends: (bare) => (!JAPANESE.test(bare) ? (/[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}/.exec(bare)?.[0] ?? null) : null),
    better: 'Japanese',
  },
  {
    language: 'ja',
    offends: (bare) =>
      /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}][,.!?:;()]|[,!?;(][\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]|[，．“”]/u.exec(
        bare,
      )?.[0] ?? null,
    better: 'full-width punctuation: 、。：（）「」',
  },
  {
    language: 'ja',
    offends: (bare) => (/。(?=\S)/.test(bare) && !/[。？！：」）…\n◇]\s*$/.test(bare) ? bare.trim().slice(-8) : null),
    better: '。 at the end, as after the sentence before it',
  },
]

/** Values, addresses, tags of markup and of Liquid are not words; a mark keeps their place. */
const bareOf = (text: string): string =>
  text
    // A form of date (YYYY年M月D日) is no text either.
    .replace(/YYYY[^ ]*/g, '◇')
    .replace(/\{\{[^}]*\}\}|\{%[^%]*%\}|\[coupon\]/g, '◇')
    .replace(/https?:\S+|\S+@\S+/g, '◇')
    .replace(/<[^>]*>/g, '\n')

/** What is wrong with a text: words that are not said, and manners. */
export function findingsOf(
  { language, text }: Pick<Text, 'language' | 'text'>,
  retired: readonly Retired[],
): Finding[] {
  let bare = bareOf(text)
  const found: Finding[] = []
  for (const manner of manners) {
    if (manner.language !== null && manner.language !== language) continue
    const word = manner.offends(bare, text)
    if (word !== null) found.push({ word, better: manner.better })
  }
  // The longest first: of “mail program” it is not said again that “mail” is wrong.
  for (const each of retired
    .filter((one) => one.language === language)
    .toSorted((a, b) => b.word.length - a.word.length)) {
    let said = bare
    for (const phrase of each.fine) said = said.replace(new RegExp(escaped(phrase), 'giu'), '◇')
    const hits = said.match(matcher(each))
    if (!hits) continue
    found.push({ word: hits[0], better: each.better })
    bare = bare.replace(matcher(each), (hit) => (said.includes(hit) ? '◇' : hit))
  }
  return found
}
