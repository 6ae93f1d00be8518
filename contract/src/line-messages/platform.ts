import { z } from 'zod'
import { FlexContents } from './flex.ts'
import { lineLimits } from './limits.ts'
import { action, limited, PictureUrl } from './platform-action.ts'

/**
 * Messages as the platform takes them, filled in: what Okaeri sends, and no more than that. Issues name their place as the platform does
 * (`template.columns.1.text`).
 */

const quickReply = z
  .strictObject({
    items: z
      .array(z.strictObject({ type: z.literal('action'), action: action('quickReply') }))
      .min(1, 'required')
      .max(lineLimits.quickReplies, 'too_many'),
  })
  .optional()
const altText = limited(lineLimits.altText)
const aspect = {
  imageAspectRatio: z.enum(['rectangle', 'square']).optional(),
  imageSize: z.enum(['cover', 'contain']).optional(),
}
const card = (limit: { text: number; title: number }) => ({
  thumbnailImageUrl: PictureUrl.optional(),
  title: limited(limit.title, { count: 'graphemes' }).optional(),
  text: limited(limit.text, { count: 'graphemes' }),
  defaultAction: action('plain').optional(),
})
interface Card {
  thumbnailImageUrl?: string | undefined
  title?: string | undefined
  text: string
}
const besides = limited(lineLimits.buttons.textBesideTitleOrPicture, { count: 'graphemes' })
/** Beside a title or a picture there is room for less. */
const fitsBeside = ({ thumbnailImageUrl, title, text }: Card): boolean =>
  (thumbnailImageUrl === undefined && title === undefined) || besides.safeParse(text).success
const tooLong = { path: ['text'], message: 'too_long' }

const Template = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('buttons'),
      ...card(lineLimits.buttons),
      ...aspect,
      actions: z.array(action('template')).min(1, 'required').max(lineLimits.buttons.actions, 'too_many'),
    })
    .refine(fitsBeside, tooLong),
  z.strictObject({
    type: z.literal('confirm'),
    text: limited(lineLimits.confirm.text, { count: 'graphemes' }),
    actions: z.array(action('template')).length(lineLimits.confirm.actions, 'required'),
  }),
  z.strictObject({
    type: z.literal('carousel'),
    ...aspect,
    columns: z
      .array(
        z
          .strictObject({
            ...card(lineLimits.carousel),
            actions: z.array(action('template')).min(1, 'required').max(lineLimits.carousel.actions, 'too_many'),
          })
          .refine(fitsBeside, tooLong),
      )
      .min(1, 'required')
      .max(lineLimits.carousel.columns, 'too_many'),
  }),
  z.strictObject({
    type: z.literal('image_carousel'),
    columns: z
      .array(z.strictObject({ imageUrl: PictureUrl, action: action('imageCarousel') }))
      .min(1, 'required')
      .max(lineLimits.imageCarousel.columns, 'too_many'),
  }),
])

export const PlatformMessage = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    text: limited(lineLimits.text),
    emojis: z
      .array(z.strictObject({ index: z.int(), productId: z.string(), emojiId: z.string() }))
      .max(lineLimits.emojis, 'too_many')
      .optional(),
    quickReply,
  }),
  z.strictObject({
    type: z.literal('image'),
    originalContentUrl: PictureUrl,
    previewImageUrl: PictureUrl,
    quickReply,
  }),
  z.strictObject({ type: z.literal('template'), altText, template: Template, quickReply }),
  z.strictObject({ type: z.literal('flex'), altText, contents: FlexContents, quickReply }),
])
export type PlatformMessage = z.output<typeof PlatformMessage>
