import type { FlexJson } from './flex-source.ts'
import { EMOJI } from './limits.ts'
import type { LineAction, LineColumn, LineMessageContent, LineMessagePart } from './message.ts'

/** A message object of the platform, its texts not filled in yet. */
export type LineJson = { type: string } & Record<string, unknown>

/** What a merchant wrote as the platform's messages. Its JSON of Flex has been read (`flex-source.ts`). */
export function composeLine({ messages, quick_replies }: LineMessageContent): LineJson[] {
  const composed = messages.map(compose)
  const last = composed.at(-1)
  if (last && quick_replies.length > 0)
    last['quickReply'] = { items: quick_replies.map((reply) => ({ type: 'action', action: actionOf(reply) })) }
  return composed
}

function compose(part: LineMessagePart): LineJson {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return part.link_url === '' ? picture(part) : linkedPicture(part)
    case 'flex':
      return { type: 'flex', altText: part.alt_text, contents: parsed(part.json) }
    case 'confirm':
      return template(part.alt_text, { type: 'confirm', text: part.text, actions: part.actions.map(actionOf) })
    case 'buttons':
      return template(part.alt_text, { type: 'buttons', ...shapeOf(part, [part]), ...cardOf(part) })
    case 'carousel':
      return template(part.alt_text, {
        type: 'carousel',
        ...shapeOf(part, part.columns),
        columns: part.columns.map(cardOf),
      })
    case 'image_carousel':
      return template(part.alt_text, {
        type: 'image_carousel',
        columns: part.columns.map(({ image_url, action }) => ({ imageUrl: image_url, action: actionOf(action) })),
      })
  }
}

/** Escapes in JSON can say what no text may hold: halves of characters, and signs that steer. */
const parsed = (json: string): FlexJson =>
  JSON.parse(json, (_, value: unknown) =>
    typeof value === 'string' ? value.replace(/(?![\t\n])\p{Cc}/gu, '').toWellFormed() : value,
  ) as FlexJson

const template = (altText: string, contents: object): LineJson => ({ type: 'template', altText, template: contents })

type ImagePart = Extract<LineMessagePart, { type: 'image' }>
const picture = ({ image_url, preview_url }: ImagePart): LineJson => ({
  type: 'image',
  originalContentUrl: image_url,
  previewImageUrl: preview_url || image_url,
})
/** An image of the platform leads nowhere: one with a link is Flex that holds the picture alone. */
const linkedPicture = ({ image_url, link_url, alt_text, ratio }: ImagePart): LineJson => ({
  type: 'flex',
  altText: alt_text,
  contents: {
    type: 'bubble',
    hero: {
      type: 'image',
      url: image_url,
      size: 'full',
      aspectRatio: ratio,
      aspectMode: 'cover',
      action: { type: 'uri', uri: link_url },
    },
  },
})

const shapeOf = (
  { image_ratio, image_fit }: { image_ratio: string; image_fit: string },
  cards: readonly { image_url: string }[],
): object =>
  cards.some(({ image_url }) => image_url !== '') ? { imageAspectRatio: image_ratio, imageSize: image_fit } : {}

const cardOf = ({ image_url, title, text, link_url, actions }: LineColumn): object => ({
  ...(image_url === '' ? {} : { thumbnailImageUrl: image_url }),
  ...(title === '' ? {} : { title }),
  text,
  ...(link_url === '' ? {} : { defaultAction: { type: 'uri', uri: link_url } }),
  actions: actions.map(actionOf),
})

function actionOf(action: LineAction): object {
  const label = action.label === '' ? {} : { label: action.label }
  if (action.type === 'uri') return { type: 'uri', ...label, uri: action.uri }
  if (action.type === 'message') return { type: 'message', ...label, text: action.text }
  const shown = action.display_text === '' ? {} : { displayText: action.display_text }
  return { type: 'postback', ...label, data: action.data, ...shown }
}

/** A filled text with the platform's sign where an emoji stands, and which emoji that is. */
export function withEmojis(text: string): {
  text: string
  emojis?: { index: number; productId: string; emojiId: string }[]
} {
  const emojis: { index: number; productId: string; emojiId: string }[] = []
  let filled = ''
  let from = 0
  for (const found of text.matchAll(EMOJI)) {
    filled += text.slice(from, found.index)
    emojis.push({ index: filled.length, productId: found[1] as string, emojiId: found[2] as string })
    filled += '$'
    from = found.index + found[0].length
  }
  return emojis.length === 0 ? { text } : { text: filled + text.slice(from), emojis }
}

/** Which of the fields as written a problem in the platform's JSON is about: `messages.0.columns.1.image_url`. */
export function fieldOf(path: readonly PropertyKey[], content: LineMessageContent): string {
  const [at, ...rest] = path
  const part = content.messages[Number(at)]
  if (rest[0] === 'quickReply')
    return ['quick_replies', ...rest.slice(2).filter((key) => key !== 'action')].map(renamed).join('.')
  let inPart: readonly PropertyKey[] = rest
  if (part?.type === 'flex' && rest[0] === 'contents') inPart = ['json']
  if (part?.type === 'image') inPart = ofPicture(rest, part.preview_url !== '')
  const named = inPart.filter((key) => key !== 'template')
  const link = named.indexOf('defaultAction')
  return ['messages', Number(at), ...(link < 0 ? named : [...named.slice(0, link), 'link_url'])].map(renamed).join('.')
}
function ofPicture(path: readonly PropertyKey[], hasPreview: boolean): readonly PropertyKey[] {
  if (path.includes('action')) return ['link_url']
  if (path[0] === 'altText') return path
  return path.includes('previewImageUrl') && hasPreview ? ['preview_url'] : ['image_url']
}
const names: Record<string, string> = {
  altText: 'alt_text',
  thumbnailImageUrl: 'image_url',
  imageUrl: 'image_url',
  displayText: 'display_text',
}
const renamed = (key: PropertyKey): string => names[String(key)] ?? String(key)
