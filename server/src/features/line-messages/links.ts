import { hasTags } from '@okaeri/contract/line-messages/limits'
import { mapTexts } from '@okaeri/contract/line-messages/texts'
import {
  eventPlace,
  type LinkMarks,
  linkMarker,
  MARKERS,
  trackedTarget,
  withCouponTag,
  withTrackingParameters,
} from '../email-rendering/index.ts'

/** An address within what people write: ASCII alone, since Japanese goes on right behind one. */
const ADDRESS = /https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+/g
/** What ends a sentence or a bracket and not an address, nor a tag at its end (`[coupon]`). */
const ENDING = /(?:(?<!\[\w+)\]|[.,;:!?'")])+$/

/**
 * Numbers the links of all messages: actions of any kind, and addresses within texts. Tracked, a marker stands for each; else its address
 * with what is added to it. Links with tags of their own stay as written, as in mails.
 */
export function numberLinks<T>(
  messages: T,
  { isTracked, ...marks }: LinkMarks & { isTracked: boolean },
): { messages: T; links: string[] } {
  const links: string[] = []
  const placed = (target: string): string => (isTracked ? linkMarker(links.push(target) - 1) : withCouponTag(target))
  const linked = (href: string): string => {
    if (hasTags(href)) {
      const place = isTracked ? eventPlace(href) : null
      return place ? placed(withTrackingParameters(place, marks)) : href
    }
    const { url } = trackedTarget(href.trim(), marks)
    return url ? placed(url) : href
  }
  const numbered = mapTexts(messages, (text, path) => {
    const key = path.at(-1)
    if (key === 'uri' || (key === 'desktop' && path.at(-2) === 'altUri')) return linked(text)
    return isTextOfChat(path) ? withinText(text, linked) : text
  })
  return { messages: numbered as T, links }
}

/** `[0].text`: of a text message. What cards and Flex say is not made a link by LINE. */
const isTextOfChat = (path: readonly string[]): boolean => path.length === 2 && path[1] === 'text'

function withinText(text: string, linked: (href: string) => string): string {
  return text.replace(ADDRESS, (found, at: number) => {
    const href = found.replace(ENDING, '')
    const next = text.slice(at + found.length, at + found.length + 2)
    // Goes on with a tag: its end is not known before it is filled in.
    if (next === '{{' || next === '{%' || !URL.canParse(href)) return found
    return linked(href) + found.slice(href.length)
  })
}

/** The text with each link's address in its place. */
export const placeLinks = (text: string, linkTo: (position: number) => string): string =>
  text.replace(MARKERS, (_, position: string | undefined) => (position === undefined ? '' : linkTo(Number(position))))

/** Markers as they stand in JSON. */
const ESCAPED_MARKERS = new RegExp(MARKERS.source.replaceAll('\u0001', String.raw`\\u0001`), 'g')

/** The same in the JSON of messages. */
export const placeLinksInJson = (json: string, linkTo: (position: number) => string): string =>
  json.replace(ESCAPED_MARKERS, (_, position: string | undefined) =>
    position === undefined ? '' : JSON.stringify(linkTo(Number(position))).slice(1, -1),
  )
