import { type AbCompared, type AbTest, groupBounds, winnerOf } from '@okaeri/contract/campaigns/ab-test'
import type { ApiError } from '@okaeri/contract/client'
import * as routes from '@okaeri/contract/campaigns/routes'
import { deleteEmail } from '@okaeri/contract/emails/routes'
import { getClickMap } from '@okaeri/contract/reports/routes'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCampaign, campaignOf } from '../../../test/builders/campaign.ts'
import { addCustomers, addEmail, setSendingHours } from '../../../test/fixtures.ts'
import { refusal } from '../../../test/refusal.ts'
import { okaeri } from '../../../test/with-okaeri.ts'
import { gotBy, withSink } from '../../../test/with-sink.ts'
import { newId } from '../../kernel/ids.ts'
import { askAfterOutage, takeUnsentForUncertain } from './campaign-progress.ts'

withSink()

const PEOPLE = 400
const SOME = 120
const HOUR = 3_600_000
const SUBJECT = '春の新作のお知らせ'
const plain: AbTest = {
  differs: 'subject',
  subject: '本日から春の新作',
  email_id: null,
  share: 50,
  decides_by: 'clicks',
  hours: 4,
}

/** A campaign to 400 people with one address of two customers, of which half are in a test. */
async function aTestedCampaign(name: string, given: Partial<AbTest> = {}, settings = {}, count = PEOPLE) {
  const merchant = await okaeri.merchant({ canary_from: null, ...settings })
  const addresses = Array.from({ length: count }, (_, at) => `${name}-${at}@ab.test`)
  await addCustomers(
    merchant.scope(),
    [...addresses, `${name}-7@ab.test`].map((email) => ({ email })),
  )
  const email_id = await addEmail(merchant.scope(), { subject: SUBJECT })
  const { id } = await aCampaign(merchant, { email_id, ab_test: { ...plain, ...given } })
  const params = { id }
  const review = async () => (await merchant.call(routes.reviewCampaign, { params, query: {} })).review
  const reserve = (body = {}) => merchant.call(routes.reserveCampaign, { params, body })
  const choose = (winner: 'a' | 'b') => merchant.call(routes.chooseWinner, { params, body: { winner } })
  const report = async () => (await merchant.call(routes.getCampaignReport, { params })).report
  const sent = () => addresses.reduce((all, address) => all + gotBy(address), 0)
  const most = () => Math.max(...addresses.map(gotBy))
  const once = () => addresses.every((address) => gotBy(address) === 1)
  return { merchant, id, review, reserve, choose, report, sent, most, once, campaign: () => campaignOf(merchant, id) }
}
type Tested = Awaited<ReturnType<typeof aTestedCampaign>>

/** Reserved and sent to both groups. */
async function aRunningTest(name: string, given: Partial<AbTest> = {}, settings = {}, count = PEOPLE) {
  const tested = await aTestedCampaign(name, given, settings, count)
  const { ab_test } = await tested.review()
  await tested.reserve()
  await okaeri.settle()
  return { ...tested, people: ab_test?.people ?? { a: 0, b: 0, rest: 0 } }
}

const settleAfter = async (ms: number) => {
  okaeri.advance(ms)
  await okaeri.settle()
}

const deliveriesOf = ({ merchant, id }: Tested, group: string) => sql`
  select d.id from deliveries d join messages m on m.merchant_id = d.merchant_id and m.id = d.message_id
  where d.merchant_id = ${merchant.id} and d.campaign_id = ${id} and m.ab_group = ${group} and d.status = 'sent'`

const click = (tested: Tested, group: 'a' | 'b', people: number) =>
  sql`update deliveries set clicked_at = ${okaeri.clock.now()} where merchant_id = ${tested.merchant.id}
    and id in (${deliveriesOf(tested, group)} order by d.id limit ${people})`.execute(okaeri.context.db)

/** An order of somebody in the group, credited to what they got. */
async function order(tested: Tested, group: 'a' | 'b', amount: number, currency = 'JPY') {
  await sql`insert into conversions (merchant_id, order_id, delivery_id, campaign_id, credited_by, amount, currency, ordered_at)
    select ${tested.merchant.id}, ${newId()}, id, ${tested.id}, 'click', ${amount}, ${currency}, ${okaeri.clock.now()}
    from (${deliveriesOf(tested, group)} limit 1) d`.execute(okaeri.context.db)
}

/** What each group got to read, and how many. */
async function subjectsOf({ merchant, id }: Tested) {
  const { rows } = await sql<{ group: string; subject: string; people: number }>`
    select m.ab_group as group, e.subject, count(d.id)::int as people
    from messages m join email_contents e on e.merchant_id = m.merchant_id and e.message_id = m.id
    left join deliveries d on d.merchant_id = m.merchant_id and d.message_id = m.id and d.status = 'sent'
    where m.merchant_id = ${merchant.id} and m.campaign_id = ${id} group by 1, 2 order by 1`.execute(okaeri.context.db)
  return rows
}

async function membersOf({ merchant, id }: Tested) {
  const { rows } = await sql<{ group: string; customer_id: string }>`
    select m.ab_group as group, d.customer_id from deliveries d join messages m on m.merchant_id = d.merchant_id and m.id = d.message_id
    where d.merchant_id = ${merchant.id} and d.campaign_id = ${id} order by d.customer_id`.execute(okaeri.context.db)
  return rows
}

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
    const { id } = await aCampaign(merchant, { ab_test: { ...plain, differs: 'email', email_id, share: 40 } })
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
    const { rows } = await sql<{
      email_id: string
      sent: number
    }>`select email_id, sum(sent)::int as sent from message_stats
      where merchant_id = ${merchant.id} and program_id = ${id} group by 1`.execute(okaeri.context.db)
    const sentOf = new Map(rows.map((row) => [row.email_id, row.sent]))
    expect(sentOf.get(email_id)).toBe((b?.delivery_count ?? 0) + (rest?.delivery_count ?? 0))
    expect(sentOf.get(report.email?.id ?? '')).toBe(a?.delivery_count)
  })
})

describe('where it cannot be decided', () => {
  test.each([
    ['nothing', 0, 0],
    ['tie', 4, 4],
  ])('%s: A goes to the rest, as was said before', async (why, a, b) => {
    const tested = await aRunningTest(`even-${why}`)
    // As many of as many: then it is a tie.
    await sql`update deliveries d set status = 'failed', reason = 'permanent' from messages m
      where d.merchant_id = ${tested.merchant.id} and m.merchant_id = d.merchant_id and m.id = d.message_id and d.id in (
        select id from (select d.id, row_number() over (partition by d.message_id order by d.id) as number from deliveries d
          where d.merchant_id = ${tested.merchant.id} and d.campaign_id = ${tested.id} and d.status = 'sent') n where number > 50)`.execute(
      okaeri.context.db,
    )
    await click(tested, 'a', a)
    await click(tested, 'b', b)
    await settleAfter(5 * HOUR)
    expect((await tested.campaign()).ab_result).toMatchObject({ winner: 'a', why })
    expect((await subjectsOf(tested)).at(-1)).toMatchObject({ subject: SUBJECT })
    expect(tested.once()).toBe(true)
  })

  test('where a person decides, the owner hears of it once, and nothing goes out before', async () => {
    const tested = await aRunningTest('person', { decides_by: 'person' })
    const { a, b } = tested.people
    expect(gotBy(`${tested.merchant.id}@shop.test`)).toBe(0)
    await settleAfter(5 * HOUR)
    await settleAfter(48 * HOUR)
    expect(await tested.campaign()).toMatchObject({
      status: 'waiting',
      wait_reason: 'ab_undecided',
      ab_phase: 'asks',
      waits_until: null,
    })
    expect(gotBy(`${tested.merchant.id}@shop.test`)).toBe(1)
    expect(tested.sent()).toBe(a + b)
    await tested.choose('b')
    await okaeri.settle()
    expect(await tested.campaign()).toMatchObject({ status: 'sent', ab_result: { winner: 'b', why: 'person' } })
    expect((await tested.campaign()).ab_result?.by).toMatch(/\S/)
    expect(tested.once()).toBe(true)
  })

  test('found hours after its time, because no worker was alive, it asks: then it is decided, or chosen', async () => {
    const [left, chosen] = [await aRunningTest('late'), await aRunningTest('late-chosen')]
    await click(left, 'b', 5)
    await settleAfter(11 * HOUR)
    for (const tested of [left, chosen]) {
      expect(await tested.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'found_late', ab_phase: 'asks' })
      expect(tested.sent()).toBe(tested.people.a + tested.people.b)
      expect(gotBy(`${tested.merchant.id}@shop.test`)).toBe(1)
    }
    await left.merchant.call(routes.sendLateCampaign, { params: { id: left.id } })
    await chosen.choose('a')
    await okaeri.settle()
    expect(await left.campaign()).toMatchObject({ status: 'sent', ab_result: { winner: 'b', why: 'more' } })
    expect(await chosen.campaign()).toMatchObject({ status: 'sent', ab_result: { winner: 'a', why: 'person' } })
    expect(left.once() && chosen.once()).toBe(true)
  })

  test('decided at night the rest waits for the morning; found in the evening after, it asks', async () => {
    const [morning, evening] = [
      await aRunningTest('morning', { hours: 6 }),
      await aRunningTest('evening', { hours: 6 }),
    ]
    for (const { merchant } of [morning, evening]) await setSendingHours(merchant.scope(), -1, 5)
    await settleAfter(6.5 * HOUR)
    for (const tested of [morning, evening]) {
      expect(await tested.campaign()).toMatchObject({ wait_reason: 'sending_hours', ab_phase: 'decided' })
      expect(tested.sent()).toBe(tested.people.a + tested.people.b)
    }
    const late = evening.merchant.id
    const { rows } = await sql<{
      waits_until: Date
    }>`select waits_until from campaigns where merchant_id = ${late}`.execute(okaeri.context.db)
    const dayBefore = new Date((rows[0]?.waits_until.getTime() ?? 0) - 24 * HOUR)
    await sql`update campaigns set waits_until = ${dayBefore} where merchant_id = ${late}`.execute(okaeri.context.db)
    await settleAfter(17.5 * HOUR)
    expect(await morning.campaign()).toMatchObject({ status: 'sent' })
    expect(morning.once()).toBe(true)
    expect(await evening.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'found_late' })
    expect(evening.sent()).toBe(evening.people.a + evening.people.b)
  })
})

describe('a person steps in', () => {
  test('before the time is over; of two presses the first counts, whatever the second says', async () => {
    const tested = await aRunningTest('early')
    await click(tested, 'a', 9)
    const presses = await Promise.allSettled([tested.choose('b'), tested.choose('a'), tested.choose('b')])
    expect(presses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await refusal(tested.choose('a'))).toMatchObject({ reason: 'campaign_test_decided' })
    await okaeri.settle()
    expect((await tested.campaign()).status).toBe('sent')
    expect(tested.once()).toBe(true)
    const { winner } = (await tested.campaign()).ab_result ?? {}
    const [a, b, rest] = await subjectsOf(tested)
    expect(rest?.subject).toBe((winner === 'a' ? a : b)?.subject)
  })

  test('the rest can be stopped: nobody of it gets anything, and the balance says so', async () => {
    const tested = await aRunningTest('stopped')
    const { a, b, rest } = tested.people
    await tested.merchant.call(routes.stopCampaign, { params: { id: tested.id } })
    await settleAfter(30 * HOUR)
    expect(tested.sent()).toBe(a + b)
    expect(await tested.campaign()).toMatchObject({
      status: 'cancelled',
      ab_phase: 'ended',
      ab_result: null,
      balance: { sent: a + b, skipped_by_reason: { cancelled: rest } },
    })
    expect(await refusal(tested.choose('a'))).toMatchObject({ reason: 'campaign_not_testing' })
  })

  test('a reservation is undone or cancelled whole; there is nothing to choose before it began', async () => {
    const tested = await aTestedCampaign('undone')
    expect(await refusal(tested.choose('a'))).toMatchObject({ reason: 'campaign_not_testing' })
    await tested.reserve({ undo_seconds: 60 })
    await okaeri.settle()
    expect(await refusal(tested.choose('a'))).toMatchObject({ reason: 'campaign_not_testing' })
    const before = await membersOf(tested)
    await tested.merchant.call(routes.undoCampaign, { params: { id: tested.id } })
    expect(await tested.campaign()).toMatchObject({ status: 'draft', ab_phase: 'planned', ab_test: plain })
    // Who is in which group is the same again.
    await tested.reserve()
    okaeri.advance(-1)
    await okaeri.settle()
    expect(await membersOf(tested)).toEqual(before)
    expect(tested.sent()).toBeGreaterThan(0)
  })
})

test('with too many addresses that do not exist the rest is held back, and a person says how it goes on', async () => {
  const tested = await aRunningTest('canary', {}, { canary_from: 300, canary_minutes: 30 })
  const { a, b } = tested.people
  await sql`update deliveries set bounced_at = ${okaeri.clock.now()}, bounce_kind = 'hard'
    where merchant_id = ${tested.merchant.id} and id in (${deliveriesOf(tested, 'a')} limit 40)`.execute(
    okaeri.context.db,
  )
  await settleAfter(0.6 * HOUR)
  expect(await tested.campaign()).toMatchObject({ wait_reason: 'canary_stopped', canary_result: { tried: a + b } })
  await settleAfter(5 * HOUR)
  expect(tested.sent()).toBe(a + b)
  // It goes on with the test, which is over meanwhile.
  await tested.merchant.call(routes.continueCampaign, { params: { id: tested.id } })
  await okaeri.settle()
  expect(await tested.campaign()).toMatchObject({ status: 'sent', ab_result: { winner: 'a', why: 'nothing' } })
  expect(tested.once()).toBe(true)
})

test('who is tried again for hours does not hold up the test, and gets what their group gets', async () => {
  const tested = await aRunningTest('retried')
  await sql`update deliveries set status = 'pending', sent_at = null, attempts = 2,
      next_attempt_at = ${new Date(okaeri.clock.now().getTime() + 8 * HOUR)}
    where merchant_id = ${tested.merchant.id} and id in (${deliveriesOf(tested, 'a')} limit 1)`.execute(
    okaeri.context.db,
  )
  await sql`update messages set state = 'released' where merchant_id = ${tested.merchant.id} and campaign_id = ${tested.id}
    and ab_group = 'a'`.execute(okaeri.context.db)
  await sql`update campaigns set status = 'sending', wait_reason = null, waits_until = null
    where merchant_id = ${tested.merchant.id} and id = ${tested.id}`.execute(okaeri.context.db)
  await okaeri.settle()
  expect(await tested.campaign()).toMatchObject({ status: 'sending', ab_phase: 'testing' })
  await click(tested, 'b', 3)
  await settleAfter(4.1 * HOUR)
  expect(await tested.campaign()).toMatchObject({ status: 'sending', ab_phase: 'decided', balance: { pending: 1 } })
  await settleAfter(4.1 * HOUR)
  expect((await tested.campaign()).status).toBe('sent')
})

test('after a restore of which nobody knows what was sent since, nothing of a test goes out', async () => {
  const tested = await aRunningTest('restored')
  const { a, b, rest } = tested.people
  await takeUnsentForUncertain(tested.merchant.scope())
  await settleAfter(30 * HOUR)
  expect(tested.sent()).toBe(a + b)
  expect(await tested.campaign()).toMatchObject({ ab_phase: 'ended', balance: { sent: a + b, uncertain: rest } })
  // A person says that they get it all the same: what they get is A, and there is nothing left to choose.
  await tested.merchant.call(routes.resendUncertain, { params: { id: tested.id }, body: { uncertain_seen: rest } })
  expect(await refusal(tested.choose('b'))).toMatchObject({ reason: 'campaign_not_testing' })
  await okaeri.settle()
  expect(await tested.campaign()).toMatchObject({ status: 'sent', balance: { sent: PEOPLE } })
  expect(tested.once()).toBe(true)
  expect((await subjectsOf(tested)).at(-1)).toMatchObject({ subject: SUBJECT, people: rest })
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
    const { id } = await aCampaign(merchant, { ab_test: plain })
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
    const body = { ab_test: { ...plain, differs: 'email' as const, email_id: foreign } }
    expect(
      await refusal(tested.merchant.call(routes.changeCampaign, { params: { id: tested.id }, body })),
    ).toMatchObject({ fields: { 'ab_test.email_id': 'not_found' } })
  })

  test('a campaign by LINE keeps its test and goes out without it', async () => {
    const tested = await aTestedCampaign('by-line')
    const body = { channels: 'line_else_email' as const }
    await tested.merchant.call(routes.changeCampaign, { params: { id: tested.id }, body })
    expect((await tested.review()).ab_test).toBeNull()
    expect(await tested.campaign()).toMatchObject({ ab_test: plain, ab_phase: null })
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
  expect(copy.campaign).toMatchObject({ ab_test: plain, ab_phase: 'planned', ab_decides_at: null, ab_result: null })
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

test('in test mode both groups go to the test addresses, and nobody else', async () => {
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

test('half of a group sent when everything stopped for hours: it asks, and then the test goes on, not the rest', async () => {
  const tested = await aRunningTest('outage')
  const { merchant, id, people } = tested
  const of = sql`where merchant_id = ${merchant.id}`
  const { db } = okaeri.context
  await sql`update deliveries set status = 'pending', sent_at = null, attempts = 0 ${of}
    and id in (${deliveriesOf(tested, 'b')} limit 1)`.execute(db)
  await sql`update messages set state = 'released' ${of} and campaign_id = ${id} and ab_group = 'b'`.execute(db)
  await sql`update campaigns set status = 'sending', wait_reason = null, waits_until = null, ab_decides_at = null ${of} and id = ${id}`.execute(
    db,
  )
  await sql`update installation set last_alive_at = now() - interval '7 hours'`.execute(db)
  await askAfterOutage(okaeri.context)
  await okaeri.settle()
  expect(await tested.campaign()).toMatchObject({ status: 'waiting', wait_reason: 'found_late', ab_phase: 'asks' })
  expect(tested.sent()).toBe(people.a + people.b)
  await merchant.call(routes.sendLateCampaign, { params: { id } })
  await okaeri.settle()
  // That one row, and nobody of the rest.
  expect(tested.sent()).toBe(people.a + people.b + 1)
  expect(await tested.campaign()).toMatchObject({ wait_reason: 'ab_test', ab_phase: 'testing' })
})

describe('whatever happens in whatever order', () => {
  const steps = [
    'wait an hour',
    'wait a day',
    'click B',
    'choose A',
    'choose B',
    'stop',
    'accept late',
    'give back',
    'resend',
  ] as const
  test('nobody gets two, the rest gets nothing before it is decided, and the balance holds', async () => {
    let walk = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: 6 }),
        fc.constantFrom('clicks' as const, 'person' as const),
        async (taken, decides_by) => {
          const tested = await aRunningTest(`walk${walk++}`, { decides_by }, {}, SOME)
          const { merchant, id, people } = tested
          const params = { id }
          const press = (pressed: Promise<unknown>) =>
            pressed.then(
              () => true,
              (error: ApiError) => {
                // Refused for a reason, never broken.
                expect(error.status).toBe(409)
                return false
              },
            )
          let stopped = false
          for (const step of taken) {
            if (step === 'wait an hour') okaeri.advance(HOUR)
            else if (step === 'wait a day') okaeri.advance(24 * HOUR)
            else if (step === 'click B') await click(tested, 'b', 2)
            else if (step === 'choose A' || step === 'choose B')
              await press(tested.choose(step === 'choose A' ? 'a' : 'b'))
            else if (step === 'stop') stopped = (await press(merchant.call(routes.stopCampaign, { params }))) || stopped
            else if (step === 'accept late') await press(merchant.call(routes.sendLateCampaign, { params }))
            else if (step === 'give back') await press(merchant.call(routes.continueCampaign, { params }))
            else await press(merchant.call(routes.resyncCampaign, { params }))
            await okaeri.settle()
            const { ab_result: result, balance, status } = await tested.campaign()
            if (!balance) throw new Error('there is no balance')
            const { audience, pending, sending, sent, failed, skipped, uncertain } = balance
            expect(audience).toBe(pending + sending + sent + failed + skipped + uncertain)
            expect(audience).toBe(SOME + 1)
            expect(tested.most()).toBe(1)
            if (!result || stopped) expect(tested.sent()).toBe(people.a + people.b)
            else if (status === 'sent') expect(tested.sent()).toBe(SOME)
            const [a, b, rest] = await subjectsOf(tested)
            if (result) expect(rest?.subject).toBe((result.winner === 'a' ? a : b)?.subject)
          }
        },
      ),
      { numRuns: 5 },
    )
  })
})

describe('the rules', () => {
  const figures = fc.record({
    sent: fc.nat(1_000_000),
    clicks: fc.nat(1_000_000),
    orders: fc.nat(1000),
    revenue: fc.nat(2_000_000_000),
  })
  test('who has more for each mail wins, and B never without more than A', () => {
    fc.assert(
      fc.property(figures, figures, fc.constantFrom('clicks' as const, 'revenue' as const), (a, b, measure) => {
        const compared: AbCompared = { a, b }
        const rateOf = (of: typeof a) => of[measure] / Math.max(1, of.sent)
        const { winner, why } = winnerOf(compared, measure)
        if (rateOf(b) > rateOf(a)) expect(winner).toBe('b')
        if (rateOf(b) < rateOf(a)) expect(winner).toBe('a')
        if (why !== 'more') expect(winner).toBe('a')
        if (winner === 'b') expect(b[measure]).toBeGreaterThan(0)
      }),
    )
  })
  test.each([
    [10, { a: 500, b: 1000 }],
    [33, { a: 1650, b: 3300 }],
    [50, { a: 2500, b: 5000 }],
  ])('of %i %% half is A and half is B', (share, bounds) => {
    expect(groupBounds({ share })).toEqual(bounds)
  })
})
