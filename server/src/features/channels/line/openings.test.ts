import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getCampaignReport } from '@okaeri/contract/campaigns/routes'
import { changeLineAccount } from '@okaeri/contract/line-accounts/routes'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { aSentCampaign } from '../../../../test/builders/campaign.ts'
import { aLineMessage } from '../../../../test/builders/line-message.ts'
import { holdAnswersOf } from '../../../../test/held-answers.ts'
import {
  befriend,
  connectLine,
  openLineAccount,
  ordinaryPeople,
  type PlayedUser,
  playLine,
} from '../../../../test/line-platform.ts'
import { account, withLineAccounts } from '../../../../test/with-line.ts'
import { merchant, okaeri, sandbox } from '../../../../test/with-okaeri.ts'
import { createLine } from '../../../integrations/line/index.ts'

withLineAccounts('数える店')

const HOUR = 3_600_000
/** Of fewer the platform keeps the count to itself. */
const FEWEST = 20
const ASKED_AN_HOUR = 60
let friends: PlayedUser[]
beforeEach(async () => {
  friends = await ordinaryPeople(account, FEWEST)
  await befriend(okaeri, merchant, account, friends)
})

const set = (settings: Record<string, unknown>) => playLine(`accounts/${account.id}/settings.json`, settings)
const ask = async <T>(path: string, body?: Record<string, unknown>): Promise<T> => {
  const headers = { authorization: `Bearer ${account.access_token}`, 'content-type': 'application/json' }
  const address = `${sandbox.url}/line/api/v2/bot/message/${path}`
  const answer = await fetch(address, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
  expect(answer.status).toBe(200)
  return (await answer.json()) as T
}
const askAbout = (unit: string) => {
  const address = `${sandbox.url}/line/api/v2/bot/insight/message/event/aggregation`
  const query = new URLSearchParams({ customAggregationUnit: unit, from: '20260101', to: '20260101' }).toString()
  return fetch(`${address}?${query}`, { headers: { authorization: `Bearer ${account.access_token}` } })
}
const units = async () => (await ask<{ customAggregationUnits: string[] }>('aggregation/list')).customAggregationUnits
const send = async (given: { tracking_enabled?: boolean } = {}) => {
  const { id: line_message_id } = await aLineMessage(merchant)
  return (await aSentCampaign(merchant, { channels: 'line', line_message_id, email_id: null, ...given })).id
}
const reportOf = async (id: string) => (await merchant.call(getCampaignReport, { params: { id } })).report
/** Here and on the platform. */
function later(hours: number): void {
  okaeri.advance(hours * HOUR + 1)
  sandbox.clock.advance(hours * HOUR + 1)
}
/** They look into their chats, and the next reading comes. */
async function look(people: readonly PlayedUser[], hours: number): Promise<void> {
  for (const { user_id } of people) await playLine(`users/${user_id}/chat.json?account=${account.id}`)
  later(hours)
  await okaeri.settle()
}
async function receipts(): Promise<number[]> {
  const { data } = await playLine<{ data: { count: number }[] }>(`receipts.json?account=${account.id}`)
  return data.map(({ count }) => count)
}

test('how many opened a campaign by LINE is read of the platform, which keeps fewer than 20 to itself', async () => {
  // The first try fails, and what is asked for again is counted under the same name.
  await set({ break_as: 'error', break_times: 1 })
  const id = await send()
  okaeri.advance(60_000)
  await okaeri.settle()
  expect(await units()).toEqual([expect.stringMatching(/^m[0-9a-z]{25}$/)])
  expect(await receipts()).toEqual(Array.from({ length: FEWEST }, () => 1))
  expect((await reportOf(id)).line_opens).toEqual({ status: 'waiting', people: null, read_at: null })
  await look(friends.slice(1), 1)
  const read_at = okaeri.clock.now().toISOString().slice(0, 16)
  expect((await reportOf(id)).line_opens).toEqual({
    status: 'hidden',
    people: null,
    read_at: expect.stringContaining(read_at),
  })
  // Not before the next hour.
  await look(friends.slice(0, 1), 0.5)
  expect((await reportOf(id)).line_opens).toMatchObject({ status: 'hidden' })
  // Other requests used up the platform's limit: it is asked again an hour later.
  later(0.499)
  for (let times = 0; times < ASKED_AN_HOUR; times++) await askAbout('other')
  await look([], 0.002)
  expect((await reportOf(id)).line_opens).toMatchObject({ status: 'hidden' })
  await look([], 1)
  expect((await reportOf(id)).line_opens).toMatchObject({ status: 'counted', people: FEWEST })
  expect((await reportOf(id)).open_count).toBe(0)
})

test('when the month has no unit left, a campaign by LINE goes without, and its report says so', async () => {
  await set({ quota: null })
  const [stranger] = (await ordinaryPeople(account, FEWEST + 1)).slice(-1)
  const others = Array.from({ length: 999 }, (_, at) => `other_${at}`)
  for (const unit of others)
    await ask('push', {
      to: stranger?.user_id,
      messages: [{ type: 'text', text: 'x' }],
      customAggregationUnits: [unit],
    })
  const last = await send()
  expect((await reportOf(last)).line_opens).toMatchObject({ status: 'waiting' })
  const id = await send()
  expect(await reportOf(id)).toMatchObject({
    delivery_count: FEWEST,
    line_opens: { status: 'no_unit', people: null, read_at: null },
    balance: { sent: FEWEST, failed: 0 },
  })
  expect(await receipts()).toEqual(Array.from({ length: FEWEST }, () => 2))
  expect(await units()).toHaveLength(1000)
})

test('of another account that is connected later it is not asked what the former one sent', async () => {
  const [counted, uncounted] = [await send(), await send()]
  const { db } = okaeri.context
  const { rows } = await sql<{ id: string; due: Date }>`
    select c.message_id as id, c.opened_due_at as due from line_contents c
    join messages m on m.merchant_id = ${merchant.id} and m.id = c.message_id
    where c.merchant_id = ${merchant.id} and m.campaign_id = ${uncounted}`.execute(db)
  const [one] = rows
  const dayAfter = one && new Date(one.due.getTime() + 24 * 3_600_000)
  await sql`update line_contents set opened_due_at = ${dayAfter} where merchant_id = ${merchant.id} and message_id = ${one?.id}`.execute(
    db,
  )
  await look(friends, 1)
  const { line_opens } = await reportOf(counted)
  expect(line_opens).toMatchObject({ status: 'counted', people: FEWEST })
  await connectLine(merchant, await openLineAccount('別の店'))
  await look([], 48)
  expect((await reportOf(counted)).line_opens).toEqual(line_opens)
  expect((await reportOf(uncounted)).line_opens).toBeNull()
})

test('nor again, where the former one was being asked just then', async () => {
  const id = await send()
  const { db, integrations } = okaeri.context
  const { line } = integrations
  const held = await holdAnswersOf(`${sandbox.url}/line/api`)
  const slow = createLine({ apiUrl: held.url, dataApiUrl: held.url, accessUrl: held.url })
  integrations.line = { ...line, messages: slow.messages }
  try {
    const asked = held.hold('/v2/bot/insight/message/event/aggregation')
    const looked = look([], 1)
    const letGo = await asked
    await connectLine(merchant, await openLineAccount('別の店'))
    letGo()
    await looked
  } finally {
    integrations.line = line
    await slow.close()
    await held.close()
  }
  const { rows } =
    await sql`select from line_contents where merchant_id = ${merchant.id} and opened_due_at is not null`.execute(db)
  expect(rows).toEqual([])
  expect((await reportOf(id)).line_opens).toBeNull()
})

test('what is not tracked, and what is a test, is not counted by the platform either', async () => {
  const untracked = await send({ tracking_enabled: false })
  const { db } = okaeri.context
  await sql`update line_friends set is_tester = true where merchant_id = ${merchant.id}
    and line_user_id = ${friends[0]?.user_id}`.execute(db)
  await sql`update merchants set test_mode = true where id = ${merchant.id}`.execute(db)
  for (const id of [untracked, await send()]) {
    const report = await reportOf(id)
    expect(report.delivery_count).toBeGreaterThan(0)
    expect(report.line_opens).toBeNull()
  }
  expect(await units()).toEqual([])
})

test('where LINE takes the merchant’s token no more, or tells numbers that can be none, nothing fails and it is asked later', async () => {
  const { channel_id: channelId, channel_secret: channelSecret } = account
  const { token: access_token } = await okaeri.context.integrations.line.tokens.issueShortLived({
    channelId,
    channelSecret,
  })
  await merchant.call(changeLineAccount, { body: { line_account: { access_token } } })
  const id = await send()
  await set({ revoke_tokens: true })
  await look(friends, 1)
  expect((await reportOf(id)).line_opens).toMatchObject({ status: 'waiting' })
  await merchant.call(changeLineAccount, { body: { line_account: { access_token: null } } })
  const { line } = okaeri.context.integrations
  const counted = { overview: { uniqueImpression: 2 ** 31, uniqueClick: null }, clicks: [] }
  const server = createServer((_, response) => response.writeHead(200).end(JSON.stringify(counted)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const odd = createLine({ apiUrl: url, dataApiUrl: url, accessUrl: url })
  okaeri.context.integrations.line = { ...line, messages: odd.messages }
  try {
    await look([], 1)
  } finally {
    okaeri.context.integrations.line = line
    await odd.close()
    server.close()
  }
  expect((await reportOf(id)).line_opens).toMatchObject({ status: 'waiting' })
  await look([], 1)
  expect((await reportOf(id)).line_opens).toMatchObject({ status: 'counted', people: FEWEST })
})
