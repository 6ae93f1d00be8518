import { FlexContents } from '@okaeri/contract/line-messages/flex'
import { findNodeAtLocation, getLocation, getNodeValue, type JSONPath, type Node, parseTree } from 'jsonc-parser'
import { z } from 'zod'
import { isDeep } from './flex-places.ts'

/** JSON schema, as far as the contract's Flex needs it. */
interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  oneOf?: Schema[]
  type?: string
  const?: unknown
  enum?: unknown[]
  pattern?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}
export interface FlexChoice {
  label: string
  /** What may stand there. */
  hint: string
  isNeeded: boolean
  insert: string
}
export interface FlexChoices {
  /** What a choice replaces. */
  from: number
  to: number
  /** Where begins what was typed of it, its quote aside. */
  typedFrom: number
  choices: FlexChoice[]
}

let made: Schema | null = null
const flex = (): Schema => (made ??= z.toJSONSchema(FlexContents, { io: 'input', unrepresentable: 'any' }) as Schema)

/** The keys or values that may stand at a place of Flex as typed, which need not be whole; null: nothing is known of it. */
export function flexChoices(source: string, offset: number): FlexChoices | null {
  if (isDeep(source)) return null
  const tree = parseTree(source)
  const { path, isAtPropertyKey, previousNode } = getLocation(source, offset)
  const token = tokenAt(source, offset, previousNode)
  const choices = isAtPropertyKey
    ? keysAt(tree, path.slice(0, -1), { except: path.at(-1), isFollowed: /^\s*:/.test(source.slice(token.to)) })
    : schemasAt(tree, path).flatMap(valuesOf)
  return choices.length > 0 ? { ...token, choices: withoutRepeats(choices) } : null
}

/** The text or word that is being typed there. One that was not closed ends at the cursor. */
function tokenAt(
  source: string,
  offset: number,
  node: Node | undefined,
): Pick<FlexChoices, 'from' | 'to' | 'typedFrom'> {
  const quote = source[node?.offset ?? -1] === '"' ? node?.offset : undefined
  if (node && quote !== undefined) {
    const end = quote + node.length
    const isClosed = node.length > 1 && source[end - 1] === '"'
    if (quote < offset && (isClosed ? offset < end : offset <= end))
      return { from: quote, to: isClosed ? end : offset, typedFrom: quote + 1 }
  }
  const typed = /[\w#.-]*$/.exec(source.slice(0, offset))?.[0].length ?? 0
  return { from: offset - typed, to: offset, typedFrom: offset - typed }
}

const kinds = (schema: Schema): Schema[] => {
  const named = schema.$ref && flex().$defs?.[schema.$ref.split('/').at(-1) ?? '']
  if (named) return kinds(named)
  return schema.oneOf ? schema.oneOf.flatMap(kinds) : [schema]
}

/** Those that the object's own `type` leaves. */
function ofType(schemas: Schema[], node: Node | undefined): Schema[] {
  const type: unknown = node && (getNodeValue(node) as { type?: unknown } | undefined)?.type
  const same = schemas.filter(({ properties }) => properties?.['type']?.const === type)
  return same.length > 0 ? same : schemas
}

function schemasAt(tree: Node | undefined, path: JSONPath): Schema[] {
  return path.reduce((schemas: Schema[], step, at) => {
    if (typeof step === 'number') return schemas.flatMap(({ items }) => (items ? kinds(items) : []))
    const object = tree && findNodeAtLocation(tree, path.slice(0, at))
    const candidates = step === 'type' ? schemas : ofType(schemas, object)
    return candidates.flatMap(({ properties }) => (properties?.[step] ? kinds(properties[step]) : []))
  }, kinds(flex()))
}

function keysAt(
  tree: Node | undefined,
  path: JSONPath,
  { except, isFollowed }: { except: string | number | undefined; isFollowed: boolean },
): FlexChoice[] {
  const object = tree && findNodeAtLocation(tree, path)
  const present = new Set((object?.children ?? []).map(({ children }) => children?.[0]?.value as string))
  return ofType(schemasAt(tree, path), object).flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties)
      .filter(([key]) => key === except || !present.has(key))
      .map(([key, schema]) => {
        const values = kinds(schema).flatMap(valuesOf)
        // Where there is something to choose, it is chosen next.
        const value = values.length > 0 ? '' : JSON.stringify(blank(schema))
        return {
          label: key,
          hint: hintOf(values),
          isNeeded: required.includes(key),
          insert: JSON.stringify(key) + (isFollowed ? '' : `: ${value}`),
        }
      }),
  )
}

const MAX_HINTS = 3
const hintOf = (values: FlexChoice[]): string =>
  values
    .slice(0, MAX_HINTS)
    .map(({ label }) => label)
    .join(', ') + (values.length > MAX_HINTS ? ' …' : '')

/** For one schema that is no choice between others. */
function valuesOf(schema: Schema): FlexChoice[] {
  const plain = (value: unknown): FlexChoice => ({
    label: String(value),
    hint: '',
    isNeeded: false,
    insert: JSON.stringify(value),
  })
  if (schema.const !== undefined) return [plain(schema.const)]
  if (schema.enum) return schema.enum.map(plain)
  if (schema.type === 'boolean') return [true, false].map(plain)
  if (schema.pattern) return namesIn(schema.pattern).map(plain)
  if (schema.type === 'array') return [{ ...plain('[ ]'), insert: '[]' }]
  if (schema.type !== 'object') return []
  const insert = JSON.stringify(blank(schema), null, 1).replace(/\n\s*/g, ' ')
  return [{ ...plain(schema.properties?.['type']?.const ?? '{ }'), insert }]
}

/** `^(none|xs|sm|\d+px)$` names three. */
const namesIn = (pattern: string): string[] =>
  (/^\^\(([^()]*)/.exec(pattern)?.[1] ?? '').split('|').filter((name) => /^[a-z\d-]*[a-z]$/.test(name))

/** Not needed by their form, but nothing without them. */
const usual: Record<string, string[]> = { bubble: ['body'], text: ['text'], span: ['text'] }

/** The least of what may stand there, to be filled in. */
function blank(schema: Schema): unknown {
  const [{ const: only, enum: some, type, properties = {}, required = [] } = schema] = kinds(schema)
  if (only !== undefined) return only
  if (some) return some[0]
  if (type === 'array') return []
  if (type === 'boolean') return false
  if (type !== 'object') return type === 'string' ? '' : 0
  const keys = [...required, ...(usual[String(properties['type']?.const)] ?? [])]
  return Object.fromEntries(keys.map((key) => [key, blank(properties[key] ?? {})]))
}

/** What several kinds have stands once; needed where one of them needs it. */
function withoutRepeats(choices: FlexChoice[]): FlexChoice[] {
  const byLabel = new Map<string, FlexChoice>()
  for (const choice of choices) {
    const before = byLabel.get(choice.label)
    byLabel.set(choice.label, before ? { ...before, isNeeded: before.isNeeded || choice.isNeeded } : choice)
  }
  return [...byLabel.values()]
}
