import { sql } from 'kysely'
import type { TransactionScope } from './merchant-scope.ts'

/** A statement of the transaction that takes longer is broken off: see {@link isBrokenOff}. */
export async function limitStatements(scope: TransactionScope, limitMs: number): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(limitMs)}, true)`.execute(scope.db)
}

/** What PostgreSQL says of a statement that was broken off for taking too long. */
const QUERY_CANCELED = '57014'
export const isBrokenOff = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === QUERY_CANCELED
