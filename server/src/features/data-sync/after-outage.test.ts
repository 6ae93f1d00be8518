import { getSettings } from '@okaeri/contract/merchants/routes'
import { beforeAll, expect, test } from 'vitest'
import { aCampaign, campaignOf } from '../../../test/builders/campaign.ts'
import * as campaigns from '@okaeri/contract/campaigns/routes'
import { EMPTY, merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { askStoresAfterOutage } from './index.ts'

const MINUTE = 60_000

withSandboxStore({ seed: EMPTY })

const pass = (ms: number): void => {
  sandbox.clock.advance(ms)
  okaeri.advance(ms)
}
const addCustomer = async (email: string): Promise<number> =>
  (await play<{ customer: { id: number } }>('customers.json', { email, email_state: 'SUBSCRIBED' })).customer.id
const backAfter = async (minutes: number): Promise<void> => {
  const at = new Date(okaeri.clock.realNow().getTime() - minutes * MINUTE)
  await okaeri.query`update installation set last_alive_at = ${at}`
  await askStoresAfterOutage(okaeri.context)
}
const hold = async () => (await merchant.call(getSettings, {})).sending_hold
const reserved = async (): Promise<string> => {
  const { id } = await aCampaign(merchant)
  await merchant.call(campaigns.reserveCampaign, { params: { id }, body: {} })
  return id
}
const sent = async (id: string): Promise<number | undefined> => (await campaignOf(merchant, id)).balance?.sent

let leaves: number
beforeAll(async () => {
  await okaeri.settle()
  leaves = await addCustomer('leaves@example.com')
  await addCustomer('stays@example.com')
  await okaeri.settle()
})

test('after an outage, customers who opted out in the store meanwhile get no mail, though the store could not report it', async () => {
  pass(2 * MINUTE)
  const id = await reserved()
  await play('switches.json', { lose_webhooks: true })
  await play('consent.json', { customer_id: leaves, state: 'UNSUBSCRIBED' })
  await play('switches.json', { lose_webhooks: false })
  await backAfter(20)
  await okaeri.settle()
  expect(await sent(id)).toBe(0)
  expect(await hold()).toMatchObject({ because: 'outage' })

  // The store is asked half a minute later.
  pass(MINUTE)
  await okaeri.settle()
  expect(await hold()).toBeNull()
  expect(await campaignOf(merchant, id)).toMatchObject({ status: 'sent', balance: { sent: 1 } })
})

test('after a deployment nothing waits', async () => {
  await backAfter(5)
  expect(await hold()).toBeNull()
})

test('a store that does not answer is waited for a quarter of an hour', async () => {
  await backAfter(20)
  // Another worker holds the lease, so nothing is read from the store.
  await okaeri.query`update store_watches set lease_id = ${newId()}, lease_expires_at = now() + interval '10 minutes'
    where merchant_id = ${merchant.id} and kind = 'customers'`
  const id = await reserved()
  pass(14 * MINUTE)
  await okaeri.settle()
  expect([await hold(), await sent(id)]).toMatchObject([{ because: 'outage' }, 0])
  pass(2 * MINUTE)
  await okaeri.settle()
  expect(await hold()).toBeNull()
  expect(await sent(id)).toBe(1)
})
