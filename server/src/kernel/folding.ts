/** The distance from hiragana to katakana (ァ to ヶ). */
const KATAKANA_TO_HIRAGANA = 0x60
const ASCII = /^[\0-\x7f]*$/
/** Kanji and hiragana, as in most Japanese names: already folded. */
const PLAIN = /^[\u3005\u3041-\u3096\u30fc\u4e00-\u9fff]*$/

/**
 * The form in which texts are compared when someone searches: compatibility forms unified (full-width letters, half-width
 * katakana), lower case, katakana as hiragana, no zero-width characters.
 */
export function foldText(text: string): string {
  // Addresses and numbers, which bulk work folds by the million, have no other compatibility form.
  if (ASCII.test(text)) return text.toLowerCase()
  if (PLAIN.test(text)) return text
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u200b-\u200d\ufeff]/g, '')
    .replace(/[ァ-ヶ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - KATAKANA_TO_HIRAGANA))
}
