import type { APIRequestContext, Page } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { beReadyToSend, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { openAccount, type OfficialAccount } from './line-phone.ts'
import { addToStore, lookAgain, moveTheClock, readTheClock, settle } from './outside-world.ts'
import { choose, field, sendNow, waitUntilSent, waitUntilUndoIsOver } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
/** The platform's months are Japan's. */
const JAPAN_MS = 9 * 3_600_000
const HOUR_MS = 3_600_000

test('the LINE messages of the month run out before and during a campaign, and the next month goes on with it', async ({
  page,
  request,
}) => {
  const once = Date.now().toString(36)
  const owner = { siteName: 'くも珈琲', email: `owner-lq-${once}@kumo-coffee.test`, password: 'a long enough one' }
  const account = await openAccount(request, `くも珈琲${once.slice(-4)}`)
  const shop = `okaeri-e2e-lq-${once}.myshopify.com`
  await speak(page, 'ja')
  // Is no friend, and gets nothing by LINE.
  const jiro = { first_name: '次郎', last_name: '鈴木', email: `jiro-lq-${once}@customer.test` }
  await addToStore(request, shop, { ...jiro, tags: [], email_state: 'SUBSCRIBED' })
  const api = await beReadyToSend(page, owner, shop)
  const { channel_id, channel_secret } = account
  await api.put('/line/account', { line_account: { channel_id, channel_secret } })
  await api.post('/line/account/webhook', {})
  const friends = await makeFriends(request, account, 6)
  const messages = [{ type: 'text', text: '新しい豆が焼き上がりました https://shop.example/new' }]
  await api.post('/messages/line', { name: '新しい豆', messages, quick_replies: [] })

  await test.step('A campaign that needs more than are left is refused, and says how many are missing', async () => {
    await allow(request, account, 4)
    await draftByLine(page, '一通目')
    await expect(page.getByText(t('campaigns.review.quota.missing', { missing: '2' }))).toBeVisible()
    const send = page.getByRole('button', { name: t('campaigns.review.send', { count: 6, n: 6 }), exact: true })
    await expect(send).toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByText(t('campaigns.review.why.quota'), { exact: true })).toBeVisible()
  })

  await test.step('Sent to as many as fit, it says of the others why they got nothing', async () => {
    await page.getByLabel(t('campaigns.review.quota.sendWhatFits', { left: '4', missing: '2' })).check()
    await expect(page.getByText(t('campaigns.review.people', { count: 4, n: '4' }), { exact: true })).toBeVisible()
    await expect(page.getByRole('row', { name: `${t('campaigns.review.overQuota')} 2`, exact: true })).toBeVisible()
    await sendNow(page, t, 4)
    await waitUntilSent(page, t)
    await counts(page, 'deliveries.status.sent', 4)
    await counts(page, 'deliveries.skip.over_quota', 2)
    expect(await received(request, account, friends)).toEqual([0, 0, 1, 1, 1, 1])
  })

  await test.step('Where others use messages up meanwhile, a campaign stops on its way and the page says why', async () => {
    await allow(request, account, 10)
    await draftByLine(page, '二通目')
    await sendNow(page, t, 6)
    await allow(request, account, 7)
    await waitUntilUndoIsOver(page)
    await lookAgain(page)
    await expect(page.getByText(t('campaigns.wait.line_quota'))).toBeVisible()
    await expect(page.getByRole('link', { name: t('campaigns.openLineSettings') })).toBeVisible()
    await counts(page, 'deliveries.status.sent', 3)
    await counts(page, 'deliveries.status.pending', 3)
    await page.goto('settings?tab=line')
    await expect(page.getByText(t('lineAccounts.quota.pausedTitle'), { exact: true })).toBeVisible()
  })

  await test.step('When the month turns in Japan it goes on, and everybody got it once', async () => {
    await page.goBack()
    await moveTheClock(request, await untilNextMonth(request))
    await settle(request)
    await lookAgain(page)
    await expect(page.getByText(t('campaigns.status.sent'), { exact: true }).first()).toBeVisible()
    await counts(page, 'deliveries.status.sent', 6)
    expect(await received(request, account, friends)).toEqual([1, 1, 2, 2, 2, 2])
    await page.goto('settings?tab=line')
    await expect(page.getByText(t('lineAccounts.quota.left', { left: '4', limit: '7' }), { exact: true })).toBeVisible()
    await expect(page.getByText(t('lineAccounts.quota.pausedTitle'), { exact: true })).toHaveCount(0)
  })
})

/** In the campaign's balance. */
const counts = (page: Page, what: Parameters<typeof t>[0], count: number): Promise<void> =>
  expect(page.getByRole('row', { name: `${t(what)} ${count}`, exact: true })).toBeVisible()

const play = async <Reply>(request: APIRequestContext, what: string, data: object): Promise<Reply> => {
  const answer = await request.post(`${sandboxUrl}/line/${what}`, { data })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as Reply
}

/** So many messages a month, by the platform. */
const allow = (request: APIRequestContext, { id }: OfficialAccount, quota: number): Promise<unknown> =>
  play(request, `accounts/${id}/settings.json`, { quota })

/** People who add the account; returns their ids. */
async function makeFriends(request: APIRequestContext, { id }: OfficialAccount, count: number): Promise<string[]> {
  const answer = await request.get(`${sandboxUrl}/line/users.json`, { params: { limit: count, account: String(id) } })
  const ids = ((await answer.json()) as { data: { user_id: string }[] }).data.map(({ user_id }) => user_id)
  for (const userId of ids) await play(request, `users/${userId}/follow.json?account=${id}`, {})
  await settle(request)
  return ids
}

/** How many messages each of them received, fewest first. */
async function received(
  request: APIRequestContext,
  { id }: OfficialAccount,
  userIds: readonly string[],
): Promise<number[]> {
  const answer = await request.get(`${sandboxUrl}/line/receipts.json`, { params: { account: String(id) } })
  const { data } = (await answer.json()) as { data: { user_id: string; count: number }[] }
  const counts = new Map(data.map(({ user_id, count }) => [user_id, count]))
  return userIds.map((userId) => counts.get(userId) ?? 0).toSorted((one, other) => one - other)
}

async function draftByLine(page: Page, name: string): Promise<void> {
  await page.goto('campaigns/new')
  await field(page, t('campaigns.name')).fill(name)
  await page.getByRole('radio', { name: t('campaigns.form.all') }).click()
  await page.getByRole('radio', { name: t('campaigns.channels.line'), exact: true }).click()
  await choose(page, t('campaigns.lineMessage'), /^新しい豆/, '新しい豆')
  await page.getByRole('button', { name: t('campaigns.form.saveAndReview') }).click()
  await expect(page.getByRole('heading', { name: t('campaigns.review.title'), level: 1 })).toBeVisible()
}

/** Into its first hour. */
async function untilNextMonth(request: APIRequestContext): Promise<number> {
  const now = (await readTheClock(request)).getTime()
  const there = new Date(now + JAPAN_MS)
  return Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + 1, 1) - JAPAN_MS - now + HOUR_MS / 2
}
