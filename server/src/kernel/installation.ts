import { sql } from 'kysely'
import type { Context } from './context.ts'
import { StartupError } from './errors.ts'
import { WAKES_NOTHING } from './database/written-tables.ts'
import type { Recurring } from './work/schedule.ts'

/** All processes on one database must have the same secrets, or one could not decrypt the data of another. */
export async function checkInstallation(context: Context): Promise<void> {
  const fingerprint = context.keyring.fingerprint()
  await sql`insert into installation (secrets_fingerprint, created_at) values (${fingerprint}, ${context.clock.realNow()})
    on conflict do nothing`.execute(context.db)
  const { rows } = await sql<{ secrets_fingerprint: string }>`select secrets_fingerprint from installation`.execute(
    context.db,
  )
  if (rows[0]?.secrets_fingerprint !== fingerprint)
    throw new StartupError(
      'The secrets of this process are not those of the database: give every process the same DATA_DIR or SECRETS_FILE.',
    )
}

/** The last heartbeat of a worker of this installation, in real time; null before the first. */
export async function readLastHeartbeat(context: Context): Promise<Date | null> {
  const { rows } = await sql<{ last_alive_at: Date | null }>`select last_alive_at from installation`.execute(context.db)
  return rows[0]?.last_alive_at ?? null
}

export const recordHeartbeat: Recurring = {
  name: 'sign of life',
  everyMs: 30_000,
  async run(context) {
    await sql`update ${WAKES_NOTHING} installation set last_alive_at = ${context.clock.realNow()}`.execute(context.db)
    return false
  },
}
