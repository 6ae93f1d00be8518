import * as campaigns from '@okaeri/contract/campaigns/routes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { aReservedCampaign } from '../../../test/builders/campaign.ts'
import { campaignWork } from './campaign-progress.ts'

withOkaeri()

test('a merchant whose campaign cannot be moved on keeps no other merchant waiting', async () => {
  const merchants = [await okaeri.merchant(), await okaeri.merchant(), await okaeri.merchant()]
  const reserved = await Promise.all(
    merchants.map(async (merchant) => {
      await addCustomers(merchant.scope(), [{}])
      return { merchant, id: (await aReservedCampaign(merchant)).id }
    }),
  )
  const { db } = okaeri.context
  const broken = merchants[1]?.id
  const moveOn = campaignWork.find(({ name }) => name === 'move campaigns on')
  await sql`alter table campaigns add constraint fails check (merchant_id <> ${sql.lit(broken)}::uuid or status <> 'reserved')`.execute(
    db,
  )
  await expect(moveOn?.run(okaeri.context, new AbortController().signal)).rejects.toMatchObject({ code: '23514' })
  await sql`alter table campaigns drop constraint fails`.execute(db)
  const statuses = await Promise.all(
    reserved.map(
      async ({ merchant, id }) => (await merchant.call(campaigns.getCampaign, { params: { id } })).campaign.status,
    ),
  )
  expect(statuses).toEqual(['reserved', 'reserving', 'reserved'])
})
