import { sql } from 'kysely'
import type pg from 'pg'
import type { Context } from '../context.ts'
import { isDistributed } from '../database/distribution.ts'
import type { Recurring } from './schedule.ts'

/**
 * Rounds over all items in a process that has no loops, for tests. The first asks of all items in one statement whether something is due. In
 * rounds that follow, what had nothing due is left out until something is written where it looks. They do not last beyond one settling: clocks
 * are moved, and other processes write. `connect` makes a connection that is kept for asking.
 */
export function createRounds(context: Context, items: readonly Recurring[], connect: () => pg.Client) {
  const tables = new Map<Recurring, readonly string[]>()
  const tablesOf = (item: Recurring): readonly string[] => {
    const read = tables.get(item) ?? item.tables?.(context) ?? []
    tables.set(item, read)
    return read
  }
  const askable = items.filter(({ merchants }) => merchants)
  const never = new AbortController().signal
  const asking = keptConnection(connect)
  /** What rests in the rounds under way. */
  const underWay = new Map<() => Promise<boolean>, Set<Recurring>>()
  return {
    /** Returns what takes one round, and returns whether any item did something. */
    begin(): () => Promise<boolean> {
      const resting = new Set<Recurring>()
      let asked: Promise<void> | null = null
      const askAll = async (): Promise<void> => {
        // Before it is asked: what is written meanwhile wakes it.
        for (const item of askable) resting.add(item)
        for (const item of await listDue(context, askable, asking)) resting.delete(item)
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
    close: asking.close,
    written(tables: readonly string[]): void {
      for (const resting of underWay.values())
        for (const item of resting) if (tablesOf(item).some((table) => tables.includes(table))) resting.delete(item)
    },
  }
}

const NAME = 'all_that_is_due'

type Asking = ReturnType<typeof keptConnection>

/** Made when it is asked for the first time, and again after it was lost. */
function keptConnection(connect: () => pg.Client) {
  let kept: Promise<pg.Client> | null = null
  const make = (): Promise<pg.Client> => {
    const client = connect()
    const ready = async (): Promise<pg.Client> => {
      await client.connect()
      // Citus plans a statement over many merchants each time, for its values.
      if (!(await isDistributed(client))) await client.query('set plan_cache_mode = force_generic_plan')
      return client
    }
    const made = ready()
    const forget = (): void => {
      if (kept === made) kept = null
    }
    made.catch(forget)
    // Reported by the query, too.
    client.on('error', () => {})
    client.once('end', forget)
    return made
  }
  return {
    get: (): Promise<pg.Client> => (kept ??= make()),
    async close(): Promise<void> {
      const client = await kept?.catch(() => null)
      await client?.end()
    },
  }
}

/** In one statement, planned once, since it is always asked by the same connection: to plan it takes longer than all else about it. */
async function listDue(context: Context, items: readonly Recurring[], asking: Asking): Promise<Recurring[]> {
  if (items.length === 0) return []
  const each = items.map(
    ({ merchants }, index) =>
      sql`select ${sql.lit(index)}::int as item where exists (${merchants?.(context) ?? sql`select 1 where false`})`,
  )
  const { sql: text, parameters } = sql.join(each, sql` union all `).compile(context.db)
  const client = await asking.get()
  const { rows } = await client.query<{ item: number }>({ name: NAME, text, values: [...parameters] })
  return rows.flatMap(({ item }) => items[item] ?? [])
}
