import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { getSync } from '@okaeri/contract/customers/routes'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  SANDBOX_APP,
  type Sandbox,
  startTestOkaeri,
  startTestSandbox,
  type TestMerchant,
  type TestOkaeri,
} from '../../../test/harness.ts'
import { connectSandboxStore } from '../stores/index.ts'

const SHOP = 'okaeri-sandbox.myshopify.com'
/** More than a batch of each. */
const SEED = { customers: 5000, products: 600, orders: 4000 }
const WAIT = { timeout: 60_000, interval: 50 }

let folder: string
let sandbox: Sandbox
let okaeri: TestOkaeri
let merchant: TestMerchant
const workers: ChildProcess[] = []

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-killed-'))
  sandbox = await startTestSandbox(SEED)
  okaeri = await startTestOkaeri({
    sandbox,
    env: { SECRETS_FILE: path.join(folder, 'secrets.json'), LEASE_SECONDS: '2' },
  })
  merchant = await okaeri.merchant()
  await fetch(`${sandbox.url}/stores/${SHOP}/sandbox/switches.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bulk_duration_ms: 100 }),
  })
  await connectSandboxStore(merchant.scope(), SHOP)
}, 120_000)
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await okaeri.close()
  await sandbox.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** A worker of its own, as another process of the installation. */
function startWorker(crashAt: string): ChildProcess {
  const worker = spawn(process.execPath, [path.join(import.meta.dirname, '../../main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: folder,
      SECRETS_FILE: path.join(folder, 'secrets.json'),
      DATABASE_URL: okaeri.databaseUrl,
      ROLE: 'worker',
      PUBLIC_URL: okaeri.url,
      SANDBOX_PORT: new URL(sandbox.url).port,
      SMTP_URL: sandbox.smtpUrl,
      SHOPIFY_API_KEY: SANDBOX_APP.apiKey,
      SHOPIFY_API_SECRET: SANDBOX_APP.apiSecret,
      LEASE_SECONDS: '2',
      LOG_LEVEL: 'silent',
      CRASH_AT: crashAt,
    },
  })
  workers.push(worker)
  return worker
}

const stepOf = async (kind: string) => {
  const { sync } = await merchant.call(getSync, {})
  const step = sync.steps.find((one) => one.kind === kind)
  if (!step) throw new Error(`no step ${kind}`)
  return { ...step, run: sync.status }
}

test('a worker killed while it loads loses nothing: the next one goes on with the batch after', async () => {
  for (const kind of ['products', 'customers', 'orders'] as const) {
    const worker = startWorker(`copied_${kind}:1`)
    const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null]
    expect([kind, code, signal]).toEqual([kind, null, 'SIGKILL'])
    const { loaded_count: loaded } = await stepOf(kind)
    expect(loaded).toBeGreaterThan(0)
    expect(loaded, 'killed in the middle').toBeLessThan(SEED[kind])
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
}, 180_000)
