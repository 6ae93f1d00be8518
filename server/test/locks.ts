import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject } from 'vitest'
import type { TestOkaeri } from './harness.ts'

/** How many statements wait for what another transaction holds; on a cluster they wait on the node of their merchant. */
export async function countWaiting({ context }: TestOkaeri): Promise<number> {
  const waiting = inject('citusNodes')
    ? sql<{ count: number }>`select count(distinct waiting_gpid)::int as count from citus_lock_waits`
    : sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
  const { rows } = await waiting.execute(context.db)
  return rows[0]?.count ?? 0
}

/** Until so many do, however long a machine with other work takes. */
export async function untilWaiting(okaeri: TestOkaeri, count = 1): Promise<void> {
  await expect.poll(() => countWaiting(okaeri), { timeout: 240_000 }).toBe(count)
}

/** Runs a statement in a transaction that is left open: whoever wants the same rows stands still there until they are let go. */
export async function holdRows(
  { databaseUrl }: TestOkaeri,
  statement: string,
  values: readonly unknown[],
): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query(statement, [...values])
  return {
    async release() {
      await client.query('rollback')
      await client.end()
    },
  }
}
