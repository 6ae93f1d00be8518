import * as routes from '@okaeri/contract/campaigns/routes'
import { lineSamples } from '@okaeri/contract/line-messages/samples'
import { changeLineMessage, deleteLineMessage } from '@okaeri/contract/line-messages/routes'
import { getDashboard } from '@okaeri/contract/reports/routes'
import type { Window } from '@okaeri/contract/segments/condition'
import { beforeEach, expect, test } from 'vitest'
import { aCampaign, aReservedCampaign, aSentCampaign, campaignOf } from '../../../test/builders/campaign.ts'
import { aLineMessage } from '../../../test/builders/line-message.ts'
import { aSegment, segmentOf } from '../../../test/builders/segment.ts'
import { addCustomers } from '../../../test/fixtures.ts'
import { befriend, deliverLineEvents, lineEvent, ordinaryPeople, playLine } from '../../../test/line-platform.ts'
import { BROWSER } from '../../../test/sent-mail.ts'
import { refusal } from '../../../test/refusal.ts'
import { account, withLineAccounts } from '../../../test/with-line.ts'
import { merchant, okaeri } from '../../../test/with-okaeri.ts'

withLineAccounts('送る店')

const HOUR = 3_600_000
/** Friends of the account, in this order. */
let friends: [string, string, string]
beforeEach(async () => {
  // What tests before have left is sent by none of them.
  await okaeri.query`update messages set state = 'done' where merchant_id <> ${merchant.id}`
  const people = await ordinaryPeople(account, 3)
  friends = people.map(({ user_id }) => user_id) as typeof friends
  await befriend(okaeri, merchant, account, people)
})

/** Gives a friend a mail address, and consent, as a customer of the store has. */
const withAddress = (lineUserId: string, email: string) =>
  okaeri.query`update customers set email = ${email}, email_key = ${email}, marketing_state = 'granted' where merchant_id = ${merchant.id} and id =
    (select customer_id from line_friends where merchant_id = ${merchant.id} and line_user_id = ${lineUserId})`
const block = async (...userIds: string[]) => {
  await deliverLineEvents(
    okaeri,
    merchant,
    account,
    userIds.map((id) => lineEvent(id, 'unfollow', { at: Date.now() + 1000 })),
  )
  await okaeri.settle()
}
async function receipts(): Promise<Record<string, number>> {
  const { data } = await playLine<{ data: { user_id: string; count: number }[] }>(`receipts.json?account=${account.id}`)
  return Object.fromEntries(data.map(({ user_id, count }) => [user_id, count]))
}
/** Each delivery by where it goes: its channel and state. */
async function deliveries(id: string): Promise<Record<string, string>> {
  const { data } = await merchant.call(routes.listCampaignDeliveries, { params: { id }, query: { limit: 100 } })
  return Object.fromEntries(
    data.map(({ address, customer_name, channel, status, reason }) => [
      address ?? customer_name,
      [channel, status, reason].filter(Boolean).join(' '),
    ]),
  )
}
const review = async (id: string) => (await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })).review
const later = (ms: number): string => new Date(okaeri.clock.now().getTime() + ms).toISOString()

test('a campaign by LINE reaches its friends once, and names who is none with the reason', async () => {
  const [first, second, blocker] = friends
  await block(blocker)
  await addCustomers(merchant.scope(), [{ email: 'mail@a.test' }])
  const { id: line_message_id } = await aLineMessage(merchant)
  const { id } = await aCampaign(merchant, { channels: 'line', line_message_id, email_id: null })
  expect(await review(id)).toMatchObject({
    audience: 4,
    recipients: 2,
    left_out: { blocked: 1, not_linked: 1, no_consent: 0 },
    parts: [{ channel: 'line', recipients: 2 }],
    findings: [],
    missing: [],
    can_reserve: true,
  })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: { recipients_seen: 2 } })
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({
    status: 'sent',
    channels: 'line',
    line_message: { id: line_message_id },
    email: null,
    sender: null,
    customer_count: 4,
    balance: { audience: 4, sent: 2, skipped_by_reason: { blocked: 1, not_linked: 1 } },
  })
  expect(await receipts()).toEqual({ [first]: 1, [second]: 1 })
  const { report } = await merchant.call(routes.getCampaignReport, { params: { id } })
  expect(report).toMatchObject({ delivery_count: 2, channels: 'line', email: null })
})

test('a recipient is found by the name on LINE that their row shows, though the store calls them otherwise', async () => {
  const [first] = friends
  await okaeri.query`update customers set display_name = '石川 真由美' where merchant_id = ${merchant.id} and id =
    (select customer_id from line_friends where merchant_id = ${merchant.id} and line_user_id = ${first})`
  const { id: line_message_id } = await aLineMessage(merchant)
  const { id } = await aSentCampaign(merchant, { channels: 'line', line_message_id, email_id: null })
  const find = (query: { q?: string }) => merchant.call(routes.listCampaignDeliveries, { params: { id }, query })
  const row = (await find({})).data.find(({ address }) => address === first)
  expect(row).toMatchObject({ customer_name: '石川 真由美' })
  const found = await find({ q: row?.recipient ?? '' })
  expect(found.data.map(({ address }) => address)).toContain(first)
  expect(found.total).toBeLessThan(3)
})

test('by LINE, else by mail: one person gets one message, though they are two customers with one address', async () => {
  const [first, second, blocker] = friends
  await block(blocker)
  await withAddress(first, 'first@a.test')
  await withAddress(blocker, 'blocker@a.test')
  await addCustomers(merchant.scope(), [{ email: 'FIRST@a.test' }, { email: 'mail@a.test' }, { email: null }])
  const { id: line_message_id } = await aLineMessage(merchant)
  const { id } = await aCampaign(merchant, { channels: 'line_else_email', line_message_id })
  expect(await review(id)).toMatchObject({
    audience: 6,
    recipients: 4,
    left_out: { duplicate_address: 1, no_address: 1, blocked: 0, not_linked: 0 },
    parts: [
      { channel: 'line', audience: 2, recipients: 2 },
      { channel: 'email', audience: 4, recipients: 2 },
    ],
  })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: { recipients_seen: 4 } })
  await okaeri.settle()
  const campaign = await campaignOf(merchant, id)
  expect(campaign).toMatchObject({ status: 'sent', customer_count: 6, balance: { audience: 6, sent: 4, skipped: 2 } })
  expect(await deliveries(id)).toMatchObject({
    [first]: 'line sent',
    [second]: 'line sent',
    'blocker@a.test': 'email sent',
    'FIRST@a.test': 'email skipped duplicate_address',
    'mail@a.test': 'email sent',
  })
  const byLine = { params: { id }, query: { channel: 'line' as const } }
  const { data, total } = await merchant.call(routes.listCampaignDeliveries, byLine)
  expect(total).toBe(2)
  expect(new Set(data.map(({ address }) => address))).toEqual(new Set([first, second]))
  expect(await receipts()).toEqual({ [first]: 1, [second]: 1 })
})

test('by both: everybody gets each message once, and what they got counts for the cap', async () => {
  const [first, second, blocker] = friends
  await block(blocker)
  await withAddress(first, 'first@a.test')
  await withAddress(blocker, 'blocker@a.test')
  const { id: line_message_id } = await aLineMessage(merchant)
  const given = { channels: 'both', line_message_id } as const
  const { id } = await aCampaign(merchant, given)
  expect(await review(id)).toMatchObject({
    audience: 3,
    recipients: 4,
    parts: [
      { channel: 'line', audience: 3, recipients: 2, left_out: { blocked: 1 } },
      { channel: 'email', audience: 3, recipients: 2, left_out: { no_address: 1 } },
    ],
  })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: { recipients_seen: 4 } })
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({
    status: 'sent',
    customer_count: 3,
    balance: { audience: 6, sent: 4, skipped_by_reason: { blocked: 1, no_address: 1 } },
  })
  expect(await receipts()).toEqual({ [first]: 1, [second]: 1 })
  const { report } = await merchant.call(routes.getCampaignReport, { params: { id } })
  expect(report.by_channel).toMatchObject([
    { channel: 'line', delivery_count: 2 },
    { channel: 'email', delivery_count: 2 },
  ])
  // With one more message allowed, who gets it by LINE gets no mail.
  await okaeri.query`update merchants set frequency_cap_count = 3, frequency_cap_days = 7 where id = ${merchant.id}`
  const next = await aCampaign(merchant, given)
  const { recipients, parts } = await review(next.id)
  expect(parts).toMatchObject([
    { channel: 'line', recipients: 2 },
    { channel: 'email', recipients: 1, left_out: { frequency_cap: 1 } },
  ])
  await merchant.call(routes.reserveCampaign, { params: { id: next.id }, body: { recipients_seen: recipients } })
  await okaeri.settle()
  expect(await campaignOf(merchant, next.id)).toMatchObject({
    balance: { sent: recipients, skipped_by_reason: { frequency_cap: 1 } },
  })
})

test.each([
  ['both', { 'first@a.test': 'email sent', line: 'line uncertain' }],
  ['line_else_email', { line: 'line uncertain' }],
] as const)(
  'what left by one channel in a time the database has forgotten is of that channel, unless a person gets one message: %s',
  async (channels, fates) => {
    const [first, ...others] = friends
    await block(...others)
    await withAddress(first, 'first@a.test')
    const { id: line_message_id } = await aLineMessage(merchant)
    const scheduled_at = later(2 * HOUR)
    const given = { channels, line_message_id, send_type: 'scheduled', scheduled_at } as const
    const { id } = await aReservedCampaign(merchant, given)
    await okaeri.settle()
    await okaeri.query`insert into unrecorded_departures (merchant_id, delivery_id, program_id, customer_id, channel, found_at)
      select ${merchant.id}, gen_random_uuid(), ${id}, customer_id, 'line', now() from line_friends
      where merchant_id = ${merchant.id} and line_user_id = ${first}`
    okaeri.advance(2 * HOUR)
    await okaeri.settle()
    const { [first]: line, 'first@a.test': email } = await deliveries(id)
    expect({ ...(email ? { 'first@a.test': email } : {}), line }).toEqual(fates)
    expect(await receipts()).toEqual({})
  },
)

test('who blocks or befriends the account before a scheduled campaign begins gets it by the way that is left', async () => {
  const [stays, blocks, befriends] = friends
  await withAddress(blocks, 'blocks@a.test')
  await withAddress(befriends, 'befriends@a.test')
  await block(befriends)
  const { id: line_message_id } = await aLineMessage(merchant)
  const campaign = await aReservedCampaign(merchant, {
    channels: 'line_else_email',
    line_message_id,
    send_type: 'scheduled',
    scheduled_at: later(2 * HOUR),
  })
  await okaeri.settle()
  expect(await deliveries(campaign.id)).toEqual({
    [stays]: 'line pending',
    [blocks]: 'line pending',
    'befriends@a.test': 'email pending',
  })
  await block(blocks)
  await deliverLineEvents(okaeri, merchant, account, [lineEvent(befriends, 'follow', { at: Date.now() + 5000 })])
  okaeri.advance(2 * HOUR)
  await okaeri.settle()
  expect(await deliveries(campaign.id)).toEqual({
    [stays]: 'line sent',
    'blocks@a.test': 'email sent',
    [befriends]: 'line sent',
  })
  expect(await campaignOf(merchant, campaign.id)).toMatchObject({ status: 'sent', balance: { audience: 3, sent: 3 } })
})

test('what was reviewed is what is sent: another LINE message than the one seen is refused, and so is one that is gone', async () => {
  const message = await aLineMessage(merchant)
  const { id } = await aCampaign(merchant, { channels: 'line', line_message_id: message.id, email_id: null })
  const { fingerprint } = await review(id)
  await merchant.call(changeLineMessage, {
    params: { id: message.id },
    body: { messages: [{ type: 'text', text: '別の内容' }] },
  })
  const reserve = (body = {}) => merchant.call(routes.reserveCampaign, { params: { id }, body })
  expect(await refusal(reserve({ fingerprint_seen: fingerprint }))).toMatchObject({
    reason: 'campaign_changed_since_review',
  })
  await okaeri.query`update line_messages set deleted_at = now() where merchant_id = ${merchant.id} and id = ${message.id}`
  expect(await refusal(reserve())).toMatchObject({ fields: { line_message_id: 'required' } })
  expect(await review(id)).toMatchObject({ missing: ['line_message'], can_reserve: false })
})

test('a LINE message that a campaign still needs cannot be deleted; one that the campaign does not send can', async () => {
  const { id: line_message_id } = await aLineMessage(merchant)
  const { id } = await aCampaign(merchant, { channels: 'line', line_message_id, name: '秋のお知らせ' })
  const remove = () => merchant.call(deleteLineMessage, { params: { id: line_message_id } })
  expect(await refusal(remove())).toMatchObject({ reason: 'line_message_in_use' })
  await merchant.call(routes.changeCampaign, { params: { id }, body: { channels: 'email' } })
  await remove()
  expect(await campaignOf(merchant, id)).toMatchObject({ channels: 'email', name: '秋のお知らせ' })
})

test('a coupon whose worth is not said, and a LINE that is not connected, keep a campaign from being reserved', async () => {
  const { id: line_message_id } = await aLineMessage(merchant, [{ type: 'text', text: '{{ coupon.code }}' }])
  const { id } = await aCampaign(merchant, { channels: 'line', line_message_id, email_id: null })
  expect((await review(id)).findings).toMatchObject([{ code: 'coupon_not_set' }])
  await okaeri.query`delete from line_accounts where merchant_id = ${merchant.id}`
  expect((await review(id)).findings.map(({ code }) => code)).toEqual(['line_not_connected', 'coupon_not_set'])
  expect(await refusal(merchant.call(routes.reserveCampaign, { params: { id }, body: {} }))).toMatchObject({
    reason: 'preflight_failed',
  })
})

test('a LINE message with a link of its template is sent only where a person says yes to that', async () => {
  const { content } = lineSamples.products.ja
  const { id: line_message_id } = await aLineMessage(merchant, content.messages)
  const { id } = await aCampaign(merchant, { channels: 'line', line_message_id, email_id: null })
  expect((await review(id)).findings).toMatchObject([{ code: 'line_sample_left', level: 'warns' }])
  const reserve = (accepted: 'line_sample_left'[]) =>
    merchant.call(routes.reserveCampaign, { params: { id }, body: { recipients_seen: 3, accepted } })
  expect(await refusal(reserve([]))).toMatchObject({ status: 409, reason: 'finding_not_accepted' })
  await reserve(['line_sample_left'])
})

test('an unconfirmed account, and a template that cannot be filled in, are shown before a LINE message is sent', async () => {
  const { id: line_message_id } = await aLineMessage(merchant, [{ type: 'text', text: '{{ customer.name }}' }])
  const { id } = await aCampaign(merchant, { channels: 'line', line_message_id, email_id: null })
  await okaeri.query`update members set email_confirmed_at = null where merchant_id = ${merchant.id}`
  expect((await review(id)).findings.map(({ code }) => code)).toEqual(['account_unconfirmed'])
  const costly = '{% for i in (1..9999) %}{{ i }}{% endfor %}'
  await okaeri.query`update line_messages set messages = ${JSON.stringify([{ type: 'text', text: costly }])}::jsonb
    where merchant_id = ${merchant.id} and id = ${line_message_id}`
  expect(await review(id)).toMatchObject({
    findings: [{ code: 'template_not_offered' }, { code: 'account_unconfirmed' }],
    can_reserve: false,
  })
  expect(await refusal(merchant.call(routes.reserveCampaign, { params: { id }, body: {} }))).toMatchObject({
    reason: 'preflight_failed',
  })
})

test('a token that LINE takes no more is said before sending, beside what is said of the mail', async () => {
  const { id: line_message_id } = await aLineMessage(merchant)
  const { id } = await aCampaign(merchant, { channels: 'both', line_message_id })
  await okaeri.query`update line_accounts set token_is_issued = false where merchant_id = ${merchant.id}`
  await playLine(`accounts/${account.id}/settings.json`, { revoke_tokens: true })
  expect((await review(id)).findings.map(({ code }) => code)).toContain('line_not_connected')
  expect(await refusal(merchant.call(routes.reserveCampaign, { params: { id }, body: {} }))).toMatchObject({
    reason: 'preflight_failed',
  })
})

test('in test mode a tester is needed, and gets all of it', async () => {
  const [tester] = friends
  await okaeri.query`update merchants set test_mode = true where id = ${merchant.id}`
  const { id: line_message_id } = await aLineMessage(merchant)
  const given = { channels: 'line', line_message_id, email_id: null } as const
  const { id } = await aCampaign(merchant, given)
  expect(await refusal(merchant.call(routes.reserveCampaign, { params: { id }, body: {} }))).toMatchObject({
    reason: 'preflight_failed',
  })
  await okaeri.query`update line_friends set is_tester = true where merchant_id = ${merchant.id} and line_user_id = ${tester}`
  await aSentCampaign(merchant, given)
  expect(await receipts()).toEqual({ [tester]: 3 })
})

test('undone, it is a draft again with nothing written; stopped, nothing more of either channel goes out', async () => {
  await addCustomers(merchant.scope(), [{ email: 'mail@a.test' }])
  const { id: line_message_id } = await aLineMessage(merchant)
  const given = { channels: 'line_else_email', line_message_id } as const
  const { id } = await aCampaign(merchant, given)
  await merchant.call(routes.reserveCampaign, { params: { id }, body: { undo_seconds: 30 } })
  await okaeri.settle()
  expect(await merchant.call(routes.undoCampaign, { params: { id } })).toMatchObject({ campaign: { status: 'draft' } })
  const rows = await okaeri.query`select from messages where merchant_id = ${merchant.id}`
  expect(rows).toEqual([])
  const held = await aReservedCampaign(merchant, { ...given, send_type: 'scheduled', scheduled_at: later(2 * HOUR) })
  await okaeri.settle()
  await merchant.call(routes.cancelCampaign, { params: { id: held.id } })
  okaeri.advance(3 * HOUR)
  await okaeri.settle()
  expect(await campaignOf(merchant, held.id)).toMatchObject({
    status: 'cancelled',
    balance: { skipped_by_reason: { cancelled: 4 } },
  })
  expect(await receipts()).toEqual({})
})

test('a tap on a link of a LINE message is counted for the campaign, and segments that ask about LINE follow', async () => {
  const [first] = friends
  const asks = (name: string, window: Window = null) =>
    aSegment(merchant, {
      type: 'condition',
      id: name,
      category: 'line',
      name,
      operator: 'at_least',
      value: { value: 1, campaigns: null, window },
    })
  const received = await asks('line_received')
  const lately = await asks('line_received', { within_days: 2 })
  const clicked = await asks('line_clicked')
  const counts = async () =>
    (await Promise.all([received, lately, clicked].map(({ id }) => segmentOf(merchant, id)))).map(
      (segment) => segment.customer_count,
    )
  await okaeri.settle()
  expect(await counts()).toEqual([0, 0, 0])
  const { id: line_message_id } = await aLineMessage(merchant, [{ type: 'text', text: 'https://shop.example/new' }])
  const { id } = await aSentCampaign(merchant, { channels: 'line', line_message_id, email_id: null })
  await okaeri.settle()
  expect(await counts()).toEqual([3, 3, 0])
  const chat = JSON.stringify(await playLine(`users/${first}/chat.json?account=${account.id}`))
  const [link = ''] = /\/c\/[\w-]+-0/.exec(chat) ?? []
  okaeri.advance(HOUR)
  const answer = await fetch(`${okaeri.url}${link}`, { redirect: 'manual', headers: { 'user-agent': BROWSER } })
  expect(answer.headers.get('location')).toMatch(/^https:\/\/shop\.example\/new\?.*utm_medium=line/)
  okaeri.advance(60_000)
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({ click_count: 1, open_count: 0 })
  expect(await counts()).toEqual([3, 3, 1])
  const { report } = await merchant.call(routes.getCampaignReport, { params: { id } })
  expect(report).toMatchObject({ click_count: 1, open_count: 0 })
  const sum = (of: 'opens' | 'clicks') => report.series.reduce((all, point) => all + point[of], 0)
  expect([sum('opens'), sum('clicks')]).toEqual([0, 1])
  const { figures, by_channel } = await merchant.call(getDashboard, { query: {} })
  expect(figures).toMatchObject({ sent: 3, mails_sent: 0, opened: 0, clicked: 1, open_rate: 0, click_rate: 33.3 })
  expect(by_channel).toMatchObject([{ channel: 'line', sent: 3, clicked: 1, open_rate: null }])
  const csv = async (file: string) => {
    const authorization = `Bearer test.${merchant.id}.${merchant.memberId}.viewer`
    const address = `${okaeri.url}/reports/${id}/${file}?lang=en`
    return (await (await fetch(address, { headers: { authorization } })).text()).split('\r\n')
  }
  const [head, ...recipients] = await csv('download')
  expect(head).toContain('Customer,Channel,Email address,Name on LINE,Subject or content,')
  // Neither the id of a LINE account nor an opening: LINE tells none.
  expect(recipients.filter((line) => line !== '')).toHaveLength(3)
  for (const line of recipients.filter((line) => line !== '')) expect(line).toMatch(/^[^,]*,LINE,,[^,]+,/)
  expect(recipients.join()).not.toContain(first)
  expect((await csv('download-clicks')).join()).toMatch(/,LINE,,[^,]+,https:\/\/shop\.example\/new/)
  okaeri.advance(72 * HOUR)
  await okaeri.settle()
  expect(await counts()).toEqual([3, 0, 1])
})

test('a campaign that needs more messages than the month has is refused with their number, unless a person says to send what fits', async () => {
  await playLine(`accounts/${account.id}/settings.json`, { quota: 2 })
  const { id: line_message_id } = await aLineMessage(merchant)
  const given = { channels: 'line', line_message_id, email_id: null } as const
  const { id } = await aCampaign(merchant, given)
  expect(await review(id)).toMatchObject({ recipients: 3, line_quota: { limit: 2, left: 2, missing: 1 } })
  const reserve = (body = {}) => merchant.call(routes.reserveCampaign, { params: { id }, body })
  expect(await refusal(reserve())).toMatchObject({
    reason: 'line_quota_exceeded',
    message: '1 LINE messages are missing',
  })
  expect(await reserve({ recipients_seen: 3, send_what_fits: true })).toMatchObject({ campaign: { line_most: 2 } })
  // Another is counted beside what is reserved already.
  const next = await aCampaign(merchant, given)
  await okaeri.settle()
  expect(await review(next.id)).toMatchObject({ line_quota: { left: 0, missing: 3 } })
  expect(await campaignOf(merchant, id)).toMatchObject({
    status: 'sent',
    balance: { sent: 2, skipped_by_reason: { over_quota: 1 } },
  })
  expect(Object.values(await receipts())).toEqual([1, 1])
  // The next month has its own.
  const scheduled_at = later(40 * 24 * HOUR)
  await merchant.call(routes.changeCampaign, {
    params: { id: next.id },
    body: { send_type: 'scheduled', scheduled_at },
  })
  expect(await review(next.id)).toMatchObject({ line_quota: null, can_reserve: true })
})
