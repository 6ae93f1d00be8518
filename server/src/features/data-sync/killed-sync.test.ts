import { once } from 'node:events'
import { getSync } from '@okaeri/contract/customers/routes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  type Sandbox,
  startTestOkaeri,
  startTestSandbox,
  type TestMerchant,
  type TestOkaeri,
} from '../../../test/harness.ts'
import { otherWorkers } from '../../../test/other-worker.ts'
import { sandboxStore, SHOP } from '../../../test/sandbox-store.ts'
import { WAIT } from '../../../test/waits.ts'
import { connectSandboxStore } from '../stores/index.ts'

/** More than a batch of each. */
const SEED = { customers: 5000, products: 600, orders: 4000 }

const workers = otherWorkers()
let sandbox: Sandbox
let okaeri: TestOkaeri
let merchant: TestMerchant
const play = sandboxStore(() => sandbox)

beforeAll(async () => {
  sandbox = await startTestSandbox(SEED)
  okaeri = await startTestOkaeri({ sandbox, env: workers.env })
  merchant = await okaeri.merchant()
  await play('switches.json', { bulk_duration_ms: 100 })
  await connectSandboxStore(merchant.scope(), SHOP)
})
afterAll(async () => {
  workers.end()
  await okaeri.close()
  await sandbox.close()
})

const stepOf = async (kind: string) => {
  const { sync } = await merchant.call(getSync, {})
  const step = sync.steps.find((one) => one.kind === kind)
  if (!step) throw new Error(`no step ${kind}`)
  return { ...step, run: sync.status }
}

test('a worker killed while it loads loses nothing: the next one goes on with the batch after', async () => {
  for (const kind of ['products', 'customers', 'orders'] as const) {
    const worker = await workers.start({ okaeri, sandbox, env: { CRASH_AT: `copied_${kind}:1` } })
    const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null]
    expect([kind, code, signal]).toEqual([kind, null, 'SIGKILL'])
    const { loaded_count: loaded } = await stepOf(kind)
    expect(loaded).toBeGreaterThan(0)
    expect(loaded, 'killed in the middle').toBeLessThan(SEED[kind])
    // The next one's file breaks off before it is at the batch after; it is read on from there all the same.
    if (kind === 'customers') await play('switches.json', { break_files: { as: 'reset', times: 1 } })
  }
  await vi.waitFor(async () => {
    await okaeri.settle()
    expect((await stepOf('checkouts')).run).toBe('done')
  }, WAIT)
  expect((await stepOf('customers')).loaded_count).toBe(SEED.customers)
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from customers where merchant_id = ${merchant.id}) as customers,
      (select count(*) from products where merchant_id = ${merchant.id}) as products,
      (select count(distinct store_product_id) from product_variants where merchant_id = ${merchant.id}) as "withVariants",
      (select count(*) from customer_search where merchant_id = ${merchant.id}) as searched,
      (select count(*) from customers where merchant_id = ${merchant.id} and marketing_state <> 'unknown') as consents,
      (select count(*) from consent_changes where merchant_id = ${merchant.id}) as recorded,
      (select count(*) from orders where merchant_id = ${merchant.id}) as orders,
      (select count(distinct order_id) from order_lines where merchant_id = ${merchant.id}) as lines,
      (select sum(orders_count)::int from customers where merchant_id = ${merchant.id}) as counted,
      (select count(*) from orders where merchant_id = ${merchant.id} and customer_id is not null and cancelled_at is null) as kept
  `.execute(okaeri.context.db)
  expect(rows[0]).toMatchObject({
    customers: SEED.customers,
    searched: SEED.customers,
    products: SEED.products,
    withVariants: SEED.products,
    orders: SEED.orders,
    lines: SEED.orders,
  })
  expect(rows[0]?.['recorded']).toBe(rows[0]?.['consents'])
  expect(rows[0]?.['counted']).toBe(rows[0]?.['kept'])
})
