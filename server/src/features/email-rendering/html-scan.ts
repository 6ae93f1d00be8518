import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { isInLiquid, type Span } from './checks/liquid-spans.ts'
import { beginsWithMarker } from './parts.ts'

/** Replaces a span of a source. */
export interface Splice extends Span {
  text: string
}

export function splice(source: string, splices: readonly Splice[]): string {
  let out = ''
  let from = 0
  for (const { start, end, text } of [...splices].sort((a, b) => a.start - b.start || a.end - b.end)) {
    // Within something already taken out (a link in a removed script's place cannot be).
    if (start < from) continue
    out += source.slice(from, start) + text
    from = end
  }
  return out + source.slice(from)
}

interface ScannedAttribute {
  /** Decoded. */
  value: string
  raw: string
  /** Where the value is within the source, without quotes. */
  span: Span
  liquid: boolean
}

/** Where in HTML a Liquid tag stands: between tags, in one comment, in one quoted value, in one element of plain text. */
export type Place = 'between' | `${'comment' | 'value' | 'raw'} ${number}`

interface Scan {
  links: { attribute: ScannedAttribute }[]
  imagesWithoutAlt: { src: string; start: number }[]
  /** `width`: in pixels, where it is said so. */
  pictures: { src: string; raw: string; width: number | null; liquid: boolean; start: number }[]
  /** Written at the elements, in lower case; null where tags decide. */
  colours: { text: string | null; background: string | null; start: number }[]
  /** Takes the scripts out. */
  removals: Splice[]
  /** What they were. */
  scripts: string[]
  bodyStart: number
  bodyEnd: number | null
  /** For each span of Liquid its place; null where what it renders could change how the HTML around it is read. */
  places: (Place | null)[]
}

const RAW_TEXT = new Set(['style', 'xmp', 'iframe', 'noembed', 'noframes'])
const URL_ATTRIBUTES = new Set(['href', 'src', 'action', 'formaction', 'background', 'xlink:href', 'poster', 'data'])
/** Blanks and controls within a scheme are ignored by browsers. */
const isScriptUrl = (url: string): boolean => /^(?:java|vb)script:/i.test(url.replace(/[\p{Cc} ]/gu, ''))
/** A handler, or a document within the document. */
const isScriptAttribute = (name: string): boolean => /^on[a-z]/.test(name) || name === 'srcdoc'
/** What comes after it is no scheme. */
const SCHEME_IS_SAID = /^\s*(?:(?:https?|mailto|tel|sms|cid):|[/#?.])/i
const OWN_ADDRESS = /^\s*\{\{-?\s*(?:unsubscribe_url|preferences_url|event\.cancel_url|store\.url)\s*-?\}\}/
/** Read as text in HTML and as an instruction in pictures. */
const CDATA = '<![CDATA['
/** Elements of text within elements of text are only nested to hide something. */
const MAX_RAW_DEPTH = 3

/**
 * Reads the tags in one pass. The tokenizer alone, without a tree: a tree of deeply nested or badly closed tags takes quadratic
 * time to build, and none is needed.
 */
export function scanHtml(source: string, spans: readonly Span[], rawDepth = 0): Scan {
  const places: (Place | null)[] = spans.map(() => 'between')
  const scan: Scan = {
    links: [],
    imagesWithoutAlt: [],
    pictures: [],
    colours: [],
    removals: [],
    scripts: [],
    bodyStart: 0,
    bodyEnd: null,
    places,
  }
  const reading: Reading = { scan, source, mask: masked(source, spans), spans, rawDepth }
  let script: { start: number } | null = null
  let raw: Raw | null = null
  let bodySeen = false
  /** Where the last token ended. */
  let readTo = 0
  const read = (location: Token.Location | null): void => {
    readTo = location?.endOffset ?? readTo
  }

  const place = (where: Span, of: Place | null): void => placeIn(reading, where, of)
  const endRaw = (end: number): void => {
    if (raw) readRaw(reading, raw, end)
    raw = null
  }

  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(tag) {
        if (!tag.location) return
        read(tag.location)
        place({ start: tag.location.startOffset, end: tag.location.endOffset }, null)
        if (tag.tagName === 'script') {
          tokenizer.state = TokenizerMode.SCRIPT_DATA
          if (!isStructuredData(tag)) {
            script = { start: tag.location.startOffset }
            return
          }
          raw = { name: 'script', from: tag.location.endOffset }
          readTag(reading, tag, tag.location)
          return
        }
        if (tag.tagName === 'title' || tag.tagName === 'textarea') tokenizer.state = TokenizerMode.RCDATA
        else if (RAW_TEXT.has(tag.tagName)) tokenizer.state = TokenizerMode.RAWTEXT
        if (tokenizer.state !== TokenizerMode.DATA) raw = { name: tag.tagName, from: tag.location.endOffset }
        if (tag.tagName === 'body' && !bodySeen) {
          bodySeen = true
          scan.bodyStart = tag.location.endOffset
        }
        readTag(reading, tag, tag.location)
      },
      onEndTag({ tagName, location }) {
        if (!location) return
        read(location)
        if (raw?.name === tagName) endRaw(location.startOffset)
        place({ start: location.startOffset, end: location.endOffset }, null)
        if (tagName === 'script' && script) {
          scan.removals.push({ start: script.start, end: location.endOffset, text: '' })
          scan.scripts.push('<script>')
          script = null
        }
        if (tagName === 'head' && !bodySeen) scan.bodyStart = location.endOffset
        if (tagName === 'body') scan.bodyEnd = location.startOffset
      },
      onDoctype({ location }) {
        if (!location) return
        read(location)
        place({ start: location.startOffset, end: location.endOffset }, null)
        if (scan.bodyStart === 0) scan.bodyStart = location.endOffset
      },
      onComment({ location }) {
        if (!location) return
        read(location)
        readComment(reading, location)
      },
      onCharacter: ({ location }) => read(location),
      onNullCharacter: ({ location }) => read(location),
      onWhitespaceCharacter: ({ location }) => read(location),
      onEof() {},
    },
  )
  tokenizer.write(reading.mask, true)
  endRaw(source.length)
  // A tag that is never closed.
  place({ start: readTo, end: source.length }, null)
  // Never closed: browsers run nothing of it, and nothing after it is shown.
  const open = script as { start: number } | null
  if (open) {
    scan.removals.push({ start: open.start, end: source.length, text: '' })
    scan.scripts.push('<script>')
  }
  // What follows could make a tag of it.
  spans.forEach(({ start }, at) => {
    if (places[at] === 'between' && source[start - 1] === '<') places[at] = null
  })
  return scan
}

/** An element whose content is text to HTML. */
interface Raw {
  name: string
  from: number
}
interface Reading {
  scan: Scan
  source: string
  /** What the tokenizer sees of it. */
  mask: string
  spans: readonly Span[]
  rawDepth: number
}

const placeIn = ({ scan, spans }: Reading, where: Span, of: Place | null): void =>
  eachSpanIn(spans, where, (_, at) => {
    scan.places[at] = of
  })

function readRaw(reading: Reading, { name, from }: Raw, end: number): void {
  const { scan, source, mask, spans, rawDepth } = reading
  const content = { start: from, end }
  const text = mask.slice(from, end)
  // Tags in a style of a picture (`<svg><style>`) are tags, and a script there has no place in a mail.
  if (!/<[a-z/!?]/i.test(text) && !(text.includes('<') && isInLiquid(spans, content)))
    return placeIn(reading, content, `raw ${from}`)
  placeIn(reading, content, null)
  const inner =
    rawDepth < MAX_RAW_DEPTH
      ? scanHtml(source.slice(from, end), [], rawDepth + 1)
      : { scripts: [`<${name}>`], removals: [{ start: 0, end: end - from, text: '' }] }
  scan.scripts.push(...inner.scripts)
  for (const removal of inner.removals)
    scan.removals.push({ ...removal, start: removal.start + from, end: removal.end + from })
}

/** Read by mail programs and run by none. */
const isStructuredData = ({ attrs }: Token.TagToken): boolean =>
  attrs
    .find(({ name }) => name === 'type')
    ?.value.trim()
    .toLowerCase() === 'application/ld+json'

function readComment({ scan, source, spans }: Reading, { startOffset: start, endOffset: end }: Token.Location): void {
  if (source.startsWith(CDATA, start)) {
    scan.removals.push({ start, end: start + CDATA.length, text: '' })
    scan.scripts.push(CDATA)
  }
  const isWhole = source.startsWith('<!--', start) && source.startsWith('-->', end - 3)
  eachSpanIn(spans, { start, end }, (span, at) => {
    // With its neighbours it could end the comment.
    const joins = /[-!>]/.test(source[span.start - 1] ?? '') || /[-!>]/.test(source[span.end] ?? '')
    scan.places[at] = isWhole && !joins ? `comment ${start}` : null
  })
}

/** The scripts, links and pictures of a start tag, and the places of Liquid in its values. */
function readTag({ scan, source, spans }: Reading, tag: Token.TagToken, location: Token.LocationWithAttributes): void {
  let alt = tag.tagName !== 'img'
  let src = ''
  let rawSrc = ''
  let width: number | null = null
  let pictureIsLiquid = false
  const colours: Colours = { text: null, background: null }
  for (const { name, value } of tag.attrs) {
    const at = location.attrs?.[name]
    if (!at) continue
    const whole = { start: at.startOffset, end: at.endOffset }
    if (isScriptAttribute(name) || (URL_ATTRIBUTES.has(name) && isScriptUrl(value))) {
      scan.removals.push({ start: withBlankBefore(source, whole.start), end: whole.end, text: '' })
      scan.scripts.push(`<${tag.tagName} ${name}>`)
      continue
    }
    const span = valueSpan(source, whole)
    const said = source.slice(span.start, span.end)
    const liquid = isInLiquid(spans, whole)
    const isPicture = tag.tagName === 'img' && name === 'src'
    const isOurs = OWN_ADDRESS.test(said) || beginsWithMarker(said)
    const decided = isPicture || !URL_ATTRIBUTES.has(name) || SCHEME_IS_SAID.test(said) || isOurs
    if (liquid && decided && /["']/.test(source[span.start - 1] ?? ''))
      eachSpanIn(spans, span, (one, number) => {
        scan.places[number] = one.start >= span.start && one.end <= span.end ? `value ${span.start}` : null
      })
    if (name === 'alt') alt = true
    if (name === 'src') src = value
    if (isPicture) {
      pictureIsLiquid = liquid
      rawSrc = said
    }
    if (name === 'width' && /^\d{1,5}(?:px)?$/.test(value.trim())) width = Number.parseInt(value, 10)
    if (!liquid) readColours(colours, name, value)
    if (name === 'href' && (tag.tagName === 'a' || tag.tagName === 'area'))
      scan.links.push({ attribute: { value, raw: said, span, liquid } })
  }
  const start = location.startOffset
  if (!alt) scan.imagesWithoutAlt.push({ src, start })
  if (tag.tagName === 'img') scan.pictures.push({ src, raw: rawSrc, width, liquid: pictureIsLiquid, start })
  if (colours.text !== null || colours.background !== null) scan.colours.push({ ...colours, start })
}

interface Colours {
  text: string | null
  background: string | null
}
const STYLE_COLOUR = /(?:^|;)\s{0,20}(color|background(?:-color)?)\s{0,5}:\s{0,5}([^;]{1,100})/gi

function readColours(colours: Colours, name: string, value: string): void {
  if (name === 'bgcolor') colours.background ??= value.trim().toLowerCase()
  if (name === 'color') colours.text ??= value.trim().toLowerCase()
  if (name !== 'style') return
  for (const [, property = '', said = ''] of value.matchAll(STYLE_COLOUR)) {
    const colour = said
      .replace(/!important/i, '')
      .trim()
      .toLowerCase()
    if (property.toLowerCase() === 'color') colours.text = colour
    else colours.background = colour
  }
}

/** The index of the first span that ends after `at`. */
function firstAfter(spans: readonly Span[], at: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle] as Span).end <= at) low = middle + 1
    else high = middle
  }
  return low
}

function eachSpanIn(spans: readonly Span[], { start, end }: Span, tell: (span: Span, at: number) => void): void {
  for (let at = firstAfter(spans, start); at < spans.length && (spans[at] as Span).start < end; at += 1)
    tell(spans[at] as Span, at)
}

/**
 * The source with Liquid replaced, offsets kept: HTML must not see quotes and brackets within tags. Tags become blanks, so that `<a {% if …
 * %}href="…"{% endif %}>` has an href; values become letters, so that `href={{ … }}` has a value.
 */
function masked(source: string, spans: readonly Span[]): string {
  let out = ''
  let from = 0
  for (const { start, end } of spans) {
    out += source.slice(from, start) + (source[start + 1] === '%' ? ' ' : 'L').repeat(end - start)
    from = end
  }
  return out + source.slice(from)
}

const withBlankBefore = (source: string, start: number): number => {
  let from = start
  while (from > 0 && /\s/.test(source[from - 1] ?? '')) from -= 1
  return from
}

/** Of `name="value"`: where the value stands; an attribute without a value has an empty one at its end. */
function valueSpan(source: string, { start, end }: Span): Span {
  const equals = source.slice(start, end).indexOf('=')
  if (equals < 0) return { start: end, end }
  let from = start + equals + 1
  while (from < end && /\s/.test(source[from] ?? '')) from += 1
  const quote = source[from]
  return quote === '"' || quote === "'" ? { start: from + 1, end: end - 1 } : { start: from, end }
}
