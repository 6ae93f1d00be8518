import type { Finding, FindingCode } from '@okaeri/contract/emails/email'
import { brokenDetail, finding, findingOf } from './checks/finding.ts'
import { scanHtml, type Splice, splice } from './html-scan.ts'
import { compileTemplate, variablesOf } from './liquid.ts'
import { liquidSpans } from './checks/liquid-spans.ts'
import { isProductLink, productAt } from './blocks.ts'
import { isKnownVariable, type MessageData } from './data/message-data.ts'
import { escapeHtml, linkMarker, OPEN_MARKER, withoutMarks } from './parts.ts'
import { eventPlace, PRODUCT_PLACE, withCouponTag } from './personal-links.ts'
import { placeholdersIn } from './placeholders.ts'
import { plainText } from './plain-text.ts'
import { TemplateError } from './checks/template-error.ts'
import { trackedTarget, withTrackingParameters } from './tracked-links.ts'
import { writtenText } from './written-text.ts'

/** Per kind; more would not help. */
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
  /** For its `{% product %}` blocks. */
  products?: MessageData['products']
  /** The plain-text part as a person wrote it; null: it is made from the HTML. */
  plainText?: string | null
  /** For a variant, whose links follow those of other variants. */
  firstLink?: number
}

interface Attribute {
  raw: string
  span: { start: number }
}

/** A mail composed once for all its recipients. */
export interface PreparedContent {
  /** Template of the HTML part; `linkMarker(n)` stands for the address of link n, `OPEN_MARKER` for the pixel's. */
  html: string
  /** Template of the plain-text part, with the same markers. */
  text: string
  /** The one made from the HTML, where a person wrote another. */
  made: string
  /** Where the tracked links lead, from `firstLink` on; empty without tracking. */
  links: string[]
  /** What can be said without rendering; {@link preflight} adds the rest. */
  findings: Finding[]
}

/** Keeps the source byte for byte but for what is spliced: link addresses, pixel, preheader, and scripts taken out. */
export function prepareContent(given: ContentToPrepare): PreparedContent {
  const { subject, preheader, trackingEnabled, firstLink = 0, plainText: written = null } = given
  const source = withoutMarks(given.html)
  const found = createFindings()
  const metafields = given.metafields ?? new Set<string>()
  const report = (text: string, escape: 'html' | 'text') => reportTemplate(found, text, { escape, metafields })
  const preheaderBroken = report(preheader, 'text')
  report(subject, 'text')
  const htmlBroken = report(source, 'html')
  if (written !== null) report(written, 'text')

  const spans = liquidSpans(source)
  const scan = scanHtml(source, spans)
  const lineAt = lineCounter(source)
  const lineOf = (text: string): number | undefined => {
    const start = source.indexOf(text)
    return start < 0 ? undefined : lineAt(start)
  }
  const links: string[] = []
  const markerOf = (url: string): string => linkMarker(firstLink + links.push(url) - 1)
  const productOf = productAt(source)
  /** The address of a product, or its place where each recipient has others; which one it was, its link says itself. */
  const productAddress = ({ raw, span }: Attribute): { place: string; which: string } | null => {
    const shown = isProductLink(raw) ? productOf(span.start) : null
    if (shown === 'chosen') return { place: PRODUCT_PLACE, which: '?p={{ product.id }}' }
    const url = shown && given.products?.[shown.id]?.url
    return url ? { place: url, which: '' } : null
  }
  const splices: Splice[] = [...scan.removals]
  for (const script of scan.scripts) found.add('script_removed', script)
  if (!scan.links.some((link) => link.attribute.liquid && leadsToUnsubscribing(link.attribute.raw)))
    found.add('no_unsubscribe_link')
  for (const alt of scan.imagesWithoutAlt) found.add('image_without_alt', alt.src, lineAt(alt.start))
  for (const { attribute } of scan.links) {
    if (attribute.liquid) {
      const event = trackingEnabled ? eventPlace(attribute.raw) : null
      const leads = event === null ? trackingEnabled && productAddress(attribute) : { place: event, which: '' }
      if (leads) {
        const marker = markerOf(withTrackingParameters(leads.place, given))
        splices.push({ ...attribute.span, text: marker + leads.which })
      }
      continue
    }
    const target = trackedTarget(attribute.value.trim(), given)
    if (target.finding) found.add(target.finding, attribute.value.trim(), lineAt(attribute.span.start))
    if (!target.url) continue
    const value = trackingEnabled ? markerOf(target.url) : withCouponTag(escapeHtml(target.url))
    if (trackingEnabled || target.url !== attribute.value) splices.push({ ...attribute.span, text: value })
  }
  const linked = splice(source, splices)
  const made = htmlBroken ? '' : plainText(linked)
  const text = written === null ? made : writtenText(written, { trackingEnabled, marks: given, links, firstLink })
  if (written !== null && !leadsToUnsubscribing(written)) found.add('text_no_unsubscribe_link')
  // Only visible text counts: a comment of the author's own may say anything.
  for (const read of new Set([subject, preheader, made, text]))
    for (const left of placeholdersIn(read))
      found.add('placeholder_left', left.text, read === made ? lineOf(left.text) : undefined)
  const insertions: Splice[] = []
  const pixel = `<img src="${OPEN_MARKER}" width="1" height="1" alt="" style="display:block;border:0;width:1px;height:1px">`
  if (trackingEnabled) insertions.push(at(scan.bodyEnd ?? source.length, pixel))
  if (preheader && !preheaderBroken) insertions.push(at(scan.bodyStart, hiddenPreheader(preheader)))
  return {
    html: splice(source, [...splices, ...insertions]),
    text,
    made,
    links,
    findings: found.all(),
  }
}

/** Returns which line, from 1, a place is in. */
function lineCounter(source: string): (at: number) => number {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index)
  return (at) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] as number) < at) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

function createFindings() {
  const byCode = new Map<FindingCode, Map<string | null, Finding>>()
  return {
    add(code: FindingCode, detail: string | null = null, line?: number): void {
      const some = byCode.get(code) ?? new Map<string | null, Finding>()
      byCode.set(code, some)
      const made = finding(code, detail, line)
      if (some.size < MAX_FINDINGS_PER_CODE) some.set(made.detail, made)
    },
    all: (): Finding[] => [...byCode.values()].flatMap((some) => [...some.values()]),
  }
}

/** Returns whether it is broken. */
function reportTemplate(
  found: ReturnType<typeof createFindings>,
  source: string,
  { escape, metafields }: { escape: 'html' | 'text'; metafields: ReadonlySet<string> },
): boolean {
  try {
    compileTemplate(source, escape)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    found.add(findingOf[error.fault], brokenDetail(error), escape === 'html' ? error.line : undefined)
    return true
  }
  for (const path of variablesOf(source))
    if (!isKnownVariable(path, metafields)) found.add('unknown_tag', `{{ ${path.join('.')} }}`)
  return false
}
const leadsToUnsubscribing = (href: string): boolean => /\{\{-?\s*unsubscribe_url\b/.test(href)

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

const at = (position: number, text: string): Splice => ({ start: position, end: position, text })
