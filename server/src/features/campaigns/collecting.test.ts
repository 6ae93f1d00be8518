import * as routes from '@okaeri/contract/campaigns/routes'
import * as segments from '@okaeri/contract/segments/routes'
import { listCustomers } from '@okaeri/contract/customers/routes'
import { expect, test } from 'vitest'
import { merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { aCampaign, campaignOf } from '../../../test/builders/campaign.ts'

// A campaign to a segment of the store platform: its members are fetched again before they are reserved.

/** Someone who comes to the store, of whom it then tells. */
async function come(email: string, tags: string[]): Promise<number> {
  const given = { email, tags, email_state: 'SUBSCRIBED' }
  const { customer } = await play<{ customer: { id: number } }>('customers.json', given)
  await okaeri.settle()
  const { data } = await merchant.call(listCustomers, { query: { q: email } })
  expect(data[0]?.accepts_marketing).toBe(true)
  return customer.id
}
async function draftTo(segmentName: string): Promise<string> {
  const { data } = await merchant.call(segments.listSegments, { query: { origin: 'remote', q: segmentName } })
  return (await aCampaign(merchant, { segment_type: 'remote', customer_segment_id: data[0]?.id ?? null })).id
}
const sentTo = (email: string): number => sandbox.mailbox.list({ to: email }).length
const relist = async (): Promise<void> => {
  await merchant.call(segments.resyncRemoteSegments, { body: { force: true } })
  await okaeri.settle()
}

withSandboxStore()

test('who joined since the last fetch gets the mail, who left does not', async () => {
  await come('stays@people.test', ['club'])
  const leaver = await come('leaves@people.test', ['club'])
  const comer = await come('comes@people.test', [])
  await play('segments.json', { name: 'クラブ', query: "customer_tags CONTAINS 'club'" })
  await relist()
  const id = await draftTo('クラブ')
  const { review } = await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })
  expect(review).toMatchObject({ audience: 2, recipients: 2, can_reserve: true })
  await play('tags.json', { customer_id: leaver, tags: [] })
  await play('tags.json', { customer_id: comer, tags: ['club'] })
  const { campaign } = await merchant.call(routes.reserveCampaign, { params: { id }, body: { recipients_seen: 2 } })
  expect(campaign.status).toBe('collecting')
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({
    status: 'sent',
    customer_count: 2,
    balance: { audience: 2, sent: 2 },
  })
  expect(['stays', 'leaves', 'comes'].map((name) => sentTo(`${name}@people.test`))).toEqual([1, 0, 1])
})

test('a segment the store can no longer evaluate is not sent to, and stands where it is seen', async () => {
  await come('never@people.test', ['brief'])
  const { segment } = await play<{ segment: { id: number } }>('segments.json', {
    name: '短命',
    query: "customer_tags CONTAINS 'brief'",
  })
  await relist()
  const id = await draftTo('短命')
  await play(`segments/${segment.id}/update.json`, { query: 'brief' })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({ status: 'send_failure', balance: { audience: 0, sent: 0 } })
  expect(sentTo('never@people.test')).toBe(0)
})

test('a segment the store deleted has to be replaced before anything is reserved', async () => {
  await come('gone@people.test', ['gone'])
  const { segment } = await play<{ segment: { id: number } }>('segments.json', {
    name: '消える',
    query: "customer_tags CONTAINS 'gone'",
  })
  await relist()
  const id = await draftTo('消える')
  await play(`segments/${segment.id}/delete.json`, {})
  await relist()
  const { review } = await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })
  expect(review).toMatchObject({ missing: ['segment'], can_reserve: false, recipients: 0 })
  await expect(merchant.call(routes.reserveCampaign, { params: { id }, body: {} })).rejects.toMatchObject({
    status: 400,
    fields: { customer_segment_id: 'required' },
  })
})

test('while members are being collected a campaign can still be cancelled', async () => {
  await come('cancel@people.test', ['vip-cancel'])
  await play('segments.json', { name: '取り消し', query: "customer_tags CONTAINS 'vip-cancel'" })
  await relist()
  const id = await draftTo('取り消し')
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  await merchant.call(routes.cancelCampaign, { params: { id } })
  await okaeri.settle()
  expect((await campaignOf(merchant, id)).status).toBe('cancelled')
  expect(sentTo('cancel@people.test')).toBe(0)
})
