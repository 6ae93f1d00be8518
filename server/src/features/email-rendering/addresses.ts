import { scanHtml } from './html-scan.ts'
import { type Span, liquidSpans } from './checks/liquid-spans.ts'
import { mentionsCoupon } from './personal-links.ts'

/** Per mail; the rest is neither checked nor listed. */
const MAX_ADDRESSES = 200
const MAX_LENGTH = 2_000

/** Where a link of a mail leads, or a picture comes from. */
export interface MailAddress {
  kind: 'page' | 'picture'
  /** As it is written, tags too. */
  written: string
  /** What can be opened without a person; null where it is another address for each recipient. */
  url: string | null
  /** Line of the content as it was read, from 1: the first place. */
  line: number
  /** In how many places. */
  places: number
}

/** The addresses of the web in a mail, in the order they are written, each once. What is no such address is left out. */
export function addressesIn(content: string, storeUrl: string): MailAddress[] {
  const spans = liquidSpans(content)
  const scan = scanHtml(content, spans)
  const found = [
    ...scan.links.map(({ attribute: { value, raw, liquid, span } }) => ({
      kind: 'page' as const,
      written: liquid ? unescaped(raw) : value,
      start: span.start,
    })),
    ...scan.pictures.map(({ src, raw, liquid, start }) => ({
      kind: 'picture' as const,
      written: liquid ? unescaped(raw) : src,
      start,
    })),
  ].sort((a, b) => a.start - b.start)
  const addresses = new Map<string, MailAddress>()
  let line = 1
  let at = 0
  for (const { kind, written: typed, start } of found) {
    for (; at < start; at += 1) if (content[at] === '\n') line += 1
    const written = typed.trim()
    const known = addresses.get(`${kind} ${written}`)
    if (known) {
      known.places += 1
      continue
    }
    if (addresses.size >= MAX_ADDRESSES || written.length > MAX_LENGTH) continue
    const open = withoutPerson(written, storeUrl)
    if (open === undefined) continue
    addresses.set(`${kind} ${written}`, { kind, written, url: open, line, places: 1 })
  }
  return [...addresses.values()]
}

const STORE_URL = /^\{\{-?\s*store\.url\s*-?\}\}/
/** The mail's own ways out are never opened. */
const OWN = /^\{\{-?\s*(?:unsubscribe|preferences)_url\b/

/**
 * What can be asked for without a person in it: up to the first part of the query that has a tag. Null: a tag stands before the query. Undefined: no
 * address of the web.
 */
export function withoutPerson(written: string, storeUrl: string): string | null | undefined {
  if (OWN.test(written)) return undefined
  const address = written.replace(STORE_URL, () => storeUrl.replace(/\/$/, ''))
  const tag = firstTag(address)
  const hash = address.indexOf('#')
  const end = hash < 0 ? address.length : hash
  let open = address.slice(0, end)
  if (tag !== null && tag < end) {
    const question = address.indexOf('?')
    if (question < 0 || question > tag) return /^(?:https?:|\{)/i.test(address) ? null : undefined
    const part = address.lastIndexOf('&', tag)
    open = address.slice(0, Math.max(question, part))
  }
  const url = URL.parse(open)
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url.href : undefined
}

function firstTag(address: string): number | null {
  const [span]: (Span | undefined)[] = liquidSpans(address)
  const coupon = mentionsCoupon(address) ? address.search(/\[coupon\]|%5Bcoupon%5D/i) : -1
  const places = [span?.start ?? -1, coupon].filter((at) => at >= 0)
  return places.length === 0 ? null : Math.min(...places)
}

const unescaped = (raw: string): string => raw.replaceAll('&amp;', '&')
