/** What the platform takes at most (its reference of 2026-08-07). Lengths count UTF-16 units but where `graphemes` is said. */
export const lineLimits = {
  messages: 5,
  text: 5000,
  emojis: 20,
  altText: 1500,
  pictureUrl: 2000,
  /** Of a link. */
  uri: 1000,
  buttons: { text: 160, textBesideTitleOrPicture: 60, title: 40, actions: 4 },
  confirm: { text: 240, actions: 2 },
  carousel: { columns: 10, text: 120, textBesideTitleOrPicture: 60, title: 40, actions: 3 },
  imageCarousel: { columns: 10, label: 12 },
  /** In bytes of JSON. */
  flex: { bubbleBytes: 30 * 1024, carouselBytes: 50 * 1024, bubbles: 12, depth: 20 },
  action: { label: 20, flexLabel: 40, text: 300, data: 300 },
  quickReplies: 13,
} as const

export type Count = 'units' | 'graphemes'

const segmenter = new Intl.Segmenter('ja', { granularity: 'grapheme' })
/** As the platform counts: UTF-16 units (an emoji is usually two), or what people take for one character. */
export function countOf(text: string, count: Count): number {
  if (count === 'units') return text.length
  // A text of ASCII alone has no signs that combine but a line break of two.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let graphemes = 0
  for (const _ of segmenter.segment(text)) graphemes += 1
  return graphemes
}

/** What is written for each recipient, `{{ … }}` and `{% … %}`, taken out: what is left is there for everyone. One pass. */
export function withoutTags(source: string): string {
  const opening = /\{[{%]/g
  let rest = ''
  let from = 0
  for (let found = opening.exec(source); found; found = opening.exec(source)) {
    const close = source.indexOf(found[0] === '{{' ? '}}' : '%}', opening.lastIndex)
    // Never closed: broken, which the server says.
    if (close < 0) break
    rest += source.slice(from, found.index)
    from = close + 2
    opening.lastIndex = from
  }
  return rest + source.slice(from)
}
export const hasTags = (source: string): boolean => source.includes('{{') || source.includes('{%')

/** A LINE emoji in a text: `[emoji:5ac1bfd5040ab15980c9b435:001]`, product and number as LINE's list names them. */
export const EMOJI = /\[emoji:([0-9a-f]{1,40}):(\d{1,5})\]/g
/** The platform takes one sign for each; what it counts for is not known before it is sent. */
export const withEmojiSigns = (text: string): string => text.replace(EMOJI, '$')
