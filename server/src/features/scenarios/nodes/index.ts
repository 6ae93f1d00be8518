import type { NodeKindName } from '@okaeri/contract/scenarios/flow'
import type { NodeKind } from '../node-kind.ts'
import { branch } from './branch.ts'
import { end } from './end.ts'
import { randomSplit } from './random-split.ts'
import { wait } from './wait.ts'

/** Every kind of node that can be run; a new one is a file beside this and a line here. */
const kinds: { readonly [K in NodeKindName]?: NodeKind<K> } = {
  wait,
  branch,
  random_split: randomSplit,
  end,
}

export const findNodeKind = (kind: NodeKindName): NodeKind<NodeKindName> | null =>
  (kinds[kind] as NodeKind<NodeKindName> | undefined) ?? null
