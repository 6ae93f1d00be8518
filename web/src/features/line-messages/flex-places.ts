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
  const errors: ParseError[] = []
  const tree = parseTree(source, errors, { disallowComments: true })
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length
  return read.problems.map(({ reason, path }) => {
    if (path === null) return { line: lineAt(errors[0]?.offset ?? 0), place: '', reason }
    return { line: lineAt(nearest(tree, path)), place: path.join('.'), reason }
  })
}

/** What is missing has no place of its own: that of what it should stand in. */
function nearest(tree: Node | undefined, path: readonly (string | number)[]): number {
  for (let length = path.length; tree && length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length))
    if (node) return node.offset
  }
  return tree?.offset ?? 0
}
