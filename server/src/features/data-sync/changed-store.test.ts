import * as campaigns from '@okaeri/contract/campaigns/routes'
import { listCustomers } from '@okaeri/contract/customers/routes'
import { getSettings } from '@okaeri/contract/merchants/routes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aCampaign, campaignOf } from '../../../test/builders/campaign.ts'
import { refusal } from '../../../test/refusal.ts'
import { sandboxStore } from '../../../test/sandbox-store.ts'
import { connectSandbox, EMPTY, merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { disconnectStore } from '../stores/index.ts'
import { storeIsCopied } from './index.ts'
import { advanceSync } from './run.ts'

const SECOND = 'second-store.myshopify.com'

withSandboxStore({ seed: EMPTY })

/** Advances the copy to its end, and nothing else. */
async function copyOnly(): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from sync_runs where merchant_id = ${merchant.id} and status = 'running' and purpose = 'copy'`.execute(
      okaeri.context.db,
    )
    const [run] = rows
    if (!run) return
    await sandbox.settle()
    await advanceSync(merchant.scope(), run.id)
  }
}

test('customers of the store before are chosen by nothing once another store is connected', async () => {
  await play('customers.json', { email: 'of-the-first@example.com', email_state: 'SUBSCRIBED' })
  await okaeri.settle()
  const { id } = await aCampaign(merchant)
  const later = await aCampaign(merchant, {
    send_type: 'scheduled',
    scheduled_at: new Date(okaeri.context.clock.now().getTime() + 3_600_000).toISOString(),
  })
  await merchant.call(campaigns.reserveCampaign, { params: { id: later.id }, body: {} })
  await okaeri.settle()
  const review = async () => (await merchant.call(campaigns.reviewCampaign, { params: { id }, query: {} })).review
  expect(await review()).toMatchObject({ store_copied: true, recipients: 1 })
  const found = async () => (await merchant.call(listCustomers, { query: { q: 'of-the-first' } })).total
  expect(await found()).toBe(1)

  await disconnectStore(merchant.scope())
  await sandboxStore(() => sandbox, SECOND)('switches.json', { bulk_duration_ms: 0 })
  await connectSandbox(merchant, SECOND)
  await copyOnly()
  expect(await review()).toMatchObject({ store_copied: false, can_reserve: false })
  expect(await refusal(merchant.call(campaigns.reserveCampaign, { params: { id }, body: {} }))).toMatchObject({
    status: 409,
    reason: 'store_being_copied',
  })
  // Events wait, as for a first copy; and so do messages that were decided before.
  expect(await storeIsCopied(merchant.scope(), { orders: true, once: true })).toBe(false)
  expect((await merchant.call(getSettings, {})).sending_hold).toMatchObject({ because: 'another_store' })
  expect(await okaeri.context.ports.waitsForStore(merchant.scope())).toBe(true)

  await okaeri.settle()
  expect(await review()).toMatchObject({ store_copied: true, can_reserve: true })
  expect(await found()).toBe(0)
  expect((await merchant.call(getSettings, {})).sending_hold).toBeNull()
  okaeri.advance(2 * 3_600_000)
  await okaeri.settle()
  expect((await campaignOf(merchant, later.id)).balance).toMatchObject({ sent: 0, skipped: 1 })

  // The same store again has no other store's customers.
  await disconnectStore(merchant.scope())
  await connectSandbox(merchant, SECOND)
  await copyOnly()
  expect(await storeIsCopied(merchant.scope(), { orders: true })).toBe(true)
})
