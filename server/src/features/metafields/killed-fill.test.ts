import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createMetafieldSetting, getMetafieldSetting } from '@okaeri/contract/metafields/routes'
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
const SEED = { customers: 6000, products: 2, orders: 10 }
const WAIT = { timeout: 40_000, interval: 10 }

let folder: string
let sandbox: Sandbox
let okaeri: TestOkaeri
let merchant: TestMerchant
let worker: ChildProcess | null = null

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-killed-fill-'))
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
  await vi.waitFor(async () => {
    await okaeri.settle()
    const { rows } = await sql`select from sync_runs where merchant_id = ${merchant.id} and status = 'done'`.execute(
      okaeri.context.db,
    )
    expect(rows.length).toBeGreaterThan(0)
  }, WAIT)
}, 90_000)
afterAll(async () => {
  worker?.kill('SIGKILL')
  await okaeri.close()
  await sandbox.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** A worker of its own, as another process of the installation. */
function startWorker(): ChildProcess {
  worker = spawn(process.execPath, [path.join(import.meta.dirname, '../../main.ts')], {
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
    },
  })
  return worker
}

test('a worker killed while it fills loses nothing: the next one goes on with the batch after', async () => {
  const { customer_metafield_setting: made } = await merchant.call(createMetafieldSetting, {
    body: { key: 'loyalty.rank', namespace_type: 'platform', value_type: 'single_line_text_field' },
  })
  const get = async () =>
    (await merchant.call(getMetafieldSetting, { params: { id: made.id } })).customer_metafield_setting
  const first = startWorker()
  await vi.waitFor(async () => expect((await get()).progress?.loaded_count ?? 0).toBeGreaterThan(0), WAIT)
  first.kill('SIGKILL')
  const killed = (await get()).progress?.loaded_count ?? 0
  expect(killed).toBeGreaterThan(0)
  expect(killed, 'killed in the middle').toBeLessThan(SEED.customers)
  await vi.waitFor(async () => {
    await okaeri.settle()
    expect((await get()).status).toBe('ready')
  }, WAIT)
  const response = await fetch(`${sandbox.url}/stores/${SHOP}/sandbox/counts.json`)
  expect(((await response.json()) as { customers: number }).customers).toBe(SEED.customers)
  const { rows } = await sql<{ values: number; fills: number }>`
    select (select count(*)::int from customer_metafields where merchant_id = ${merchant.id}) as values,
      (select count(*)::int from metafield_fills where merchant_id = ${merchant.id}) as fills`.execute(
    okaeri.context.db,
  )
  await vi.waitFor(async () => {
    await okaeri.settle()
    expect((await get()).value_count).toBe(rows[0]?.values)
  }, WAIT)
  // Four in five customers of the sandbox have a rank.
  expect(rows[0]?.values).toBeGreaterThan(SEED.customers * 0.77)
  expect(rows[0]?.values).toBeLessThan(SEED.customers * 0.83)
  expect(rows[0]?.fills, 'one fill, gone on with').toBe(1)
}, 60_000)
