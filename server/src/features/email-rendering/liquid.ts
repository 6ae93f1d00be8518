import { Context, defaultOperators, Liquid, type Template, TokenKind, toValueSync } from 'liquidjs'
import { chargedTags } from './checks/charged-tags.ts'
import { liquidSpans, type Span } from './checks/liquid-spans.ts'
import type { MailProduct, MessageData } from './data/message-data.ts'
import { asText, type Escape, escaped, plainOutput, type PlainValue, plainValue } from './parts.ts'
import { TemplateError } from './checks/template-error.ts'
import { MAX_RANGE, Work, workOf } from './work.ts'

// The one file that runs what people write in Liquid. Imported by what runs in a thread alone (`npm run house`).

/** Nodes the engine renders, for one place of the template. */
export type Nodes = readonly Template[]
/** `product`: of nodes within a block that shows it. */
type NodeData = Partial<MessageData> & { product?: MailProduct }
export type CompiledPart = string | PlainValue | { readonly nodes: Nodes }
export interface CompiledTemplate {
  readonly parts: readonly CompiledPart[]
  /** Throws {@link TemplateError} when it costs more than `work` allows. */
  render(data: MessageData, work: Work): string
  /** The text of some nodes of it. */
  renderNodes(nodes: Nodes, data: NodeData, work: Work): string
  /** The groups of variables it reads: `customer`, `store`. */
  groupsRead(nodes: Nodes): string[]
}

/** Templates are parsed whole, text included: the largest content, with its markers. */
const PARSE_LIMIT_CHARACTERS = 4 * 1024 * 1024
/** A mail has dozens, short ones; the engine's time grows with the square of their number and of their length. */
const MAX_TAGS = 5000
const MAX_TAG_CHARACTERS = 5000
/** More are left to the thread as a whole: looked up one by one they would keep the sender busy. */
const MAX_PLAIN_OUTPUTS = 200

/** Tags that reach for files, or hold other tags in a form of their own. */
const FORBIDDEN_TAGS = ['include', 'render', 'layout', 'block', 'liquid']
/** With output escaped, `raw` would let a customer's name carry HTML, and the other only shows its tags. */
const FORBIDDEN_FILTERS = ['raw', 'newline_to_br']
/** They evaluate text as an expression for each item of a list. */
const isMultiplier = (filter: string): boolean => filter.endsWith('_exp')

/** What one node leaves for the next. */
const NEEDS_WHOLE =
  /\{%-?\s*(?:assign|capture|increment|decrement|cycle|break|continue)\b|\{%-?\s*for\b[^%]*\bcontinue\b/

/** Each item is looked into. */
const PER_ITEM = new Set([
  'sort',
  'sort_natural',
  'map',
  'where',
  'reject',
  'group_by',
  'has',
  'find',
  'find_index',
  'sum',
])
const SEARCHING = new Set([
  'split',
  'replace',
  'replace_first',
  'replace_last',
  'remove',
  'remove_first',
  'remove_last',
])
const STEPS_PER_DATE = 15_000

type Handler = (this: { context: Context }, value: unknown, ...args: unknown[]) => unknown

const engines: Record<Escape, Liquid> = { html: createEngine('html'), text: createEngine('text') }

function createEngine(escape: Escape): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    outputEscape: function (this: { context: Context }, value: unknown): string {
      workOf(this.context).measure(value)
      return escaped(asText(value), escape)
    } as (value: unknown) => string,
    operators: chargedOperators(),
    // No template is ever looked up; without this the default would be the file system.
    templates: {},
    parseLimit: PARSE_LIMIT_CHARACTERS,
  })
  for (const name of FORBIDDEN_TAGS) delete engine.tags[name]
  for (const [name, tag] of Object.entries(chargedTags)) engine.registerTag(name, tag)
  for (const [name, filter] of Object.entries(engine.filters)) {
    engine.unregisterFilter(name)
    if (FORBIDDEN_FILTERS.includes(name) || isMultiplier(name)) continue
    // The output is escaped anyway: `| escape`, habitual in store themes, must not escape twice.
    const handler = escape === 'html' && /^escape(?:_once)?$/.test(name) ? asText : filter
    engine.registerFilter(name, charged(name, handler as Handler))
  }
  return engine
}

/** The filter, whose work is counted before it is done, and whose result is no larger than anything in a mail. */
function charged(name: string, handler: Handler): Handler {
  return function (value, ...args) {
    const work = workOf(this.context)
    work.filtering += 1
    try {
      const { characters, items } = work.measure(value)
      const given = work.measure(args).characters
      if (PER_ITEM.has(name)) work.step((items + 1) * (500 + given * 20))
      if (SEARCHING.has(name)) work.search(characters, given)
      if (name.startsWith('date')) work.step(STEPS_PER_DATE + given * 100)
      const result = handler.apply(this, [value, ...args])
      const made: unknown = isGenerator(result) ? toValueSync(result as never) : result
      work.made(made)
      return made
    } finally {
      work.filtering -= 1
    }
  }
}

const isGenerator = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function'

/** Comparing takes as long as what is compared is. */
function chargedOperators(): typeof defaultOperators {
  const operators: Record<string, unknown> = { ...defaultOperators }
  for (const name of ['==', '!=', '<', '<=', '>', '>=', 'contains']) {
    const compare = defaultOperators[name] as (left: unknown, right: unknown, context: Context) => unknown
    operators[name] = (left: unknown, right: unknown, context: Context): unknown => {
      const work = workOf(context)
      const [one, other] = [work.measure(left), work.measure(right)]
      if (name === 'contains') work.search(one.characters, other.characters)
      return compare(left, right, context)
    }
  }
  return operators as typeof defaultOperators
}

/** Reads a template. Throws {@link TemplateError}. Variables that do not exist render empty. */
export function compileTemplate(source: string, escape: Escape): CompiledTemplate {
  const engine = engines[escape]
  const spans = checkedSpans(source)
  const nodes = parse(engine, source)
  const longest = spans.reduce((most, { start, end }) => Math.max(most, end - start), 0)
  const renderNodes = (some: Nodes, data: NodeData, work: Work): string => {
    work.enter(longest)
    return rendered(engine, some, data, work)
  }
  const parts = partsOf(source, nodes, (some) => renderNodes(some, {}, new Work(Number.MAX_VALUE)))
  return {
    parts,
    renderNodes,
    groupsRead: (some) => variablesIn(engine, some).map(([group]) => String(group)),
    render(data, work) {
      let whole = ''
      for (const part of parts) {
        if (typeof part !== 'string' && 'nodes' in part) {
          whole += renderNodes(part.nodes, data, work)
          continue
        }
        const text = typeof part === 'string' ? part : plainValue(part, data, escape)
        work.write(text.length)
        whole += text
      }
      return whole
    },
  }
}

function partsOf(source: string, nodes: Nodes, renderText: (nodes: Nodes) => string): CompiledPart[] {
  if (NEEDS_WHOLE.test(source)) return [{ nodes }]
  const parts: CompiledPart[] = []
  let plain = 0
  for (const node of nodes) {
    if (isStatic(node)) {
      const text = renderText([node])
      const last = parts.at(-1)
      if (typeof last === 'string') parts[parts.length - 1] = last + text
      else if (text) parts.push(text)
      continue
    }
    const value = node.token.kind === TokenKind.Output ? plainOutput(node.token.getText()) : null
    if (value) plain += 1
    parts.push(value ?? { nodes: [node] })
  }
  return plain > MAX_PLAIN_OUTPUTS ? [{ nodes }] : parts
}

function isStatic(node: Template): boolean {
  if (node.token.kind === TokenKind.HTML) return true
  const { name } = node as Template & { name?: string }
  return name === 'raw' || name === 'comment' || name === '#'
}

const RANGE = /\(\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*\)/g

/** Where Liquid stands, unless it is too much or not offered. */
function checkedSpans(source: string): Span[] {
  const spans = liquidSpans(source)
  const lineOf = (at: number): number => source.slice(0, at).split('\n').length
  if (spans.length > MAX_TAGS) throw new TemplateError('it has too many tags', 1, 'too_costly')
  for (const { start, end } of spans) {
    if (end - start > MAX_TAG_CHARACTERS) throw new TemplateError('a tag is too long', lineOf(start), 'too_costly')
    const tag = source.slice(start, end).replace(/"[^"]*"|'[^']*'/g, '')
    for (const [range, from, to] of tag.matchAll(RANGE))
      if (Number(to) - Number(from) + 1 > MAX_RANGE) throw new TemplateError(range, lineOf(start), 'not_offered')
  }
  return spans
}

function variablesIn(engine: Liquid, nodes: Nodes): (string | number)[][] {
  try {
    return engine.globalVariableSegmentsSync(nodes as Template[], { partials: false }) as (string | number)[][]
  } catch (error) {
    throw templateError(error)
  }
}

function parse(engine: Liquid, source: string): Template[] {
  try {
    return engine.parse(source)
  } catch (error) {
    throw templateError(error)
  }
}

function rendered(engine: Liquid, nodes: Nodes, data: NodeData, work: Work): string {
  const limiter = work as unknown as Context['memoryLimit']
  const context = new Context(data, engine.options, {}, { memoryLimit: limiter, renderLimit: limiter })
  let buffer = ''
  const emitter = {
    get buffer() {
      return buffer
    },
    write(html: unknown) {
      const text = asText(html)
      work.write(text.length)
      buffer += text
    },
  }
  try {
    toValueSync(engine.renderer.renderTemplates(nodes as Template[], context, emitter as never) as never)
    return buffer
  } catch (error) {
    throw templateError(error)
  }
}

/** Every error of the engine, also one without a place, is the template's: passed on, the job would be tried again without end. */
function templateError(error: unknown): TemplateError {
  if (error instanceof TemplateError) return error
  const { token, originalError, message } = error as Error & {
    token?: { getPosition(): number[] }
    originalError?: Error
  }
  const line = token?.getPosition()[0] ?? 1
  if (originalError instanceof TemplateError)
    return new TemplateError(originalError.message, line, originalError.fault, { cause: error })
  // Thousands of nested tags exhaust the stack before any limit is reached.
  if (error instanceof RangeError || originalError instanceof RangeError)
    return new TemplateError('it is nested too deeply or grows too large', line, 'too_costly')
  const said = (originalError?.message ?? message).replace(/,? ?(line|file):.*$/s, '')
  const filter = /^undefined filter: (\w+)$/.exec(said)?.[1]
  if (filter && isMultiplier(filter)) return new TemplateError(filter, line, 'not_offered', { cause: error })
  return new TemplateError(said, line, 'broken', { cause: error })
}

/** The variables a template reads, each as its path (`customer.name`); empty when it is broken. */
export function variablesOf(source: string): string[][] {
  try {
    checkedSpans(source)
    const engine = engines.text
    return variablesIn(engine, parse(engine, source)).map((segments) =>
      segments.filter((segment) => typeof segment === 'string'),
    )
  } catch {
    // What is broken is said by compileTemplate, with its line.
    return []
  }
}
