import { parseArgs } from 'node:util'
import type { Condition, Leaf } from '@okaeri/contract/segments/condition'
import { sql } from 'kysely'
import { readConfig } from '../src/app/config.ts'
import { createIntegrations } from '../src/app/integrations.ts'
import { ports } from '../src/app/ports.ts'
import { applyCustomerChanges } from '../src/features/segments/membership/incremental-membership.ts'
import { upsertChanged } from '../src/features/segments/membership/incremental-membership-queries.ts'
import { calculateSegment, listMembers } from '../src/features/segments/membership/members.ts'
import { findSegment, insertSegment } from '../src/features/segments/queries.ts'
import { createClock, stopwatch } from '../src/kernel/clock.ts'
import type { Context } from '../src/kernel/context.ts'
import { connect } from '../src/kernel/database/database.ts'
import { createPublish } from '../src/kernel/subscriptions.ts'
import { newId } from '../src/kernel/ids.ts'
import { createKeyring } from '../src/kernel/keyring.ts'
import { createLog } from '../src/kernel/log.ts'
import { type MerchantScope, merchantScope } from '../src/kernel/merchant-scope.ts'
import { generateSecrets } from '../src/kernel/secrets-file.ts'

export interface MembershipFigure {
  what: string
  ms: number
  /** Of what was measured: rows, members, customers. */
  count: number
}

const is = (category: string, name: string, operator: string, value: Leaf['value'] = null): Leaf => ({
  type: 'condition',
  id: 'row',
  category,
  name,
  operator,
  value,
})
const all = (...children: Condition[]): Condition => ({ type: 'group', id: 'all', operator: 'and', children })
const any = (...children: Condition[]): Condition => ({ type: 'group', id: 'any', operator: 'or', children })

/** Fifty, of the kinds merchants have: ten sorts, five of each. */
function conditionsOf(index: number): Condition {
  const n = 1 + Math.floor(index / 10)
  const prefecture = `JP-${String(n * 7).padStart(2, '0')}`
  const kinds: readonly Condition[] = [
    is('orders', 'orders_count', 'greater_or_equal', n),
    all(is('orders', 'orders_amount', 'greater', n * 3000), is('consent', 'accepts_marketing', 'is', true)),
    is('orders', 'last_order_at', 'within_last_days', n * 30),
    all(is('orders', 'last_order_at', 'more_than_days_ago', n * 60), is('orders', 'orders_count', 'greater', 1)),
    all(is('customer', 'tags', 'has', ['VIP']), is('orders', 'orders_count', 'greater', n)),
    is('address', 'prefecture', 'is_one_of', [prefecture]),
    any(is('customer', 'birthday', 'month_is', n), is('customer', 'created_at', 'within_last_days', n * 20)),
    is('orders', 'ordered', 'at_least', { measure: 'count', value: n, filter: {}, window: { within_days: 90 } }),
    is('emails', 'emails_opened', 'at_least', { value: n, campaigns: null, window: { within_days: 180 } }),
    all(
      is('consent', 'accepts_marketing', 'is', true),
      is('consent', 'suppressed', 'is', false),
      is('customer', 'email', 'ends_with', `@example${n}.jp`),
    ),
  ]
  return kinds[index % kinds.length] ?? all()
}

class RolledBack extends Error {}

/**
 * Finding the members of segments, following changed customers and paging through members, on a filled database (`million.ts`). All of it
 * in one transaction that is rolled back: the database is left as it was.
 */
export async function runMembershipBench(
  url: string,
  merchantId: string,
  size: { segments: number; changed: number } = { segments: 50, changed: 10_000 },
): Promise<MembershipFigure[]> {
  const config = readConfig({ ROLE: 'api', NODE_ENV: 'test', LOG_LEVEL: 'warn', DATABASE_URL: url })
  const connection = connect(url, { name: 'bench', max: 1 })
  // Not a whole process: nothing is done later, and who came and left is not reported.
  const context: Context = {
    settings: { ...config, sandboxUrl: null, role: 'api' },
    clock: createClock(),
    db: connection.db,
    database: connection.watch,
    keyring: createKeyring(generateSecrets()),
    jobs: { later: () => Promise.reject(new Error('nothing is done later here')) },
    threads: { run: () => Promise.reject(new Error('nothing is rendered here')), close: () => Promise.resolve() },
    publish: createPublish({}),
    log: createLog('warn'),
    stopping: new AbortController().signal,
    integrations: await createIntegrations(config, createClock()),
    ports,
  }
  const figures: MembershipFigure[] = []
  try {
    await merchantScope(context, merchantId).transaction((scope) => measure(scope, size, figures))
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  } finally {
    context.integrations.mailers.close()
    await connection.close()
  }
  return figures
}

async function measure(
  scope: MerchantScope,
  { segments, changed }: { segments: number; changed: number },
  figures: MembershipFigure[],
): Promise<never> {
  const timed = async (what: string, work: () => Promise<number>): Promise<void> => {
    const elapsed = stopwatch()
    const count = await work()
    figures.push({ what, ms: elapsed(), count })
    if (import.meta.main) console.log(what, Math.round(figures.at(-1)?.ms ?? 0), count)
  }
  const add = async (conditions: Condition): Promise<string> => {
    const id = newId()
    await insertSegment(scope, { id, name: 'bench', conditions })
    await sql`update segments set count_number = 1 where merchant_id = ${scope.merchantId} and id = ${id}`.execute(
      scope.db,
    )
    return id
  }
  const countOf = async (id: string): Promise<number> => {
    const segment = await findSegment(scope, id)
    if (segment?.status !== 'ready') throw new Error(`segment ${id}: ${segment?.status} ${segment?.failure}`)
    return segment.customer_count ?? 0
  }
  await sql`delete from changed_customers where merchant_id = ${scope.merchantId}`.execute(scope.db)
  const { rows: third } = await sql<{ id: string }>`
    select id from customers where merchant_id = ${scope.merchantId} order by id limit 1
    offset (select count(*) * 3 / 10 from customers where merchant_id = ${scope.merchantId})`.execute(scope.db)
  // 30 of 100 customers, by a rule that costs next to nothing: what is measured is keeping them.
  const { rows: bound } = await sql<{ day: string }>`
    select to_char(percentile_disc(0.7) within group (order by created_at) at time zone 'Asia/Tokyo', 'YYYY-MM-DD') as day
    from customers where merchant_id = ${scope.merchantId}`.execute(scope.db)
  if (!third[0] || !bound[0]) throw new Error('no customers')
  const large = await add(is('customer', 'created_at', 'after', bound[0].day))
  await timed('members of a segment of three tenths found and kept', async () => {
    await calculateSegment.run(scope, { segmentId: large })
    return countOf(large)
  })
  await sql`update segments set count_number = 2, status = 'calculating' where merchant_id = ${scope.merchantId} and id = ${large}`.execute(
    scope.db,
  )
  await timed('the same found again, nothing changed', async () => {
    await calculateSegment.run(scope, { segmentId: large })
    return countOf(large)
  })

  const segment = await findSegment(scope, large)
  if (!segment) throw new Error('gone')
  const pages: number[] = []
  let cursor: string | undefined = 'end'
  for (let page = 0; page < 40; page++) {
    const elapsed = stopwatch()
    const found = await listMembers(scope, segment, { limit: 50, offset: 0, ...(cursor ? { cursor } : {}) })
    pages.push(elapsed())
    cursor = found.prev ?? undefined
  }
  const p95 = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
  figures.push({ what: 'a page of 50 members at the far end, p95 of 40', ms: p95(pages), count: 50 })
  for (const q of ['田中', 'person7712', 'いないひと'])
    await timed(
      `members searched for ${q}`,
      async () => (await listMembers(scope, segment, { q, limit: 50, offset: 0 })).total,
    )

  // As if found long ago: only those who will change are kept, which following cannot tell.
  const kept: string[] = []
  for (let n = 0; n < segments; n++) {
    const id = await add(conditionsOf(n))
    await sql`update segments set status = 'ready', answered_number = 1, members_at = ${scope.now}, customer_count = 0
      where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
    kept.push(id)
  }
  await sql`delete from segments where merchant_id = ${scope.merchantId} and id = ${large}`.execute(scope.db)
  const { rows: people } = await sql<{ id: string }>`
    select id from customers where merchant_id = ${scope.merchantId} order by md5(id::text) limit ${changed}`.execute(
    scope.db,
  )
  const ids = people.map(({ id }) => id)
  await upsertChanged(scope, ids)
  await applyCustomerChanges(scope)
  // Each bought something: what they are asked by most changed for all of them.
  await sql`
    update customers set orders_count = orders_count + 1, orders_amount = orders_amount + 4000, last_order_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = any(${ids}::uuid[])`.execute(scope.db)
  await upsertChanged(scope, ids)
  await timed(`${changed} changed customers followed by ${kept.length} segments`, async () => {
    await applyCustomerChanges(scope)
    const { rows } = await sql<{ left: number }>`
      select count(*)::int as left from changed_customers where merchant_id = ${scope.merchantId}`.execute(scope.db)
    if (rows[0]?.left !== 0) throw new Error(`${rows[0]?.left} changes were not applied`)
    return ids.length
  })
  await upsertChanged(scope, ids.slice(0, 1))
  await timed(`1 changed customer followed by ${kept.length} segments`, async () => {
    await applyCustomerChanges(scope)
    return 1
  })
  throw new RolledBack()
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { url: { type: 'string' }, merchant: { type: 'string' } } })
  if (!values.url || !values.merchant)
    throw new Error('--url and --merchant say which filled database and whom to ask about')
  for (const { what, ms, count } of await runMembershipBench(values.url, values.merchant))
    console.log(`${what.padEnd(60)} ${ms.toFixed(0).padStart(7)} ms   ${count}`)
}
