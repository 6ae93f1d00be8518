import { action } from './action-shapes.ts'
import {
  bool,
  byType,
  integer,
  later,
  list,
  object,
  oneOf,
  optional,
  type Rule,
  secureUrl,
  type Shape,
  text,
} from './shapes.ts'

/** Flex: boxes in boxes, drawn as a page draws its boxes. */

const named = (names: string, measure: string): Shape => text({ like: new RegExp(`^(${names}|${measure})$`) })
const px = '\\d+(\\.\\d+)?px'
const pxOrShare = '\\d+(\\.\\d+)?(px|%)'
const gap = optional(named('none|xs|sm|md|lg|xl|xxl', px))
const padding = optional(named('none|xs|sm|md|lg|xl|xxl', pxOrShare))
const offset = optional(named('none|xs|sm|md|lg|xl|xxl', `-?${pxOrShare}`))
const measure = optional(text({ like: new RegExp(`^${pxOrShare}$`) }))
const color = optional(text({ like: /^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$/ }))
const aspectRatio = optional(text({ like: /^\d+(\.\d+)?:\d+(\.\d+)?$/ }))
const fontSize = optional(named('xxs|xs|sm|md|lg|xl|xxl|3xl|4xl|5xl', px))
const flex = optional(integer(0))
const placed = {
  position: optional(oneOf('relative', 'absolute')),
  offsetTop: offset,
  offsetBottom: offset,
  offsetStart: offset,
  offsetEnd: offset,
}
const aligned = {
  align: optional(oneOf('start', 'end', 'center')),
  gravity: optional(oneOf('top', 'bottom', 'center')),
}
const tap = optional(action('plain'))
const letters = {
  size: fontSize,
  color,
  weight: optional(oneOf('regular', 'bold')),
  style: optional(oneOf('normal', 'italic')),
  decoration: optional(oneOf('none', 'underline', 'line-through')),
}
const span = object({ type: oneOf('span'), text: optional(text()), ...letters })

const hasWords: Rule = (value, property, report) => {
  const spans = value['contents'] as unknown[] | undefined
  if ((value['text'] ?? '') === '' && (spans ?? []).length === 0)
    report('must be specified', property === '' ? 'text' : `${property}.text`)
}

const image = object({
  type: text(),
  url: secureUrl,
  flex,
  margin: gap,
  ...placed,
  ...aligned,
  size: optional(named('xxs|xs|sm|md|lg|xl|xxl|3xl|4xl|5xl|full', pxOrShare)),
  aspectRatio,
  aspectMode: optional(oneOf('fit', 'cover')),
  backgroundColor: color,
  action: tap,
  animated: optional(bool),
})
const film = object({
  type: text(),
  url: secureUrl,
  previewUrl: secureUrl,
  altContent: later(() => byType({ box, image })),
  aspectRatio,
  action: tap,
})
const box: Shape = object({
  type: text(),
  layout: oneOf('horizontal', 'vertical', 'baseline'),
  contents: list(later(() => component)),
  flex,
  spacing: gap,
  margin: gap,
  ...placed,
  backgroundColor: color,
  borderColor: color,
  borderWidth: optional(named('none|light|normal|medium|semi-bold|bold', px)),
  cornerRadius: optional(named('none|xs|sm|md|lg|xl|xxl', pxOrShare)),
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
  justifyContent: optional(oneOf('center', 'flex-start', 'flex-end', 'space-between', 'space-around', 'space-evenly')),
  alignItems: optional(oneOf('center', 'flex-start', 'flex-end')),
  background: optional(
    byType({
      linearGradient: object({
        type: text(),
        angle: optional(text({ like: /^-?\d+(\.\d+)?deg$/ })),
        startColor: color,
        endColor: color,
        centerColor: color,
        centerPosition: optional(text({ like: /^\d+(\.\d+)?%$/ })),
      }),
    }),
  ),
})
const component: Shape = byType({
  box,
  image,
  video: film,
  button: object({
    type: text(),
    flex,
    color,
    style: optional(oneOf('primary', 'secondary', 'link')),
    action: action('flexButton'),
    gravity: aligned.gravity,
    margin: gap,
    ...placed,
    height: optional(oneOf('md', 'sm')),
    adjustMode: optional(oneOf('shrink-to-fit')),
    scaling: optional(bool),
  }),
  icon: object({
    type: text(),
    url: secureUrl,
    size: fontSize,
    aspectRatio,
    margin: gap,
    ...placed,
    scaling: optional(bool),
  }),
  text: object(
    {
      type: text(),
      flex,
      text: optional(text()),
      ...letters,
      ...aligned,
      wrap: optional(bool),
      lineSpacing: optional(text({ like: new RegExp(`^${px}$`) })),
      margin: gap,
      ...placed,
      action: tap,
      maxLines: optional(integer(0)),
      contents: optional(list(span)),
      adjustMode: optional(oneOf('shrink-to-fit')),
      scaling: optional(bool),
    },
    hasWords,
  ),
  span,
  separator: object({ type: text(), margin: gap, color }),
  filler: object({ type: text(), flex }),
})

const blockStyle = optional(object({ backgroundColor: color, separator: optional(bool), separatorColor: color }))
const block = optional(byType({ box }))

/** In bytes of JSON (limits of the reference: 30 and 50 kB). */
const smallerThan =
  (kilobytes: number): Rule =>
  (value, property, report) => {
    if (Buffer.byteLength(JSON.stringify(value)) > kilobytes * 1024)
      report(`must be ${kilobytes} KB or less of JSON`, property)
  }
const hasBlock: Rule = (value, property, report) => {
  if (!['header', 'hero', 'body', 'footer'].some((name) => value[name] !== undefined))
    report('At least one block must be specified', property)
}

const bubble = object(
  {
    type: oneOf('bubble'),
    size: optional(oneOf('nano', 'micro', 'deca', 'hecto', 'kilo', 'mega', 'giga')),
    direction: optional(oneOf('ltr', 'rtl')),
    styles: optional(object({ header: blockStyle, hero: blockStyle, body: blockStyle, footer: blockStyle })),
    header: block,
    hero: optional(byType({ box, image, video: film })),
    body: block,
    footer: block,
    action: tap,
  },
  hasBlock,
  smallerThan(30),
)
export const flexContainer = byType({
  bubble,
  carousel: object({ type: text(), contents: list(bubble, 1, 12) }, smallerThan(50)),
})
