import { WARM_UP_PLAN, warmUpDaysFor, warmUpLeft } from '@okaeri/contract/sender-domains/warm-up'
import * as endpoints from '@okaeri/contract/sender-domains/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AbGroup } from '@okaeri/contract/campaigns/ab-test'
import { reserveCampaign, reviewCampaign } from '@okaeri/contract/campaigns/routes'
import { aCampaign, aSentCampaign, campaignOf } from '../../../test/builders/campaign.ts'
import { addCustomers, confirmAddresses } from '../../../test/fixtures.ts'
import { refusal } from '../../../test/refusal.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { startMailServer, type TestMailServer } from '../../../test/mail-server.ts'
import { isInGroup } from '../campaigns/ab-test/ab-test.ts'
import { getMerchant } from '../merchants/index.ts'

let server: TestMailServer
/** So many mails are taken; of the rest the server says that it is too much for now. */
let takes = Number.POSITIVE_INFINITY
beforeAll(async () => {
  server = await startMailServer({
    onMailFrom(_address, _session, callback) {
      takes -= 1
      if (takes >= 0) return callback()
      callback(Object.assign(new Error('4.7.0 Daily sending quota exceeded'), { responseCode: 451 }))
    },
    onData(stream, _session, callback) {
      stream.resume()
      stream.on('end', () => callback())
    },
  })
})
afterAll(() => server.close())
withMerchants(() => ({ smtpUrl: server.url }))

const DAY = 86_400_000

/** The domain of the merchant's sender, with its warm-up started. */
async function warmedUp(): Promise<string> {
  const { sender_email: email } = await getMerchant(merchant.scope())
  const { sender_domain: domain } = await merchant.call(endpoints.addSenderDomain, {
    body: { sender_domain: { name: email.split('@')[1] ?? '' } },
  })
  await merchant.call(endpoints.startWarmUp, { params: { id: domain.id } })
  return domain.id
}
const warmUp = async () =>
  (await merchant.call(endpoints.listSenderDomains, {})).sender_domains[0]?.warm_up?.days.map(({ limit, sent }) => [
    limit,
    sent,
  ])
const people = (count: number) =>
  addCustomers(
    merchant.scope(),
    Array.from({ length: count }, (_, i) => ({ email: `p${i}@example.jp` })),
  )

describe('a domain that is warmed up', () => {
  test('sends as much as its day allows, goes on the next morning, and says so', async () => {
    await warmedUp()
    await people(250)
    const campaign = await aSentCampaign(merchant)
    expect(campaign).toMatchObject({ status: 'sending', balance: { sent: 100, pending: 150, failed: 0 } })
    expect(await warmUp()).toEqual([[100, 100]])
    okaeri.advance(DAY)
    await okaeri.settle()
    expect(await campaignOf(merchant, campaign.id)).toMatchObject({ status: 'sent', balance: { sent: 250 } })
    expect(await warmUp()).toEqual([
      [100, 100],
      [200, 150],
    ])
  })

  test('what came back from a server that took no more is not counted, and goes later that day', async () => {
    await warmedUp()
    await people(250)
    takes = 30
    const campaign = await aSentCampaign(merchant)
    expect(campaign).toMatchObject({ status: 'waiting', balance: { sent: 30, pending: 220 } })
    takes = Number.POSITIVE_INFINITY
    okaeri.advance(16 * 60_000)
    await okaeri.settle()
    expect(await campaignOf(merchant, campaign.id)).toMatchObject({ balance: { sent: 100, pending: 150 } })
    expect(await warmUp()).toEqual([[100, 100]])
  })

  test('a day without mail is no day of the plan', async () => {
    await warmedUp()
    await people(3)
    await aSentCampaign(merchant)
    okaeri.advance(5 * DAY)
    await okaeri.settle()
    expect(await warmUp()).toEqual([
      [100, 3],
      [200, 0],
    ])
  })

  test('tests do not count, and are not held back', async () => {
    await warmedUp()
    await okaeri.query`update warm_up_days set sent = 100 where merchant_id = ${merchant.id}`
    await okaeri.query`update merchants set test_emails = '{tester@f.test}', test_mode = true where id = ${merchant.id}`
    await confirmAddresses(merchant.scope())
    await people(2)
    expect(await aSentCampaign(merchant)).toMatchObject({ status: 'sent', balance: { sent: 2 } })
    expect(await warmUp()).toEqual([[100, 0]])
  })

  test('ended, nothing more is held back; begun again, it is the first day', async () => {
    const id = await warmedUp()
    await people(120)
    const campaign = await aSentCampaign(merchant)
    expect(campaign.balance).toMatchObject({ sent: 100, pending: 20 })
    const { sender_domain: ended } = await merchant.call(endpoints.endWarmUp, { params: { id } })
    expect(ended.warm_up).toBeNull()
    expect(await aSentCampaign(merchant)).toMatchObject({ status: 'sent', balance: { sent: 120 } })
    const { sender_domain: again } = await merchant.call(endpoints.startWarmUp, { params: { id } })
    expect(again.warm_up?.days).toMatchObject([{ limit: 100, sent: 0 }])
  })

  test('only an owner begins and ends it', async () => {
    const id = await warmedUp()
    expect(await refusal(merchant.as('marketer')(endpoints.endWarmUp, { params: { id } }))).toMatchObject({
      reason: 'role_forbids',
    })
  })
})

test('the review of a campaign says how many days it takes, before it is sent', async () => {
  await warmedUp()
  await people(350)
  const { id } = await aCampaign(merchant)
  const review = async () => (await merchant.call(reviewCampaign, { params: { id } })).review.warm_up
  expect(await review()).toEqual({ domain: 'shop.test', today: 100, days: 3 })
  const [domain] = (await merchant.call(endpoints.listSenderDomains, {})).sender_domains
  await merchant.call(endpoints.endWarmUp, { params: { id: domain?.id ?? '' } })
  expect(await review()).toBeNull()
})

test('how many days a number of mails takes', () => {
  const first = warmUpLeft({ days: [{ day: '2026-11-26', limit: 100, sent: 0 }] })
  const days = (mails: number) => first && warmUpDaysFor(first, mails)
  expect([days(1), days(100), days(101), days(300), days(301)]).toEqual([1, 1, 2, 2, 3])
  const all = WARM_UP_PLAN.reduce((sum, limit) => sum + limit, 0)
  expect([days(all), days(all + 1), days(all * 10)]).toEqual([10, 11, 11])
  expect(warmUpLeft({ days: [{ day: '2026-12-26', limit: null, sent: 5 }] })).toBeNull()
})

describe('what is watched while a domain is warmed up', () => {
  const HOUR = 3_600_000
  const ab = {
    differs: 'subject',
    subject: '別の件名',
    email_id: null,
    share: 50,
    decides_by: 'person',
    hours: 2,
  } as const

  /** New customers of whom so many are in each group: by chance one group can be much larger than the other. */
  async function inGroups(campaignId: string, wanted: Record<AbGroup, number>): Promise<{ email: string }[]> {
    const found = []
    for (const group of AbGroup.options) {
      const rows = await okaeri.query<{ email: string }>`
        select c.email_key as email
        from (select 'p' || n || '@example.jp' as email_key, null::uuid as id from generate_series(1, 1000) n) c
        where ${isInGroup(campaignId, ab, group)} limit ${wanted[group]}`
      found.push(...rows)
    }
    return found
  }

  test('the hours of a test begin once half of each group was tried, not when the last day is over', async () => {
    await warmedUp()
    const { id } = await aCampaign(merchant, { ab_test: ab })
    await addCustomers(merchant.scope(), await inGroups(id, { a: 60, b: 60, rest: 20 }))
    await merchant.call(reserveCampaign, { params: { id }, body: {} })
    await okaeri.settle()
    const left = await campaignOf(merchant, id)
    expect(left.balance).toMatchObject({ sent: 100 })
    expect(left.ab_decides_at).toEqual(expect.any(String))
    okaeri.advance(3 * HOUR)
    await okaeri.settle()
    expect(await campaignOf(merchant, id)).toMatchObject({ ab_phase: 'asks' })
  })

  test('and not before: a group to which nothing was sent yet cannot be judged', async () => {
    await warmedUp()
    await people(600)
    const { id } = await aSentCampaign(merchant, { ab_test: ab })
    expect((await campaignOf(merchant, id)).ab_decides_at).toBeNull()
  })

  test('of a large campaign the first few are watched without those whose day has not come', async () => {
    await okaeri.query`update merchants set canary_from = 500, canary_minutes = 30 where id = ${merchant.id}`
    await warmedUp()
    await people(600)
    // A hundred go first; something else took a part of the day.
    await okaeri.query`insert into warm_up_days (merchant_id, domain_id, day, sent)
      select merchant_id, id, ${okaeri.clock.now().toISOString().slice(0, 10)}::date, 30 from sender_domains where merchant_id = ${merchant.id}`
    const { id } = await aSentCampaign(merchant)
    const first = await campaignOf(merchant, id)
    expect(first).toMatchObject({ status: 'sending', canary_result: null })
    expect(first.balance?.sent).toBeGreaterThanOrEqual(60)
    expect(first.balance?.sent).toBeLessThanOrEqual(70)
    okaeri.advance(HOUR)
    await okaeri.settle()
    expect(await campaignOf(merchant, id)).toMatchObject({ canary_result: { tried: first.balance?.sent, hard: 0 } })
  })
})
