import { type RawBuilder, sql } from 'kysely'
import type { Sql, Text } from './comparison-sql.ts'

// Comparing texts that people wrote.

/** Neither tags nor the texts of conditions can contain it. */
const SEPARATOR_TEXT = '\u001f'
const SEPARATOR = sql.lit(SEPARATOR_TEXT)
const ZERO_WIDTH = '\u200b\u200c\u200d\ufeff'
const KATAKANA_TO_HIRAGANA = 0x60

/**
 * Compares texts with wanted ones: compatibility forms unified (`ＡＢＣ` is `abc`, `ｶﾅ` is `カナ`), without case, katakana as hiragana,
 * without zero-width characters; the same rules as the customer search (kernel/folding.ts). Folding a million names completely takes half a
 * minute, so only what can make a difference to the wanted texts is folded: their own kana, and case if they have any. The database makes
 * both sides lower case, so that both use the same rules.
 */
export function foldingFor(texts: readonly string[]) {
  const wanted = texts.map(foldedInPart)
  const all = wanted.join('')
  const isCased = all.toLowerCase() !== all.toUpperCase() || /\p{M}/u.test(all)
  const hiragana = [...new Set(all.match(/[ぁ-ゖ]/g))].join('')
  const katakana = hiragana.replace(/./g, (kana) => String.fromCharCode(kana.charCodeAt(0) + KATAKANA_TO_HIRAGANA))
  const lower = (text: RawBuilder<unknown>): Text => (isCased ? sql`lower(${text})` : sql`${text}`)
  return {
    wanted,
    /** Those that equal their folded form. */
    asTyped: texts.filter((text, index) => text !== '' && untrimmed(text) === wanted[index]),
    column(column: Text): Text {
      const unified = sql`case when ${column} is nfkc normalized then ${column} else normalize(${column}, nfkc) end`
      return sql`case when octet_length(${column}) = length(${column}) then ${lower(column)} else
        translate(${lower(unified)}, ${sql.lit(katakana + ZERO_WIDTH)}, ${sql.lit(hiragana)}) end`
    },
    value: (text: string): Text => lower(sql`${text}::text`),
    /** All wanted texts as a constant array, so that the planner hashes it (it does not evaluate array_to_string in advance). */
    values(): RawBuilder<string[]> {
      if (!isCased) return sql`${wanted}::text[]`
      return sql`string_to_array(lower(${wanted.join(SEPARATOR_TEXT)}::text), ${SEPARATOR})`
    },
  }
}
export type Folding = ReturnType<typeof foldingFor>

/** Everything except case. */
const foldedInPart = (text: string): string => untrimmed(text).trim()
const untrimmed = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u200b-\u200d\ufeff]/g, '')
    .replace(/[ァ-ヶ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - KATAKANA_TO_HIRAGANA))

/** Up to this many texts are searched in all tags of a customer at once; with more, each tag is looked up in a hash. */
export const FEW_TEXTS = 8

/** Most tags match as typed, which is cheaper to test than folding them. */
export function hasAnyText(column: RawBuilder<string[]>, texts: readonly string[]): Sql {
  const folding = foldingFor(texts)
  if (texts.length <= FEW_TEXTS)
    return sql`(${column} <> '{}' and (${column} && ${folding.asTyped}::text[] or ${foldedList(folding, column)} && ${folding.values()}))`
  return sql`(${column} <> '{}' and exists (
    select from unnest(${column}) as tag where ${isOneOf(folding, sql`tag`)}))`
}
export const isOneOf = (folding: Folding, tag: Text): Sql => sql`${folding.column(tag)} = any(${folding.values()})`

export const foldedList = (folding: Folding, column: RawBuilder<string[]>): RawBuilder<string[]> =>
  sql`string_to_array(${folding.column(sql`array_to_string(${column}, ${SEPARATOR})`)}, ${SEPARATOR})`
