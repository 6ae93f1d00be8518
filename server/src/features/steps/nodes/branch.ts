import { AppError } from '../../../kernel/errors.ts'
import { selectChosen } from '../../flows/index.ts'
import { conditionsSql } from '../../segments/index.ts'
import type { Move, NodeKind } from '../node-kind.ts'

/** Asks a segment condition about the customers who are here now. A guest is not a customer, so the answer is no. */
export const branch: NodeKind<'branch'> = {
  async advance({ scope, node, executions }) {
    const { condition } = node.settings
    if (!condition) return executions.map((): Move => ({ fail: 'internal', detail: 'no condition' }))
    const customerIds = [...new Set(executions.flatMap(({ customer_id }) => customer_id ?? []))]
    try {
      const where = await conditionsSql(scope, condition, { only: customerIds })
      const chosen = await selectChosen(scope, customerIds, where)
      return executions.map(({ customer_id }) => ({ to: customer_id && chosen.has(customer_id) ? 'yes' : 'no' }))
    } catch (error) {
      // The condition names a segment or metafield that was deleted. No statement was sent, so the transaction can continue.
      if (!(error instanceof AppError && error.reason === 'condition_invalid')) throw error
      const detail = Object.entries(error.fields ?? {})
        .map(([field, reason]) => `${field}: ${reason}`)
        .join(', ')
      return executions.map((): Move => ({ fail: 'segment_gone', detail }))
    }
  },
  rehearse({ id }, { past, customerId, at }) {
    const meets = past.meets(id, customerId, at)
    return meets === null ? 'stuck' : { to: meets ? 'yes' : 'no' }
  },
}
