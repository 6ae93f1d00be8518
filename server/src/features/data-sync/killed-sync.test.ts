import { once } from 'node:events'
import { getSync } from '@okaeri/contract/customers/routes'
import { afterAll, expect, test } from 'vitest'
import { otherWorkers } from '../../../test/other-worker.ts'
import { bringForward } from '../../../test/real-time.ts'
import { merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'

/** More than one batch of each. */
const SEED = { customers: 5000, products: 600, orders: 4000 }
/** With those that a large store of the sandbox has to show with. */
const PRODUCTS = SEED.products + 4

const workers = otherWorkers()

withSandboxStore({ seed: SEED, env: workers.env })
afterAll(() => workers.end())

const stepOf = async (kind: string) => {
  const { sync } = await merchant.call(getSync, {})
  const step = sync.steps.find((one) => one.kind === kind)
  if (!step) throw new Error(`no step ${kind}`)
  return { ...step, run: sync.status }
}

test('a worker killed while loading loses nothing: the next one continues with the next batch', async () => {
  for (const kind of ['products', 'customers', 'orders'] as const) {
    const worker = await workers.start({ okaeri, sandbox, env: { CRASH_AT: `copied_${kind}:1` } })
    const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null]
    expect([kind, code, signal]).toEqual([kind, null, 'SIGKILL'])
    const { loaded_count: loaded } = await stepOf(kind)
    expect(loaded).toBeGreaterThan(0)
    expect(loaded, 'killed in the middle').toBeLessThan(SEED[kind])
    // The next worker's file is truncated before the next batch begins; a further attempt continues there all the same.
    if (kind === 'customers') await play('switches.json', { break_files: { as: 'reset', times: 1 } })
  }
  await bringForward(okaeri)
  await okaeri.settle()
  expect((await stepOf('checkouts')).run).toBe('done')
  expect((await stepOf('customers')).loaded_count).toBe(SEED.customers)
  const rows = await okaeri.query<Record<string, number>>`
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
  `
  expect(rows[0]).toMatchObject({
    customers: SEED.customers,
    searched: SEED.customers,
    products: PRODUCTS,
    withVariants: PRODUCTS,
    orders: SEED.orders,
    lines: SEED.orders,
  })
  expect(rows[0]?.['recorded']).toBe(rows[0]?.['consents'])
  expect(rows[0]?.['counted']).toBe(rows[0]?.['kept'])
})
