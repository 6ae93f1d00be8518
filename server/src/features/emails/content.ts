import type { Finding, FindingCode } from '@okaeri/contract/emails/email'
import { findings as levels } from '@okaeri/contract/emails/email'
import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { isKnownVariable } from './message-data.ts'
import { eventPlace, withCouponTag } from './personal-links.ts'
import { plainText } from './plain-text.ts'
import { isInLiquid, liquidSpans, type Span } from './liquid-spans.ts'
import { compileTemplate, escapeHtml, TemplateError, variablesOf } from './template.ts'

/** Spec §3: the default source is the product name. */
const DEFAULT_SOURCE = 'okaeri'
const DEFAULT_MEDIUM = 'email'
/** Of one kind; more help nobody. */
const MAX_FINDINGS_PER_CODE = 20

export interface ContentToPrepare {
  /** The content as typed. */
  html: string
  subject: string
  preheader: string
  trackingEnabled: boolean
  trackingParameters: { source: string | null; medium: string | null; campaign: string | null }
  /** Becomes `utm_content` of every link. */
  contentId: string
  /** Those that can be written, as `namespace.key`. */
  metafields?: ReadonlySet<string>
}

/** A mail composed once for all its recipients. */
export interface PreparedContent {
  /** Template of the HTML part; `linkMarker(n)` stands for the address of link n, `OPEN_MARKER` for the pixel's. */
  html: string
  /** Template of the plain-text part, with the same markers. */
  text: string
  /** Where the tracked links lead; empty without tracking. */
  links: string[]
  /** What can be said without rendering; {@link preflight} adds the rest. */
  findings: Finding[]
}

const MARK = '\u0001'
export const linkMarker = (position: number): string => `${MARK}L${position}${MARK}`
export const OPEN_MARKER = `${MARK}O${MARK}`
/** All markers of a rendered part; group 1 is the link's position, absent for the pixel. */
export const MARKERS = new RegExp(`${MARK}(?:L(\\d+)|O)${MARK}`, 'g')

export const finding = (code: FindingCode, detail: string | null = null): Finding => ({
  code,
  level: levels[code],
  detail: detail === null ? null : detail.slice(0, 300),
})

/** Keeps the source byte for byte but for what is spliced: link addresses, pixel, preheader, and scripts taken out. */
export function prepareContent(given: ContentToPrepare): PreparedContent {
  const { subject, preheader, trackingEnabled } = given
  // A typed U+0001 would be taken for a marker.
  const source = given.html.replaceAll(MARK, '')
  const found = createFindings()
  const metafields = given.metafields ?? new Set<string>()
  const report = (text: string, escape: 'html' | 'text') => reportTemplate(found, text, { escape, metafields })
  const preheaderBroken = report(preheader, 'text')
  report(subject, 'text')
  const htmlBroken = report(source, 'html')

  const spans = liquidSpans(source)
  const scan = scanHtml(source, spans)
  const links: string[] = []
  const splices: Splice[] = [...scan.removals]
  for (const script of scan.scripts) found.add('script_removed', script)
  if (!scan.links.some((link) => link.attribute.liquid && leadsToUnsubscribing(link.attribute.raw)))
    found.add('no_unsubscribe_link')
  for (const alt of scan.imagesWithoutAlt) found.add('image_without_alt', alt)
  for (const { attribute } of scan.links) {
    if (attribute.liquid) {
      const place = trackingEnabled ? eventPlace(attribute.raw) : null
      if (place)
        splices.push({ ...attribute.span, text: linkMarker(links.push(withTrackingParameters(place, given)) - 1) })
      continue
    }
    const target = trackedTarget(attribute.value.trim(), given)
    if (target.finding) found.add(target.finding, attribute.value.trim())
    if (!target.url) continue
    const value = trackingEnabled ? linkMarker(links.push(target.url) - 1) : withCouponTag(escapeHtml(target.url))
    if (trackingEnabled || target.url !== attribute.value) splices.push({ ...attribute.span, text: value })
  }
  const linked = splice(source, splices)
  const insertions: Splice[] = []
  const pixel = `<img src="${OPEN_MARKER}" width="1" height="1" alt="" style="display:block;border:0;width:1px;height:1px">`
  if (trackingEnabled) insertions.push(at(scan.bodyEnd ?? source.length, pixel))
  if (preheader && !preheaderBroken) insertions.push(at(scan.bodyStart, hiddenPreheader(preheader)))
  return {
    html: splice(source, [...splices, ...insertions]),
    text: htmlBroken ? '' : plainText(linked),
    links,
    findings: found.all(),
  }
}

function createFindings() {
  const byCode = new Map<FindingCode, Map<string | null, Finding>>()
  return {
    add(code: FindingCode, detail: string | null = null): void {
      const some = byCode.get(code) ?? new Map<string | null, Finding>()
      byCode.set(code, some)
      const made = finding(code, detail)
      if (some.size < MAX_FINDINGS_PER_CODE) some.set(made.detail, made)
    },
    all: (): Finding[] => [...byCode.values()].flatMap((some) => [...some.values()]),
  }
}

/** Answers whether it is broken. */
function reportTemplate(
  found: ReturnType<typeof createFindings>,
  source: string,
  { escape, metafields }: { escape: 'html' | 'text'; metafields: ReadonlySet<string> },
): boolean {
  try {
    compileTemplate(source, escape)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    found.add('template_broken', brokenDetail(error))
    return true
  }
  for (const path of variablesOf(source))
    if (!isKnownVariable(path, metafields)) found.add('unknown_tag', `{{ ${path.join('.')} }}`)
  return false
}
/** `12: tag "fi" not found`: the line, then the reason. */
export const brokenDetail = (error: TemplateError): string => `${error.line}: ${error.message}`

const leadsToUnsubscribing = (href: string): boolean => /\{\{-?\s*unsubscribe_url\b/.test(href)

/** The final address of a static link, or why it has none; other schemes and anchors are left alone. */
function trackedTarget(href: string, given: ContentToPrepare): { url?: string; finding?: FindingCode } {
  if (/^#./.test(href)) return {}
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase()
  if (scheme && scheme !== 'http' && scheme !== 'https') return {}
  // An address relative to nothing: a mail has no page it is on.
  if (!scheme || !URL.canParse(href)) return { finding: 'links_to_nowhere' }
  const url = withTrackingParameters(href, given)
  return scheme === 'http' && !leavesNoMachine(href) ? { url, finding: 'insecure_link' } : { url }
}
/** The sandbox's store, say: nobody is between. */
const leavesNoMachine = (href: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(href).hostname)

/** Appends what the link does not say itself; content is ours alone (spec §3). The rest of the address stays as written. */
function withTrackingParameters(href: string, { trackingParameters, contentId }: ContentToPrepare): string {
  const hash = href.indexOf('#')
  const beforeHash = hash < 0 ? href : href.slice(0, hash)
  const question = beforeHash.indexOf('?')
  const base = question < 0 ? beforeHash : beforeHash.slice(0, question)
  const query = question < 0 ? '' : beforeHash.slice(question + 1)
  const kept = query.split('&').filter((pair) => pair !== '' && nameOf(pair) !== 'utm_content')
  const present = new Set(kept.map(nameOf))
  const wanted: [string, string | null][] = [
    ['utm_source', trackingParameters.source || DEFAULT_SOURCE],
    ['utm_medium', trackingParameters.medium || DEFAULT_MEDIUM],
    ['utm_campaign', trackingParameters.campaign],
    ['utm_content', contentId],
  ]
  for (const [name, value] of wanted)
    if (value && !present.has(name)) kept.push(`${name}=${encodeURIComponent(value.toWellFormed())}`)
  return `${base}?${kept.join('&')}${hash < 0 ? '' : href.slice(hash)}`
}
const nameOf = (pair: string): string => (pair.split('=')[0] ?? '').toLowerCase()

/** Shown after the subject in the mailbox's list; the invisible signs keep the mail's first words from following it. */
const hiddenPreheader = (preheader: string): string =>
  `<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all">${escapeOutsideLiquid(preheader)}${'&#847;&zwnj;&nbsp;'.repeat(30)}</div>`

function escapeOutsideLiquid(source: string): string {
  let out = ''
  let from = 0
  for (const { start, end } of liquidSpans(source)) {
    out += escapeHtml(source.slice(from, start)) + source.slice(start, end)
    from = end
  }
  return out + escapeHtml(source.slice(from))
}

interface Splice extends Span {
  text: string
}
const at = (position: number, text: string): Splice => ({ start: position, end: position, text })

function splice(source: string, splices: readonly Splice[]): string {
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
  /** Of the value within the source, quotes outside. */
  span: Span
  liquid: boolean
}
interface Scan {
  links: { attribute: ScannedAttribute }[]
  imagesWithoutAlt: string[]
  removals: Splice[]
  scripts: string[]
  bodyStart: number
  bodyEnd: number | null
}

const RAW_TEXT = new Set(['style', 'xmp', 'iframe', 'noembed', 'noframes'])
const URL_ATTRIBUTES = new Set(['href', 'src', 'action', 'formaction', 'background', 'xlink:href', 'poster', 'data'])
/** Blanks and controls within a scheme are ignored by browsers. */
const isScriptUrl = (url: string): boolean => /^(?:java|vb)script:/i.test(url.replace(/[\p{Cc} ]/gu, ''))

/**
 * Reads the tags in one pass. The tokenizer alone, without a tree: a tree of deeply nested or badly closed tags takes quadratic
 * time to build, and none is needed.
 */
function scanHtml(source: string, spans: readonly Span[]): Scan {
  const scan: Scan = { links: [], imagesWithoutAlt: [], removals: [], scripts: [], bodyStart: 0, bodyEnd: null }
  let script: { start: number } | null = null
  let bodySeen = false
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(tag) {
        if (!tag.location) return
        if (tag.tagName === 'script') {
          // Structured data is read by mail programs and run by none.
          const type = tag.attrs
            .find(({ name }) => name === 'type')
            ?.value.trim()
            .toLowerCase()
          if (type !== 'application/ld+json') script = { start: tag.location.startOffset }
          tokenizer.state = TokenizerMode.SCRIPT_DATA
          return
        }
        if (tag.tagName === 'title' || tag.tagName === 'textarea') tokenizer.state = TokenizerMode.RCDATA
        else if (RAW_TEXT.has(tag.tagName)) tokenizer.state = TokenizerMode.RAWTEXT
        if (tag.tagName === 'body' && !bodySeen) {
          bodySeen = true
          scan.bodyStart = tag.location.endOffset
        }
        readTag(tag, tag.location)
      },
      onEndTag({ tagName, location }) {
        if (!location) return
        if (tagName === 'script' && script) {
          scan.removals.push({ start: script.start, end: location.endOffset, text: '' })
          scan.scripts.push('<script>')
          script = null
        }
        if (tagName === 'head' && !bodySeen) scan.bodyStart = location.endOffset
        if (tagName === 'body') scan.bodyEnd = location.startOffset
      },
      onDoctype({ location }) {
        if (location && scan.bodyStart === 0) scan.bodyStart = location.endOffset
      },
      onComment() {},
      onCharacter() {},
      onNullCharacter() {},
      onWhitespaceCharacter() {},
      onEof() {},
    },
  )
  const readTag = (tag: Token.TagToken, location: Token.LocationWithAttributes): void => {
    let alt = tag.tagName !== 'img'
    let src = ''
    for (const { name, value } of tag.attrs) {
      const place = location.attrs?.[name]
      if (!place) continue
      const whole = { start: place.startOffset, end: place.endOffset }
      if (/^on[a-z]+$/.test(name) || (URL_ATTRIBUTES.has(name) && isScriptUrl(value))) {
        scan.removals.push({ start: withBlankBefore(source, whole.start), end: whole.end, text: '' })
        scan.scripts.push(`<${tag.tagName} ${name}>`)
        continue
      }
      if (name === 'alt') alt = true
      if (name === 'src') src = value
      if (name === 'href' && (tag.tagName === 'a' || tag.tagName === 'area')) {
        const span = valueSpan(source, whole)
        scan.links.push({
          attribute: {
            value,
            raw: source.slice(span.start, span.end),
            span,
            liquid: isInLiquid(spans, whole),
          },
        })
      }
    }
    if (!alt) scan.imagesWithoutAlt.push(src)
  }
  tokenizer.write(masked(source, spans), true)
  // Never closed: browsers run nothing of it, and nothing after it is shown.
  const open = script as { start: number } | null
  if (open) {
    scan.removals.push({ start: open.start, end: source.length, text: '' })
    scan.scripts.push('<script>')
  }
  return scan
}

/**
 * The source with Liquid painted over, offsets kept: quotes and brackets within tags are none of HTML's business. Tags become
 * blanks, so that `<a {% if … %}href="…"{% endif %}>` has an href; values become letters, so that `href={{ … }}` has a value.
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
  const equals = source.indexOf('=', start)
  if (equals < 0 || equals >= end) return { start: end, end }
  let from = equals + 1
  while (from < end && /\s/.test(source[from] ?? '')) from += 1
  const quote = source[from]
  return quote === '"' || quote === "'" ? { start: from + 1, end: end - 1 } : { start: from, end }
}
