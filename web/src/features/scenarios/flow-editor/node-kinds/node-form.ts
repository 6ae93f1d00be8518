import type { Flow, FlowNode, NodeOf } from '@okaeri/contract/scenarios/flow/flow'
import type { NodeKindName } from '@okaeri/contract/scenarios/node-kinds/index'

export interface NodeFormProps<K extends NodeKindName> {
  node: NodeOf<K>
  /** In which it stands. */
  flow: Flow
  onChange: (node: FlowNode, typing?: string) => void
  /** Shows all errors, not only those of fields already used. */
  strict: boolean
}
