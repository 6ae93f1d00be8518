import { readFlex } from '@okaeri/contract/line-messages/flex-source'
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'

export interface FlexPlace {
  /** From 1. */
  line: number
  /** `body.contents.0.text`; empty: the whole. */
  place: string
  reason: string
}

/** What is wrong in Flex as typed, each at its line. */
export function flexPlaces(source: string): FlexPlace[] {
  const read = readFlex(source)
  if (!('problems' in read)) return []
  const [first] = read.problems
  if (first && isDeep(source)) return [{ line: 1, place: '', reason: first.reason }]
  const errors: ParseError[] = []
  const tree = parseTree(source, errors, { disallowComments: true })
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length
  return read.problems.map(({ reason, path }) => {
    if (path === null) return { line: lineAt(errors[0]?.offset ?? 0), place: '', reason }
    return { line: lineAt(nearest(tree, path)), place: path.join('.'), reason }
  })
}

/** The parser calls itself for each bracket: thousands, typed or pasted, would end the page. */
const MAX_BRACKETS = 500
export function isDeep(source: string): boolean {
  let depth = 0
  for (const sign of source) {
    if (sign === '{' || sign === '[') depth += 1
    if (sign === '}' || sign === ']') depth -= 1
    if (depth > MAX_BRACKETS) return true
  }
  return false
}

/** What is missing has no place of its own: that of what it should stand in. */
function nearest(tree: Node | undefined, path: readonly (string | number)[]): number {
  for (let length = path.length; tree && length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length))
    if (node) return node.offset
  }
  return tree?.offset ?? 0
}
