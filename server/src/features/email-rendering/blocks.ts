import { liquidSpans } from './checks/liquid-spans.ts'
import { choicesIn } from './data/product-choice.ts'

/** Tags that name one thing by its id and end with a tag of their own: `{% product "…" %}…{% endproduct %}`. */
const NAMING = /^\{%-?\s*(product|only_for|except_for)\s([^%]*?)-?%\}$/
const END_OF_PRODUCT = /^\{%-?\s*end(?:product|products_by)\s*-?%\}$/
const QUOTED_ID = /^\s*(["'])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\1\s*$/i
const WORD = /product|only_for|except_for/

/** The id a tag names; null where it is none. */
export const namedId = (args: string): string | null => QUOTED_ID.exec(args)?.[2]?.toLowerCase() ?? null

export type NamedKind = 'product' | 'only_for' | 'except_for'
export interface NamedBlock {
  kind: NamedKind
  id: string
  tag: string
  start: number
}

/** The blocks whose ids can be read; the template is broken by others, and says so. */
export function blocksIn(source: string): NamedBlock[] {
  if (!WORD.test(source)) return []
  return liquidSpans(source).flatMap(({ start, end }) => {
    const tag = source.slice(start, end)
    const [, kind, args = ''] = NAMING.exec(tag) ?? []
    const id = namedId(args)
    return kind && id !== null ? [{ kind: kind as NamedKind, id, tag, start }] : []
  })
}

/** Ids of what the blocks name, each once. */
export const idsNamed = (sources: readonly string[], kinds: readonly NamedKind[]): string[] => [
  ...new Set(
    sources.flatMap((source) =>
      blocksIn(source)
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ id }) => id),
    ),
  ),
]

/** Which product a place of the source shows: one by its id, or those that a rule chooses. */
type ShownAt = { id: string } | 'chosen' | null

/** Returns in which product's block a place of the source is; null outside of all. */
export function productAt(source: string): (at: number) => ShownAt {
  const turns: { at: number; shown: ShownAt }[] = []
  const open: ShownAt[] = []
  const begins = new Map<number, ShownAt>([
    ...blocksIn(source).flatMap(({ kind, start, id }): [number, ShownAt][] =>
      kind === 'product' ? [[start, { id }]] : [],
    ),
    ...choicesIn(source).map(({ start }): [number, ShownAt] => [start, 'chosen']),
  ])
  if (begins.size === 0) return () => null
  for (const { start, end } of liquidSpans(source)) {
    const begun = begins.get(start)
    if (begun !== undefined) open.push(begun)
    else if (END_OF_PRODUCT.test(source.slice(start, end))) open.pop()
    else continue
    turns.push({ at: end, shown: open.at(-1) ?? null })
  }
  return (at) => turns.findLast((turn) => turn.at <= at)?.shown ?? null
}

/** The first tag that is filled in mails alone. */
export const firstFilled = (source: string): { tag: string; start: number } | undefined =>
  [...blocksIn(source), ...choicesIn(source)].toSorted((one, other) => one.start - other.start)[0]

/** The address of the block's product and nothing else. */
export const isProductLink = (href: string): boolean => /^\s*\{\{-?\s*product\.url\s*-?\}\}\s*$/.test(href)
