import type { NodeKind } from '../node-kind.ts'

export const end: NodeKind<'end'> = {
  advance: ({ executions }) => Promise.resolve(executions.map(() => ({ end: 'finished' as const }))),
  rehearse: () => 'end',
}
