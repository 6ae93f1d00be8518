import type { NodeKind } from '../node-kind.ts'

/** A flow with this node cannot be enabled: LINE is not built yet. */
export const sendLine: NodeKind<'send_line'> = {
  brings: true,
  advance: ({ executions }) =>
    Promise.resolve(executions.map(() => ({ fail: 'internal', detail: 'send_line cannot be run' }))),
  rehearse: () => 'stuck',
}
