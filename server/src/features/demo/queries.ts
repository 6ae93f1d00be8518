import { sql } from 'kysely'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'

/** If two processes make the examples at once, the second waits and finds them. */
export async function lockExamples(scope: TransactionScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`demo ${scope.merchantId}`}, 0))`.execute(scope.db)
}

/** Deleted ones too: an example that a member deleted does not come back. */
export async function hasLineMessages(scope: MerchantScope): Promise<boolean> {
  const { rows } = await sql`select from line_messages where merchant_id = ${scope.merchantId} limit 1`.execute(
    scope.db,
  )
  return rows.length > 0
}
