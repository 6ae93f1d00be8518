import { recurring } from '../../kernel/due-merchants.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import type { Facts } from '../../kernel/events.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
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
export async function redactLooksOfExecutions(
  scope: MerchantScope,
  { kind, changes }: Facts['consent.changed'],
): Promise<void> {
  // Looks are kept only of those who gave it, so a first copy of the store asks nothing here.
  const ids = changes.flatMap(({ customerId, from, to }) =>
    from === 'granted' && to !== 'granted' ? [customerId] : [],
  )
  if (kind === 'marketing' && ids.length > 0) await redactKeptLooks(scope, ids)
}
