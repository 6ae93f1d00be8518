import type { MerchantScope, TransactionScope } from './merchant-scope.ts'

/** Two transactions waited for each other, or another one inserted the same key between our look and our write. */
const TO_BE_TRIED_AGAIN = ['40P01', '23505']
const MAX_TRIES = 6

/**
 * A transaction on rows that others write meanwhile in another order: the database ends one of two that wait for each other, and that
 * one is done again from its beginning; likewise where a key was free and is no longer. The work must change nothing outside the
 * database. Inside a transaction already it is tried once, for what went before is undone too.
 */
export async function retriedTransaction<T>(
  scope: MerchantScope,
  work: (scope: TransactionScope) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await scope.transaction(work)
    } catch (error) {
      const mayPass = error instanceof Error && 'code' in error && TO_BE_TRIED_AGAIN.includes(String(error.code))
      if (!mayPass || scope.db.isTransaction || tries >= MAX_TRIES) throw error
    }
}
