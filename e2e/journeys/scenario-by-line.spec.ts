import type { Locator, Page } from '@playwright/test'
import { beReadyToSend, operate, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { befriend, findPerson, openAccount, press } from './line-phone.ts'
import { addToStore, lookAgain, moveTheClock, settle } from './outside-world.ts'
import { enable } from './scenario-pages.ts'
import { choose, field } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
/** What triggers and steps are called is in the contract, which journeys do not know. */
const say = {
  keyword: 'LINEのキーワード',
  starts: /「クーポン」というメッセージが届くと始まります/,
  sendLine: 'LINEを配信する',
  split: '反応で分ける',
  offer: 'クーポンのご案内です',
  thanks: 'ご覧いただきありがとうございます',
}
const HOUR_MS = 3_600_000
/** A hit is judged when its neighbors are all there, and people need some time before they follow a link. */
const TIME_TO_READ_MS = 60_000

test('a scenario answers a keyword on LINE, and thanks those who followed the link', async ({ page, request }) => {
  const once = Date.now().toString(36)
  const shop = `okaeri-e2e-sl-${once}.myshopify.com`
  const owner = { siteName: 'くも珈琲', email: `owner-sl-${once}@kumo-coffee.test`, password: 'a long enough one' }
  const account = await openAccount(request, `くも珈琲${once.slice(-4)}`)
  const person = await findPerson(request, account)
  await speak(page, 'ja')
  const inStore = { first_name: '次郎', last_name: '鈴木', email: `jiro-sl-${once}@customer.test` }
  await addToStore(request, shop, { ...inStore, tags: [], email_state: 'SUBSCRIBED' })
  const api = await beReadyToSend(page, owner, shop)
  expect(await operate('set-plan', owner.email, 'pro')).toContain('pro')
  const { channel_id, channel_secret } = account
  await api.put('/line/account', { line_account: { channel_id, channel_secret } })
  await api.post('/line/account/webhook', {})
  const phone = await page.context().newPage()
  await befriend(phone, person, account)
  await page.bringToFront()
  await writeLineMessage(page, { name: 'ご案内', text: `${say.offer} https://shop.example/coupon` })
  await writeLineMessage(page, { name: 'お礼', text: say.thanks })
  const { action } = await api.post<{ action: { id: string } }>('/actions', { name: 'キーワードに答える' })

  await test.step('It starts with a keyword and sends a LINE message', async () => {
    await page.goto(`actions/edit/${action.id}?mode=flow`)
    await card(page, t('flow.start')).click()
    await choose(page, t('flow.trigger.kind'), say.keyword)
    await field(page, 'キーワード').fill('クーポン')
    await add(page, say.sendLine)
    await choose(page, 'LINEメッセージ', 'ご案内', 'ご案内')
    await expect(panel(page).getByText(say.offer)).toBeVisible()
  })

  await test.step('Then it asks whether the link was clicked; LINE does not tell who opened a message', async () => {
    await add(page, say.split)
    await choose(page, '配信のステップ', /ご案内|LINE/)
    await panel(page).getByRole('combobox', { name: '反応', exact: true }).click()
    await expect(page.getByRole('option', { name: '開封した' })).toHaveAttribute('data-combobox-disabled', 'true')
    await page.getByRole('option', { name: 'リンクをクリックした' }).click()
    await field(page, '待つ期限').fill('1')
    await add(page, say.sendLine)
    await choose(page, 'LINEメッセージ', 'お礼', 'お礼')
    await page.getByRole('button', { name: t('flow.save'), exact: true }).click()
    await expect(page.getByText(t('flow.saved'), { exact: true })).toBeVisible()
    await page.goto(`actions/view/${action.id}`)
    await expect(page.getByText(say.starts).first()).toBeVisible()
    await enable(page, t)
  })

  await test.step('Who writes the keyword reads the answer on the phone', async () => {
    await phone.bringToFront()
    for (const text of ['こんにちは', 'ｸｰﾎﾟﾝ']) {
      await phone.getByRole('textbox', { name: /メッセージ|Message/ }).fill(text)
      await press(phone, /送信|Send/)
    }
    await phone.reload()
    await expect(phone.getByText(say.offer)).toHaveCount(1)
    await expect(phone.getByText(say.thanks)).toHaveCount(0)
  })

  await test.step('Who follows its link is thanked when the hour is over', async () => {
    await moveTheClock(request, TIME_TO_READ_MS)
    const [href = ''] = /https?:\S+\/c\/\S+/.exec(await phone.getByText(say.offer).innerText()) ?? []
    const userAgent = await page.evaluate(() => navigator.userAgent.replace('Headless', ''))
    await request.get(href, { maxRedirects: 0, headers: { 'user-agent': userAgent } })
    // A hit is judged before the hour is over.
    await moveTheClock(request, TIME_TO_READ_MS)
    await settle(request)
    await moveTheClock(request, HOUR_MS)
    await settle(request)
    await phone.reload()
    await expect(phone.getByText(say.thanks)).toHaveCount(1)
  })

  await test.step('The page of the person tells of both', async () => {
    await page.bringToFront()
    await page.goto('customers')
    await page.getByRole('link', { name: person.name }).click()
    await lookAgain(page)
    const timeline = page.getByRole('region', { name: t('customers.timeline.title'), exact: true })
    for (const words of [say.offer, say.thanks, t('customers.timeline.line_clicked')])
      await expect(timeline.getByText(words, { exact: true })).toBeVisible()
  })
})

const card = (page: Page, title: string): Locator => page.getByRole('group', { name: new RegExp(`^${title}[：:]`) })
const panel = (page: Page): Locator => page.getByRole('region', { name: t('flow.panel.title'), exact: true })
/** Below the step that is chosen. */
const add = (page: Page, kind: string): Promise<void> =>
  page
    .getByRole('region', { name: t('flow.palette'), exact: true })
    .getByRole('button', { name: kind, exact: true })
    .click()

async function writeLineMessage(page: Page, { name, text }: { name: string; text: string }): Promise<void> {
  await page.goto('messages/line/new')
  await page.getByRole('button', { name: t('lineMessages.start.blank') }).click()
  await field(page, t('lineMessages.name')).fill(name)
  await field(page, t('lineMessages.field.text')).fill(text)
  await page.getByRole('button', { name: t('lineMessages.editor.create'), exact: true }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}
