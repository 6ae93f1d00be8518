import { anyOf, byType, object, oneOf, optional, type Shape, text } from './shapes.ts'

/** What a tap does. Which kinds there are, and how long a label may be, depends on where it stands. */
export type ActionPlace = 'template' | 'plain' | 'imageCarousel' | 'quickReply' | 'richMenu' | 'flexButton'

const labels: Record<ActionPlace, { max: number; isNeeded: boolean }> = {
  template: { max: 20, isNeeded: true },
  plain: { max: 40, isNeeded: false },
  imageCarousel: { max: 12, isNeeded: false },
  quickReply: { max: 20, isNeeded: true },
  richMenu: { max: 20, isNeeded: false },
  flexButton: { max: 40, isNeeded: true },
}

export function action(place: ActionPlace): Shape {
  const { max, isNeeded } = labels[place]
  const label = isNeeded ? text({ min: 1, max, count: 'graphemes' }) : optional(text({ max, count: 'graphemes' }))
  const data = text({ max: 300 })
  const shown = optional(text({ max: 300, count: 'graphemes' }))
  const base = { type: text(), label }
  const kinds: Record<string, Shape> = {
    postback: object({
      ...base,
      data,
      displayText: shown,
      text: shown,
      fillInText: shown,
      inputOption: optional(oneOf('closeRichMenu', 'openRichMenu', 'openKeyboard', 'openVoice')),
    }),
    message: object({ ...base, text: text({ min: 1, max: 300, count: 'graphemes' }) }),
    uri: object({
      ...base,
      uri: anyOf(/^(https?|line|tel):/, 1000),
      altUri: optional(object({ desktop: optional(text({ max: 1000 })) })),
    }),
    datetimepicker: object({
      ...base,
      data,
      mode: oneOf('date', 'time', 'datetime'),
      initial: optional(text()),
      max: optional(text()),
      min: optional(text()),
    }),
    clipboard: object({ ...base, clipboardText: text({ min: 1, max: 1000 }) }),
  }
  // The camera, its pictures and places open from a quick reply only; menus are switched from menus.
  if (place === 'quickReply') for (const type of ['camera', 'cameraRoll', 'location']) kinds[type] = object(base)
  if (place === 'richMenu')
    kinds['richmenuswitch'] = object({ ...base, richMenuAliasId: text({ min: 1, max: 32 }), data })
  return byType(kinds)
}
