import type { MerchantScope, TransactionScope } from '../merchant-scope.ts'

/** A deadlock, or another transaction inserted the same key between our read and our write. */
const TO_BE_TRIED_AGAIN = ['40P01', '23505']
const MAX_TRIES = 6

/**
 * A transaction on rows that others write meanwhile in another order: after a deadlock, or a key inserted meanwhile, it is repeated from its
 * beginning. The work must change nothing outside the database. Inside another transaction it is tried once, because that one is rolled back as
 * a whole.
 */
export const retriedTransaction = <T>(
  scope: MerchantScope,
  work: (scope: TransactionScope) => Promise<T>,
): Promise<T> => retried(scope, () => scope.transaction(work))

/** The same of work that stores all it does at once, by its last statement, and so needs no transaction. */
export async function retried<T>(scope: MerchantScope, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work()
    } catch (error) {
      const mayPass = error instanceof Error && 'code' in error && TO_BE_TRIED_AGAIN.includes(String(error.code))
      if (!mayPass || scope.db.isTransaction || tries >= MAX_TRIES) throw error
    }
}
