import { AppError } from '../../../kernel/errors.ts'
import { selectChosen } from '../../flows/index.ts'
import { describeChosen } from '../../segments/index.ts'
import type { Move, NodeKind } from '../node-kind.ts'

/** The conditions of segments, asked of the customers who are here at this moment. A guest is nobody's customer: always no. */
export const branch: NodeKind<'branch'> = {
  async advance({ scope, node, executions }) {
    const { condition } = node.settings
    if (!condition) return executions.map((): Move => ({ fail: 'internal', detail: 'no condition' }))
    const customerIds = [...new Set(executions.flatMap(({ customer_id }) => customer_id ?? []))]
    try {
      const where = await describeChosen(scope, condition, { only: customerIds })
      const chosen = await selectChosen(scope, customerIds, where)
      return executions.map(({ customer_id }) => ({ to: customer_id && chosen.has(customer_id) ? 'yes' : 'no' }))
    } catch (error) {
      // It names a segment or a metafield that was deleted since. Nothing was asked of the database then that could have failed.
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
