import { canaryPeople, problemsOf } from '@okaeri/contract/campaigns/canary'
import * as routes from '@okaeri/contract/campaigns/routes'
import { getEmail } from '@okaeri/contract/emails/routes'
import { describe, expect, test } from 'vitest'
import { aCampaign, campaignOf } from '../../../../test/builders/campaign.ts'
import { addCustomers } from '../../../../test/fixtures.ts'
import { refusal } from '../../../../test/refusal.ts'
import { okaeri } from '../../../../test/with-okaeri.ts'
import { gotBy, sink, withSink } from '../../../../test/with-sink.ts'

withSink()

const PEOPLE = 400
const MINUTE = 60_000

/** A campaign to 400 people, of a merchant whose campaigns to 200 go to a few first. */
async function aLargeCampaign(name: string) {
  const merchant = await okaeri.merchant({ canary_from: 200, canary_minutes: 30 })
  const addresses = Array.from({ length: PEOPLE }, (_, at) => `${name}-${at}@canary.test`)
  // Two customers with one address: one of them gets it, whichever part they are in.
  await addCustomers(
    merchant.scope(),
    [...addresses, `${name}-7@canary.test`].map((email) => ({ email })),
  )
  const { id } = await aCampaign(merchant)
  const got = () => addresses.map(gotBy)
  const sent = () => got().reduce((all, one) => all + one, 0)
  const reserve = (body = {}) => merchant.call(routes.reserveCampaign, { params: { id }, body })
  const goOn = () => merchant.call(routes.continueCampaign, { params: { id } })
  return { merchant, id, got, sent, reserve, goOn, campaign: () => campaignOf(merchant, id) }
}
type Large = Awaited<ReturnType<typeof aLargeCampaign>>

/** So many of the first few turn out to have an address that does not exist. */
const bounce = ({ merchant, id }: Large, count: number) =>
  okaeri.query`update deliveries set bounced_at = ${okaeri.clock.now()}, bounce_kind = 'hard'
    where merchant_id = ${merchant.id} and id in (
      select id from deliveries where merchant_id = ${merchant.id} and campaign_id = ${id} and status = 'sent' limit ${count})`

test('a large campaign goes to a few, waits, and goes to the rest by itself; everybody gets it once', async () => {
  const large = await aLargeCampaign('all')
  const { review } = await large.merchant.call(routes.reviewCampaign, { params: { id: large.id }, query: {} })
  expect(review).toMatchObject({ recipients: PEOPLE, canary: { people: 100, minutes: 30 } })
  await large.reserve()
  await okaeri.settle()
  const first = large.sent()
  expect(first).toBeGreaterThan(50)
  expect(first).toBeLessThan(150)
  expect(await large.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'canary' })
  okaeri.advance(29 * MINUTE)
  await okaeri.settle()
  expect(large.sent()).toBe(first)
  okaeri.advance(2 * MINUTE)
  await okaeri.settle()
  expect(await large.campaign()).toMatchObject({
    status: 'sent',
    balance: { sent: PEOPLE, pending: 0, skipped_by_reason: { duplicate_address: 1 } },
    canary_result: { tried: first, hard: 0 },
  })
  const { email } = await large.merchant.call(getEmail, { params: { id: (await large.campaign()).email?.id ?? '' } })
  expect(email.sent_count).toBe(PEOPLE)
  expect(large.got().every((count) => count === 1)).toBe(true)
})

test('with too many addresses that do not exist the rest is held back, until a person says that it goes on', async () => {
  const large = await aLargeCampaign('held')
  await large.reserve()
  await okaeri.settle()
  const first = large.sent()
  await bounce(large, 20)
  okaeri.advance(31 * MINUTE)
  await okaeri.settle()
  expect(await large.campaign()).toMatchObject({
    status: 'waiting',
    wait_reason: 'canary_stopped',
    waits_until: null,
    canary_result: { tried: first, hard: 20 },
  })
  // The owner hears of it once.
  expect(gotBy(`${large.merchant.id}@shop.test`)).toBe(1)
  okaeri.advance(24 * 60 * MINUTE)
  await okaeri.settle()
  expect(large.sent()).toBe(first)
  await large.goOn()
  await okaeri.settle()
  expect(large.got().every((count) => count === 1)).toBe(true)
  expect((await large.campaign()).status).toBe('sent')
})

test('or stops it: the rest never leaves', async () => {
  const large = await aLargeCampaign('stopped')
  await large.reserve()
  await okaeri.settle()
  const first = large.sent()
  await large.merchant.call(routes.stopCampaign, { params: { id: large.id } })
  okaeri.advance(60 * MINUTE)
  await okaeri.settle()
  expect(large.sent()).toBe(first)
  expect(await large.campaign()).toMatchObject({
    status: 'cancelled',
    balance: { sent: first, skipped_by_reason: { cancelled: PEOPLE - first } },
  })
})

test('a person need not wait for the time to be over', async () => {
  const large = await aLargeCampaign('early')
  await large.reserve()
  await okaeri.settle()
  await large.goOn()
  await okaeri.settle()
  expect(large.sent()).toBe(PEOPLE)
  expect(await refusal(large.goOn())).toMatchObject({ reason: 'campaign_not_held_back' })
})

test('found hours after its time, it asks whether the rest is still wanted', async () => {
  const large = await aLargeCampaign('late')
  await large.reserve()
  await okaeri.settle()
  const first = large.sent()
  okaeri.advance(8 * 60 * MINUTE)
  await okaeri.settle()
  expect(await large.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'found_late' })
  expect(large.sent()).toBe(first)
  await large.merchant.call(routes.sendLateCampaign, { params: { id: large.id } })
  await okaeri.settle()
  expect(large.got().every((count) => count === 1)).toBe(true)
})

test('where the person says so, or the merchant wants none, everybody gets it at once', async () => {
  const large = await aLargeCampaign('once')
  await large.reserve({ skips_canary: true })
  await okaeri.settle()
  expect(large.sent()).toBe(PEOPLE)
  expect(sink.countByRecipient().size).toBeGreaterThan(0)
})

describe('how many, and what is too much', () => {
  test.each<[recipients: number, from: number | null, people: number | null]>([
    [4_999, 5_000, null],
    [5_000, 5_000, 100],
    [50_000, 5_000, 500],
    [1_000_000, 5_000, 2_000],
    [1_000_000, null, null],
  ])('of %i recipients, from %s on: %s', (recipients, from, people) => {
    expect(canaryPeople(recipients, from)).toBe(people)
  })
  test.each([
    [{ hard: 5 }, []],
    [{ hard: 6 }, ['hard']],
    [{ blocked: 10 }, []],
    [{ blocked: 11 }, ['blocked']],
    // One complaint of a hundred people says nothing yet.
    [{ complaints: 1 }, []],
    [{ complaints: 2 }, ['complaints']],
    [{ failed: 21, hard: 6 }, ['hard', 'failed']],
  ])('%j of a hundred: %j', (some, problems) => {
    const none = { tried: 100, hard: 0, blocked: 0, complaints: 0, failed: 0 }
    expect(problemsOf({ ...none, ...some })).toEqual(problems)
  })
})
