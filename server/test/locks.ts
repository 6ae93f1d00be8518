import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import type { TestOkaeri } from './harness.ts'

const LOOK_EVERY_MS = 20

/** How many statements wait for what another transaction holds (`by`: this one); on a cluster they wait on the node of their merchant. */
async function countWaiting({ context }: TestOkaeri, by: number | null): Promise<number> {
  const waiting = inject('citusNodes')
    ? sql<{ count: number }>`select count(distinct waiting_gpid)::int as count from citus_lock_waits`
    : sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and (${by}::int is null or ${by}::int = any (pg_blocking_pids(pid)))`
  const { rows } = await waiting.execute(context.db)
  return rows[0]?.count ?? 0
}

/**
 * Until so many statements wait, or `over` has ended. The one place where a test polls: PostgreSQL sends no signal when a
 * statement has begun to wait.
 */
export async function untilWaiting(
  okaeri: TestOkaeri,
  { count = 1, by = null, over }: { count?: number; by?: number | null; over?: Promise<unknown> } = {},
): Promise<void> {
  let isOver = false
  const end = (): void => void (isOver = true)
  void over?.then(end, end)
  while (!isOver && (await countWaiting(okaeri, by)) < count) await sleep(LOOK_EVERY_MS)
}

/** Runs a statement in a transaction that is left open: other transactions wait for its rows until it ends. */
export async function holdRows(
  okaeri: TestOkaeri,
  statement: string,
  values: readonly unknown[],
): Promise<{
  /** Until a statement does. */
  wanted(): Promise<void>
  /** One more statement of the transaction. */
  run(statement: string, values: readonly unknown[]): Promise<void>
  release(): Promise<void>
}> {
  const client = new pg.Client({ connectionString: okaeri.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await client.query('begin')
  await client.query(statement, [...values])
  return {
    wanted: () => untilWaiting(okaeri, { by: rows[0]?.pid ?? null }),
    async run(statement, values) {
      await client.query(statement, [...values])
    },
    async release() {
      await client.query('rollback')
      await client.end()
    },
  }
}
