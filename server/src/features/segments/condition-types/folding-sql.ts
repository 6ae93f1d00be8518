import { type RawBuilder, sql } from 'kysely'
import type { Sql, Text } from './comparing-sql.ts'

// How texts that people wrote are compared.

/** No tag and no text that can be asked for holds it. */
const SEPARATOR_TEXT = '\u001f'
const SEPARATOR = sql.lit(SEPARATOR_TEXT)
const ZERO_WIDTH = '\u200b\u200c\u200d\ufeff'
const KATAKANA_TO_HIRAGANA = 0x60

/**
 * How texts are compared with some wanted ones: compatibility forms unified (`ＡＢＣ` is `abc`, `ｶﾅ` is `カナ`), without case, katakana
 * as hiragana, without zero-width characters; as the search of customers does (kernel/folding.ts). Folding a million names wholly
 * takes half a minute, so only what can make a difference to the wanted texts is folded: their own kana, and case where they have
 * any. Lower case is made by the database on both sides, so that it is the same one.
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
    /** Those that fold to what is wanted just as they were typed. */
    asTyped: texts.filter((text, index) => text !== '' && untrimmed(text) === wanted[index]),
    column(column: Text): Text {
      const unified = sql`case when ${column} is nfkc normalized then ${column} else normalize(${column}, nfkc) end`
      return sql`case when octet_length(${column}) = length(${column}) then ${lower(column)} else
        translate(${lower(unified)}, ${sql.lit(katakana + ZERO_WIDTH)}, ${sql.lit(hiragana)}) end`
    },
    value: (text: string): Text => lower(sql`${text}::text`),
    /** All that is wanted, as an array the planner knows (array_to_string it would not work out beforehand), so that it makes a hash. */
    values(): RawBuilder<string[]> {
      if (!isCased) return sql`${wanted}::text[]`
      return sql`string_to_array(lower(${wanted.join(SEPARATOR_TEXT)}::text), ${SEPARATOR})`
    },
  }
}
export type Folding = ReturnType<typeof foldingFor>

/** All but the case. */
const foldedInPart = (text: string): string => untrimmed(text).trim()
const untrimmed = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u200b-\u200d\ufeff]/g, '')
    .replace(/[ァ-ヶ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - KATAKANA_TO_HIRAGANA))

/** Up to here texts are looked for in all the tags of a person at once; more are looked up tag by tag in a hash. */
export const FEW_TEXTS = 8

/** Most have a tag just as it was typed: that is seen sooner than it is folded. */
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
