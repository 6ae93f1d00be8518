import fs from 'node:fs'
import path from 'node:path'
import { getSync } from '@okaeri/contract/customers/routes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connectWebhookStore } from '../../../test/webhook-store.ts'
import { type TestMerchant } from '../../../test/harness.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'

const migration = fs.readFileSync(
  path.join(import.meta.dirname, '../../../migrations/0248_failed_copies_go_on.sql'),
  'utf8',
)
withOkaeri()

/** A merchant whose newest copy failed with this error, as the previous version stored it. */
async function failedWith(error: string): Promise<TestMerchant> {
  const merchant = await okaeri.merchant()
  await connectWebhookStore(okaeri, merchant)
  await okaeri.query`update sync_runs set status = 'failed', error = ${error}, finished_at = now() where merchant_id = ${merchant.id}`
  await okaeri.query`update sync_steps set status = 'failed' where merchant_id = ${merchant.id} and kind = 'orders'`
  return merchant
}

test('after the upgrade, copies that failed for a temporary reason continue, the others stay as they were', async () => {
  const cases = {
    '502': 'running',
    '200': 'running',
    unreachable: 'running',
    'export file: broke off': 'running',
    'export of orders: EXPIRED': 'running',
    'export of orders: ACCESS_DENIED': 'failed',
    store_not_connected: 'failed',
    internal: 'failed',
  }
  const merchants = new Map<string, TestMerchant>()
  for (const error of Object.keys(cases)) merchants.set(error, await failedWith(error))
  await sql.raw(migration).execute(okaeri.context.db)
  for (const [error, status] of Object.entries(cases)) {
    const sync = (await merchants.get(error)?.call(getSync, {}))?.sync
    expect([error, sync?.status]).toEqual([error, status])
    const orders = sync?.steps.find(({ kind }) => kind === 'orders')
    expect([error, orders?.status]).toEqual([error, status === 'running' ? 'waiting' : 'failed'])
  }
})
