import { Liquid, type Template, TokenKind } from 'liquidjs'
import { computingTime } from '../../kernel/clock.ts'
import { liquidSpans } from './liquid-spans.ts'
import type { MessageData } from './message-data.ts'

/** Liquid that cannot be read or run; `line` counts from 1 within the source. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly line: number
  constructor(message: string, line: number, options?: ErrorOptions) {
    super(message, options)
    this.line = line
  }
}

export interface CompiledTemplate {
  /** Text that is the same for everyone, and what differs: a sender encodes the former once for all recipients. */
  readonly parts: readonly (string | ((data: MessageData) => string))[]
  /** Throws {@link TemplateError} when the template runs too long or grows too large. */
  render(data: MessageData): string
}

type Escape = 'html' | 'text'

/** Templates are parsed whole, text included: the largest content, with its markers. */
const PARSE_LIMIT_CHARACTERS = 4 * 1024 * 1024
/** As the engine counts it: characters and list items made in one rendering. */
const MEMORY_LIMIT = 20_000_000
/** Hundreds of times what a mail needs. A pause of the machine does not count: it must not fail a recipient. */
const RENDER_LIMIT_MS = 500
/** No mailbox shows more; a loop around a large block would otherwise fill the memory. */
const OUTPUT_LIMIT_CHARACTERS = 4 * 1024 * 1024

/** A mail has dozens, short ones; the engine's time grows with the square of their number and of their length. */
const MAX_TAGS = 5000
const MAX_TAG_CHARACTERS = 5000

/** Tags that reach for files, or hold other tags in a form of their own. */
const FORBIDDEN_TAGS = ['include', 'render', 'layout', 'block', 'liquid']
/** With output escaped, `raw` would let a customer's name carry HTML, and the other only shows its tags. */
const FORBIDDEN_FILTERS = ['raw', 'newline_to_br']

/** What one node leaves for the next, or a loop, whose time is limited only when the whole is rendered at once. */
const NEEDS_WHOLE = /\{%-?\s*(?:assign|capture|increment|decrement|cycle|break|continue|for|tablerow)\b/
/** The common case, a thousand times cheaper without the engine; `size`, `first` and `last` mean something to Liquid. */
const PLAIN_OUTPUT =
  /^\{\{-?\s*(?:(customer|store|sender|coupon|event)\.(?!(?:size|first|last)\s*-?\}\})([a-z_]+)|unsubscribe_url)\s*-?\}\}$/

const HTML_ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }
export const escapeHtml = (value: string): string => value.replace(/[&<>"']/g, (sign) => HTML_ESCAPES[sign] ?? sign)

/** Link markers are made of U+0001: no value may forge one. Mail knows no use for the other control characters. */
const CONTROLS = /(?![\t\n\r])\p{Cc}/gu
const clean = (value: string): string => value.replace(CONTROLS, '')

const escapes: Record<Escape, (value: string) => string> = {
  html: (value) => escapeHtml(clean(value)),
  text: clean,
}

const asText = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? value.map(asText).join('') : ''
}

const engines: Record<Escape, Liquid> = { html: createEngine('html'), text: createEngine('text') }

function createEngine(escape: Escape): Liquid {
  const output = (value: unknown): string => escapes[escape](asText(value))
  const engine = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    outputEscape: output,
    // No template is ever looked up; without this the default would be the file system.
    templates: {},
    parseLimit: PARSE_LIMIT_CHARACTERS,
    renderLimit: RENDER_LIMIT_MS,
    memoryLimit: MEMORY_LIMIT,
  })
  for (const name of FORBIDDEN_TAGS) delete engine.tags[name]
  for (const name of FORBIDDEN_FILTERS) engine.unregisterFilter(name)
  // The output is escaped anyway: `| escape`, habitual in store themes, must not escape twice.
  if (escape === 'html') for (const name of ['escape', 'escape_once']) engine.registerFilter(name, asText)
  return engine
}

/** Reads a template. Throws {@link TemplateError}. Variables that do not exist render empty. */
export function compileTemplate(source: string, escape: Escape): CompiledTemplate {
  const engine = engines[escape]
  const nodes = parse(engine, source)
  const run = (some: Template[], data: MessageData): string => limited(() => engine.renderSync(some, data) as string)
  const parts: (string | ((data: MessageData) => string))[] = []
  const addText = (text: string): void => {
    const last = parts.at(-1)
    if (typeof last === 'string') parts[parts.length - 1] = last + text
    else if (text) parts.push(text)
  }
  if (NEEDS_WHOLE.test(source)) parts.push((data) => run(nodes, data))
  else
    for (const node of nodes)
      if (isStatic(node)) addText(limited(() => engine.renderSync([node]) as string))
      else parts.push(plainOutput(node, escapes[escape]) ?? ((data) => run([node], data)))
  return { parts, render: (data) => joined(parts, data) }
}

function joined(parts: CompiledTemplate['parts'], data: MessageData): string {
  let whole = ''
  for (const part of parts) whole += typeof part === 'string' ? part : part(data)
  return whole
}

function isStatic(node: Template): boolean {
  if (node.token.kind === TokenKind.HTML) return true
  const { name } = node as Template & { name?: string }
  return name === 'raw' || name === 'comment' || name === '#'
}

function plainOutput(node: Template, escape: (value: string) => string): ((data: MessageData) => string) | null {
  if (node.token.kind !== TokenKind.Output) return null
  const plain = PLAIN_OUTPUT.exec(node.token.getText())
  if (!plain) return null
  const group = plain[1] as 'customer' | 'store' | 'sender' | 'coupon' | 'event' | undefined
  const property = plain[2] ?? ''
  if (!group) return (data) => escape(data.unsubscribe_url)
  return (data) => {
    const values: Readonly<Record<string, unknown>> = data[group]
    return Object.hasOwn(values, property) ? escape(asText(values[property])) : ''
  }
}

function parse(engine: Liquid, source: string): Template[] {
  const spans = liquidSpans(source)
  if (spans.length > MAX_TAGS) throw new TemplateError('it has too many tags', 1)
  const long = spans.find(({ start, end }) => end - start > MAX_TAG_CHARACTERS)
  if (long) throw new TemplateError('a tag is too long', source.slice(0, long.start).split('\n').length)
  try {
    return engine.parse(source)
  } catch (error) {
    throw templateError(error)
  }
}

function limited(render: () => string, again = false): string {
  const spentMs = computingTime()
  let result: string
  try {
    result = render()
  } catch (error) {
    // The engine looks at the clock on the wall.
    const paused = isOverTime(error) && spentMs() < RENDER_LIMIT_MS / 2
    // Once: a machine this busy would never come to the end of a template that has none.
    if (paused && !again) return limited(render, true)
    throw templateError(error)
  }
  if (result.length > OUTPUT_LIMIT_CHARACTERS) throw new TemplateError('it grows too large', 1)
  return result
}

const isOverTime = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('template render limit exceeded')

function templateError(error: unknown): TemplateError {
  if (error instanceof TemplateError) return error
  // Thousands of nested tags exhaust the stack before any limit of the engine is reached.
  if (error instanceof RangeError) return new TemplateError('it is nested too deeply or grows too large', 1)
  const { token, originalError, message } = error as Error & {
    token?: { getPosition(): number[] }
    originalError?: Error
  }
  if (!token) throw error
  const said = (originalError?.message ?? message).replace(/,? ?(line|file):.*$/s, '')
  return new TemplateError(said, token.getPosition()[0] ?? 1, { cause: error })
}

/** The variables a template reads, each as its path (`customer.name`); empty when it is broken. */
export function variablesOf(source: string): string[][] {
  try {
    const engine = engines.text
    return engine
      .globalVariableSegmentsSync(parse(engine, source), { partials: false })
      .map((segments) => segments.filter((segment) => typeof segment === 'string'))
  } catch {
    // What is broken is said by compileTemplate, with its line.
    return []
  }
}

/** One line without control characters, as a header needs it: a customer's name cannot add a header to the mail. */
export const oneLine = (value: string): string =>
  value
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
