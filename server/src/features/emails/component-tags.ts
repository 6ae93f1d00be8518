import { MAX_COMPONENT_DEPTH, MAX_COMPONENTS_IN_CONTENT } from '@okaeri/contract/emails/component'
import { MAX_HTML_BYTES } from '@okaeri/contract/emails/email'
import { liquidSpans } from '../email-rendering/index.ts'

const TAG = /^\{%-?\s*component\s+(["'])([a-z0-9-]+)\1\s*-?%\}$/

interface Tag {
  start: number
  end: number
  key: string
}

function tagsIn(content: string): Tag[] {
  if (!content.includes('component')) return []
  return liquidSpans(content).flatMap(({ start, end }) => {
    const key = TAG.exec(content.slice(start, end))?.[2]
    return key === undefined ? [] : [{ start, end, key }]
  })
}

/** Keys of the components whose tags stand in the content, each once; no more than one content may have. */
export const componentKeysIn = (content: string): string[] =>
  [...new Set(tagsIn(content).map(({ key }) => key))].slice(0, MAX_COMPONENTS_IN_CONTENT)

export interface ExpandedContent {
  content: string
  /** For each line of the content, the line (from 1) of the text as typed that it comes from. Null: no component stands in it. */
  typedLines: readonly number[] | null
}

/**
 * The content with each component in the place of its tag. A tag stays where there is no such component, where components stand within each
 * other, and where the text would become larger than any mail: the template is then broken, and says so.
 */
export function withComponents(content: string, components: ReadonlyMap<string, string>): ExpandedContent {
  const known = new Map<string, string | null>()
  const textOf = (key: string, depth: number): string | null => {
    const before = known.get(key)
    if (before !== undefined) return before
    const written = components.get(key)
    if (written === undefined || depth > MAX_COMPONENT_DEPTH) return null
    // Until it is whole it cannot stand within itself.
    known.set(key, null)
    const whole = replaceTags(written, (inner) => textOf(inner, depth + 1))
    known.set(key, whole)
    return whole
  }
  const typedLines: number[] = [1]
  let used = false
  const expanded = replaceTags(content, (key) => textOf(key, 1), {
    add(text, isTyped) {
      used ||= !isTyped
      const line = typedLines.at(-1) ?? 1
      for (let n = 1, at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1), n += 1)
        typedLines.push(isTyped ? line + n : line)
    },
  })
  return expanded === null || !used ? { content, typedLines: null } : { content: expanded, typedLines }
}

/** Null where it would become too large. */
function replaceTags(
  content: string,
  textOf: (key: string) => string | null,
  pieces?: { add(text: string, isTyped: boolean): void },
): string | null {
  let whole = ''
  let from = 0
  const add = (text: string, isTyped: boolean): void => {
    whole += text
    pieces?.add(text, isTyped)
  }
  for (const { start, end, key } of tagsIn(content)) {
    const text = textOf(key)
    if (text === null) continue
    if (whole.length + text.length > MAX_HTML_BYTES) return null
    add(content.slice(from, start), true)
    add(text, false)
    from = end
  }
  add(content.slice(from), true)
  return whole.length > MAX_HTML_BYTES ? null : whole
}
