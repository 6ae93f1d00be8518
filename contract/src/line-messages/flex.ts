import { z } from 'zod'
import { action, PictureUrl } from './platform-action.ts'
import { lineLimits } from './limits.ts'

/** Flex as the platform takes it: boxes in boxes. What is not described here is refused there. */

const like = (pattern: RegExp) => z.string('not_a_text').regex(pattern, 'not_allowed').optional()
const named = (names: string, measure: string) => like(new RegExp(`^(${names}|${measure})$`))
const px = '\\d+(\\.\\d+)?px'
const pxOrShare = '\\d+(\\.\\d+)?(px|%)'
const gap = named('none|xs|sm|md|lg|xl|xxl', px)
const padding = named('none|xs|sm|md|lg|xl|xxl', pxOrShare)
const offset = named('none|xs|sm|md|lg|xl|xxl', `-?${pxOrShare}`)
const measure = like(new RegExp(`^${pxOrShare}$`))
const color = like(/^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$/)
const aspectRatio = like(/^\d+(\.\d+)?:\d+(\.\d+)?$/)
const fontSize = named('xxs|xs|sm|md|lg|xl|xxl|3xl|4xl|5xl', px)
const share = z.int('not_whole').min(0, 'too_small').optional()
const flag = z.boolean('not_a_boolean').optional()
const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) => z.enum(values, 'not_allowed').optional()

const placed = {
  position: oneOf('relative', 'absolute'),
  offsetTop: offset,
  offsetBottom: offset,
  offsetStart: offset,
  offsetEnd: offset,
}
const aligned = { align: oneOf('start', 'end', 'center'), gravity: oneOf('top', 'bottom', 'center') }
const tap = action('plain').optional()
const letters = {
  size: fontSize,
  color,
  weight: oneOf('regular', 'bold'),
  style: oneOf('normal', 'italic'),
  decoration: oneOf('none', 'underline', 'line-through'),
}
const Words = z.string('not_a_text')
const Span = z.strictObject({ type: z.literal('span'), text: Words.optional(), ...letters })
const Image = z.strictObject({
  type: z.literal('image'),
  url: PictureUrl,
  flex: share,
  margin: gap,
  ...placed,
  ...aligned,
  size: named('xxs|xs|sm|md|lg|xl|xxl|3xl|4xl|5xl|full', pxOrShare),
  aspectRatio,
  aspectMode: oneOf('fit', 'cover'),
  backgroundColor: color,
  action: tap,
  animated: flag,
})
const Gradient = z.strictObject({
  type: z.literal('linearGradient'),
  angle: z.string('not_a_text').regex(/^-?\d+(\.\d+)?deg$/, 'not_allowed'),
  startColor: z.string('not_a_text').regex(/^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$/, 'not_allowed'),
  endColor: z.string('not_a_text').regex(/^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$/, 'not_allowed'),
  centerColor: color,
  centerPosition: like(/^\d+(\.\d+)?%$/),
})
const Box = z.strictObject({
  type: z.literal('box'),
  layout: z.enum(['vertical', 'horizontal', 'baseline'], 'not_allowed'),
  get contents(): z.ZodArray<z.ZodType> {
    return z.array(Component, 'not_a_list')
  },
  flex: share,
  spacing: gap,
  margin: gap,
  ...placed,
  backgroundColor: color,
  borderColor: color,
  borderWidth: named('none|light|normal|medium|semi-bold|bold', px),
  cornerRadius: named('none|xs|sm|md|lg|xl|xxl', pxOrShare),
  width: measure,
  maxWidth: measure,
  height: measure,
  maxHeight: measure,
  paddingAll: padding,
  paddingTop: padding,
  paddingBottom: padding,
  paddingStart: padding,
  paddingEnd: padding,
  action: tap,
  justifyContent: oneOf('center', 'flex-start', 'flex-end', 'space-between', 'space-around', 'space-evenly'),
  alignItems: oneOf('center', 'flex-start', 'flex-end'),
  background: Gradient.optional(),
})
const Video = z.strictObject({
  type: z.literal('video'),
  url: PictureUrl,
  previewUrl: PictureUrl,
  altContent: z.discriminatedUnion('type', [Box, Image], 'not_allowed'),
  aspectRatio,
  action: tap,
})
const Text = z
  .strictObject({
    type: z.literal('text'),
    flex: share,
    text: Words.optional(),
    ...letters,
    ...aligned,
    wrap: flag,
    lineSpacing: like(new RegExp(`^${px}$`)),
    margin: gap,
    ...placed,
    action: tap,
    maxLines: share,
    contents: z.array(Span, 'not_a_list').optional(),
    adjustMode: oneOf('shrink-to-fit'),
    scaling: flag,
  })
  .refine(({ text = '', contents = [] }) => text !== '' || contents.length > 0, { path: ['text'], message: 'required' })
const Component: z.ZodType = z.lazy(() =>
  z.discriminatedUnion(
    'type',
    [
      Box,
      Image,
      Video,
      Text,
      Span,
      z.strictObject({
        type: z.literal('button'),
        flex: share,
        color,
        style: oneOf('primary', 'secondary', 'link'),
        action: action('flexButton'),
        gravity: aligned.gravity,
        margin: gap,
        ...placed,
        height: oneOf('md', 'sm'),
        adjustMode: oneOf('shrink-to-fit'),
        scaling: flag,
      }),
      z.strictObject({
        type: z.literal('icon'),
        url: PictureUrl,
        size: fontSize,
        aspectRatio,
        margin: gap,
        ...placed,
        scaling: flag,
      }),
      z.strictObject({ type: z.literal('separator'), margin: gap, color }),
      z.strictObject({ type: z.literal('filler'), flex: share }),
    ],
    'not_allowed',
  ),
)

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length
const smallerThan = (bytes: number) => (value: unknown) => bytesOf(value) <= bytes
const BlockStyle = z.strictObject({ backgroundColor: color, separator: flag, separatorColor: color }).optional()
const { flex: limits } = lineLimits

const Bubble = z
  .strictObject({
    type: z.literal('bubble', 'not_allowed'),
    size: oneOf('nano', 'micro', 'deca', 'hecto', 'kilo', 'mega', 'giga'),
    direction: oneOf('ltr', 'rtl'),
    styles: z.strictObject({ header: BlockStyle, hero: BlockStyle, body: BlockStyle, footer: BlockStyle }).optional(),
    header: Box.optional(),
    hero: z.discriminatedUnion('type', [Box, Image, Video], 'not_allowed').optional(),
    body: Box.optional(),
    footer: Box.optional(),
    action: tap,
  })
  .refine(({ header, hero, body, footer }) => Boolean(header ?? hero ?? body ?? footer), {
    path: ['body'],
    message: 'required',
  })
  .refine(smallerThan(limits.bubbleBytes), 'too_large')

export const FlexContents = z.discriminatedUnion(
  'type',
  [
    Bubble,
    z
      .strictObject({
        type: z.literal('carousel'),
        contents: z.array(Bubble, 'not_a_list').min(1, 'required').max(limits.bubbles, 'too_many'),
      })
      .refine(smallerThan(limits.carouselBytes), 'too_large'),
  ],
  'not_allowed',
)
