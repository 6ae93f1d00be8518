import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { isOutage } from '../database/database-trouble.ts'
import { listReachable } from './nodes-away.ts'
import { isAskedTogether, type Recurring } from './schedule.ts'
import type { WakeUps } from './wake-ups.ts'
import { WAKES_NOTHING } from '../database/written-tables.ts'

// The net below the wake-ups: whether anything is due without one. One worker asks for all, all kinds of work in one statement, and wakes
// everyone where there is some.

const TRIED_EVERY_MS = 15_000
/** On Citus the question goes to every shard, and costs a hundred times as much. */
const ASKED_EVERY_MS = { onePostgres: 30_000, citus: 120_000 }

export const lookForLost = (
  items: readonly Recurring[],
  wakeUps: Pick<WakeUps, 'written'>,
  options: { isDistributed: boolean; everyMs?: number },
): Recurring => ({
  name: 'look for what no wake-up announced',
  everyMs: Math.min(TRIED_EVERY_MS, options.everyMs ?? TRIED_EVERY_MS),
  async run(context) {
    const everyMs = options.everyMs ?? ASKED_EVERY_MS[options.isDistributed ? 'citus' : 'onePostgres']
    if (!(await claim(context, everyMs))) return false
    const found = await listDue(context, items.filter(isAskedTogether), options)
    wakeUps.written(found.flatMap(({ tables }) => tables?.(context) ?? []))
    return false
  },
})

/**
 * Returns whether it is this process that asks now. By the database's clock; a time far ahead was stored before it was set back. One that is a little
 * ahead is another process's, whose statement began later and got the row first.
 */
async function claim({ db }: Context, everyMs: number): Promise<boolean> {
  const interval = sql`make_interval(secs => ${everyMs / 1000})`
  const { numAffectedRows } = await sql`update ${WAKES_NOTHING} installation set all_asked_at = statement_timestamp()
    where all_asked_at is null or all_asked_at > statement_timestamp() + ${interval}
      or all_asked_at <= statement_timestamp() - ${interval}`.execute(db)
  return numAffectedRows === 1n
}

/** The items with due work. Each kind is answered with its merchant, so that Citus passes the whole statement on to its nodes. */
async function listDue(
  context: Context,
  items: readonly Recurring[],
  { isDistributed }: { isDistributed: boolean },
): Promise<readonly Recurring[]> {
  const kinds = [...new Set(items.flatMap(({ merchants }) => merchants ?? []))]
  if (kinds.length === 0) return []
  const each = kinds.map(
    (merchants, kind) =>
      sql`select merchant_id, ${sql.lit(kind)}::int as kind from (${merchants(context)}) ${sql.ref(`kind_${kind}`)}`,
  )
  try {
    const { rows } = await context.db.transaction().execute(async (db) => {
      // Further connections to a node would begin without knowing a table, and cost more than the question.
      if (isDistributed) await sql`set local citus.max_adaptive_executor_pool_size = 1`.execute(db)
      return sql<{ kind: number }>`select distinct kind from (${sql.join(each, sql` union all `)}) due`.execute(db)
    })
    const due = new Set(rows.map(({ kind }) => kinds[kind]))
    return items.filter(({ merchants }) => due.has(merchants))
  } catch (error) {
    // A node of the cluster is away: each asks for the merchants on the others.
    if (await listReachable(context, error)) return items
    if (isOutage(error)) throw error
    // One question cannot be asked: each asks its own, and its work says what is wrong.
    context.log.warn({ error }, 'what is due cannot be asked for together')
    return items
  }
}
