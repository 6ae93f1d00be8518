import { hasTags } from '@okaeri/contract/line-messages/limits'

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
