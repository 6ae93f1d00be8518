import type { Campaign } from '@okaeri/contract/campaigns/campaign'
import { createCampaign, getCampaign, reserveCampaign } from '@okaeri/contract/campaigns/routes'
import type { Endpoint } from '@okaeri/contract/endpoint'
import { addEmail } from '../fixtures.ts'
import type { TestMerchant } from '../harness.ts'
import { okaeri } from '../with-okaeri.ts'

/** As a person would fill it in. */
type Given = Partial<typeof createCampaign extends Endpoint<infer T> ? T['inBody'] : never>

export const campaignOf = async (merchant: TestMerchant, id: string): Promise<Campaign> =>
  (await merchant.call(getCampaign, { params: { id } })).campaign

/** A draft to everyone, with an email that may be sent. */
export async function aCampaign(merchant: TestMerchant, given: Given = {}): Promise<Campaign> {
  const email_id = given.email_id === undefined ? await addEmail(merchant.scope()) : given.email_id
  const body = { name: '春のお知らせ', segment_type: 'all' as const, ...given, email_id }
  return (await merchant.call(createCampaign, { body })).campaign
}

export async function aReservedCampaign(merchant: TestMerchant, given?: Given): Promise<Campaign> {
  const { id } = await aCampaign(merchant, given)
  return (await merchant.call(reserveCampaign, { params: { id }, body: {} })).campaign
}

/** As far as it comes at once. */
export async function aSentCampaign(merchant: TestMerchant, given?: Given): Promise<Campaign> {
  const { id } = await aReservedCampaign(merchant, given)
  await okaeri.settle()
  return campaignOf(merchant, id)
}
