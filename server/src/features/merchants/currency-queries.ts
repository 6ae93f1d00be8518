import { sql } from 'kysely'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'

/** Until the transaction ends. `shared`: any number at once, who save amounts. `alone`: who changes what they mean. */
export async function lockCurrency(scope: TransactionScope, how: 'shared' | 'alone'): Promise<void> {
  const take = how === 'shared' ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`
  await sql`select ${take}(hashtextextended(${`currency ${scope.merchantId}`}, 0))`.execute(scope.db)
}
