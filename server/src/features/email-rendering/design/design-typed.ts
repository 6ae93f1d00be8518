import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment, serialize } from 'parse5'
import { liquidSpans } from '../checks/liquid-spans.ts'
import { escapeHtml } from '../parts.ts'
import { withoutScripts } from '../checks/scripts.ts'

// What people type into blocks, on its way through MJML. MJML would read it as its own: a comment that is never closed hides the rest of the
// mail from it, the footer included. So it sees letters and digits alone, and what was typed takes their place again afterwards.

const KEPT = /okKept\.([\w-]*)\./g

export const kept = (html: string): string => `okKept.${Buffer.from(html).toString('base64url')}.`
/** What was kept, in its place again. */
export const withKept = (compiled: string): string =>
  compiled.replaceAll(KEPT, (_, encoded: string) => Buffer.from(encoded, 'base64url').toString())

/** Each tag, and what stands between them. */
function pieces(
  typed: string,
  { tag, rest }: { tag: (text: string) => string; rest: (text: string) => string },
): string {
  let made = ''
  let at = 0
  for (const { start, end } of liquidSpans(typed)) {
    made += rest(typed.slice(at, start)) + tag(typed.slice(start, end))
    at = end
  }
  return made + rest(typed.slice(at))
}
const same = (text: string): string => text

/** As text, tags left as they are. */
export const asText = (typed: string): string => pieces(typed, { tag: same, rest: escapeHtml }).replaceAll('\n', '<br>')

/** As the value of an attribute. A tag in it has single quotes, for the value stands in double ones. `whole`: not for MJML. */
export function asAttribute(typed: string, as: 'whole' | 'kept' = 'kept'): string {
  const made = pieces(typed, {
    tag: (text) => (text.includes("'") ? escapeQuotes(text) : text.replaceAll('"', "'")),
    rest: escapeHtml,
  })
  // What looks like something kept must not be taken for it.
  return as === 'kept' && (/[{}]/.test(typed) || typed.includes('okKept')) ? kept(made) : made
}
const escapeQuotes = (text: string): string => text.replaceAll('"', '&quot;')

const SIGNS: Record<string, string> = {
  '&gt;': '>',
  '&lt;': '<',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
}
/** The editor of texts writes `>` as an entity, also within a tag, where it is no HTML yet. */
export const fromEditor = (html: string): string =>
  pieces(html, {
    tag: (text) => text.replaceAll(/&(?:gt|lt|quot|#39|nbsp|amp);/g, (sign) => SIGNS[sign] ?? sign),
    rest: same,
  })

const END = 'okEnd'
/** What browsers take for a comment though it is none: other readers of a mail take it for something else. */
const ODD_COMMENT = /<(?=!(?!--|doctype\b|\[endif\]|\[if [^<>]*\]>)|\?|\/[^a-z])/gi

/** Left as typed, but where what follows would be within it: then all that is open is closed. */
export function selfContained(typed: string): string {
  const html = typed.replaceAll(ODD_COMMENT, '&lt;')
  if (endsClosed(html)) return html
  const tags: string[] = []
  const masked = pieces(html, { tag: (text) => `okTag${tags.push(text) - 1}.`, rest: same })
  const closed = serialize(parseFragment(masked)).replaceAll(
    /okTag(\d+)\./gi,
    (all, at: string) => tags[Number(at)] ?? all,
  )
  return endsClosed(closed) ? closed : asText(typed)
}

/** Whether a word put behind it would be read as a word. */
function endsClosed(html: string): boolean {
  const masked = pieces(html, { tag: () => 'x', rest: same }).replaceAll(END, '')
  // Scripts are taken out by a reader of ours, which must not take the rest of the mail for one.
  return hasEnd(parseFragment(masked + END)) && withoutScripts(masked + END).html.includes(END)
}
/** What stands within these is no text of the mail. */
const HIDING = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'plaintext',
  'template',
  'select',
  'option',
])
function hasEnd(root: DefaultTreeAdapterTypes.ParentNode): boolean {
  const open: DefaultTreeAdapterTypes.Node[] = [...root.childNodes]
  // Not by recursion: people nest thousands deep.
  for (let node = open.pop(); node; node = open.pop()) {
    if (defaultTreeAdapter.isTextNode(node)) {
      if (node.value.includes(END)) return true
    } else if ('childNodes' in node && !HIDING.has(node.nodeName)) open.push(...node.childNodes)
  }
  return false
}
