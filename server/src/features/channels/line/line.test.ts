import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import { getLineQuota, resumeLine } from '@okaeri/contract/line-quota/routes'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { aLineMessage } from '../../../../test/builders/line-message.ts'
import {
  befriend as follow,
  connectLine,
  deliverLineEvents,
  lineEvent,
  type PlayedUser,
  playLine,
} from '../../../../test/line-platform.ts'
import { account, withLineAccounts } from '../../../../test/with-line.ts'
import { merchant, okaeri } from '../../../../test/with-okaeri.ts'
import { newId } from '../../../kernel/ids.ts'
import { createLine, type LineMessage } from '../../../integrations/line/index.ts'
import {
  balanceOf,
  findChannelPause,
  freezeAudience,
  freezeMessage,
  type PreparedContent,
  releaseMessage,
} from '../../deliveries/index.ts'
import { findLineAccount } from '../../line-accounts/index.ts'
import { getMerchant } from '../../merchants/index.ts'
import { campaignProgram } from '../../stats/index.ts'
import { lineChannel } from './channel.ts'
import { prepareLine, readyLine } from './content.ts'

withLineAccounts('送る店')

let people: PlayedUser[]
beforeEach(async () => {
  // What tests before have left is sent by none of them.
  await sql`update messages set state = 'done' where merchant_id <> ${merchant.id}`.execute(okaeri.context.db)
  people = (await playLine<{ data: PlayedUser[] }>(`users.json?limit=700&account=${account.id}`)).data
})
const set = (settings: Record<string, unknown>) => playLine(`accounts/${account.id}/settings.json`, settings)
const ordinary = (count: number) => people.filter(({ sentinel }) => sentinel === null).slice(0, count)
const sentinel = (fault: string, times: number | null = null): PlayedUser =>
  people.find((one) => one.sentinel?.fault === fault && one.sentinel.times === times) as PlayedUser

const befriend = (...users: PlayedUser[]) => follow(okaeri, merchant, account, users)
const HELLO: LineMessage[] = [{ type: 'text', text: 'こんにちは' }]
/** Sends to everybody; returns the campaign. */
async function send(
  messages = HELLO,
  { isPersonal = false, settles = true }: { isPersonal?: boolean; settles?: boolean } = {},
): Promise<string> {
  const tracking = { enabled: false, parameters: NO_PARAMETERS }
  return sendContent(readyLine({ contentId: newId(), messages, links: [], isPersonal }, tracking), { settles })
}
async function sendContent(content: PreparedContent, { settles = true }: { settles?: boolean } = {}): Promise<string> {
  const scope = merchant.scope()
  const campaignId = newId()
  const messageId = await freezeMessage(scope, content, { program: campaignProgram(campaignId) })
  await freezeAudience(scope, { campaignId, messageId, where: sql`true`, sendToAll: false })
  await releaseMessage(scope, messageId)
  if (settles) await okaeri.settle()
  return campaignId
}
async function receipts(): Promise<Record<string, number>> {
  const { data } = await playLine<{ data: { user_id: string; count: number }[] }>(`receipts.json?account=${account.id}`)
  return Object.fromEntries(data.map(({ user_id, count }) => [user_id, count]))
}
const once = (...users: PlayedUser[]) => Object.fromEntries(users.map(({ user_id }) => [user_id, 1]))
const outcomes = async (campaignId: string) =>
  Object.fromEntries(
    (
      await sql<{ address: string; status: string; reason: string | null }>`
        select address, status, reason from deliveries where merchant_id = ${merchant.id} and campaign_id = ${campaignId}`.execute(
        okaeri.context.db,
      )
    ).rows.map(({ address, status, reason }) => [address, reason ? `${status} ${reason}` : status]),
  )
const balance = (campaignId: string) => balanceOf(merchant.scope(), campaignId)
const pause = async () => findChannelPause(merchant.scope(), lineChannel, await getMerchant(merchant.scope()))
const MINUTE = 60_000
/** Longer than it takes until retries are due. */
async function wait(): Promise<void> {
  for (let step = 0; step < 8; step += 1) {
    okaeri.advance(10 * MINUTE)
    await okaeri.settle()
  }
}

test.each([
  ['one multicast', false, 1],
  ['pushes', true, 5],
])('everybody gets it once, by %s; who is no friend is skipped with the reason', async (_, isPersonal, calls) => {
  const friends = ordinary(5)
  const [blocker, stranger] = ordinary(7).slice(5) as [PlayedUser, PlayedUser]
  await befriend(...friends, blocker, stranger)
  await deliverLineEvents(okaeri, merchant, account, [
    lineEvent(blocker.user_id, 'unfollow', { at: Date.now() + 1000 }),
  ])
  await okaeri.settle()
  await sql`update line_friends set is_friend = false, blocked_at = null
    where merchant_id = ${merchant.id} and line_user_id = ${stranger.user_id}`.execute(okaeri.context.db)
  await sql`insert into customers (merchant_id, id, display_name, created_at, updated_at)
    values (${merchant.id}, ${newId()}, '連携なし', now(), now())`.execute(okaeri.context.db)
  const campaign = await send(HELLO, { isPersonal })
  expect(await receipts()).toEqual(once(...friends))
  expect(await balance(campaign)).toMatchObject({
    audience: 8,
    sent: 5,
    skipped: 3,
    skipped_by_reason: { blocked: 1, not_a_friend: 1, not_linked: 1 },
  })
  const { rows } = await sql<{ requests: number }>`select count(distinct detail)::int as requests from deliveries
    where merchant_id = ${merchant.id} and status = 'sent'`.execute(okaeri.context.db)
  expect(rows).toEqual([{ requests: calls }])
})

test.each([
  ['500 before it was taken', 'error'],
  ['500 after it was taken', 'error_after'],
  ['no answer, not taken', 'silence'],
  ['no answer, taken', 'silence_after'],
])('%s: tried again under the same key, everybody gets it once', async (_, fault) => {
  for (const isPersonal of [false, true]) {
    const friends = isPersonal ? ordinary(6).slice(3) : ordinary(3)
    await befriend(...friends)
    await set({ break_as: fault, break_times: 2 })
    const campaign = await send(HELLO, { isPersonal })
    expect((await balance(campaign)).pending).toBeGreaterThan(0)
    await wait()
    expect(await balance(campaign)).toMatchObject({ pending: 0, uncertain: 0, failed: 0 })
  }
  const [early, late] = [ordinary(3), ordinary(6).slice(3)]
  expect(await receipts()).toEqual({
    ...Object.fromEntries(early.map(({ user_id }) => [user_id, 2])),
    ...once(...late),
  })
})

test('an unknown outcome older than the key is uncertain, and is not sent again', async () => {
  const friends = ordinary(2)
  await befriend(...friends)
  await set({ break_as: 'silence_after', break_times: 1 })
  const campaign = await send()
  const { db } = okaeri.context
  const { rows } = await sql<{ at: Date }>`
    select first_tried_at as at from deliveries where merchant_id = ${merchant.id} and first_tried_at is not null`.execute(
    db,
  )
  expect(rows.length).toBeGreaterThan(0)
  const dayBefore = new Date(Math.min(...rows.map(({ at }) => at.getTime())) - 24 * 3_600_000)
  await sql`update deliveries set first_tried_at = ${dayBefore} where merchant_id = ${merchant.id} and first_tried_at is not null`.execute(
    db,
  )
  await wait()
  expect(await balance(campaign)).toMatchObject({ uncertain: 2, pending: 0 })
  expect(await receipts()).toEqual(once(...friends))
})

test('one bad id among many is found and marked; the others get it once', async () => {
  const friends = ordinary(9)
  const bad = sentinel('bad_id')
  await befriend(...friends.slice(0, 4), bad, ...friends.slice(4))
  const campaign = await send()
  expect(await receipts()).toEqual(once(...friends))
  expect(await outcomes(campaign)).toMatchObject({ [bad.user_id]: 'failed permanent' })
  expect(await balance(campaign)).toMatchObject({ sent: 9, failed: 1 })
})

test.each([false, true])(
  'content that the platform does not take fails, at once for all (personal: %s)',
  async (isPersonal) => {
    await befriend(...ordinary(4))
    const campaign = await send([{ type: 'text', text: '' }], { isPersonal })
    expect(await balance(campaign)).toMatchObject({ failed: 4, failed_by_class: { content: 4 } })
    expect(await receipts()).toEqual({})
  },
)

test('429 for speed: fewer at once, no one is lost and no attempt is used', async () => {
  const friends = ordinary(6)
  await befriend(...friends)
  const before = lineChannel.routeOf(okaeri.context, {
    id: merchant.id,
    email_provider: 'global',
    own_mailer_id: null,
    own_mailer_connections: null,
  }).connections
  await set({ break_as: 'rate', break_times: 3 })
  const campaign = await send(HELLO, { isPersonal: true })
  // Not whether it lasts: a second may be over.
  const pauses = await sql`select by_quota from channel_pauses where merchant_id = ${merchant.id}`.execute(
    okaeri.context.db,
  )
  expect(pauses.rows).toEqual([{ by_quota: false }])
  const { connections } = lineChannel.routeOf(okaeri.context, {
    id: merchant.id,
    email_provider: 'global',
    own_mailer_id: null,
    own_mailer_connections: null,
  })
  expect(connections).toBeLessThan(before)
  okaeri.advance(1000)
  await okaeri.settle()
  expect(await balance(campaign)).toMatchObject({ sent: 6 })
  expect(await receipts()).toEqual(once(...friends))
  const { rows } = await sql`select distinct attempts from deliveries where merchant_id = ${merchant.id}`.execute(
    okaeri.context.db,
  )
  expect(rows).toEqual([{ attempts: 1 }])
})

test('429 for the month: the channel pauses until the month turns in Japan', async () => {
  const friends = ordinary(3)
  await befriend(...friends)
  await set({ quota: 2 })
  const campaign = await send()
  const until = (await pause())?.until as Date
  expect(await pause()).toMatchObject({ by_quota: true })
  const there = new Date(until.getTime() + 9 * 60 * MINUTE)
  expect([there.getUTCDate(), there.getUTCHours(), there.getUTCMinutes()]).toEqual([1, 0, 0])
  expect(until.getTime()).toBeGreaterThan(okaeri.clock.now().getTime())
  await set({ quota: 5000 })
  await wait()
  expect(await balance(campaign)).toMatchObject({ pending: 3 })
  okaeri.advance(until.getTime() - okaeri.clock.now().getTime())
  await okaeri.settle()
  expect(await balance(campaign)).toMatchObject({ sent: 3 })
  expect(await receipts()).toEqual(once(...friends))
})

test('a revoked token is renewed and the message arrives; one that cannot be is trouble, and all wait', async () => {
  const friends = ordinary(3)
  await befriend(...friends)
  await set({ revoke_tokens: true })
  await send()
  expect(await receipts()).toEqual(once(...friends))

  const refused = sentinel('revoked')
  await befriend(refused)
  const campaign = await send()
  expect(await pause()).toMatchObject({ by_quota: false })
  expect((await findLineAccount(merchant.scope()))?.trouble).toBe('unauthorized')
  expect(await balance(campaign)).toMatchObject({ pending: 4, failed: 0 })
})

test('without a channel messages wait', async () => {
  await befriend(...ordinary(1))
  await sql`update line_accounts set access_token = null where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
  const campaign = await send()
  expect(await balance(campaign)).toMatchObject({ pending: 1 })
  await connectLine(merchant, account)
  await okaeri.settle()
  expect(await balance(campaign)).toMatchObject({ sent: 1 })
})

test('in test mode it goes to the testers alone, and says for whom it was', async () => {
  const [tester, other] = ordinary(2) as [PlayedUser, PlayedUser]
  await befriend(tester, other)
  await sql`update merchants set test_mode = true where id = ${merchant.id}`.execute(okaeri.context.db)
  const without = await send()
  expect(await balance(without)).toMatchObject({ skipped_by_reason: { no_test_address: 2 } })
  await sql`update line_friends set is_tester = true where merchant_id = ${merchant.id} and line_user_id = ${tester.user_id}`.execute(
    okaeri.context.db,
  )
  await send()
  expect(await receipts()).toEqual({ [tester.user_id]: 2 })
  const chat = JSON.stringify(await playLine(`users/${tester.user_id}/chat.json?account=${account.id}`))
  expect(chat.match(/【テスト】本来の宛先：/g)).toHaveLength(2)
})

const chatOf = async ({ user_id }: PlayedUser): Promise<string> =>
  JSON.stringify(await playLine(`users/${user_id}/chat.json?account=${account.id}`))

test('everybody gets their own words and links; what LINE would not take fails for that person alone', async () => {
  const [first, second, wordy] = ordinary(3) as [PlayedUser, PlayedUser, PlayedUser]
  await befriend(first, second, wordy)
  const name = (user: PlayedUser, last_name: string) =>
    sql`update customers set last_name = ${last_name} where merchant_id = ${merchant.id} and id =
      (select customer_id from line_friends where merchant_id = ${merchant.id} and line_user_id = ${user.user_id})`.execute(
      okaeri.context.db,
    )
  await name(first, '田中')
  await name(second, '"}鈴木{{ store.name }}')
  await name(wordy, 'あ'.repeat(255))
  const label = { type: 'uri' as const, label: '{{ customer.last_name }}', uri: 'https://shop.example/' }
  const written = await aLineMessage(merchant, [
    { type: 'text', text: '{{ customer.last_name }}様 https://shop.example/a' },
    { type: 'confirm', alt_text: 'どちら', text: 'どちら', actions: [label, { ...label, label: 'はい' }] },
  ])
  const tracking = { enabled: true, parameters: NO_PARAMETERS }
  const campaign = await sendContent(await prepareLine(merchant.scope(), written, tracking))
  expect(await outcomes(campaign)).toEqual({
    [first.user_id]: 'sent',
    [second.user_id]: 'sent',
    [wordy.user_id]: 'failed content',
  })
  expect(await chatOf(first)).toContain('田中様 ')
  expect(await chatOf(second)).toContain('鈴木{{ store.name }}様 ')
  const links = /\/c\/[\w-]+-\d/g
  const [mine = [], theirs = []] = [(await chatOf(first)).match(links), (await chatOf(second)).match(links)].map(
    (all) => [...new Set(all)].toSorted(),
  )
  expect(mine).toHaveLength(3)
  expect(mine).not.toEqual(theirs)
  const { rows } = await sql<{ words: string }>`select filled_subject as words from deliveries
    where merchant_id = ${merchant.id} and address = ${first.user_id}`.execute(okaeri.context.db)
  expect(rows).toEqual([{ words: '田中様' }])
})

test('the cap counts messages of both channels', async () => {
  const [first, second] = ordinary(2) as [PlayedUser, PlayedUser]
  await befriend(first, second)
  await sql`update merchants set frequency_cap_count = 1, frequency_cap_days = 7 where id = ${merchant.id}`.execute(
    okaeri.context.db,
  )
  const { db } = okaeri.context
  await send()
  // Of the first person's it was a mail.
  await sql`update deliveries set channel = 'email' where merchant_id = ${merchant.id} and address = ${first.user_id}`.execute(
    db,
  )
  await sql`update messages set channel = 'email' where merchant_id = ${merchant.id}`.execute(db)
  const campaign = await send()
  expect(await balance(campaign)).toMatchObject({ skipped: 2, skipped_by_reason: { frequency_cap: 2 } })
})

const quota = async () => (await merchant.call(getLineQuota, {})).line_quota
async function hold(): Promise<{ campaignId: string; messageId: string }> {
  const tracking = { enabled: false, parameters: NO_PARAMETERS }
  const content = readyLine({ contentId: newId(), messages: HELLO, links: [], isPersonal: false }, tracking)
  const campaignId = newId()
  return {
    campaignId,
    messageId: await freezeMessage(merchant.scope(), content, { program: campaignProgram(campaignId) }),
  }
}
const everybody = { where: sql<boolean>`true`, sendToAll: false }

test('the quota of the month tells what is used, what is reserved and what is left', async () => {
  await befriend(...ordinary(5))
  await set({ quota: 20 })
  await send()
  expect(await quota()).toMatchObject({ limit: 20, used: 5, reserved: 0, left: 15, forecast: 5, paused: false })
  const { campaignId, messageId } = await hold()
  await freezeAudience(merchant.scope(), { campaignId, messageId, ...everybody })
  expect(await quota()).toMatchObject({ used: 5, reserved: 5, left: 10, forecast: 10 })
  await releaseMessage(merchant.scope(), messageId)
  await okaeri.settle()
  expect(await quota()).toMatchObject({ used: 10, reserved: 0, left: 10 })
  await set({ quota: null })
  expect(await quota()).toMatchObject({ limit: null, left: null })
})

test('of more people than messages are left those get it who have been customers for longest', async () => {
  const friends = ordinary(4)
  await befriend(...friends)
  const { db } = okaeri.context
  const { rows } = await sql<{ id: string }>`select line_user_id as id from line_friends f
    join customers c on c.merchant_id = f.merchant_id and c.id = f.customer_id
    where f.merchant_id = ${merchant.id} order by c.created_at, c.id`.execute(db)
  const { campaignId, messageId } = await hold()
  await freezeAudience(merchant.scope(), { campaignId, messageId, ...everybody, most: 3 })
  await releaseMessage(merchant.scope(), messageId)
  await okaeri.settle()
  expect(await outcomes(campaignId)).toEqual(
    Object.fromEntries(rows.map(({ id }, at) => [id, at < 3 ? 'sent' : 'skipped over_quota'])),
  )
})

test('messages bought in the middle of a month are sent when a person says so', async () => {
  await befriend(...ordinary(3))
  await set({ quota: 2 })
  const campaign = await send()
  expect(await quota()).toMatchObject({ paused: true, left: 0, reserved: 3 })
  await set({ quota: 100 })
  expect(await merchant.call(resumeLine, {})).toMatchObject({ line_quota: { paused: false, limit: 100 } })
  await okaeri.settle()
  expect(await balance(campaign)).toMatchObject({ sent: 3 })
})

test('without a channel there is no quota; where the platform does not report one, the page says so', async () => {
  const { integrations } = okaeri.context
  const real = integrations.line
  const nobody = 'http://127.0.0.1:9'
  integrations.line = createLine({ apiUrl: nobody, dataApiUrl: nobody, accessUrl: nobody })
  await expect(quota()).rejects.toMatchObject({ reason: 'line_unreachable' })
  await integrations.line.close()
  integrations.line = real
  await sql`update line_accounts set access_token = null where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
  expect(await quota()).toBeNull()
})
