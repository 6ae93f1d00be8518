import { escapeHtml } from '../../page.ts'
import { type Json, isObject } from '../shapes/shapes.ts'
import type { Taps } from './taps.ts'

/** Flex as HTML and CSS. What is drawn was accepted: its values are of the shapes in flex-shapes.ts. */

const gaps: Record<string, string> = { none: '0', xs: '2px', sm: '4px', md: '8px', lg: '12px', xl: '16px', xxl: '20px' }
const borders: Record<string, string> = {
  none: '0',
  light: '.5px',
  normal: '1px',
  medium: '2px',
  'semi-bold': '3px',
  bold: '4px',
}
const letterSizes: Record<string, string> = {
  xxs: '11px',
  xs: '13px',
  sm: '14px',
  md: '16px',
  lg: '19px',
  xl: '22px',
  xxl: '29px',
  '3xl': '35px',
  '4xl': '48px',
  '5xl': '74px',
}
const imageSizes: Record<string, string> = {
  xxs: '40px',
  xs: '60px',
  sm: '80px',
  md: '100px',
  lg: '120px',
  xl: '140px',
  xxl: '160px',
  '3xl': '180px',
  '4xl': '200px',
  '5xl': '220px',
  full: '100%',
}
const bubbleWidths: Record<string, number> = {
  nano: 120,
  micro: 160,
  deca: 220,
  hecto: 241,
  kilo: 260,
  mega: 300,
  giga: 386,
}

const word = (part: Json, name: string): string | undefined =>
  typeof part[name] === 'string' ? (part[name] as string) : undefined
const measure = (names: Record<string, string>, value: string | undefined): string | undefined =>
  value === undefined ? undefined : (names[value] ?? value)

type Styles = Record<string, string | undefined>
const css = (styles: Styles): string => {
  const given = Object.entries(styles).filter(([, value]) => value !== undefined)
  return given.length === 0 ? '' : ` style="${escapeHtml(given.map(([name, value]) => `${name}:${value}`).join(';'))}"`
}

export function drawFlex(contents: Json, taps: Taps): string {
  if (contents['type'] !== 'carousel') return `<div class="flex-one">${drawBubble(contents, taps)}</div>`
  const bubbles = (contents['contents'] as Json[]).map((bubble) => drawBubble(bubble, taps))
  return `<div class="sideways" role="group" tabindex="0">${bubbles.join('')}</div>`
}

function drawBubble(bubble: Json, taps: Taps): string {
  const styles = isObject(bubble['styles']) ? bubble['styles'] : {}
  const blocks = (['header', 'hero', 'body', 'footer'] as const).flatMap((name, index) => {
    const block = bubble[name]
    if (!isObject(block)) return []
    const style = isObject(styles[name]) ? styles[name] : {}
    const line =
      style['separator'] === true && index > 0
        ? `<div${css({ height: '1px', background: word(style, 'separatorColor') ?? '#d4d6da' })}></div>`
        : ''
    const drawn = drawPart(block, taps, { layout: 'vertical' })
    return [`${line}<div class="block ${name}"${css({ background: word(style, 'backgroundColor') })}>${drawn}</div>`]
  })
  const width = bubbleWidths[word(bubble, 'size') ?? 'mega'] ?? 300
  const over = taps.over(bubble['action'])
  const direction = bubble['direction'] === 'rtl' ? ' dir="rtl"' : ''
  return `<div class="flex-bubble"${direction}${css({ width: `${width}px` })}>${blocks.join('')}${over}</div>`
}

interface Around {
  layout: string
  /** Between the parts of the box around; the first has none. */
  gap?: string | undefined
}

function drawPart(part: Json, taps: Taps, around: Around): string {
  switch (part['type']) {
    case 'box':
      return drawBox(part, taps, around)
    case 'text':
      return drawText(part, taps, around)
    case 'image':
      return drawImage(part, taps, around)
    case 'icon':
      return drawIcon(part, taps, around)
    case 'button':
      return drawButton(part, taps, around)
    case 'video':
      return `<div class="film"${css(placed(part, around))}><img src="${taps.picture(word(part, 'previewUrl') ?? '')}" alt=""><span>▶</span></div>`
    case 'separator': {
      const color = word(part, 'color') ?? '#d4d6da'
      const isUpright = around.layout !== 'vertical'
      return `<div${css({
        ...placed(part, around),
        flex: '0 0 auto',
        background: color,
        ...(isUpright ? { width: '1px', 'align-self': 'stretch' } : { height: '1px' }),
      })}></div>`
    }
    case 'filler':
      return `<div${css({ flex: `${Number(part['flex'] ?? 1)} 1 0` })}></div>`
    default:
      return ''
  }
}

/** Where a part stands in the box around it. */
function placed(part: Json, { layout, gap }: Around): Styles {
  const isUpright = layout === 'vertical'
  const own = measure(gaps, word(part, 'margin')) ?? gap
  const share = part['flex'] === undefined ? (isUpright ? 0 : 1) : Number(part['flex'])
  const isFixed = word(part, 'width') !== undefined && !isUpright
  const gravity = { top: 'flex-start', center: 'center', bottom: 'flex-end' }[word(part, 'gravity') ?? '']
  const isAway = part['position'] === 'absolute'
  return {
    ...(isAway
      ? { position: 'absolute' }
      : { flex: share === 0 || isFixed ? '0 0 auto' : isUpright ? `${share} 0 auto` : `${share} 1 0` }),
    ...(own === undefined || isAway ? {} : isUpright ? { 'margin-top': own } : { 'margin-inline-start': own }),
    ...(isUpright || gravity === undefined ? {} : { 'align-self': gravity }),
    ...(isAway ? {} : { 'min-width': '0' }),
    top: measure(gaps, word(part, 'offsetTop')),
    bottom: measure(gaps, word(part, 'offsetBottom')),
    'inset-inline-start': measure(gaps, word(part, 'offsetStart')),
    'inset-inline-end': measure(gaps, word(part, 'offsetEnd')),
    ...(!isAway && hasOffset(part) ? { position: 'relative' } : {}),
  }
}
const hasOffset = (part: Json): boolean =>
  ['offsetTop', 'offsetBottom', 'offsetStart', 'offsetEnd'].some((name) => part[name] !== undefined)

function drawBox(part: Json, taps: Taps, around: Around): string {
  const layout = word(part, 'layout') ?? 'vertical'
  const spacing = measure(gaps, word(part, 'spacing'))
  const inner = (part['contents'] as Json[])
    .map((each, index) => drawPart(each, taps, { layout, gap: index === 0 ? undefined : spacing }))
    .join('')
  const side = (name: string): string | undefined => measure(gaps, word(part, name))
  const border = measure(borders, word(part, 'borderWidth'))
  const fill = isObject(part['background']) ? part['background'] : null
  const color = word(part, 'borderColor')
  return `<div class="box"${css({
    position: 'relative',
    display: 'flex',
    'flex-direction': layout === 'vertical' ? 'column' : 'row',
    'align-items': word(part, 'alignItems') ?? (layout === 'baseline' ? 'baseline' : undefined),
    'justify-content': word(part, 'justifyContent'),
    ...placed(part, around),
    background: fill ? gradientOf(fill) : word(part, 'backgroundColor'),
    border: border === undefined && color === undefined ? undefined : `${border ?? '1px'} solid ${color ?? '#d4d6da'}`,
    'border-radius': side('cornerRadius'),
    overflow: part['cornerRadius'] === undefined ? undefined : 'hidden',
    width: word(part, 'width'),
    'max-width': word(part, 'maxWidth'),
    height: word(part, 'height'),
    'max-height': word(part, 'maxHeight'),
    padding: side('paddingAll'),
    'padding-top': side('paddingTop'),
    'padding-bottom': side('paddingBottom'),
    'padding-inline-start': side('paddingStart'),
    'padding-inline-end': side('paddingEnd'),
  })}>${inner}${taps.over(part['action'])}</div>`
}

function gradientOf(fill: Json): string {
  const middle = word(fill, 'centerColor')
  const stops = [
    word(fill, 'startColor') ?? '#ffffff',
    ...(middle === undefined ? [] : [`${middle} ${word(fill, 'centerPosition') ?? '50%'}`]),
    word(fill, 'endColor') ?? '#ffffff',
  ]
  return `linear-gradient(${word(fill, 'angle') ?? '0deg'},${stops.join(',')})`
}

const letters = (part: Json): Styles => ({
  'font-size': measure(letterSizes, word(part, 'size')),
  color: word(part, 'color'),
  'font-weight': part['weight'] === 'bold' ? '700' : part['weight'] === 'regular' ? '400' : undefined,
  'font-style': word(part, 'style'),
  'text-decoration': word(part, 'decoration'),
})

function drawText(part: Json, taps: Taps, around: Around): string {
  const spans = Array.isArray(part['contents']) ? (part['contents'] as Json[]) : []
  const inner =
    spans.length > 0
      ? spans.map((span) => `<span${css(letters(span))}>${escapeHtml(word(span, 'text') ?? '')}</span>`).join('')
      : escapeHtml(word(part, 'text') ?? '')
  const lines = Number(part['maxLines'] ?? 0)
  const wraps = part['wrap'] === true
  const spacing = word(part, 'lineSpacing')
  return `<div class="letters${wraps ? ' wraps' : ''}"${css({
    ...placed(part, around),
    'font-size': '16px',
    ...letters(part),
    'text-align': word(part, 'align'),
    'line-height': spacing === undefined ? undefined : `calc(1.4em + ${spacing})`,
    ...(wraps && lines > 0
      ? {
          display: '-webkit-box',
          '-webkit-box-orient': 'vertical',
          '-webkit-line-clamp': String(lines),
          overflow: 'hidden',
        }
      : {}),
    ...(part['action'] === undefined ? {} : { position: 'relative' }),
  })}>${inner}${taps.over(part['action'])}</div>`
}

const ratioOf = (part: Json): string => (word(part, 'aspectRatio') ?? '1:1').replace(':', '/')
const sidesOf: Record<string, string> = { start: 'flex-start', end: 'flex-end', center: 'center' }

function drawImage(part: Json, taps: Taps, around: Around): string {
  const size = measure(imageSizes, word(part, 'size') ?? 'md')
  const picture = `<img src="${taps.picture(word(part, 'url') ?? '')}" alt=""${css({
    width: size,
    'max-width': '100%',
    'aspect-ratio': ratioOf(part),
    'object-fit': part['aspectMode'] === 'cover' ? 'cover' : 'contain',
    background: word(part, 'backgroundColor'),
  })}>`
  return `<div class="picture"${css({
    position: 'relative',
    ...placed(part, around),
    display: 'flex',
    'justify-content': sidesOf[word(part, 'align') ?? 'center'],
  })}>${picture}${taps.over(part['action'])}</div>`
}

function drawIcon(part: Json, taps: Taps, around: Around): string {
  const size = measure(letterSizes, word(part, 'size') ?? 'md')
  return `<img src="${taps.picture(word(part, 'url') ?? '')}" alt=""${css({
    ...placed({ ...part, flex: 0 }, around),
    height: size,
    'aspect-ratio': ratioOf(part),
    'object-fit': 'contain',
  })}>`
}

function drawButton(part: Json, taps: Taps, around: Around): string {
  const style = word(part, 'style') ?? 'link'
  const color = word(part, 'color')
  const look = css({
    height: part['height'] === 'sm' ? '40px' : '52px',
    ...(style === 'link' ? { color: color ?? '#42659a' } : {}),
    ...(style === 'primary' ? { background: color ?? '#17c950', color: '#fff' } : {}),
    ...(style === 'secondary' ? { background: color ?? '#dcdfe5', color: '#111' } : {}),
  })
  return `<div${css(placed(part, around))}>${taps.button(part['action'], { className: 'flex-button', look })}</div>`
}
