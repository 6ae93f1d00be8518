import type { FindingCode } from '@okaeri/contract/emails/email'

/** Spec §3: the default source is the product name, the medium the channel. */
const DEFAULT_SOURCE = 'okaeri'

/** What is added to the address of each link. */
export interface LinkMarks {
  trackingParameters: { source: string | null; medium: string | null; campaign: string | null }
  /** Becomes `utm_content` of every link. */
  contentId: string
  medium?: 'email' | 'line'
}

/** The final address of a static link, or why it has none; other schemes and anchors are left alone. */
export function trackedTarget(href: string, given: LinkMarks): { url?: string; finding?: FindingCode } {
  if (/^#./.test(href)) return {}
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase()
  if (scheme && scheme !== 'http' && scheme !== 'https') return {}
  // An address relative to nothing: a mail has no page it is on.
  if (!scheme || !URL.canParse(href)) return { finding: 'links_to_nowhere' }
  const url = withTrackingParameters(href, given)
  return scheme === 'http' && !leavesNoMachine(href) ? { url, finding: 'insecure_link' } : { url }
}
/** The sandbox's store, for example: the connection never leaves the machine. */
const leavesNoMachine = (href: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(href).hostname)

/** Appends what the link does not say itself; content is ours alone (spec §3). The rest of the address stays as written. */
export function withTrackingParameters(
  href: string,
  { trackingParameters, contentId, medium = 'email' }: LinkMarks,
): string {
  const hash = href.indexOf('#')
  const beforeHash = hash < 0 ? href : href.slice(0, hash)
  const question = beforeHash.indexOf('?')
  const base = question < 0 ? beforeHash : beforeHash.slice(0, question)
  const query = question < 0 ? '' : beforeHash.slice(question + 1)
  const kept = query.split('&').filter((pair) => pair !== '' && nameOf(pair) !== 'utm_content')
  const present = new Set(kept.map(nameOf))
  const wanted: [string, string | null][] = [
    ['utm_source', trackingParameters.source || DEFAULT_SOURCE],
    ['utm_medium', trackingParameters.medium || medium],
    ['utm_campaign', trackingParameters.campaign],
    ['utm_content', contentId],
  ]
  for (const [name, value] of wanted)
    if (value && !present.has(name)) kept.push(`${name}=${encodeURIComponent(value.toWellFormed())}`)
  return `${base}?${kept.join('&')}${hash < 0 ? '' : href.slice(hash)}`
}
const nameOf = (pair: string): string => (pair.split('=')[0] ?? '').toLowerCase()
