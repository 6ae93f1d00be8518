import path from 'node:path'
import { createClient } from '@okaeri/contract/client'
import * as routes from '@okaeri/contract/campaigns/routes'
import { getLineQuota } from '@okaeri/contract/line-quota/routes'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aCampaign, campaignOf } from '../../../test/builders/campaign.ts'
import { aLineMessage } from '../../../test/builders/line-message.ts'
import { type Call, startTestOkaeri, type TestOkaeri } from '../../../test/harness.ts'
import { type HeldAnswers, holdAnswersOf } from '../../../test/held-answers.ts'
import { befriend, ordinaryPeople, playLine } from '../../../test/line-platform.ts'
import { refusal } from '../../../test/refusal.ts'
import { account, withLineAccounts } from '../../../test/with-line.ts'
import { merchant, okaeri, sandbox } from '../../../test/with-okaeri.ts'

withLineAccounts('枠のある店')

/** A process beside, to which LINE may answer late. */
let beside: TestOkaeri
let line: HeldAnswers
beforeAll(async () => {
  line = await holdAnswersOf(`${sandbox.url}/line/api`)
  beside = await startTestOkaeri({
    sandbox,
    databaseUrl: okaeri.databaseUrl,
    env: {
      LINE_API_URL: line.url,
      SECRETS_FILE: path.join(okaeri.context.settings.dataDir, 'secrets.json'),
    },
  })
})
afterAll(async () => {
  await beside.close()
  await line.close()
})

beforeEach(async () => {
  await befriend(okaeri, merchant, account, await ordinaryPeople(account, 3))
})

const monthOf = (quota: number) => playLine(`accounts/${account.id}/settings.json`, { quota })
const callBeside = (): Call =>
  createClient({
    baseUrl: beside.url,
    headers: () => ({ authorization: `Bearer test.${merchant.id}.${merchant.memberId}.owner` }),
  })

/** To the three friends. */
async function aLineCampaign(): Promise<string> {
  const { id: line_message_id } = await aLineMessage(merchant)
  return (await aCampaign(merchant, { channels: 'line', line_message_id, email_id: null })).id
}
const reserve = (id: string, { call = merchant.call, ...body }: { call?: Call; send_what_fits?: boolean } = {}) =>
  call(routes.reserveCampaign, { params: { id }, body })
const left = async () => (await merchant.call(getLineQuota, {})).line_quota?.left

test('what one campaign has just reserved is no longer there for the next, before its recipients are written', async () => {
  await monthOf(5)
  const [first, second] = [await aLineCampaign(), await aLineCampaign()]
  await reserve(first)
  expect(await campaignOf(merchant, first)).toMatchObject({ status: 'reserving' })
  expect(await left()).toBe(2)
  expect(await refusal(reserve(second))).toMatchObject({
    reason: 'line_quota_exceeded',
    message: '1 LINE messages are missing',
  })
  expect(await reserve(second, { send_what_fits: true })).toMatchObject({ campaign: { line_most: 2 } })
  await okaeri.settle()
  expect(await left()).toBe(0)
  const sent = [await campaignOf(merchant, first), await campaignOf(merchant, second)]
  expect(sent.map(({ balance }) => balance)).toMatchObject([
    { sent: 3 },
    { sent: 2, skipped_by_reason: { over_quota: 1 } },
  ])
})

test('undone or cancelled before its recipients were written, it gives its messages back', async () => {
  await monthOf(3)
  const id = await aLineCampaign()
  await merchant.call(routes.reserveCampaign, { params: { id }, body: { undo_seconds: 30 } })
  expect(await left()).toBe(0)
  await merchant.call(routes.undoCampaign, { params: { id } })
  expect(await left()).toBe(3)
  const scheduled_at = new Date(okaeri.clock.now().getTime() + 3_600_000).toISOString()
  await merchant.call(routes.changeCampaign, { params: { id }, body: { send_type: 'scheduled', scheduled_at } })
  await reserve(id)
  expect(await left()).toBe(0)
  await merchant.call(routes.cancelCampaign, { params: { id } })
  expect(await left()).toBe(3)
})

test('of two that two processes reserve at the same moment one is refused', async () => {
  await monthOf(5)
  const [first, second] = [await aLineCampaign(), await aLineCampaign()]
  const results = await Promise.allSettled([reserve(first), reserve(second, { call: callBeside() })])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await okaeri.settle()
  expect(await left()).toBe(2)
})

test('a campaign that was reserved and sent while LINE was being asked counts, though LINE had not counted it', async () => {
  await monthOf(3)
  const [first, second] = [await aLineCampaign(), await aLineCampaign()]
  const answered = line.hold('/v2/bot/message/quota/consumption')
  const late = refusal(reserve(second, { call: callBeside() }))
  const letGo = await answered
  await reserve(first)
  await okaeri.settle()
  expect(await campaignOf(merchant, first)).toMatchObject({ status: 'sent', balance: { sent: 3 } })
  letGo()
  expect(await late).toMatchObject({ reason: 'line_quota_exceeded', message: '3 LINE messages are missing' })
})
