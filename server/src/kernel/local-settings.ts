import { sql } from 'kysely'
import type { TransactionScope } from './merchant-scope.ts'

/**
 * What a statement answers or how long it waits depends on it: so it is set until the transaction ends on every node of a Citus cluster
 * too, which `set_config` does not reach. One PostgreSQL takes the first of the two for a setting nobody reads.
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
