import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { seriousProblems } from './accessible.ts'
import { beReadyToSend, operate, speak } from './account.ts'
import { test } from './journey.ts'
import { befriend, findPerson, openAccount, openPhone } from './line-phone.ts'
import {
  addGoods,
  addToStore,
  buyGoods,
  mailAbout,
  mailsTo,
  moveTheClock,
  readMail,
  setStock,
  settle,
} from './outside-world.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const en = wordsIn('en')
const PHONE = { width: 390, height: 844 }
const MINUTE_MS = 60_000
const GOODS = '限定の湯のみ'
const SUBJECT = 'ご希望の商品が再入荷しました'

type Api = Awaited<ReturnType<typeof beReadyToSend>>

/** The ready mail of the template, in an active scenario of it. */
async function answerByMail(api: Api): Promise<void> {
  const { email } = await api.post<{ email: { id: string } }>('/emails', {
    name: '再入荷',
    subject: SUBJECT,
    starter: 'RestockAction',
  })
  await enableTemplate(api, { email: email.id })
}
async function enableTemplate(api: Api, form: Record<string, string>): Promise<void> {
  const body = { name: '再入荷のお知らせ', template: 'RestockAction', form }
  const { action } = await api.post<{ action: { id: string } }>('/actions', body)
  const { outlook } = await api.get<{ outlook: { without_cancel_link: number } }>(`/actions/${action.id}/outlook`)
  expect(outlook.without_cancel_link).toBe(0)
  await api.post(`/actions/${action.id}/enable`, {})
}

/** And a moment more: what was read of the stock longer ago is asked of the store first. */
async function letPass(request: APIRequestContext, minutes: number): Promise<void> {
  await moveTheClock(request, minutes * MINUTE_MS)
  await moveTheClock(request, MINUTE_MS / 2)
}

const productPage = async (visitor: Page, shop: string): Promise<void> => {
  await visitor.goto(`${sandboxUrl}/stores/${shop}/collections/all`)
  await visitor.getByRole('link', { name: GOODS }).first().click()
}

/** As a guest on a phone; the owner of the address agrees by the mailed link. */
async function registerByMail(visitor: Page, request: APIRequestContext, shop: string, email: string): Promise<void> {
  await productPage(visitor, shop)
  await visitor.getByRole('button', { name: '再入荷をメールで受け取る' }).press('Enter')
  const popup = visitor.getByRole('dialog', { name: '再入荷のお知らせ' })
  await popup.getByLabel('メールアドレス').fill(email)
  await visitor.keyboard.press('Enter')
  await expect(popup.getByRole('status')).toContainText('確認メール')
  const { text } = await readMail(request, (await mailAbout(request, email, '再入荷のお知らせの確認')).id)
  await visitor.goto(/https?:\S+\/pages\/restock\S+/.exec(text)?.[0] ?? 'no link')
  await visitor.getByRole('button', { name: '再入荷のお知らせを受け取る' }).click()
  await expect(visitor.getByRole('heading', { name: '再入荷をお知らせします' })).toBeVisible()
  // The next is a minute later: their order is seen.
  await moveTheClock(request, MINUTE_MS)
}

test('sold out, several wait by mail: the first wave tells the first, one of the others buys, and the next wave leaves them out', async ({
  page,
  request,
  browser,
}) => {
  const once = Date.now().toString(36)
  const shop = `kumo-waves-${once}.myshopify.com`
  const at = (name: string) => `${name}-w-${once}@example.jp`
  const waiting = ['first', 'second', 'third', 'fourth', 'fifth'].map(at)
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = waiting
  const cup = await addGoods(request, shop, GOODS)
  await setStock(request, shop, cup, 0)
  await speak(page, 'ja')
  const owner = { siteName: 'くも珈琲', email: `owner-w-${once}@kumo-coffee.test`, password: 'a long enough one' }
  const api = await beReadyToSend(page, owner, shop)
  await answerByMail(api)
  await api.put('/user/me/restock_settings', {
    restock_settings: { people_per_unit: 2, wave_minutes: 30, settle_minutes: 5 },
  })
  const restockMailsTo = async (email: string): Promise<number> =>
    (await mailsTo(request, email)).filter(({ subject }) => subject === SUBJECT).length
  const mailCounts = async (): Promise<number[]> => Promise.all(waiting.map(restockMailsTo))

  await test.step('Five visitors register on their phones, one after another', async () => {
    const visitor = await browser.newPage({ viewport: PHONE, locale: 'ja-JP' })
    for (const email of waiting) await registerByMail(visitor, request, shop, email)
    await visitor.close()
    await settle(request)
    await page.goto('restock')
    await expect(page.getByRole('row').filter({ hasText: GOODS })).toContainText('5人')
  })

  await test.step('One piece comes back: when the stock has settled two are notified, in their order', async () => {
    await setStock(request, shop, cup, 1)
    await settle(request)
    expect(await mailCounts()).toEqual([0, 0, 0, 0, 0])
    await page.goto('restock')
    await expect(page.getByText(t('restocks.hold.settling'))).toBeVisible()
    await letPass(request, 6)
    expect(await mailCounts()).toEqual([1, 1, 0, 0, 0])
  })

  await test.step('The message has a link that cancels, which changes nothing before its button is pressed', async () => {
    const { text } = await readMail(request, (await mailAbout(request, first, SUBJECT)).id)
    const [link = 'no link'] = /https?:\S+\/r\/[\w-]+/.exec(text) ?? []
    const reader = await browser.newPage({ viewport: PHONE, locale: 'en-US' })
    await reader.goto(link)
    await expect(reader.getByRole('heading', { name: '再入荷のお知らせを取り消しますか？' })).toBeVisible()
    expect(await seriousProblems(reader)).toEqual([])
    await reader.getByRole('link', { name: 'English' }).click()
    await expect(reader.getByText(GOODS)).toBeVisible()
    await reader.getByRole('button', { name: 'Cancel registration' }).press('Enter')
    await expect(reader.getByText('We won’t notify you about')).toBeVisible()
    await reader.close()
  })

  await test.step('The second buys, and so does the third, who only waited: the next wave leaves the third out', async () => {
    await buyGoods(request, shop, second, cup)
    await setStock(request, shop, cup, 1)
    await buyGoods(request, shop, third, cup)
    await setStock(request, shop, cup, 1)
    await settle(request)
    await letPass(request, 20)
    expect(await mailCounts()).toEqual([1, 1, 0, 0, 0])
    await letPass(request, 15)
    expect(await mailCounts()).toEqual([1, 1, 0, 1, 1])
    for (const email of [fourth, fifth]) expect(await restockMailsTo(email)).toBe(1)
  })

  await test.step('The merchant sees the waves, whom they notified, and what was bought, in both languages', async () => {
    await page.goto('restock')
    await page.getByRole('link', { name: GOODS }).first().click()
    await expect(page.getByRole('heading', { name: GOODS, level: 1 })).toBeVisible()
    const waves = page.getByRole('region', { name: t('restocks.waves.title') })
    await expect(waves.getByRole('row')).toHaveCount(3)
    await expect(page.getByRole('row').filter({ hasText: first })).toContainText(
      t('restocks.subscribers.endedBy.person'),
    )
    await expect(page.getByRole('row').filter({ hasText: third })).toContainText(
      t('restocks.subscribers.endedBy.bought'),
    )
    expect(await seriousProblems(page)).toEqual([])
    await page.evaluate(() => localStorage.setItem('language', 'en'))
    await page.reload()
    await expect(page.getByRole('region', { name: en('restocks.waves.title') }).getByRole('row')).toHaveCount(3)
  })
})

test('a friend on LINE registers by LINE, reads the receipt and then the message in the chat, and cancels there', async ({
  page,
  request,
  browser,
}) => {
  const once = Date.now().toString(36)
  const shop = `kumo-waves-line-${once}.myshopify.com`
  const email = `jiro-w-${once}@example.jp`
  const account = await openAccount(request, `くも珈琲${once.slice(-4)}`)
  const person = await findPerson(request, account)
  const inStore = { first_name: '次郎', last_name: '鈴木', email }
  await addToStore(request, shop, { ...inStore, tags: [], email_state: 'NOT_SUBSCRIBED' })
  const cup = await addGoods(request, shop, GOODS)
  await setStock(request, shop, cup, 0)
  await speak(page, 'ja')
  const owner = { siteName: 'くも珈琲', email: `owner-wl-${once}@kumo-coffee.test`, password: 'a long enough one' }
  const api = await beReadyToSend(page, owner, shop)
  expect(await operate('set-plan', owner.email, 'pro')).toContain('pro')
  const login = account as typeof account & Record<'login_channel_id' | 'login_channel_secret', string>
  await api.put('/line/account', {
    line_account: {
      channel_id: account.channel_id,
      channel_secret: account.channel_secret,
      login_enabled: true,
      login_channel_id: login.login_channel_id,
      login_channel_secret: login.login_channel_secret,
    },
  })
  await api.post('/line/account/webhook', {})
  const samples = await api.get<{ data: { key: string; messages: unknown[]; quick_replies: unknown[] }[] }>(
    '/messages/line/templates?language=ja',
  )
  const sample = samples.data.find(({ key }) => key === 'restock')
  const { line_message } = await api.post<{ line_message: { id: string } }>('/messages/line', {
    name: '再入荷',
    messages: sample?.messages ?? [],
    quick_replies: [],
  })
  await enableTemplate(api, { email_line: line_message.id })
  const phone = await page.context().newPage()
  await befriend(phone, person, account)

  const visitor = await browser.newPage({ viewport: PHONE, locale: 'ja-JP' })
  await test.step('Signed in at the store, they link their LINE account from the popup and register', async () => {
    await visitor.goto(`${sandboxUrl}/stores/${shop}/account/login`)
    await visitor.locator('#email').fill(email)
    await visitor.locator('#email').press('Enter')
    await visitor.waitForURL((url) => !url.pathname.endsWith('/login'))
    await settle(request)
    await productPage(visitor, shop)
    const ask = visitor.getByRole('button', { name: '再入荷をLINEで受け取る' })
    const popup = visitor.getByRole('dialog', { name: '再入荷のお知らせ' })
    await ask.click()
    await popup.getByRole('button', { name: '登録する' }).click()
    // What failed cannot be pressed again; the way on stands in its place, and the keyboard is there.
    await expect(popup.getByRole('button', { name: '登録する' })).toHaveCount(0)
    await expect(popup.getByRole('link', { name: 'LINEアカウントを連携する' })).toBeFocused()
    await visitor.keyboard.press('Enter')
    await visitor.getByLabel('LINE を使っている人').selectOption(person.user_id)
    await visitor.getByRole('button', { name: '許可する' }).click()
    await visitor.getByRole('button', { name: '連携する' }).click()
    await expect(visitor.getByRole('heading', { name: 'LINEアカウントを連携しました' })).toBeVisible()
    await settle(request)
    await productPage(visitor, shop)
    await ask.click()
    await popup.getByRole('button', { name: '登録する' }).click()
    await expect(popup.getByRole('status')).toContainText('登録しました')
  })

  await test.step('The receipt is in the chat, once', async () => {
    await settle(request)
    await openPhone(phone, person, account)
    await expect(phone.getByText('再入荷したら、登録した順にLINEでお知らせします')).toHaveCount(1)
  })

  await test.step('It is back: the message comes to the phone, with the product and the way out', async () => {
    await setStock(request, shop, cup, 3)
    await settle(request)
    await letPass(request, 6)
    await phone.reload()
    await expect(phone.getByText(`「${GOODS}」が入荷しました`)).toHaveCount(1)
    const opened = phone.waitForEvent('popup')
    await phone.getByRole('button', { name: '登録を取り消す' }).click()
    const reader = await opened
    await reader.getByRole('button', { name: '登録を取り消す' }).click()
    await expect(reader.getByRole('heading', { name: '登録を取り消しました' })).toBeVisible()
    expect(await mailsTo(request, email)).toEqual([])
  })

  await test.step('The merchant sees who was notified by LINE', async () => {
    await page.goto('restock')
    await page.getByRole('link', { name: GOODS }).first().click()
    const row = page.getByRole('row').filter({ hasText: '鈴木' }).filter({ hasText: 'LINE' })
    await expect(row.first()).toContainText(t('restocks.subscribers.endedBy.person'))
  })
})
