import type { MerchantScope, TransactionScope } from './merchant-scope.ts'

/** A deadlock, or another transaction inserted the same key between our read and our write. */
const TO_BE_TRIED_AGAIN = ['40P01', '23505']
const MAX_TRIES = 6

/**
 * A transaction on rows that others write meanwhile in another order: after a deadlock, or a key inserted meanwhile, it is repeated from its
 * beginning. The work must change nothing outside the database. Inside another transaction it is tried once, because that one is rolled back as
 * a whole.
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
