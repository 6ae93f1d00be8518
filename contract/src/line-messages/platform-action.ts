import { z } from 'zod'
import { type Count, countOf, lineLimits } from './limits.ts'

/** Texts, addresses and actions as the platform takes them, filled in. */

export const limited = (max: number, { min = 1, count = 'units' }: { min?: number; count?: Count } = {}) =>
  z
    .string('not_a_text')
    .refine((text) => text.length >= min, 'required')
    .refine((text) => countOf(text, count) <= max, 'too_long')

/** Signs that may not stand in an address unescaped (RFC 3986), and all that is not ASCII. */
const UNSAFE = /[^\x21-\x7e]|["<>\\^`{|}]/
const address = (schemes: RegExp, max: number) =>
  z
    .string('not_a_text')
    .refine((text) => text.length > 0, 'required')
    .refine((text) => schemes.test(text) && !UNSAFE.test(text) && URL.canParse(text), 'not_a_url')
    .refine((text) => text.length <= max, 'too_long')

/** Pictures are fetched by LINE, over TLS alone. */
export const PictureUrl = address(/^https:\/\/[^/]/, lineLimits.pictureUrl)
export const LinkUri = address(/^(https?:\/\/[^/]|line:|tel:)/, lineLimits.uri)

/** Where an action stands decides how long its label may be, and whether it needs one. */
const labels = {
  template: { max: lineLimits.action.label, isNeeded: true },
  quickReply: { max: lineLimits.action.label, isNeeded: true },
  imageCarousel: { max: lineLimits.imageCarousel.label, isNeeded: false },
  flexButton: { max: lineLimits.action.flexLabel, isNeeded: true },
  plain: { max: lineLimits.action.flexLabel, isNeeded: false },
}

export function action(place: keyof typeof labels) {
  const { max, isNeeded } = labels[place]
  const needed = limited(max, { count: 'graphemes' })
  const label = isNeeded ? needed : limited(max, { min: 0, count: 'graphemes' }).optional()
  const { text, data } = lineLimits.action
  const shown = limited(text, { min: 0, count: 'graphemes' }).optional()
  return z.discriminatedUnion(
    'type',
    [
      z.strictObject({
        type: z.literal('uri'),
        label,
        uri: LinkUri,
        altUri: z.strictObject({ desktop: LinkUri.optional() }).optional(),
      }),
      z.strictObject({ type: z.literal('message'), label, text: limited(text, { count: 'graphemes' }) }),
      z.strictObject({
        type: z.literal('postback'),
        label,
        data: limited(data),
        displayText: shown,
        inputOption: z.enum(['closeRichMenu', 'openRichMenu', 'openKeyboard', 'openVoice'], 'not_allowed').optional(),
        fillInText: shown,
      }),
      z.strictObject({ type: z.literal('clipboard'), label, clipboardText: limited(1000) }),
    ],
    'not_allowed',
  )
}
