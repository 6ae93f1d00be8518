import { z } from 'zod'
import type { FieldReason } from '../errors.ts'
import { hasControlCharacters, nameLine } from '../fields.ts'
import { type Count, countOf, EMOJI, hasTags, lineLimits, withEmojiSigns, withoutTags } from './limits.ts'

/** A LINE message as a merchant writes it: one to five messages in order, and quick replies below the last. */

/** A text with its tags, which may be longer than the text they become. */
const MAX_SOURCE = 20_000
/** Of Flex as typed, blanks included. */
const MAX_FLEX_SOURCE = 100_000

const isClean = (text: string): boolean => !hasControlCharacters(text.replace(/[\n\t]/g, ''))

/** What is the same for everyone may not be too long; what is filled in is counted for each recipient. */
const written = (max: number, { isNeeded = true, count = 'units' }: { isNeeded?: boolean; count?: Count } = {}) =>
  z
    .string('not_a_text')
    .refine((text) => text.isWellFormed(), 'invalid')
    .refine(isClean, 'control_characters')
    .refine((text) => !isNeeded || text.trim() !== '', 'required')
    .refine((text) => text.length <= MAX_SOURCE && countOf(withEmojiSigns(withoutTags(text)), count) <= max, 'too_long')

const address = (schemes: RegExp, max: number, { isNeeded = true }: { isNeeded?: boolean } = {}) =>
  z
    .string('not_a_text')
    .trim()
    .refine((text) => text.isWellFormed(), 'invalid')
    .refine((text) => !hasControlCharacters(text), 'control_characters')
    .refine((text) => !isNeeded || text !== '', 'required')
    .refine(
      (text) => text === '' || hasTags(text) || (schemes.test(text) && !/\s/.test(text) && URL.canParse(text)),
      'not_a_url',
    )
    .refine((text) => withoutTags(text).length <= max && text.length <= MAX_SOURCE, 'too_long')
const HTTPS = /^https:\/\/[^/]/i
const LINK = /^(https?:\/\/[^/]|line:|tel:)/i
/** Over TLS alone: LINE fetches no other. */
const PictureAddress = address(HTTPS, lineLimits.pictureUrl)
const OptionalPicture = address(HTTPS, lineLimits.pictureUrl, { isNeeded: false })
const OptionalLink = address(LINK, lineLimits.uri, { isNeeded: false })
const AltText = written(lineLimits.altText)

const { label: labelMax, text: sayMax, data: dataMax } = lineLimits.action
const actionOf = (label: z.ZodType<string, string>) =>
  z.discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('uri'), label, uri: address(LINK, lineLimits.uri) }),
      z.strictObject({ type: z.literal('message'), label, text: written(sayMax, { count: 'graphemes' }) }),
      /** What the webhook reports, and what the chat shows as said by the person. */
      z.strictObject({
        type: z.literal('postback'),
        label,
        data: written(dataMax),
        display_text: written(sayMax, { isNeeded: false, count: 'graphemes' }),
      }),
    ],
    'not_allowed',
  )
const Action = actionOf(written(labelMax, { count: 'graphemes' })).meta({ id: 'LineAction' })
/** Below a picture, where a label may be missing. */
const CaptionAction = actionOf(written(lineLimits.imageCarousel.label, { isNeeded: false, count: 'graphemes' })).meta({
  id: 'LineCaptionAction',
})
export type LineAction = z.output<typeof Action>

const cardFields = (limits: { text: number; title: number; actions: number }) => ({
  image_url: OptionalPicture,
  title: written(limits.title, { isNeeded: false, count: 'graphemes' }),
  text: written(limits.text, { count: 'graphemes' }),
  /** Where a tap on picture or text leads; empty: nowhere. */
  link_url: OptionalLink,
  actions: z.array(Action).min(1, 'required').max(limits.actions, 'too_many'),
})
const besides = written(lineLimits.buttons.textBesideTitleOrPicture, { count: 'graphemes' })
/** Beside a title or a picture there is room for less. */
const fitsBeside = (card: { image_url: string; title: string; text: string }): boolean =>
  (card.image_url === '' && card.title === '') || besides.safeParse(card.text).success
const tooLong = { path: ['text'], message: 'too_long' }

const ImageShape = {
  image_ratio: z.enum(['rectangle', 'square'], 'not_allowed'),
  image_fit: z.enum(['cover', 'contain'], 'not_allowed'),
}

const LineText = z.strictObject({
  type: z.literal('text'),
  text: written(lineLimits.text).refine((text) => [...text.matchAll(EMOJI)].length <= lineLimits.emojis, 'too_many'),
})
const LineImage = z
  .strictObject({
    type: z.literal('image'),
    image_url: PictureAddress,
    /** A smaller one for the chat; empty: the same. */
    preview_url: OptionalPicture,
    link_url: OptionalLink,
    /** Width and height, `3:2`: a picture with a link is drawn in it. */
    ratio: z
      .string('not_a_text')
      .regex(/^[1-9]\d{0,4}:[1-9]\d{0,4}$/, 'invalid')
      // As far as LINE draws it (its reference of Flex): no higher than three times the width.
      .refine((ratio) => {
        const [width = 1, height = 1] = ratio.split(':').map(Number)
        return height <= width * 3
      }, 'invalid'),
    /** For a picture with a link. */
    alt_text: written(lineLimits.altText, { isNeeded: false }),
  })
  .refine(({ link_url, alt_text }) => link_url === '' || alt_text.trim() !== '', {
    path: ['alt_text'],
    message: 'required',
  })
const LineButtons = z
  .strictObject({
    type: z.literal('buttons'),
    alt_text: AltText,
    ...cardFields(lineLimits.buttons),
    ...ImageShape,
  })
  .refine(fitsBeside, tooLong)
const LineConfirm = z.strictObject({
  type: z.literal('confirm'),
  alt_text: AltText,
  text: written(lineLimits.confirm.text, { count: 'graphemes' }),
  actions: z.array(Action).length(lineLimits.confirm.actions, 'required'),
})
const Column = z.strictObject(cardFields(lineLimits.carousel)).refine(fitsBeside, tooLong)
export type LineColumn = z.output<typeof Column>
const LineCarousel = z
  .strictObject({
    type: z.literal('carousel'),
    alt_text: AltText,
    ...ImageShape,
    columns: z.array(Column).min(1, 'required').max(lineLimits.carousel.columns, 'too_many'),
  })
  .superRefine(({ columns }, context) => {
    const [first, ...others] = columns
    if (!first) return
    const report = (at: number, field: string, message: FieldReason) =>
      context.addIssue({ code: 'custom', path: ['columns', at + 1, field], message })
    for (const [at, other] of others.entries()) {
      if (other.actions.length !== first.actions.length) report(at, 'actions', 'not_as_many')
      if ((other.title === '') !== (first.title === '')) report(at, 'title', 'all_or_none')
      if ((other.image_url === '') !== (first.image_url === '')) report(at, 'image_url', 'all_or_none')
    }
  })
const LineImageCarousel = z.strictObject({
  type: z.literal('image_carousel'),
  alt_text: AltText,
  columns: z
    .array(z.strictObject({ image_url: PictureAddress, action: CaptionAction }))
    .min(1, 'required')
    .max(lineLimits.imageCarousel.columns, 'too_many'),
})
const LineFlex = z.strictObject({
  type: z.literal('flex'),
  alt_text: AltText,
  /** Kept exactly as typed. What is wrong in it is found by `flex-source.ts`. */
  json: z
    .string('not_a_text')
    .refine((text) => text.trim() !== '', 'required')
    .refine((text) => text.length <= MAX_FLEX_SOURCE, 'too_large')
    .refine((text) => text.isWellFormed(), 'invalid')
    .refine((text) => !hasControlCharacters(text.replace(/[\n\r\t]/g, '')), 'control_characters'),
})

export const LineMessagePart = z
  .discriminatedUnion(
    'type',
    [LineText, LineImage, LineButtons, LineConfirm, LineCarousel, LineImageCarousel, LineFlex],
    'not_allowed',
  )
  .meta({ id: 'LineMessagePart' })
export type LineMessagePart = z.output<typeof LineMessagePart>
export type LinePartType = LineMessagePart['type']
export type LinePartOf<T extends LinePartType> = Extract<LineMessagePart, { type: T }>

export const LineMessageFields = {
  name: nameLine(100),
  messages: z.array(LineMessagePart, 'not_a_list').min(1, 'required').max(lineLimits.messages, 'too_many'),
  quick_replies: z.array(Action, 'not_a_list').max(lineLimits.quickReplies, 'too_many'),
}

/** What of a LINE message is sent. */
export interface LineMessageContent {
  messages: LineMessagePart[]
  quick_replies: LineAction[]
}

export const LineMessage = z
  .object({
    id: z.uuid(),
    name: z.string(),
    messages: z.array(LineMessagePart),
    quick_replies: z.array(Action),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'LineMessage' })
export type LineMessage = z.output<typeof LineMessage>
export const LineMessageSummary = LineMessage.omit({ messages: true, quick_replies: true })
  .extend({
    types: z.array(z.string()),
    /** The first words of it: a text, or what a list of chats shows. */
    begin: z.string(),
  })
  .meta({ id: 'LineMessageSummary' })
export type LineMessageSummary = z.output<typeof LineMessageSummary>
