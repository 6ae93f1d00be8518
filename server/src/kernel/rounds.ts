import { sql } from 'kysely'
import type pg from 'pg'
import type { Context } from './context.ts'
import { isDistributed } from './distribution.ts'
import type { Recurring } from './schedule.ts'

/**
 * Rounds over all items in a process that has no loops, for tests. The first asks of all items in one statement whether something is due. In
 * rounds that follow, what had nothing due is left out until something is written where it looks. They do not last beyond one settling: clocks
 * are moved, and other processes write.
 */
export function createRounds(context: Context, items: readonly Recurring[], pool: pg.Pool) {
  const tables = new Map<Recurring, readonly string[]>()
  const tablesOf = (item: Recurring): readonly string[] => {
    const read = tables.get(item) ?? item.tables?.(context) ?? []
    tables.set(item, read)
    return read
  }
  const askable = items.filter(({ merchants }) => merchants)
  const listDue = dueItems(context, askable, pool)
  const never = new AbortController().signal
  /** What rests in the rounds under way. */
  const underWay = new Map<() => Promise<boolean>, Set<Recurring>>()
  return {
    /** Answers what takes one round, and answers whether any item did something. */
    begin(): () => Promise<boolean> {
      const resting = new Set<Recurring>()
      let asked: Promise<void> | null = null
      const askAll = async (): Promise<void> => {
        // Before it is asked: what is written meanwhile wakes it.
        for (const item of askable) resting.add(item)
        for (const item of await listDue()) resting.delete(item)
      }
      const turn = async (item: Recurring): Promise<boolean> => {
        if (!item.take) return item.run(context, never)
        // Before it looks: what is written meanwhile wakes it.
        resting.add(item)
        const { worked, found } = await item.take(context, never)
        if (found) resting.delete(item)
        return worked
      }
      const round = async (): Promise<boolean> => {
        await (asked ??= askAll())
        let worked = false
        for (const item of items) if (!resting.has(item)) worked = (await turn(item)) || worked
        return worked
      }
      underWay.set(round, resting)
      return round
    },
    end: (round: () => Promise<boolean>): void => void underWay.delete(round),
    written(tables: readonly string[]): void {
      for (const resting of underWay.values())
        for (const item of resting) if (tablesOf(item).some((table) => tables.includes(table))) resting.delete(item)
    },
  }
}

const NAME = 'all_that_is_due'

/**
 * Asks in one statement, planned once for a connection: to plan it takes longer than all else about it. The settings are those of the statement
 * alone. Citus plans a statement over many merchants each time, for its values.
 */
function dueItems(context: Context, items: readonly Recurring[], pool: pg.Pool): () => Promise<Recurring[]> {
  let isPlannedOnce: boolean | null = null
  return async () => {
    if (items.length === 0) return []
    const each = items.map(
      ({ merchants }, index) =>
        sql`select ${sql.lit(index)}::int as item where exists (${merchants?.(context) ?? sql`select 1 where false`})`,
    )
    const { sql: text, parameters } = sql.join(each, sql` union all `).compile(context.db)
    const client = await pool.connect()
    let isReset = false
    try {
      isPlannedOnce ??= !(await isDistributed(client))
      if (isPlannedOnce) await client.query('set plan_cache_mode = force_generic_plan')
      const { rows } = await client.query<{ item: number }>({ name: NAME, text, values: [...parameters] })
      if (isPlannedOnce) await client.query('reset plan_cache_mode')
      isReset = true
      return rows.flatMap(({ item }) => items[item] ?? [])
    } finally {
      // A connection that still has the setting is closed.
      client.release(!isReset)
    }
  }
}
