import { sql } from 'kysely'
import type { TransactionScope } from './merchant-scope.ts'

/**
 * A setting that changes the result or the wait of a statement. It lasts until the transaction ends, on every node of a Citus
 * cluster, which `set_config` does not reach. A single PostgreSQL ignores the first of the two settings.
 */
export async function setLocally(
  scope: TransactionScope,
  setting: 'timezone' | 'lock_timeout',
  value: string,
): Promise<void> {
  await sql`set local citus.propagate_set_commands = 'local'; set local ${sql.ref(setting)} = ${sql.lit(value)}`.execute(
    scope.db,
  )
}
