import type { MerchantScope, TransactionScope } from './merchant-scope.ts'

const DEADLOCK = '40P01'
const MAX_DEADLOCKS = 5

/**
 * A transaction on rows that others write meanwhile in another order: the database ends one of two that wait for each other, and that
 * one is done again from its beginning. The work must change nothing outside the database. Inside a transaction already it is tried
 * once, for what went before is undone too.
 */
export async function retriedTransaction<T>(
  scope: MerchantScope,
  work: (scope: TransactionScope) => Promise<T>,
): Promise<T> {
  for (let deadlocks = 0; ; deadlocks += 1)
    try {
      return await scope.transaction(work)
    } catch (error) {
      const isDeadlock = error instanceof Error && 'code' in error && error.code === DEADLOCK
      if (!isDeadlock || scope.db.isTransaction || deadlocks >= MAX_DEADLOCKS) throw error
    }
}
