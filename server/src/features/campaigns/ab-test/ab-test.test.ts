import type { AbTest } from '@okaeri/contract/campaigns/ab-test'
import * as routes from '@okaeri/contract/campaigns/routes'
import { deleteEmail } from '@okaeri/contract/emails/routes'
import { getClickMap } from '@okaeri/contract/reports/routes'
import { describe, expect, test } from 'vitest'
import {
  aRunningTest,
  aTestedCampaign,
  click,
  HOUR,
  order,
  PEOPLE,
  plainTest,
  settleAfter,
  subjectsOf,
  SUBJECT,
} from '../../../../test/builders/ab-test.ts'
import { aCampaign } from '../../../../test/builders/campaign.ts'
import { addCustomers, addEmail } from '../../../../test/fixtures.ts'
import { refusal } from '../../../../test/refusal.ts'
import { okaeri } from '../../../../test/with-okaeri.ts'
import { gotBy, withSink } from '../../../../test/with-sink.ts'

withSink()

describe('from the review to the winner', () => {
  test('half of the test gets A, half B, and the rest what was clicked more; everybody gets it once', async () => {
    const tested = await aTestedCampaign('clicks')
    const { ab_test: seen, recipients, missing, canary } = await tested.review()
    expect(missing).toEqual([])
    expect(canary).toBeNull()
    expect(seen).toMatchObject({ is_small: true, is_watched: false, sample: { subject: '本日から春の新作' } })
    const { a, b, rest } = seen?.people ?? { a: 0, b: 0, rest: 0 }
    expect(a + b + rest).toBe(recipients)
    expect(recipients).toBe(PEOPLE)
    expect(Math.min(a, b)).toBeGreaterThan(60)
    await tested.reserve({ recipients_seen: PEOPLE, groups_seen: { a, b, rest } })
    await okaeri.settle()
    expect(tested.sent()).toBe(a + b)
    const waiting = await tested.campaign()
    expect(waiting).toMatchObject({ status: 'waiting', wait_reason: 'ab_test', ab_phase: 'testing', ab_result: null })
    expect(waiting.waits_until).toBe(waiting.ab_decides_at)
    await click(tested, 'a', 3)
    await click(tested, 'b', 9)
    await settleAfter(3.9 * HOUR)
    expect(tested.sent()).toBe(a + b)
    await settleAfter(0.2 * HOUR)
    expect(await tested.campaign()).toMatchObject({
      status: 'sent',
      balance: { audience: PEOPLE + 1, sent: PEOPLE, pending: 0, skipped_by_reason: { duplicate_address: 1 } },
      ab_phase: 'decided',
      ab_result: {
        winner: 'b',
        why: 'more',
        by: null,
        figures: { a: { sent: a, clicks: 3 }, b: { sent: b, clicks: 9 } },
      },
    })
    expect(tested.once()).toBe(true)
    expect(await subjectsOf(tested)).toEqual([
      { group: 'a', subject: SUBJECT, people: a },
      { group: 'b', subject: '本日から春の新作', people: b },
      { group: 'rest', subject: '本日から春の新作', people: rest },
    ])
  })

  test('by revenue what brought more money for each mail wins; other money and cancelled orders do not count', async () => {
    const tested = await aRunningTest('revenue', { decides_by: 'revenue' })
    await click(tested, 'b', 20)
    // By far: how many are in a group is a matter of chance.
    await order(tested, 'a', 5000)
    await order(tested, 'b', 1000)
    await order(tested, 'b', 900_000, 'USD')
    await settleAfter(5 * HOUR)
    expect((await tested.campaign()).ab_result).toMatchObject({
      winner: 'a',
      figures: { a: { orders: 1, revenue: 5000 }, b: { clicks: 20, orders: 2, revenue: 1000 } },
    })
    expect(tested.once()).toBe(true)
  })

  test('B may be another email: each email counts what it sent, and cannot be deleted while it is needed', async () => {
    const merchant = await okaeri.merchant({ canary_from: null })
    const email_id = await addEmail(merchant.scope(), { subject: '別のメール' })
    await addCustomers(
      merchant.scope(),
      Array.from({ length: 100 }, (_, at) => ({ email: `other-${at}@ab.test` })),
    )
    const { id } = await aCampaign(merchant, { ab_test: { ...plainTest, differs: 'email', email_id, share: 40 } })
    const params = { id }
    expect(await refusal(merchant.call(deleteEmail, { params: { id: email_id } }))).toMatchObject({
      reason: 'email_in_use',
    })
    await merchant.call(routes.reserveCampaign, { params, body: {} })
    await okaeri.settle()
    await merchant.call(routes.chooseWinner, { params, body: { winner: 'b' } })
    await okaeri.settle()
    const { report } = await merchant.call(routes.getCampaignReport, { params })
    const [a, b, rest] = report.ab_test?.groups ?? []
    expect(b).toMatchObject({ content: 'b', subject: '別のメール', email: { id: email_id } })
    expect(rest).toMatchObject({ content: 'b', subject: '別のメール', email: { id: email_id } })
    const rows = await okaeri.query<{
      email_id: string
      sent: number
    }>`select email_id, sum(sent)::int as sent from message_stats
      where merchant_id = ${merchant.id} and program_id = ${id} group by 1`
    const sentOf = new Map(rows.map((row) => [row.email_id, row.sent]))
    expect(sentOf.get(email_id)).toBe((b?.delivery_count ?? 0) + (rest?.delivery_count ?? 0))
    expect(sentOf.get(report.email?.id ?? '')).toBe(a?.delivery_count)
  })
})

describe('what is refused', () => {
  const missingOf = async (name: string, given: Partial<AbTest>, campaign = {}) => {
    const tested = await aTestedCampaign(name, given)
    await tested.merchant.call(routes.changeCampaign, { params: { id: tested.id }, body: campaign })
    const { missing, can_reserve } = await tested.review()
    expect(can_reserve).toBe(false)
    expect(await refusal(tested.reserve())).toMatchObject({ code: 'invalid' })
    return missing
  }
  test('a test without B, of two that are the same, of what is not tracked, or of too few', async () => {
    expect(await missingOf('no-b', { subject: null })).toEqual(['ab_subject'])
    expect(await missingOf('no-email', { differs: 'email' })).toEqual(['ab_email'])
    expect(await missingOf('same', { subject: SUBJECT })).toEqual(['ab_same'])
    expect(await missingOf('untracked', {}, { tracking_enabled: false })).toEqual(['ab_tracking'])
    const merchant = await okaeri.merchant()
    await addCustomers(
      merchant.scope(),
      Array.from({ length: 12 }, (_, at) => ({ email: `few-${at}@ab.test` })),
    )
    const { id } = await aCampaign(merchant, { ab_test: plainTest })
    const { review } = await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })
    expect(review.missing).toEqual(['ab_small'])
    expect(await refusal(merchant.call(routes.reserveCampaign, { params: { id }, body: {} }))).toMatchObject({
      fields: { ab_test: 'too_small' },
    })
  })

  test('groups other than the person saw, and an email of another merchant', async () => {
    const tested = await aTestedCampaign('seen')
    const { ab_test } = await tested.review()
    const { a, b, rest } = ab_test?.people ?? { a: 0, b: 0, rest: 0 }
    const seen = { groups_seen: { a: a + 1, b: b - 1, rest } }
    expect(await refusal(tested.reserve(seen))).toMatchObject({ reason: 'campaign_changed_since_review' })
    const foreign = await addEmail((await okaeri.merchant()).scope())
    const body = { ab_test: { ...plainTest, differs: 'email' as const, email_id: foreign } }
    expect(
      await refusal(tested.merchant.call(routes.changeCampaign, { params: { id: tested.id }, body })),
    ).toMatchObject({ fields: { 'ab_test.email_id': 'not_found' } })
  })

  test('a campaign by LINE keeps its test and goes out without it', async () => {
    const tested = await aTestedCampaign('by-line')
    const body = { channels: 'line_else_email' as const }
    await tested.merchant.call(routes.changeCampaign, { params: { id: tested.id }, body })
    expect((await tested.review()).ab_test).toBeNull()
    expect(await tested.campaign()).toMatchObject({ ab_test: plainTest, ab_phase: null })
  })
})

test('the review says what is wrong with B alone, and it keeps the campaign from being sent', async () => {
  const tested = await aTestedCampaign('broken', { subject: '{{ customer.first_name' })
  const { findings, ab_test, can_reserve } = await tested.review()
  expect(findings.filter(({ level }) => level === 'blocks')).toEqual([])
  expect(ab_test?.findings).toMatchObject([{ level: 'blocks' }])
  expect(can_reserve).toBe(false)
  expect(await refusal(tested.reserve())).toMatchObject({ reason: 'preflight_failed' })
})

test('the deliveries can be narrowed to those of a group', async () => {
  const tested = await aRunningTest('narrowed')
  const of = async (group?: 'a' | 'b' | 'rest') =>
    (
      await tested.merchant.call(routes.listCampaignDeliveries, {
        params: { id: tested.id },
        query: { group, limit: 1 },
      })
    ).total
  // Who is skipped has a group too, and is not among the people of the test.
  const skipped = async (group: 'a' | 'b') =>
    (
      await tested.merchant.call(routes.listCampaignDeliveries, {
        params: { id: tested.id },
        query: { group, status: 'skipped', limit: 1 },
      })
    ).total
  const { a, b } = tested.people
  expect([(await of('a')) - (await skipped('a')), (await of('b')) - (await skipped('b'))]).toEqual([a, b])
  expect(await of()).toBe((await of('a')) + (await of('b')) + (await of('rest')))
})

test('a copy keeps the test, and none of what came of it', async () => {
  const tested = await aRunningTest('copied')
  const copy = await tested.merchant.call(routes.duplicateCampaign, { params: { id: tested.id }, body: {} })
  expect(copy.campaign).toMatchObject({ ab_test: plainTest, ab_phase: 'planned', ab_decides_at: null, ab_result: null })
})

test('the groups of the report add up to the campaign, and its totals hold all of them', async () => {
  const tested = await aRunningTest('report')
  await click(tested, 'a', 2)
  await click(tested, 'b', 6)
  await order(tested, 'b', 4000)
  await settleAfter(5 * HOUR)
  const { ab_test, balance, click_count, order_count, revenue, delivery_count } = await tested.report()
  const groups = ab_test?.groups ?? []
  const sum = (of: (group: (typeof groups)[number]) => number) => groups.reduce((all, group) => all + of(group), 0)
  expect(groups.map(({ group, content }) => [group, content])).toEqual([
    ['a', 'a'],
    ['b', 'b'],
    ['rest', 'b'],
  ])
  expect(sum(({ audience }) => audience)).toBe(balance.audience)
  expect(sum((group) => group.delivery_count)).toBe(delivery_count)
  expect(sum((group) => group.click_count)).toBe(click_count)
  expect(sum((group) => group.order_count)).toBe(order_count)
  expect(sum((group) => group.revenue.amount)).toBe(revenue.amount)
  expect(ab_test).toMatchObject({ phase: 'decided', result: { winner: 'b' } })
  const { id: merchantId, memberId } = tested.merchant
  const file = await fetch(`${okaeri.url}/reports/${tested.id}/download?lang=en`, {
    headers: { authorization: `Bearer test.${merchantId}.${memberId}.viewer` },
  })
  const last = (await file.text())
    .trim()
    .split(/\r?\n/)
    .map((row) => row.slice(row.lastIndexOf(',') + 1))
  expect(last[0]).toBe('A/B test')
  expect(last.filter((group) => group === 'B')).toHaveLength(groups[1]?.audience ?? 0)
  const drawn = (group: 'a' | 'b' | 'rest') =>
    tested.merchant.call(getClickMap, { params: { id: tested.id }, query: { group } })
  expect((await drawn('a')).mail?.subject).toBe(SUBJECT)
  expect((await drawn('rest')).mail?.subject).toBe('本日から春の新作')
})

test('in test mode both groups go to the test addresses, and to no one else', async () => {
  const tested = await aTestedCampaign('tried', {}, { test_mode: true, test_emails: ['ab-tester@shop.test'] })
  const { test_cap } = await tested.review()
  await tested.reserve()
  await okaeri.settle()
  await tested.choose('b')
  await okaeri.settle()
  expect(tested.sent()).toBe(0)
  const got = gotBy('ab-tester@shop.test')
  expect(got).toBeGreaterThan(2)
  expect(got).toBeLessThanOrEqual(test_cap)
  expect(await tested.campaign()).toMatchObject({ status: 'sent', test_mode: true })
})
