import { isDatabaseAway } from '../database/database-trouble.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import { type MerchantScope, merchantScope } from '../merchant-scope.ts'
import { knownReachable, listReachable } from './nodes-away.ts'
import type { Recurring } from './schedule.ts'
import { tablesReadBy } from '../database/written-tables.ts'

/**
 * A kind of due work, declared by the feature that does it (its `due-queries.ts`). These are the only statements across merchants
 * (domain.md §1): they only read, take no lock, and answer ids alone. The work is then claimed for each merchant.
 */
export interface DueWork {
  /** Its name in the log. */
  readonly name: string
  /**
   * The merchants with due work, in no order. A question that joins says for each of its tables that it is asked `among` some merchants: else
   * Citus would ask every node also where one is away.
   */
  readonly merchants: (context: Context, among?: Among) => RawBuilder<{ merchant_id: string }>
  /**
   * For work that becomes due by the clock: when the first does. Queried if nothing could be done. Where a merchant has due work, a time that is over
   * means that it is looked at again every `everyMs`.
   */
  readonly next?: (context: Context) => RawBuilder<{ at: Date | null }>
  /** The clock; product time by default. */
  readonly clock?: 'real'
}

/** Says of a column that its merchant is one of those that are asked for. */
export type Among = (merchantId: string) => RawBuilder<boolean>
export const amongAll: Among = () => sql`true`

/** No pause between two steps is longer: a later time is from before a clock was set back. */
export const inAnHour = (now: Date): Date => new Date(now.getTime() + 3_600_000)

/**
 * Recurring work of merchants. `turn` is one turn of a merchant with due work, and returns whether it did something. `atOnce`: this many
 * merchants run in parallel, for turns that wait for something outside; without it, one after the other.
 */
export function recurring({
  name,
  everyMs,
  due,
  atOnce,
  watches = false,
  turn,
}: {
  name: string
  everyMs: number
  due: DueWork
  atOnce?: number
  /** The looks themselves are the work: however long there is nothing to do, what was found is looked at every `everyMs`. */
  watches?: boolean
  turn: (scope: MerchantScope, signal: AbortSignal) => Promise<boolean>
}): Recurring {
  const take = async (
    context: Context,
    signal: AbortSignal,
  ): Promise<{ worked: boolean; found: boolean; isPart: boolean }> => {
    let found = false
    let isPart = false
    const list = async (): Promise<Due> => {
      const listed = await listReachableWithDue(context, due)
      isPart ||= listed.isPart
      // What is due on a node that is away is not known: it is asked again as if there were some.
      found ||= isPart || listed.merchantIds.length > 0
      return listed
    }
    const worked = atOnce
      ? await merchantsWithDueAtOnce(context, due, signal, { atOnce, turn, list })
      : await eachOf(context, due, signal, { ...(await list()), work: (scope) => turn(scope, signal) })
    return { worked, found, isPart }
  }
  return {
    name,
    everyMs,
    run: async (context, signal) => (await take(context, signal)).worked,
    take,
    look: async (context, signal) => {
      const { worked, found, isPart } = await take(context, signal)
      if (worked || signal.aborted) return { worked, found, nextInMs: null }
      if (watches && found) return { worked, found, nextInMs: 0 }
      // The first time of all is not known.
      if (isPart) return { worked, found, nextInMs: null }
      try {
        return { worked, found, nextInMs: await findNextInMs(context, due) }
      } catch (error) {
        if (!(await listReachable(context, error))) throw error
        return { worked, found: true, nextInMs: null }
      }
    },
    tables: (context) => tablesReadBy(due.merchants(context).compile(context.db).sql),
    merchants: due.merchants,
  }
}

async function findNextInMs(context: Context, { next, clock }: DueWork): Promise<number | null> {
  const at = (await next?.(context).execute(context.db))?.rows[0]?.at
  const now = clock === 'real' ? context.clock.realNow() : context.clock.now()
  return at ? Math.max(0, at.getTime() - now.getTime()) : null
}

async function listMerchantsWithDue(context: Context, due: DueWork): Promise<string[]> {
  const { rows } = await due.merchants(context).execute(context.db)
  return rows.map(({ merchant_id }) => merchant_id)
}

/** `isPart`: of those on nodes that are away it is not known. */
interface Due {
  merchantIds: readonly string[]
  isPart: boolean
}

/** Those on the other nodes while a node of the cluster is away. */
async function listReachableWithDue(context: Context, due: DueWork): Promise<Due> {
  const known = await knownReachable(context)
  if (known) return { merchantIds: await listAmong(context, due, known), isPart: true }
  try {
    return { merchantIds: await listMerchantsWithDue(context, due), isPart: false }
  } catch (error) {
    const reachable = await listReachable(context, error)
    if (!reachable) throw error
    return { merchantIds: await listAmong(context, due, reachable), isPart: true }
  }
}

async function listAmong(context: Context, due: DueWork, merchantIds: readonly string[]): Promise<string[]> {
  const among: Among = (merchantId) => sql`${sql.ref(merchantId)} = any(${[...merchantIds]}::uuid[])`
  const { rows } = await sql<{ merchant_id: string }>`
    select merchant_id from (${due.merchants(context, among)}) due where ${among('merchant_id')}`.execute(context.db)
  return rows.map(({ merchant_id }) => merchant_id)
}

/**
 * One turn for each merchant with due work; returns whether any did something. A failure of one merchant does not affect the others: they have
 * their turns first, then it is thrown (so it is logged, and retried in the next round). There is no other way to the merchants with due work,
 * so no feature can forget this. `signal` null: before a worker begins, when there is nothing to stop. While a node of the cluster is away this
 * fails whole: its caller has to have asked all merchants.
 */
export async function eachMerchantWithDue(
  context: Context,
  due: DueWork,
  signal: AbortSignal | null,
  work: (scope: MerchantScope) => Promise<boolean>,
): Promise<boolean> {
  return eachOf(context, due, signal, { merchantIds: await listAllWithDue(context, due), isPart: false, work })
}

async function listAllWithDue(context: Context, due: DueWork): Promise<string[]> {
  try {
    return await listMerchantsWithDue(context, due)
  } catch (error) {
    if (await listReachable(context, error))
      context.log.warn(
        { due: due.name },
        'a node of the cluster is away, and this needs all merchants: it waits for the node',
      )
    throw error
  }
}

async function eachOf(
  context: Context,
  due: DueWork,
  signal: AbortSignal | null,
  { merchantIds, isPart, work }: Due & { work: (scope: MerchantScope) => Promise<boolean> },
): Promise<boolean> {
  let worked = false
  const failures: unknown[] = []
  for (const merchantId of merchantIds) {
    if (signal?.aborted) break
    try {
      worked = (await work(merchantScope(context, merchantId))) || worked
    } catch (error) {
      failures.push(error)
      // The other merchants' turns would fail too, unless it is about a node.
      if (isDatabaseAway(error) && !isPart) break
    }
  }
  throwThose(failures, due)
  return worked
}

function throwThose(failures: readonly unknown[], { name }: DueWork): void {
  if (failures.length > 1) throw new AggregateError(failures, `${name}: ${failures.length} merchants`)
  if (failures.length > 0) throw failures[0]
}

/** How often other merchants' work is looked for while some turns still run. Real time. */
const LOOK_EVERY_MS = 500

/**
 * For turns that wait for something outside. Turns of many merchants run at once, but only one per merchant, so a slow turn delays no other
 * merchant. Continues until no merchant has work, or until it is aborted; running turns are waited for. After a failure no further turn begins,
 * and the failure is thrown. Returns whether any turn did something.
 */
async function merchantsWithDueAtOnce(
  context: Context,
  due: DueWork,
  signal: AbortSignal,
  {
    atOnce,
    turn,
    list,
  }: {
    atOnce: number
    turn: (scope: MerchantScope, signal: AbortSignal) => Promise<boolean>
    list: () => Promise<Due>
  },
): Promise<boolean> {
  const underway = new Map<string, Promise<void>>()
  // The merchant with the fewest turns comes first, so that none is skipped if there are more merchants than places.
  const turns = new Map<string, number>()
  const failures: unknown[] = []
  let worked = false
  const begin = async (merchantId: string): Promise<void> => {
    try {
      if (await turn(merchantScope(context, merchantId), signal)) worked = true
      // Another process holds the due work.
      else await sleep(LOOK_EVERY_MS)
    } catch (error) {
      failures.push(error)
    }
    underway.delete(merchantId)
  }
  const had = (merchantId: string): number => turns.get(merchantId) ?? 0
  const beginDue = async (): Promise<void> => {
    const { merchantIds } = await list()
    const waiting = merchantIds.filter((merchantId) => !underway.has(merchantId))
    for (const merchantId of waiting.sort((one, other) => had(one) - had(other)).slice(0, atOnce - underway.size)) {
      turns.set(merchantId, had(merchantId) + 1)
      underway.set(merchantId, begin(merchantId))
    }
  }
  do {
    if (!signal.aborted && failures.length === 0 && underway.size < atOnce)
      await beginDue().catch((error: unknown) => void failures.push(error))
    if (underway.size > 0) await Promise.race([...underway.values(), sleep(LOOK_EVERY_MS)])
  } while (underway.size > 0)
  throwThose(failures, due)
  return worked
}
