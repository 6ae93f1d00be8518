import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/database-trouble.ts'
import { isDistributed, listMerchantsByNode } from '../database/distribution.ts'

// A Citus cluster of which a node is away: a question over all merchants fails whole. What is due is then asked for the merchants on the other
// nodes alone.

/** A node that does not answer for so long is away. */
const ANSWER_MS = 3000
/** All kinds of work ask one after another. */
const KNOWN_FOR_MS = 5000

const known = new WeakMap<Context, { at: number; merchants: Promise<string[] | null> }>()

/** What was found out a moment ago; null: nothing, or all nodes answered. */
export async function knownReachable(context: Context): Promise<string[] | null> {
  const last = known.get(context)
  return last && performance.now() - last.at < KNOWN_FOR_MS ? last.merchants : null
}

/** The merchants on nodes that answer, if a question over all merchants failed because of another node; else null. */
export function listReachable(context: Context, error: unknown): Promise<string[] | null> {
  if (!isDatabaseAway(error) || context.database.isAway) return Promise.resolve(null)
  const last = known.get(context)
  if (last && performance.now() - last.at < KNOWN_FOR_MS) return last.merchants
  // Where this fails too, the database itself is away; anything else is not to be lost behind the error that led here.
  const merchants = askNodes(context).catch((failure: unknown) => {
    if (!isDatabaseAway(failure)) context.log.warn({ error: failure }, 'the nodes of the cluster cannot be asked')
    return null
  })
  known.set(context, { at: performance.now(), merchants })
  return merchants
}

async function askNodes(context: Context): Promise<string[] | null> {
  const client = { query: (text: string) => sql.raw(text).execute(context.db) }
  if (!(await isDistributed(client))) return null
  const groups = await Promise.all(
    (await listMerchantsByNode(client)).map(async (ids) => ((await answers(context, ids[0] ?? '')) ? ids : [])),
  )
  return groups.flat()
}

async function answers({ db, log }: Context, merchantId: string): Promise<boolean> {
  try {
    await db.transaction().execute(async (db) => {
      await sql`set local statement_timeout = ${sql.lit(ANSWER_MS)}`.execute(db)
      await sql`select from merchants where id = ${merchantId}`.execute(db)
    })
    return true
  } catch (error) {
    log.warn({ error }, 'a node of the cluster is away; nothing is done for the merchants on it')
    return false
  }
}
