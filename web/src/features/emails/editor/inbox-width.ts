/**
 * What the inbox of a phone shows of a subject before it cuts it, in signs of half width; a rule of thumb, since it depends on app, font and screen.
 * emailtooltester.com ("email subject lines character limit") names 48 Latin letters for Apple Mail and advises 33. Signs of full width, which Japanese
 * has, take twice as much: about 20 of them.
 */
export const SUBJECT_UNITS = 40
/** Apple Mail shows about 99 Latin letters of it (the same source), others less. */
export const PREHEADER_UNITS = 80

const graphemes = new Intl.Segmenter('ja', { granularity: 'grapheme' })
/** Unicode's East Asian width W and F, as far as a subject has it, and emoji. */
const WIDE =
  /^(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303E\u30FB\u30FC\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[\d#*]\uFE0F?\u20E3)/u
/** The one kind of kana that is narrow. */
const HALF_KANA = /^[\uFF61-\uFF9F]/

const unitsOf = (sign: string): number => (WIDE.test(sign) && !HALF_KANA.test(sign) ? 2 : 1)
const signsOf = (text: string): string[] => [...graphemes.segment(text)].map(({ segment }) => segment)

/** How wide a text is: 1 for each sign of half width, 2 for each of full width. */
export const widthOf = (text: string): number => signsOf(text).reduce((sum, sign) => sum + unitsOf(sign), 0)

/** What is seen of it within so many units, and what is cut; no sign is split. */
export function cutAt(text: string, units: number): { seen: string; cut: string } {
  let width = 0
  let seen = ''
  for (const sign of signsOf(text)) {
    width += unitsOf(sign)
    if (width > units) break
    seen += sign
  }
  return { seen, cut: text.slice(seen.length) }
}
