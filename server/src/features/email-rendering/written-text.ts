import { liquidSpans } from './checks/liquid-spans.ts'
import { linkMarker, withoutMarks } from './parts.ts'
import { withCouponTag } from './personal-links.ts'
import { type LinkMarks, trackedTarget } from './tracked-links.ts'

/** Ends at what cannot stand in an address, and at the brackets and signs of a Japanese sentence around it. */
const ADDRESS = /https?:\/\/[^\s<>"'`{}（）「」『』【】、。，．！？]+/gi
/** At the end of an address they end a sentence. */
const ENDS = new Set('.,;:!?)]')

interface Links {
  trackingEnabled: boolean
  marks: LinkMarks
  /** Links of the HTML part, and those only the text has behind them. */
  links: string[]
  firstLink: number
}

/**
 * The template of a plain-text part that a person wrote: its addresses are tracked like those of the HTML part, the same address as the same link.
 * An address that a tag continues is left as it is.
 */
export function writtenText(written: string, { trackingEnabled, marks, links, firstLink }: Links): string {
  const source = withoutMarks(written)
  const tagAt = new Set(liquidSpans(source).map(({ start }) => start))
  const known = new Map(links.map((url, at) => [url, at]))
  const linked = (found: string): string => {
    const target = trackedTarget(found, marks)
    if (!target.url) return found
    if (!trackingEnabled) return withCouponTag(target.url)
    const at = known.get(target.url) ?? links.push(target.url) - 1
    known.set(target.url, at)
    return linkMarker(at + firstLink)
  }
  let text = ''
  let from = 0
  const add = (until: number): void => {
    const part = source.slice(from, until)
    text += part.replace(ADDRESS, (found, at: number) => {
      if (tagAt.has(from + at + found.length)) return found
      const address = found.slice(0, endOf(found))
      return linked(address) + found.slice(address.length)
    })
    from = until
  }
  for (const { start, end } of liquidSpans(source)) {
    add(start)
    text += source.slice(start, end)
    from = end
  }
  add(source.length)
  return text
}

function endOf(found: string): number {
  let end = found.length
  while (end > 0 && ENDS.has(found[end - 1] ?? '')) end -= 1
  // A bracket that was opened within belongs to the address, as does that of `[coupon]`.
  const isOpened = { ']': '[', ')': '(' }[found[end] ?? '']
  return isOpened && found.slice(0, end).includes(isOpened) ? end + 1 : end
}
