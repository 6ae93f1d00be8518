import { recurring } from '../../kernel/work/due-merchants.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { HISTORIES_KEPT_MS, oldHistories } from './due-queries.ts'
import { deleteHistories, listOldHistories } from './old-history-queries.ts'

const AT_ONCE = 2000

/**
 * A year after an execution ended its history, the largest table, is deleted. The execution stays: conditions, results and re-entry
 * rules need who was in the scenario, when, and how it ended.
 */
async function removeOld(scope: MerchantScope): Promise<void> {
  const before = new Date(scope.now.getTime() - HISTORIES_KEPT_MS)
  for (let after = NIL_ID; ; ) {
    const found = await listOldHistories(scope, before, { after, limit: AT_ONCE })
    const last = found.at(-1)
    if (!last) return
    const over = found.flatMap(({ id, is_over }) => (is_over ? id : []))
    if (over.length > 0) await scope.transaction((scope) => deleteHistories(scope, over))
    after = last.id
  }
}

export const removeOldHistories = recurring({
  name: 'remove old histories of executions',
  everyMs: 3_600_000,
  due: oldHistories,
  async turn(scope) {
    await removeOld(scope)
    return false
  },
})
