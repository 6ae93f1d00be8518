import { sql } from 'kysely'
import type { TransactionScope } from '../merchant-scope.ts'

/** Longer statements of the transaction are cancelled: see {@link isBrokenOff}. */
export async function limitStatements(scope: TransactionScope, limitMs: number): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(limitMs)}, true)`.execute(scope.db)
}

/** PostgreSQL's code for a statement cancelled because it took too long. */
const QUERY_CANCELED = '57014'
export const isBrokenOff = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === QUERY_CANCELED
