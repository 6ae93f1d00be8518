import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { calculateAllLater } from '../src/features/segments/membership/members.ts'
import { insertSegment } from '../src/features/segments/queries.ts'
import { stopwatch } from '../src/kernel/clock.ts'
import { newId } from '../src/kernel/ids.ts'
import { type MerchantScope, merchantScope } from '../src/kernel/merchant-scope.ts'
import { connectTo, copyKinds, startExportingStore } from './copying.ts'
import { forgetSecrets, startInstallation, until } from './installation.ts'
import { LARGE_MERCHANT, smallMerchant } from './million.ts'
import { thirtySegments, typicalSegment, namedIn } from './segments.ts'

export interface FairnessFigures {
  quietP95Ms: number
  busyP95Ms: number
  /** Requests measured while the large merchant was busy. */
  busyRequests: number
}

const SMALL_ASKED = 40
const LEAST_REQUESTS = 400
const COPIED = 200_000

/**
 * What small merchants feel of a large one: their list, search and live count over HTTP, first with nothing else to do, then while a
 * worker copies the large one's store and finds the members of thirty of its segments. What a new database brings to do (the first
 * night's statistics of 201 merchants) is over before. Writes into the database it is given.
 */
export async function runFairnessBench(url: string, merchantId: string): Promise<FairnessFigures> {
  const store = await startExportingStore({ customers: COPIED, orders: 0 })
  await forgetSecrets(url)
  const installation = await startInstallation({
    smtpUrl: 'smtp://127.0.0.1:9',
    databaseUrl: url,
    env: {
      SANDBOX: 'on',
      SANDBOX_PORT: new URL(store.url).port,
      SHOPIFY_API_KEY: 'bench',
      SHOPIFY_API_SECRET: 'bench',
    },
    authenticate: (token) => ({ merchantId: token, memberId: token, sessionId: token, role: 'owner' }),
  })
  try {
    const large = merchantScope(installation.api.context, merchantId)
    await connectTo(large)
    const ids: string[] = []
    for (const conditions of Object.values(thirtySegments(await namedIn(large.db, merchantId)))) {
      const id = newId()
      ids.push(id)
      await insertSegment(large, { id, name: 'bench', conditions })
    }
    await installation.startWorker()
    await settled(large)
    await askSmallMerchants(installation.url, () => false)
    const quiet = await askSmallMerchants(installation.url, () => false)
    await calculateAllLater(large, {})
    let busy = true
    const copied = copyKinds(large, ['customers']).finally(() => {
      busy = false
    })
    const during = await askSmallMerchants(installation.url, () => busy)
    await copied
    await sql`delete from segments where merchant_id = ${merchantId} and id = any(${ids}::uuid[])`.execute(large.db)
    return { quietP95Ms: p95(quiet), busyP95Ms: p95(during), busyRequests: during.length }
  } finally {
    await installation.stop()
    store.close()
  }
}

/** The database has been idle for two seconds: no worker and no autovacuum runs. */
async function settled({ db }: MerchantScope): Promise<void> {
  const everyMs = 100
  let quietFor = 0
  await until(
    async () => {
      const { rows } = await sql<{ busy: boolean }>`
        select exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and state = 'active' and backend_type in ('client backend', 'autovacuum worker')) as busy`.execute(db)
      quietFor = rows[0]?.busy ? 0 : quietFor + 1
      return quietFor * everyMs >= 2000
    },
    { everyMs, timeoutMs: 1_800_000, what: 'the database has nothing to do' },
  )
}

/** So many requests at least, and on while `more` says so. Returns how long each took. */
async function askSmallMerchants(url: string, more: () => boolean): Promise<number[]> {
  const times: number[] = []
  const ask = async (token: string, path: string, body?: unknown): Promise<void> => {
    const elapsed = stopwatch()
    const answer = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    times.push(elapsed())
  }
  for (let round = 0; times.length < LEAST_REQUESTS || more(); round += 1) {
    const merchant = smallMerchant(round % SMALL_ASKED)
    await ask(merchant, '/customers?limit=20')
    await ask(merchant, `/customers?limit=20&q=${encodeURIComponent('佐藤')}`)
    await ask(merchant, '/customer_segments/preview', { conditions: typicalSegment })
  }
  return times
}

const p95 = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0

if (import.meta.main) {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, merchant: { type: 'string', default: LARGE_MERCHANT } },
  })
  if (!values.url) throw new Error('--url says which filled database to use; it is written to')
  console.log(await runFairnessBench(values.url, values.merchant))
  process.exit(0)
}
