import * as campaigns from '@okaeri/contract/campaigns/routes'
import { getCustomer, getTimeline } from '@okaeri/contract/customers/routes'
import { listEmailHistories } from '@okaeri/contract/emails/routes'
import { listScenarioDeliveries } from '@okaeri/contract/scenarios/mail-routes'
import type { Email } from 'postal-mime'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addCustomers, addEmail } from './fixtures.ts'
import { type TestMerchant } from './harness.ts'
import { readMail, startMailServer, type TestMailServer } from './mail-server.ts'
import { addExecutions, addScenario, endNode, executionOf, flowOf, mailNode } from './scenarios.ts'
import { okaeri, withOkaeri } from './with-okaeri.ts'
import { aSentCampaign } from './builders/campaign.ts'

let server: TestMailServer
let got: Email[] = []
beforeAll(async () => {
  server = await startMailServer({
    onData(stream, _session, callback) {
      void readMail(stream).then((mail) => {
        got.push(mail)
        callback()
      })
    },
  })
})
afterAll(() => server.close())
withOkaeri(() => ({ smtpUrl: server.url }))
beforeEach(() => {
  got = []
})

const WRITTEN = '{{ customer.name }}様へ{% if customer.tags contains "VIP" %}、特別に{% endif %}'
const people = [
  { email: 'hanako@x.test', last_name: '山田', first_name: '花子' },
  { email: 'taro@x.test', last_name: '佐藤', first_name: '太郎' },
]
const SUBJECTS = ['佐藤 太郎様へ', '山田 花子様へ']

/** The order is not defined. */
const sorted = (subjects: readonly (string | null | undefined)[]): string[] => subjects.map(String).toSorted()

/** What everybody's list, file and page say. */
async function shown(merchant: TestMerchant, customerIds: readonly string[]) {
  const { data } = await merchant.call(listEmailHistories, { query: {} })
  const pages = await Promise.all(
    customerIds.map(async (id) => {
      const [{ messages }, { data: entries }] = await Promise.all([
        merchant.call(getCustomer, { params: { id } }),
        merchant.call(getTimeline, { params: { id }, query: { part: 'messages' } }),
      ])
      return {
        page: messages.map(({ subject }) => subject),
        timeline: entries.flatMap((entry) => (entry.kind === 'message' ? entry.message.subject : [])),
      }
    }),
  )
  return {
    histories: sorted(data.map(({ subject }) => subject)),
    pages: sorted(pages.flatMap(({ page }) => page)),
    timelines: sorted(pages.flatMap(({ timeline }) => timeline)),
  }
}
const everywhere = { histories: SUBJECTS, pages: SUBJECTS, timelines: SUBJECTS }

const sendCampaign = async (merchant: TestMerchant, subject: string): Promise<string> =>
  (await aSentCampaign(merchant, { email_id: await addEmail(merchant.scope(), { subject }) })).id
/** A file as the merchant's owner gets it. */
const file = async (merchant: TestMerchant, path: string): Promise<string> =>
  (
    await fetch(`${okaeri.url}${path}`, {
      headers: { authorization: `Bearer test.${merchant.id}.${merchant.memberId}.owner` },
    })
  ).text()

test('a campaign’s lists, file and timelines show the subject each person got', async () => {
  const merchant = await okaeri.merchant()
  const ids = await addCustomers(merchant.scope(), people)
  const campaignId = await sendCampaign(merchant, WRITTEN)
  expect(sorted(got.map(({ subject }) => subject))).toEqual(SUBJECTS)
  // Renamed afterwards: what left says what it said.
  await okaeri.query`update customers set last_name = '鈴木', display_name = '鈴木' where merchant_id = ${merchant.id}`
  expect(await shown(merchant, ids)).toEqual(everywhere)
  const { data } = await merchant.call(campaigns.listCampaignDeliveries, { params: { id: campaignId }, query: {} })
  expect(sorted(data.map(({ subject }) => subject))).toEqual(SUBJECTS)
  const recipients = await file(merchant, `/reports/${campaignId}/download`)
  for (const subject of SUBJECTS) expect(recipients).toContain(subject)
  expect(recipients).not.toContain('{{')
  expect(await file(merchant, `/customers/${ids[0]}/export`)).toContain('山田 花子様へ')
})

test('of a mail no one got there is no subject to show, and no tags stand in its place', async () => {
  const merchant = await okaeri.merchant()
  const ids = await addCustomers(merchant.scope(), [{ email: 'jiro@x.test', marketing_state: 'unknown' }, ...people])
  const campaignId = await sendCampaign(merchant, WRITTEN)
  const { data } = await merchant.call(campaigns.listCampaignDeliveries, { params: { id: campaignId }, query: {} })
  expect(data.filter(({ status }) => status === 'skipped')).toMatchObject([{ customer_id: ids[0], subject: null }])
  expect(await shown(merchant, ids.slice(0, 1))).toMatchObject({ pages: ['null'], timelines: ['null'] })
  expect(await file(merchant, `/reports/${campaignId}/download`)).not.toContain('{{')
})

test('in test mode they show what would have been said to the customer, without whom the test went to', async () => {
  const merchant = await okaeri.merchant({ test_mode: true, test_emails: ['team@shop.test'] })
  const ids = await addCustomers(merchant.scope(), people)
  const campaignId = await sendCampaign(merchant, WRITTEN)
  expect(got.map(({ subject }) => subject)).toContain('[テスト: hanako@x.test 宛] 山田 花子様へ')
  expect(await shown(merchant, ids)).toEqual(everywhere)
  expect(await file(merchant, `/reports/${campaignId}/download`)).toContain('山田 花子様へ')
})

test('a scenario’s deliveries and the page of each execution show the subject each person got', async () => {
  const merchant = await okaeri.merchant()
  const scope = merchant.scope()
  const ids = await addCustomers(scope, people)
  const emailId = await addEmail(scope, { subject: WRITTEN })
  const scenarioId = await addScenario(scope, flowOf([mailNode('m', emailId, 'e'), endNode('e')]))
  const executions = await addExecutions(
    scope,
    scenarioId,
    ids.map((customerId) => ({ customerId })),
  )
  await okaeri.settle()
  expect(await shown(merchant, ids)).toEqual(everywhere)
  const { data } = await merchant.call(listScenarioDeliveries, { params: { id: scenarioId }, query: {} })
  expect(sorted(data.map(({ subject }) => subject))).toEqual(SUBJECTS)
  const execution = await executionOf(merchant, executions[0] as string)
  expect(execution.steps.flatMap(({ delivery }) => delivery?.subject ?? [])).toEqual(['山田 花子様へ'])
})

test('a subject that says the same to everybody is kept once, whatever is written in the mail', async () => {
  const merchant = await okaeri.merchant({ test_mode: true, test_emails: ['team@shop.test'] })
  const ids = await addCustomers(merchant.scope(), people)
  const campaignId = await sendCampaign(merchant, '春の新作です')
  const rows = await okaeri.query<{ kept: number }>`select count(filled_subject)::int as kept from deliveries
    where merchant_id = ${merchant.id} and campaign_id = ${campaignId}`
  expect(rows).toEqual([{ kept: 0 }])
  expect((await shown(merchant, ids)).histories).toEqual(['春の新作です', '春の新作です'])
})
