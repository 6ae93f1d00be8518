import { type Place, scanHtml, splice } from '../html-scan.ts'
import { liquidSpans } from './liquid-spans.ts'

/** Each pass uncovers what the one before joined; honest mails have nothing after the first. */
const MAX_PASSES = 20

/** Rendered HTML without scripts, handlers and addresses that run one, and what was taken out. */
export function withoutScripts(html: string): { html: string; removed: string[] } {
  let clean = html
  const removed: string[] = []
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const { removals, scripts } = scanHtml(clean, [])
    if (removals.length === 0) return { html: clean, removed }
    removed.push(...scripts)
    clean = splice(clean, removals)
  }
  // Made to outlast us: without its brackets nothing of it is read as a tag.
  return { html: clean.replaceAll('<', '&lt;'), removed }
}

const CHOOSING = new Set([
  'if',
  'unless',
  'case',
  'for',
  'tablerow',
  'capture',
  'comment',
  'raw',
  'product',
  'only_for',
  'except_for',
  'products_by',
])
const BETWEEN_CHOICES = new Set(['else', 'elsif', 'elseif', 'when'])
const LOOPS = new Set(['for', 'tablerow', 'products_by'])

/**
 * Whether no rendering of a template can hold a script, for all values: it has no script itself, values stand where they are text, and
 * after each tag the HTML is read as it was where the tag began. A value cannot end a quoted attribute or begin a tag, since all output is
 * escaped. False means unknown: then each rendering is checked.
 */
export function isFreeOfScripts(template: string): boolean {
  const spans = liquidSpans(template)
  const { scripts, places } = scanHtml(template, spans)
  if (scripts.length > 0 || places.includes(null)) return false
  const open: { name: string; place: Place }[] = []
  for (const [at, { start, end }] of spans.entries()) {
    const name = /^\{%-?\s*(\w+)/.exec(template.slice(start, Math.min(end, start + 100)))?.[1]
    const place = places[at] as Place
    if (!name) continue
    if (CHOOSING.has(name)) open.push({ name, place })
    else if (name.startsWith('end')) {
      if (open.pop()?.place !== place) return false
    } else if (BETWEEN_CHOICES.has(name)) {
      if (open.at(-1)?.place !== place) return false
    } else if (name === 'break' || name === 'continue') {
      if (open.findLast((one) => LOOPS.has(one.name))?.place !== place) return false
    }
    // It writes table cells itself.
    if (name === 'tablerow' && place !== 'between') return false
  }
  return open.length === 0
}
