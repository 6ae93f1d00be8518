import { sql } from 'kysely'
import type { Context } from '../src/kernel/context.ts'

/**
 * As if so much of real time had passed, which no test moves: jobs that were put off are due, the next try of a fill is, and what dead
 * workers held is free.
 */
export async function bringForward({ context: { db } }: { context: Context }): Promise<void> {
  await sql`update pgboss.job_common set state = 'retry', start_after = now()
    where state in ('created', 'retry', 'active') and (state = 'active' or start_after > now())`.execute(db)
  await sql`update metafield_fills set next_step_at = null, lease_expires_at = null where status = 'running'`.execute(
    db,
  )
  await sql`update sync_runs set lease_expires_at = null where status = 'running'`.execute(db)
}
