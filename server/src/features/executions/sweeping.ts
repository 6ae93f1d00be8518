import { recurring } from '../../kernel/work/due-merchants.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import type { Facts } from '../../kernel/facts.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { mayKeepLooks, withdrawnCustomers } from '../behavior/index.ts'
import { HISTORIES_KEPT_MS, oldHistories } from './due-queries.ts'
import { deleteHistories, listOldHistories, redactKeptLooks } from './sweeping-queries.ts'

const SWEPT_AT_ONCE = 2000

/**
 * A year after an execution ended its history, the largest table, is deleted. The execution stays: conditions, results and re-entry
 * rules need who was in the scenario, when, and how it ended.
 */
async function sweep(scope: MerchantScope): Promise<void> {
  const before = new Date(scope.now.getTime() - HISTORIES_KEPT_MS)
  for (let after = NIL_ID; ; ) {
    const found = await listOldHistories(scope, before, { after, limit: SWEPT_AT_ONCE })
    const last = found.at(-1)
    if (!last) return
    const over = found.flatMap(({ id, is_over }) => (is_over ? id : []))
    if (over.length > 0) await scope.transaction((scope) => deleteHistories(scope, over))
    after = last.id
  }
}

export const sweepHistories = recurring({
  name: 'remove old histories of executions',
  everyMs: 3_600_000,
  due: oldHistories,
  async turn(scope) {
    await sweep(scope)
    return false
  },
})

/** Who takes the permission back takes back what they looked at, which is kept of the events that began something. */
export async function redactLooksOfExecutions(scope: MerchantScope, fact: Facts['consent.changed']): Promise<void> {
  const ids = withdrawnCustomers(fact)
  if (ids.length > 0) await redactKeptLooks(scope, ids)
}

/** After the executions of two customers were merged: the permission of the one who stays is what counts. */
export async function redactLooksOfMerged(scope: MerchantScope, { intoId }: Facts['customers.merged']): Promise<void> {
  if (!(await mayKeepLooks(scope, intoId))) await redactKeptLooks(scope, [intoId])
}
