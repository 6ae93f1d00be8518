import type { CSSProperties, ReactNode } from 'react'
import classes from '../phone/phone.module.css'
import { Picture } from '../phone/picture.tsx'

/** Flex as LINE draws it: boxes as a page draws its boxes. What is drawn here was read by `readFlex`. */

type Json = Readonly<Record<string, unknown>>
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const word = (part: Json, name: string): string | undefined => {
  const value = part[name]
  return typeof value === 'string' ? value : undefined
}
const partsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : [])

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
const measure = (names: Record<string, string>, value: string | undefined): string | undefined =>
  value === undefined ? undefined : (names[value] ?? value)
const LINE_COLOR = '#d4d6da'

export function FlexDrawing({ contents }: { contents: unknown }) {
  if (!isJson(contents)) return null
  if (contents['type'] !== 'carousel') return <Bubble bubble={contents} />
  return (
    <div className={classes.sideways}>
      {partsOf(contents['contents']).map((bubble, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: known by their place alone
        <Bubble key={at} bubble={bubble} />
      ))}
    </div>
  )
}

const blocks = ['header', 'hero', 'body', 'footer'] as const

function Bubble({ bubble }: { bubble: Json }) {
  const styles = isJson(bubble['styles']) ? bubble['styles'] : {}
  const drawn = blocks.flatMap((name): ReactNode[] => {
    const block = bubble[name]
    if (!isJson(block)) return []
    const style = isJson(styles[name]) ? styles[name] : {}
    return [
      <div
        key={name}
        className={classes.block}
        data-block={name}
        style={{ background: word(style, 'backgroundColor') }}
      >
        {style['separator'] === true && (
          <div style={{ height: 1, background: word(style, 'separatorColor') ?? LINE_COLOR }} />
        )}
        <Part part={block} around={{ layout: 'vertical' }} />
      </div>,
    ]
  })
  return (
    <div
      className={classes.flexBubble}
      dir={bubble['direction'] === 'rtl' ? 'rtl' : undefined}
      style={{ width: bubbleWidths[word(bubble, 'size') ?? 'mega'] ?? bubbleWidths['mega'] }}
    >
      {drawn}
    </div>
  )
}

interface Around {
  layout: string
  /** Between the parts of the box around; the first has none. */
  gap?: string | undefined
}
interface PartProps {
  part: Json
  around: Around
}

function Part({ part, around }: PartProps) {
  switch (part['type']) {
    case 'box':
      return <Box part={part} around={around} />
    case 'text':
      return <Words part={part} around={around} />
    case 'image':
      return <Image part={part} around={around} />
    case 'icon':
      return <Icon part={part} around={around} />
    case 'button':
      return <Button part={part} around={around} />
    case 'video':
      return (
        <div style={placed(part, around)} className={classes.film}>
          <Picture url={word(part, 'previewUrl')} style={{ width: '100%', aspectRatio: ratioOf(part) }} />
          <span aria-hidden>▶</span>
        </div>
      )
    case 'separator':
      return <div style={{ ...placed(part, around), ...separator(part, around.layout) }} />
    case 'filler':
      return <div style={{ flex: `${Number(part['flex'] ?? 1)} 1 0` }} />
    default:
      return null
  }
}

const separator = (part: Json, layout: string): CSSProperties => ({
  flex: '0 0 auto',
  background: word(part, 'color') ?? LINE_COLOR,
  ...(layout === 'vertical' ? { height: 1 } : { width: 1, alignSelf: 'stretch' }),
})

const gravities: Record<string, string> = { top: 'flex-start', center: 'center', bottom: 'flex-end' }

/** Where a part stands in the box around it. */
function placed(part: Json, { layout, gap }: Around): CSSProperties {
  if (part['position'] === 'absolute') return { position: 'absolute', ...offsets(part) }
  const isUpright = layout === 'vertical'
  const own = measure(gaps, word(part, 'margin')) ?? gap
  const share = part['flex'] === undefined ? (isUpright ? 0 : 1) : Number(part['flex'])
  const isFixed = share === 0 || (word(part, 'width') !== undefined && !isUpright)
  const gravity = gravities[word(part, 'gravity') ?? '']
  return {
    minWidth: 0,
    flex: isFixed ? '0 0 auto' : isUpright ? `${share} 0 auto` : `${share} 1 0`,
    ...(own !== undefined && (isUpright ? { marginTop: own } : { marginInlineStart: own })),
    ...(!isUpright && gravity !== undefined && { alignSelf: gravity }),
    ...(hasOffset(part) && { position: 'relative', ...offsets(part) }),
  }
}
const offsets = (part: Json): CSSProperties => ({
  top: measure(gaps, word(part, 'offsetTop')),
  bottom: measure(gaps, word(part, 'offsetBottom')),
  insetInlineStart: measure(gaps, word(part, 'offsetStart')),
  insetInlineEnd: measure(gaps, word(part, 'offsetEnd')),
})
const hasOffset = (part: Json): boolean =>
  ['offsetTop', 'offsetBottom', 'offsetStart', 'offsetEnd'].some((name) => part[name] !== undefined)

function Box({ part, around }: PartProps) {
  const layout = word(part, 'layout') ?? 'vertical'
  const spacing = measure(gaps, word(part, 'spacing'))
  const border = measure(borders, word(part, 'borderWidth'))
  const color = word(part, 'borderColor')
  const gradient = isJson(part['background']) ? part['background'] : null
  const side = (name: string): string | undefined => measure(gaps, word(part, name))
  return (
    <div
      style={{
        position: 'relative',
        display: 'flex',
        flexDirection: layout === 'vertical' ? 'column' : 'row',
        alignItems: word(part, 'alignItems') ?? (layout === 'baseline' ? 'baseline' : undefined),
        justifyContent: word(part, 'justifyContent'),
        ...placed(part, around),
        background: gradient ? gradientOf(gradient) : word(part, 'backgroundColor'),
        border:
          border === undefined && color === undefined ? undefined : `${border ?? '1px'} solid ${color ?? LINE_COLOR}`,
        borderRadius: side('cornerRadius'),
        overflow: part['cornerRadius'] === undefined ? undefined : 'hidden',
        width: word(part, 'width'),
        maxWidth: word(part, 'maxWidth'),
        height: word(part, 'height'),
        maxHeight: word(part, 'maxHeight'),
        ...paddings(part),
      }}
    >
      {partsOf(part['contents']).map((inner, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: known by their place alone
        <Part key={at} part={inner} around={{ layout, gap: at === 0 ? undefined : spacing }} />
      ))}
    </div>
  )
}

/** Only those that are said: the others come from the block around (`phone.module.css`). */
function paddings(part: Json): CSSProperties {
  const side = (name: string): string | undefined => measure(gaps, word(part, name))
  const all = side('paddingAll')
  const sides = {
    paddingTop: side('paddingTop') ?? all,
    paddingBottom: side('paddingBottom') ?? all,
    paddingInlineStart: side('paddingStart') ?? all,
    paddingInlineEnd: side('paddingEnd') ?? all,
  }
  return Object.fromEntries(Object.entries(sides).filter(([, value]) => value !== undefined))
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

const letters = (part: Json): CSSProperties => ({
  fontSize: measure(letterSizes, word(part, 'size')),
  color: word(part, 'color'),
  fontWeight: part['weight'] === 'bold' ? 700 : part['weight'] === 'regular' ? 400 : undefined,
  fontStyle: word(part, 'style'),
  textDecoration: word(part, 'decoration'),
})

function Words({ part, around }: PartProps) {
  const spans = partsOf(part['contents'])
  const lines = Number(part['maxLines'] ?? 0)
  const wraps = part['wrap'] === true
  const spacing = word(part, 'lineSpacing')
  const own = letters(part)
  const cut: CSSProperties =
    wraps && lines > 0
      ? { display: '-webkit-box', WebkitBoxOrient: 'vertical', WebkitLineClamp: lines, overflow: 'hidden' }
      : {}
  return (
    <div
      className={classes.letters}
      data-wraps={wraps || undefined}
      style={{
        ...placed(part, around),
        ...own,
        fontSize: own.fontSize ?? '16px',
        textAlign: (word(part, 'align') ?? 'start') as CSSProperties['textAlign'],
        lineHeight: spacing === undefined ? undefined : `calc(1.4em + ${spacing})`,
        ...cut,
      }}
    >
      {spans.length > 0
        ? spans.map((span, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: known by their place alone
            <span key={at} style={letters(span)}>
              {word(span, 'text')}
            </span>
          ))
        : word(part, 'text')}
    </div>
  )
}

const ratioOf = (part: Json): string => (word(part, 'aspectRatio') ?? '1:1').replace(':', '/')
const sides: Record<string, string> = { start: 'flex-start', end: 'flex-end', center: 'center' }

const Image = ({ part, around }: PartProps) => (
  <div style={{ ...placed(part, around), display: 'flex', justifyContent: sides[word(part, 'align') ?? 'center'] }}>
    <Picture
      url={word(part, 'url')}
      style={{
        width: measure(imageSizes, word(part, 'size') ?? 'md'),
        maxWidth: '100%',
        aspectRatio: ratioOf(part),
        objectFit: part['aspectMode'] === 'cover' ? 'cover' : 'contain',
        background: word(part, 'backgroundColor'),
      }}
    />
  </div>
)

const Icon = ({ part, around }: PartProps) => (
  <div style={placed({ ...part, flex: 0 }, around)}>
    <Picture
      url={word(part, 'url')}
      style={{
        height: measure(letterSizes, word(part, 'size') ?? 'md'),
        aspectRatio: ratioOf(part),
        objectFit: 'contain',
      }}
    />
  </div>
)

function Button({ part, around }: PartProps) {
  const color = word(part, 'color')
  const looks: Record<string, CSSProperties> = {
    link: { color: color ?? '#42659a' },
    primary: { background: color ?? '#17c950', color: '#fff' },
    secondary: { background: color ?? '#dcdfe5', color: '#111' },
  }
  const action = isJson(part['action']) ? part['action'] : {}
  return (
    <div style={placed(part, around)}>
      <div
        className={classes.flexButton}
        style={{ height: part['height'] === 'sm' ? 40 : 52, ...looks[word(part, 'style') ?? 'link'] }}
      >
        {word(action, 'label')}
      </div>
    </div>
  )
}
