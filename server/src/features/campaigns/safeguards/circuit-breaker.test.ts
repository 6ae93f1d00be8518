import * as routes from '@okaeri/contract/campaigns/routes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aSentCampaign, campaignOf } from '../../../../test/builders/campaign.ts'
import { addCustomers } from '../../../../test/fixtures.ts'
import { refusal } from '../../../../test/refusal.ts'
import { okaeri } from '../../../../test/with-okaeri.ts'
import { gotBy, sink, withSink } from '../../../../test/with-sink.ts'
import { listCampaignMessages } from '../../deliveries/index.ts'
import { addStats, campaignProgram } from '../../stats/index.ts'
import { tripCircuitBreaker } from './circuit-breaker.ts'
import { claimCampaign } from '../queries.ts'

withSink()

const PEOPLE = 450
const LEFT = 50
const DAY = 86_400_000

/** As a campaign to 450 people looks when 50 of them are still to get it. */
async function onItsWay(name: string) {
  const merchant = await okaeri.merchant({ canary_from: null })
  await addCustomers(
    merchant.scope(),
    Array.from({ length: PEOPLE }, (_, at) => ({ email: `${name}-${at}@brake.test` })),
  )
  const { id } = await aSentCampaign(merchant)
  const { db } = okaeri.context
  await sql`update deliveries set status = 'pending', attempts = 0, sent_at = null, detail = null where merchant_id = ${merchant.id} and id in (
    select id from deliveries where merchant_id = ${merchant.id} and campaign_id = ${id} order by id desc limit ${LEFT})`.execute(
    db,
  )
  await sql`update messages set state = 'released' where merchant_id = ${merchant.id} and campaign_id = ${id}`.execute(
    db,
  )
  await sql`update campaigns set status = 'sending', sent_at = null, final_balance = null where merchant_id = ${merchant.id} and id = ${id}`.execute(
    db,
  )
  sink.reset()
  const happened = (count: number, what: string) =>
    sql`update deliveries set ${sql.raw(what)} where merchant_id = ${merchant.id} and id in (
      select id from deliveries where merchant_id = ${merchant.id} and campaign_id = ${id} and status = 'sent' order by id limit ${count})`.execute(
      db,
    )
  const look = () =>
    merchant.scope().transaction(async (scope) => {
      const campaign = await claimCampaign(scope, id)
      return campaign ? tripCircuitBreaker(scope, campaign, await listCampaignMessages(scope, id)) : false
    })
  const got = () =>
    Array.from({ length: PEOPLE }, (_, at) => gotBy(`${name}-${at}@brake.test`)).reduce((a, b) => a + b, 0)
  return { merchant, id, happened, look, got, campaign: () => campaignOf(merchant, id) }
}

test('too many addresses that do not exist hold the rest back with the reason; the owner hears of it, and a person sends it on', async () => {
  const { merchant, id, happened, look, got, campaign } = await onItsWay('hard')
  await happened(40, `bounced_at = now(), bounce_kind = 'hard'`)
  expect(await look()).toBe(true)
  await okaeri.settle()
  expect(await campaign()).toMatchObject({
    status: 'waiting',
    wait_reason: 'braked',
    waits_until: null,
    brake_result: { tried: PEOPLE - LEFT, hard: 40 },
    canary_result: null,
  })
  expect(gotBy(`${merchant.id}@shop.test`)).toBe(1)
  okaeri.advance(DAY)
  await okaeri.settle()
  expect(got()).toBe(0)
  // As bad as before, it is not asked again.
  await merchant.call(routes.continueCampaign, { params: { id } })
  expect(await look()).toBe(false)
  await okaeri.settle()
  expect(got()).toBe(LEFT)
  expect(await campaign()).toMatchObject({ status: 'sent', balance: { sent: PEOPLE } })
  expect(gotBy(`${merchant.id}@shop.test`)).toBe(1)
  expect(await refusal(merchant.call(routes.continueCampaign, { params: { id } }))).toMatchObject({
    reason: 'campaign_not_held_back',
  })
})

test('or stops it: the rest never leaves', async () => {
  const { merchant, id, happened, look, got, campaign } = await onItsWay('stopped')
  await happened(60, `status = 'failed', reason = 'temporary'`)
  await happened(45, `bounced_at = now(), bounce_kind = 'blocked'`)
  expect(await look()).toBe(true)
  await merchant.call(routes.stopCampaign, { params: { id } })
  await okaeri.settle()
  expect(got()).toBe(0)
  expect(await campaign()).toMatchObject({ status: 'cancelled', balance: { skipped_by_reason: { cancelled: LEFT } } })
})

test('complaints about mails of long ago count too', async () => {
  const { merchant, id, look, campaign } = await onItsWay('spam')
  await addStats(merchant.scope(), [
    { at: okaeri.clock.now(), program: campaignProgram(id), channel: 'email', contentId: null, complained: 3 },
  ])
  expect(await look()).toBe(true)
  expect((await campaign()).brake_result).toMatchObject({ tried: PEOPLE, complaints: 3 })
})

test('what is usual holds nothing back, nor does what went wrong where nothing is left', async () => {
  const usual = await onItsWay('usual')
  await usual.happened(10, `bounced_at = now(), bounce_kind = 'hard'`)
  expect(await usual.look()).toBe(false)
  await usual.happened(50, `bounced_at = now(), bounce_kind = 'hard'`)
  await okaeri.query`update deliveries set status = 'sent' where merchant_id = ${usual.merchant.id} and status = 'pending'`
  expect(await usual.look()).toBe(false)
})
