import type { LineAction, LineMessageContent, LineMessagePart } from '@okaeri/contract/line-messages/message'
import fc from 'fast-check'
import { countOf, lineLimits } from '@okaeri/contract/line-messages/limits'

/** LINE messages as merchants write them, at random: each is one that may be saved. */

const PICTURE = 'https://shop.example/p.jpg'
/** Emoji of several units, flags, families, combining signs, and what runs the other way. */
const letter = fc.oneof(
  fc.constantFrom('あ', '漢', 'a', ' ', '🌸', '👨‍👩‍👧‍👦', '🇯🇵', 'é', 'か゚', 'ﷺ', '!'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter((sign) => !/[\p{Cc}\u2028\u2029{}%]/u.test(sign)),
)
/** Up to the limit, and often just at it. */
export const wordsOf = (max: number, count: 'units' | 'graphemes'): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(letter, { minLength: 1, maxLength: 12 }), fc.boolean())
    .map(([letters, isFull]) => {
      let text = ''
      const often = isFull ? Math.ceil(max / letters.length) + 1 : 1
      for (const one of Array.from({ length: often }).flatMap(() => letters)) {
        if (countOf(text + one, count) > max) break
        text += one
      }
      return text
    })
    .filter((text) => text.trim() !== '')

const { action, buttons, carousel, confirm, imageCarousel, text, altText, quickReplies } = lineLimits
const address = fc.constantFrom(
  'https://shop.example/a?x=1',
  'http://shop.example/',
  'tel:0312345678',
  'line://ti/p/@x',
)
const actionWith = (label: fc.Arbitrary<string>): fc.Arbitrary<LineAction> =>
  fc.oneof(
    fc.record({ type: fc.constant('uri' as const), label, uri: address }),
    fc.record({ type: fc.constant('message' as const), label, text: wordsOf(action.text, 'graphemes') }),
    fc.record({
      type: fc.constant('postback' as const),
      label,
      data: wordsOf(action.data, 'units'),
      display_text: fc.oneof(fc.constant(''), wordsOf(action.text, 'graphemes')),
    }),
  )
const anyAction = actionWith(wordsOf(action.label, 'graphemes'))
const shape = {
  image_ratio: fc.constantFrom('rectangle' as const, 'square' as const),
  image_fit: fc.constantFrom('cover' as const, 'contain' as const),
}
const card = (
  limits: typeof buttons | typeof carousel,
  { hasPicture, hasTitle, actions }: { hasPicture: boolean; hasTitle: boolean; actions: number },
) =>
  fc.record({
    image_url: fc.constant(hasPicture ? PICTURE : ''),
    title: hasTitle ? wordsOf(limits.title, 'graphemes') : fc.constant(''),
    text: wordsOf(hasPicture || hasTitle ? limits.textBesideTitleOrPicture : limits.text, 'graphemes'),
    link_url: fc.constantFrom('', 'https://shop.example/card'),
    actions: fc.array(anyAction, { minLength: actions, maxLength: actions }),
  })
const kindOfCard = (most: number) =>
  fc.record({ hasPicture: fc.boolean(), hasTitle: fc.boolean(), actions: fc.integer({ min: 1, max: most }) })
const alt_text = wordsOf(altText, 'units')
const flex = (words: string): string =>
  JSON.stringify({
    type: 'bubble',
    body: { type: 'box', layout: 'vertical', contents: [{ type: 'text', text: words, wrap: true }] },
    footer: {
      type: 'box',
      layout: 'vertical',
      contents: [
        { type: 'button', style: 'primary', action: { type: 'uri', label: '見る', uri: 'https://shop.example/f' } },
      ],
    },
  })

export const anyPart: fc.Arbitrary<LineMessagePart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: wordsOf(text, 'units') }),
  fc.record({
    type: fc.constant('image' as const),
    image_url: fc.constant(PICTURE),
    preview_url: fc.constantFrom('', PICTURE),
    link_url: fc.constantFrom('', 'https://shop.example/i'),
    ratio: fc.constantFrom('1:1', '3:2', '1040:680'),
    alt_text,
  }),
  kindOfCard(buttons.actions).chain((kind) =>
    fc
      .tuple(card(buttons, kind), fc.record({ alt_text, ...shape }))
      .map(([one, others]) => ({ type: 'buttons' as const, ...others, ...one })),
  ),
  fc.record({
    type: fc.constant('confirm' as const),
    alt_text,
    text: wordsOf(confirm.text, 'graphemes'),
    actions: fc.array(anyAction, { minLength: 2, maxLength: 2 }),
  }),
  kindOfCard(carousel.actions).chain((kind) =>
    fc.record({
      type: fc.constant('carousel' as const),
      alt_text,
      ...shape,
      columns: fc.array(card(carousel, kind), { minLength: 1, maxLength: carousel.columns }),
    }),
  ),
  fc.record({
    type: fc.constant('image_carousel' as const),
    alt_text,
    columns: fc.array(
      fc.record({
        image_url: fc.constant(PICTURE),
        action: actionWith(fc.oneof(fc.constant(''), wordsOf(imageCarousel.label, 'graphemes'))),
      }),
      { minLength: 1, maxLength: imageCarousel.columns },
    ),
  }),
  fc.record({ type: fc.constant('flex' as const), alt_text, json: wordsOf(200, 'units').map(flex) }),
)

export const anyContent: fc.Arbitrary<LineMessageContent> = fc.record({
  messages: fc.array(anyPart, { minLength: 1, maxLength: lineLimits.messages }),
  quick_replies: fc.array(anyAction, { maxLength: quickReplies }),
})
