import { flexContainer } from './flex-shapes.ts'
import { action } from './action-shapes.ts'
import {
  anyOf,
  at,
  bool,
  byType,
  integer,
  list,
  map,
  number,
  object,
  oneOf,
  optional,
  type Json,
  type Rule,
  secureUrl,
  type Shape,
  text,
} from './shapes.ts'

/** Messages as the platform takes them. Limits: its reference of 2026-08. */

const quickReply = object({
  items: optional(
    list(
      object({
        type: optional(text()),
        imageUrl: optional(secureUrl),
        action: optional(action('quickReply')),
      }),
      0,
      13,
    ),
  ),
})
const sender = object({ name: optional(text({ max: 20 })), iconUrl: optional(secureUrl) })

const message = (fields: Parameters<typeof object>[0], ...rules: Rule[]): Shape =>
  object({ type: text(), quickReply: optional(quickReply), sender: optional(sender), ...fields }, ...rules)

/** Each emoji stands where the text has its placeholder. */
const emojisHavePlaces: Rule = (value, property, report) => {
  const emojis = (value['emojis'] ?? []) as { index?: number }[]
  for (const [index, emoji] of emojis.entries())
    if ((value['text'] as string)[emoji.index ?? -1] !== '$')
      report('no placeholder at this index', at(property, `emojis[${index}].index`))
}

const shorterBeside =
  (max: number): Rule =>
  (value, property, report) => {
    if (value['title'] === undefined && value['thumbnailImageUrl'] === undefined) return
    const problem = text({ max, count: 'graphemes' })
    problem(value['text'], at(property, 'text'), report)
  }

const column = object(
  {
    thumbnailImageUrl: optional(secureUrl),
    imageBackgroundColor: optional(text({ like: /^#[0-9a-fA-F]{6}$/ })),
    title: optional(text({ max: 40, count: 'graphemes' })),
    text: text({ min: 1, max: 120, count: 'graphemes' }),
    defaultAction: optional(action('plain')),
    actions: list(action('template'), 1, 3),
  },
  shorterBeside(60),
)
/** All columns have as many actions, and a title or picture all or none of them. */
const columnsAreAlike: Rule = (value, property, report) => {
  const [first = {}, ...others] = value['columns'] as Json[]
  for (const [index, other] of others.entries()) {
    const place = at(property, `columns[${index + 1}]`)
    if ((other['actions'] as unknown[]).length !== (first['actions'] as unknown[]).length)
      report('must have the same number of actions as the other columns', at(place, 'actions'))
    for (const name of ['title', 'thumbnailImageUrl'])
      if ((other[name] === undefined) !== (first[name] === undefined))
        report('must be specified for all columns or none', at(place, name))
  }
}

const aspect = {
  imageAspectRatio: optional(oneOf('rectangle', 'square')),
  imageSize: optional(oneOf('cover', 'contain')),
}
const template = byType({
  buttons: object(
    {
      type: text(),
      thumbnailImageUrl: optional(secureUrl),
      ...aspect,
      imageBackgroundColor: optional(text({ like: /^#[0-9a-fA-F]{6}$/ })),
      title: optional(text({ max: 40, count: 'graphemes' })),
      text: text({ min: 1, max: 160, count: 'graphemes' }),
      defaultAction: optional(action('plain')),
      actions: list(action('template'), 1, 4),
    },
    shorterBeside(60),
  ),
  confirm: object({
    type: text(),
    text: text({ min: 1, max: 240, count: 'graphemes' }),
    actions: list(action('template'), 2, 2),
  }),
  carousel: object({ type: text(), columns: list(column, 1, 10), ...aspect }, columnsAreAlike),
  image_carousel: object({
    type: text(),
    columns: list(object({ imageUrl: secureUrl, action: action('imageCarousel') }), 1, 10),
  }),
})

const area = object({ x: integer(), y: integer(), width: integer(), height: integer() })
const imagemapAction = byType({
  message: object({ type: text(), area, text: text({ min: 1, max: 400 }), label: optional(text()) }),
  uri: object({ type: text(), area, linkUri: anyOf(/^(https?|line|tel):/, 1000), label: optional(text()) }),
  clipboard: object({ type: text(), area, clipboardText: text({ min: 1, max: 1000 }), label: optional(text()) }),
})
const film = object({
  originalContentUrl: optional(secureUrl),
  previewImageUrl: optional(secureUrl),
  area: optional(area),
  externalLink: optional(object({ linkUri: optional(secureUrl), label: optional(text()) })),
})

const altText = text({ min: 1, max: 1500 })
const words = text({ min: 1, max: 5000 })
const substitution = byType({
  mention: object({
    type: text(),
    mentionee: byType({ user: object({ type: text(), userId: text() }), all: object({ type: text() }) }),
  }),
  emoji: object({ type: text(), productId: text(), emojiId: text() }),
})

const anyMessage = byType({
  text: message(
    {
      text: words,
      emojis: optional(
        list(object({ index: integer(0), productId: text({ min: 1 }), emojiId: text({ min: 1 }) }), 0, 20),
      ),
      quoteToken: optional(text()),
    },
    emojisHavePlaces,
  ),
  textV2: message({ text: words, substitution: optional(map(substitution)), quoteToken: optional(text()) }),
  sticker: message({ packageId: text(), stickerId: text(), quoteToken: optional(text()) }),
  image: message({ originalContentUrl: secureUrl, previewImageUrl: secureUrl }),
  video: message({ originalContentUrl: secureUrl, previewImageUrl: secureUrl, trackingId: optional(text()) }),
  audio: message({ originalContentUrl: secureUrl, duration: integer() }),
  location: message({ title: text(), address: text(), latitude: number, longitude: number }),
  imagemap: message({
    baseUrl: secureUrl,
    altText,
    baseSize: object({ width: integer(), height: integer() }),
    actions: list(imagemapAction, 1, 50),
    video: optional(film),
  }),
  template: message({ altText, template }),
  flex: message({ altText, contents: flexContainer }),
  coupon: message({ couponId: text(), deliveryTag: optional(text({ max: 30 })) }),
})

export const messages = list(anyMessage, 1, 5)
export const unit = optional(list(text({ min: 1, max: 30, like: /^[a-zA-Z0-9_]{1,30}$/ }), 0, 1))
export const silent = { notificationDisabled: optional(bool) }
