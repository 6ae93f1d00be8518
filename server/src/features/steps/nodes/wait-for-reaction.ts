import { endOfLimit } from '../../flows/index.ts'
import { getMerchant } from '../../merchants/index.ts'
import type { Move, NodeKind } from '../node-kind.ts'
import { type SentMessage, selectLastMessages } from '../step-questions-queries.ts'
import { findOpening } from '../waiting-for-hours.ts'

/**
 * Waits for an open or a click of another node's message in the same execution, for this long after it was sent. The time does not run while
 * the message waits for the sending hours. A message that will not be sent is not waited for.
 */
export const waitForReaction: NodeKind<'wait_for_reaction'> = {
  isSameWait: (before, after) => before.node_id === after.node_id && before.reaction === after.reaction,
  async advance({ scope, scenario, node, executions }) {
    const { node_id: nodeId, reaction, amount, unit } = node.settings
    if (nodeId === null) return executions.map((): Move => ({ fail: 'internal', detail: 'no step is chosen' }))
    const { timezone } = await getMerchant(scope)
    const messages = await selectLastMessages(scope, nodeId, executions)
    const leavesAt = (await findOpening(scope, scenario.flow)) ?? scope.now
    const endFrom = (at: Date): Date => endOfLimit({ amount, unit }, at, timezone)
    return executions.map(({ id, test }): Move => {
      const message = messages.get(id)
      if (message && hasReacted(message, reaction)) return { to: 'reacted', detail: { reaction } }
      if (test) return { to: 'not_reacted', detail: { passed_over: 'test' } }
      if (!message || message.isOver) return { to: 'not_reacted', detail: { reaction } }
      const until = endFrom(message.sentAt ?? leavesAt)
      return until > scope.now
        ? { sleepUntil: until, detail: { until: until.toISOString() } }
        : { to: 'not_reacted', detail: { reaction } }
    })
  },
  // Nothing was sent, so there was no reaction.
  rehearse: ({ settings }, { past, waitsFrom }) => ({
    to: 'not_reacted',
    at: endOfLimit(settings, new Date(waitsFrom), past.timezone).getTime(),
  }),
}

/** A click counts as an open, whether or not pictures were loaded. */
const hasReacted = ({ openedAt, clickedAt }: SentMessage, reaction: 'opened' | 'clicked'): boolean =>
  clickedAt !== null || (reaction === 'opened' && openedAt !== null)
