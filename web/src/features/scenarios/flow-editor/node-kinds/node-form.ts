import type { FlowNode, NodeOf } from '@okaeri/contract/scenarios/flow'
import type { NodeKindName } from '@okaeri/contract/scenarios/node-kinds/index'

export interface NodeFormProps<K extends NodeKindName> {
  node: NodeOf<K>
  onChange: (node: FlowNode, typing?: string) => void
  /** Errors were asked for: all that is missing is told. */
  strict: boolean
}
