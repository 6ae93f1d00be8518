import type { AbTest } from '@okaeri/contract/campaigns/ab-test'
import * as routes from '@okaeri/contract/campaigns/routes'
import { sql } from 'kysely'
import { newId } from '../../src/kernel/ids.ts'
import { addCustomers, addEmail } from '../fixtures.ts'
import { okaeri } from '../with-okaeri.ts'
import { gotBy } from '../with-sink.ts'
import { aCampaign, campaignOf } from './campaign.ts'

export const PEOPLE = 400
export const SOME = 120
export const HOUR = 3_600_000
export const SUBJECT = '春の新作のお知らせ'
export const plainTest: AbTest = {
  differs: 'subject',
  subject: '本日から春の新作',
  email_id: null,
  share: 50,
  decides_by: 'clicks',
  hours: 4,
}

/** A campaign to 400 people, two of them with one address; half of them are in a test. */
export async function aTestedCampaign(name: string, given: Partial<AbTest> = {}, settings = {}, count = PEOPLE) {
  const merchant = await okaeri.merchant({ canary_from: null, ...settings })
  const addresses = Array.from({ length: count }, (_, at) => `${name}-${at}@ab.test`)
  await addCustomers(
    merchant.scope(),
    [...addresses, `${name}-7@ab.test`].map((email) => ({ email })),
  )
  const email_id = await addEmail(merchant.scope(), { subject: SUBJECT })
  const { id } = await aCampaign(merchant, { email_id, ab_test: { ...plainTest, ...given } })
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
export async function aRunningTest(name: string, given: Partial<AbTest> = {}, settings = {}, count = PEOPLE) {
  const tested = await aTestedCampaign(name, given, settings, count)
  const { ab_test } = await tested.review()
  await tested.reserve()
  await okaeri.settle()
  return { ...tested, people: ab_test?.people ?? { a: 0, b: 0, rest: 0 } }
}

export const settleAfter = async (ms: number) => {
  okaeri.advance(ms)
  await okaeri.settle()
}

export const deliveriesOf = ({ merchant, id }: Tested, group: string) => sql`
  select d.id from deliveries d join messages m on m.merchant_id = d.merchant_id and m.id = d.message_id
  where d.merchant_id = ${merchant.id} and d.campaign_id = ${id} and m.ab_group = ${group} and d.status = 'sent'`

export const click = (tested: Tested, group: 'a' | 'b', people: number) =>
  okaeri.query`update deliveries set clicked_at = ${okaeri.clock.now()} where merchant_id = ${tested.merchant.id}
    and id in (${deliveriesOf(tested, group)} order by d.id limit ${people})`

/** An order of a customer in the group, credited to what they got. */
export async function order(tested: Tested, group: 'a' | 'b', amount: number, currency = 'JPY') {
  await okaeri.query`insert into conversions (merchant_id, order_id, delivery_id, campaign_id, credited_by, amount, currency, ordered_at)
    select ${tested.merchant.id}, ${newId()}, id, ${tested.id}, 'click', ${amount}, ${currency}, ${okaeri.clock.now()}
    from (${deliveriesOf(tested, group)} limit 1) d`
}

/** What each group got to read, and how many. */
export async function subjectsOf({ merchant, id }: Tested) {
  const rows = await okaeri.query<{ group: string; subject: string; people: number }>`
    select m.ab_group as group, e.subject, count(d.id)::int as people
    from messages m join email_contents e on e.merchant_id = m.merchant_id and e.message_id = m.id
    left join deliveries d on d.merchant_id = m.merchant_id and d.message_id = m.id and d.status = 'sent'
    where m.merchant_id = ${merchant.id} and m.campaign_id = ${id} group by 1, 2 order by 1`
  return rows
}

export async function membersOf({ merchant, id }: Tested) {
  const rows = await okaeri.query<{ group: string; customer_id: string }>`
    select m.ab_group as group, d.customer_id from deliveries d join messages m on m.merchant_id = d.merchant_id and m.id = d.message_id
    where d.merchant_id = ${merchant.id} and d.campaign_id = ${id} order by d.customer_id`
  return rows
}
