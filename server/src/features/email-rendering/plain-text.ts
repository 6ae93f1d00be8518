import { compile } from 'html-to-text'
import { Tokenizer } from 'parse5'
import { liquidSpans } from './checks/liquid-spans.ts'
import { compileTemplate } from './liquid.ts'
import { TemplateError } from './checks/template-error.ts'

/** Layout tables nest a few levels. The conversion takes quadratic time in the depth: what is deeper is only stripped of its tags. */
const MAX_DEPTH = 500
/** Plane 16, for private use: the numbers of Liquid tags travel between these through the conversion. */
const OPEN = '\u{10FFF0}'
const CLOSE = '\u{10FFF1}'

const toText = compile({
  // Japanese has no blanks to wrap at, and email apps wrap text themselves.
  wordwrap: false,
  limits: { maxDepth: MAX_DEPTH, ellipsis: '' },
  formatters: {
    // An image becomes its alternative text; its address helps no reader.
    alternative: (element, _walk, builder) => {
      const { alt } = element.attribs as { alt?: string }
      if (alt) builder.addInline(alt)
    },
    // Each row of a table becomes a line, with its cells separated.
    row: (element, walk, builder) => {
      builder.openBlock({ leadingLineBreaks: 1 })
      walk(element.children, builder)
      builder.closeBlock({ trailingLineBreaks: 1 })
    },
    cell: (element, walk, builder) => {
      walk(element.children, builder)
      builder.addInline(' ')
    },
  },
  selectors: [
    // Blanks around the address: email apps take Japanese that follows it at once for a part of it, and the link leads nowhere.
    { selector: 'a', options: { linkBrackets: ['( ', ' )'], hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    { selector: 'img', format: 'alternative' },
    { selector: 'tr', format: 'row' },
    ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ...['head', 'style', 'script', 'title', 'template'].map((selector) => ({ selector, format: 'skip' })),
    // Hidden preheaders of the author's own.
    ...['[style*="display:none"]', '[style*="display: none"]'].map((selector) => ({ selector, format: 'skip' })),
  ],
})

/** The plain-text part of an HTML template, itself a template: Liquid and link markers come through as they are. */
export function plainText(html: string): string {
  const tags: string[] = []
  const numbers = new Map<string, number>()
  let hidden = ''
  let from = 0
  for (const { start, end } of liquidSpans(html)) {
    const tag = html.slice(start, end)
    // The same tag gets the same number: an address shown as its own link's text is then said once.
    const number = numbers.get(tag) ?? tags.push(tag) - 1
    numbers.set(tag, number)
    hidden += html.slice(from, start) + OPEN + number + CLOSE
    from = end
  }
  hidden += html.slice(from)
  const text = (isTooDeep(hidden) ? stripped(hidden) : toText(hidden))
    // What only spaces out a mail is no line of its text.
    .replace(/[ \u00a0\u200b]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const restored = text.replace(/\u{10FFF0}(\d+)\u{10FFF1}/gu, (_, position) => tags[Number(position)] ?? '')
  return balanced(restored)
}

const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
])
const ignore = (): void => {}
const nothing = {
  onStartTag: ignore,
  onEndTag: ignore,
  onDoctype: ignore,
  onComment: ignore,
  onCharacter: ignore,
  onNullCharacter: ignore,
  onWhitespaceCharacter: ignore,
  onEof: ignore,
}

/** Whether more elements than {@link MAX_DEPTH} are open at once, never-closed ones counted too. */
function isTooDeep(html: string): boolean {
  const open = new Map<string, number>()
  let depth = 0
  let deepest = 0
  const tokenizer = new Tokenizer(
    {},
    {
      ...nothing,
      onStartTag({ tagName }) {
        if (VOID.has(tagName)) return
        open.set(tagName, (open.get(tagName) ?? 0) + 1)
        depth += 1
        deepest = Math.max(deepest, depth)
      },
      onEndTag({ tagName }) {
        const some = open.get(tagName) ?? 0
        if (some === 0) return
        open.set(tagName, some - 1)
        depth -= 1
      },
    },
  )
  tokenizer.write(html, true)
  return deepest > MAX_DEPTH
}

function stripped(html: string): string {
  let text = ''
  const add = ({ chars }: { chars: string }): void => {
    text += chars
  }
  new Tokenizer({}, { ...nothing, onCharacter: add, onWhitespaceCharacter: add }).write(html, true)
  return text
}

/** What is for some people alone stays for them alone, also where other tags have to go. */
const DECIDING = /^\{%-?\s*(?:end)?(?:only_for|except_for|product|products_by)\b/
/** Where one half of a pair of tags stood inside what text leaves out (an attribute, a style), the tags go and the values stay. */
function balanced(template: string): string {
  if (isReadable(template)) return template
  const without = (stays: (tag: string) => boolean): string =>
    template.replace(/\{%(?:(?!\{%)[\s\S])*?%\}/g, (tag) => (stays(tag) ? tag : ''))
  const decided = without((tag) => DECIDING.test(tag))
  return isReadable(decided) ? decided : without(() => false)
}

function isReadable(template: string): boolean {
  try {
    compileTemplate(template, 'text')
    return true
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return false
  }
}
