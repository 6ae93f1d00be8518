import { type LineJson, withEmojis } from './composing.ts'
import { hasTags } from './limits.ts'

/** JSON of any shape, whose texts are changed one by one. `path` leads to the text. */
export function mapTexts(value: unknown, change: (text: string, path: readonly string[]) => unknown): unknown {
  const walk = (part: unknown, path: readonly string[]): unknown => {
    if (typeof part === 'string') return change(part, path)
    if (Array.isArray(part)) return part.map((each, at) => walk(each, [...path, String(at)]))
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, walk(each, [...path, key])]))
  }
  return walk(value, [])
}

export interface PlacedText {
  text: string
  path: readonly string[]
}
/** Those that differ by recipient, in the order of {@link mapTexts}. */
export function textsWithTags(value: unknown): PlacedText[] {
  const found: PlacedText[] = []
  mapTexts(value, (text, path) => {
    if (hasTags(text)) found.push({ text, path })
    return text
  })
  return found
}

/**
 * Each text with tags as it became; LINE emoji in their places, addresses without signs that may not stand in them. `complete`: what is put
 * into a text besides. The places of emoji are counted behind it.
 */
export function withTexts(
  messages: readonly LineJson[],
  texts: readonly string[],
  complete: (text: string, path: readonly string[]) => string = (text) => text,
): LineJson[] {
  let next = 0
  const filled = mapTexts(messages, (text, path) => {
    if (!hasTags(text)) return complete(text, path)
    const made = texts[next++] ?? ''
    return complete(isAddress(path) ? asAddress(made) : made, path)
  }) as LineJson[]
  return filled.map((message) =>
    message.type === 'text' ? { ...message, ...withEmojis(String(message['text'])) } : message,
  )
}
const isAddress = (path: readonly string[]): boolean => /^(uri|desktop|url|.*Url)$/.test(path.at(-1) ?? '')
/** A name in an address is written in its escapes; what is no address is left for the check to find. */
const asAddress = (text: string): string =>
  URL.canParse(text.trim()) ? new URL(text.trim()).href.replace(/["<>\\^`{|}]/g, encodeURIComponent) : text
