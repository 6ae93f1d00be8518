import type { NodeKind } from '../node-kind.ts'

/** The note is the history row itself; the customer's timeline shows it. */
export const addNote: NodeKind<'add_note'> = {
  advance: ({ node, executions }) =>
    Promise.resolve(executions.map(() => ({ to: 'next', detail: { text: node.settings.text } }))),
  rehearse: () => ({ to: 'next' }),
}
