import type { NodeKind } from '../node-kind.ts'

/** It cannot be enabled as long as there is no such channel. */
export const sendLine: NodeKind<'send_line'> = {
  brings: true,
  advance: ({ executions }) =>
    Promise.resolve(executions.map(() => ({ fail: 'internal', detail: 'send_line cannot be run' }))),
  rehearse: () => 'stuck',
}
