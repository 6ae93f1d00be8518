import type { APIRequestContext, Page } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { seriousProblems } from './accessible.ts'
import { beReadyToSend, confirmAddress, beNewMerchantWithStore, speak } from './account.ts'
import { expect, test } from './journey.ts'
import {
  addGoods,
  addToStore,
  follow,
  mailAbout,
  mailsTo,
  moveTheClock,
  openMail,
  readMail,
  readTheClock,
  settle,
} from './outside-world.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const PHONE = { width: 390, height: 844 }
const DAY_MS = 86_400_000
const dayInTokyo = (at: Date): string => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' }).format(at)

const placeOf = (page: Page, part: string) => page.locator(`[data-okaeri="${part}"]`)

async function signIn(page: Page, shop: string, email: string): Promise<void> {
  await page.goto(`${sandboxUrl}/stores/${shop}/account/login`)
  await page.locator('#email').fill(email)
  await page.locator('#email').press('Enter')
  await page.waitForURL((url) => url.pathname.endsWith('/account'))
}

/** What the app's extension has drawn on a page of the platform. */
const afterBlock = (page: Page) => page.locator('.app-block')

async function buy(page: Page, shop: string, guest?: string): Promise<void> {
  await page.goto(`${sandboxUrl}/stores/${shop}/collections/all`)
  await page.locator('.shelf a').first().click()
  await page.locator('[name=go][value=checkout]').click()
  if (guest !== undefined) await page.locator('#email').fill(guest)
  await page.locator('form[data-contact] .primary').click()
  await page.waitForURL(/\/orders\//)
}

const openCustomer = async (page: Page, request: APIRequestContext, email: string): Promise<void> => {
  await settle(request)
  await page.goto(`customers?q=${encodeURIComponent(email)}`)
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').first().click()
  await expect(page.getByText(email).first()).toBeVisible()
}

/** A new merchant's store with one product, and a customer who has not said yet whether they want mails. `name`: of the journey. */
async function openShop(page: Page, request: APIRequestContext, name: string) {
  const once = Date.now().toString(36)
  const shop = `kumo-${name}-${once}.myshopify.com`
  const email = `hanako-${name}-${once}@example.jp`
  await addGoods(request, shop, '藍のコーヒーカップ')
  await addToStore(request, shop, {
    first_name: '花子',
    last_name: '山田',
    email,
    tags: [],
    email_state: 'NOT_SUBSCRIBED',
  })
  await speak(page, 'ja')
  const owner = `owner-${name}-${once}@kumo-coffee.test`
  await beNewMerchantWithStore(page, { siteName: 'くも珈琲', email: owner, password: 'a long enough one' }, shop)
  return { shop, email }
}

test('a customer enters their birthday on the account page, gets the mail on the day, and chooses by its foot what else comes', async ({
  page,
  request,
  browser,
}) => {
  const once = Date.now().toString(36)
  const shop = `kumo-birthday-${once}.myshopify.com`
  const email = `hanako-b-${once}@example.jp`
  const subject = `お誕生日おめでとうございます ${once}`
  await addToStore(request, shop, {
    first_name: '花子',
    last_name: '山田',
    email,
    tags: [],
    email_state: 'SUBSCRIBED',
  })
  await speak(page, 'ja')
  const owner = `owner-b-${once}@kumo-coffee.test`
  const merchant = await beReadyToSend(
    page,
    { siteName: 'くも珈琲', email: owner, password: 'a long enough one' },
    shop,
  )
  await merchant.put('/user/me/customer_settings', { customerSetting: { birthday_metafield: 'facts.birth_date' } })
  await settle(request)
  const mail = await merchant.post<{ email: { id: string } }>('/emails', { name: subject, subject })
  const made = await merchant.post<{ action: { id: string } }>('/actions', {
    name: subject,
    template: 'BirthdayAction',
    form: { email: mail.email.id },
  })
  await merchant.post(`/actions/${made.action.id}/enable`, {})

  const visitor = await browser.newPage({ viewport: PHONE, locale: 'ja-JP' })
  const tomorrow = dayInTokyo(new Date((await readTheClock(request)).getTime() + DAY_MS))
  await test.step('On the account page, on a phone', async () => {
    await signIn(visitor, shop, email)
    const birthday = placeOf(visitor, 'birthday')
    await birthday.getByLabel('誕生日').fill(`1992-${tomorrow.slice(5)}`)
    await birthday.getByLabel('誕生日').press('Enter')
    await expect(birthday.getByRole('status')).toHaveText('保存しました。')
    expect(await seriousProblems(visitor)).toEqual([])
    await visitor.reload()
    await expect(birthday).toContainText(`1992年${Number(tomorrow.slice(5, 7))}月${Number(tomorrow.slice(8))}日`)
  })

  await test.step('The mail comes on the day, and not before', async () => {
    await settle(request)
    expect(await mailsTo(request, email)).toEqual([])
    const now = await readTheClock(request)
    await moveTheClock(request, new Date(`${tomorrow}T10:05:00+09:00`).getTime() - now.getTime())
    await mailAbout(request, email, subject)
  })

  await test.step('By the mail’s foot the customer chooses kinds, a pause and the language', async () => {
    await openMail(visitor, await mailAbout(request, email, subject))
    const preferences = await follow(visitor, /配信設定/)
    await expect(preferences.getByRole('heading', { name: 'メールの配信設定' })).toBeVisible()
    expect(await seriousProblems(preferences)).toEqual([])
    await preferences.getByRole('checkbox', { name: /お気に入り・再入荷/ }).uncheck()
    await preferences.getByRole('checkbox', { name: /1か月休止/ }).check()
    await preferences.getByRole('radio', { name: 'English' }).check()
    await preferences.getByRole('button', { name: '設定を保存する' }).click()
    await expect(preferences.getByRole('status')).toHaveText('Your preferences are saved.')
    await expect(preferences.getByRole('checkbox', { name: /^Paused until/ })).toBeChecked()
    await expect(preferences.getByRole('checkbox', { name: /Favorites and restock/ })).not.toBeChecked()
    await preferences.close()
  })

  await test.step('The merchant sees that they are paused, and what they said where', async () => {
    await openCustomer(page, request, email)
    await expect(page.getByText(/休止/).first()).toBeVisible()
    await expect(page.getByText(/\/pages\/preferences/).first()).toBeVisible()
  })
  await visitor.close()
})

test('a customer gives the marketing permission on the account page and takes it back after checkout, by keyboard, and both are on record', async ({
  page,
  request,
  browser,
}) => {
  const { shop, email } = await openShop(page, request, 'consent')

  const visitor = await browser.newPage({ locale: 'en-US' })
  await visitor.goto(`${sandboxUrl}/stores/${shop}?lang=en&theme=dark`)
  await signIn(visitor, shop, email)
  const box = placeOf(visitor, 'consent').getByRole('checkbox', { name: /^Send me news and offers by email/ })
  const said = placeOf(visitor, 'consent').getByRole('status')
  const after = afterBlock(visitor).getByRole('checkbox', { name: /^Send me news and offers by email/ })
  const wording = 'Send me news and offers by email. I can unsubscribe at any time.'

  await test.step('Given on the account page', async () => {
    await expect(box).not.toBeChecked()
    await box.focus()
    await visitor.keyboard.press('Space')
    await expect(said).toHaveText('Saved.')
    await expect(box).toBeChecked()
    expect(await seriousProblems(visitor)).toEqual([])
    await settle(request)
    // The store knows: its own checkbox says the same.
    await visitor.reload()
    await expect(visitor.getByRole('checkbox', { name: 'Email me with news and offers' })).toBeChecked()
    await expect(box).toBeChecked()
  })
  await test.step('The merchant sees the wording, the page and the time', async () => {
    await openCustomer(page, request, email)
    const entry = page.getByRole('listitem').filter({ hasText: wording })
    await expect(entry).toContainText(`${t('customers.wording')}${wording} [✓] (en)`)
    await expect(entry).toContainText(t('customers.source.storefront'))
    await expect(entry).toContainText(`/stores/${shop}/account`)
    await expect(entry).toContainText(/\d{1,2}:\d{2}/)
  })

  await test.step('Taken back after checkout', async () => {
    await buy(visitor, shop)
    await expect(after).toBeChecked()
    await after.focus()
    await visitor.keyboard.press('Space')
    await expect(afterBlock(visitor).getByText('Saved.')).toBeVisible()
    await expect(after).not.toBeChecked()
    expect(await seriousProblems(visitor)).toEqual([])
  })
  await test.step('That is on record as well, with its page', async () => {
    await openCustomer(page, request, email)
    const entry = page.getByRole('listitem').filter({ hasText: `${wording} [–] (en)` })
    await expect(entry).toContainText(t('customers.platformPage.thank_you'))
  })

  await test.step('What cannot be saved is taken back and said', async () => {
    await visitor.route('**/frontend/extension/accepts-marketing', (route) => route.abort())
    await after.press('Space')
    await expect(afterBlock(visitor).getByText('Not saved. Please try again later.')).toBeVisible()
    await expect(after).not.toBeChecked()
    await signIn(visitor, shop, email)
    await expect(box).not.toBeChecked()
    await visitor.route('**/frontend/accepts-marketing/*', (route) => route.abort())
    await box.press('Space')
    await expect(said).toHaveText('Not saved. Please try again later.')
    await expect(box).not.toBeChecked()
  })
  await visitor.close()
})

test('after checkout a signed-in customer enters their birthday and gives the permission; a guest is asked for nothing', async ({
  page,
  request,
  browser,
}) => {
  const { shop, email } = await openShop(page, request, 'after')
  const theme = async (switches: object) => {
    const answer = await request.post(`${sandboxUrl}/stores/${shop}/sandbox/theme.json`, { data: switches })
    expect(answer.ok()).toBe(true)
  }
  const tokens = (visitor: Page) =>
    visitor.waitForResponse((answer) => answer.url().endsWith('/frontend/extension/token'))

  await test.step('A guest, in English: the platform says that no one is signed in, and nothing is drawn', async () => {
    const guest = await browser.newPage({ locale: 'en-US' })
    await guest.goto(`${sandboxUrl}/stores/${shop}?lang=en`)
    // Entering a customer's address does not make a guest that customer.
    const asked = tokens(guest)
    await buy(guest, shop, email)
    const { extension } = (await (await asked).json()) as { extension: { token: unknown } }
    expect(extension.token).toBeNull()
    await expect(afterBlock(guest)).toHaveText('')
    await guest.close()
  })

  const visitor = await browser.newPage({ viewport: PHONE, locale: 'ja-JP' })
  const block = afterBlock(visitor)
  const box = block.getByRole('checkbox', { name: /^新商品やお得な情報をメールで受け取ります/ })
  await test.step('The customer, in Japanese on a phone: first a day that cannot be, then the right one', async () => {
    await signIn(visitor, shop, email)
    await buy(visitor, shop)
    await block.getByLabel('誕生日').fill('2999-02-28')
    await block.getByRole('button', { name: '保存する' }).click()
    await expect(block.getByRole('alert')).toHaveText('日付を確認してください。')
    await block.getByLabel('誕生日').fill('1992-02-29')
    await block.getByRole('button', { name: '保存する' }).click()
    await expect(block).toContainText('1992年2月29日')
    await box.check()
    await expect(block.getByText('保存しました。')).toHaveCount(2)
    expect(await seriousProblems(visitor)).toEqual([])
  })

  await test.step('The page opened again, and the order’s page later, say the same', async () => {
    await visitor.reload()
    await expect(block).toContainText('1992年2月29日')
    await expect(box).toBeChecked()
    await visitor.goto(`${sandboxUrl}/stores/${shop}/account`)
    await visitor.locator('a[href*="/orders/"]').first().click()
    await expect(block).toContainText('1992年2月29日')
    await theme({ blocks: false })
    await visitor.goto(`${sandboxUrl}/stores/${shop}/account`)
    await expect(box).toBeChecked()
  })

  await test.step('Two blocks on one page are given the same session token, and both are drawn', async () => {
    await visitor.route('**/orders/*', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace(/<section class="app-block".*?<\/section>/, (one) => one + one)
      await route.fulfill({ response: answer, body })
    })
    await visitor.locator('a[href*="/orders/"]').first().click()
    await expect(block).toHaveCount(2)
    for (const one of await block.all()) await expect(one).toContainText('1992年2月29日')
    await visitor.unroute('**/orders/*')
  })

  await test.step('The merchant sees the birthday, the wording, the page and the time', async () => {
    await openCustomer(page, request, email)
    await expect(page.getByText(/1992年2月29日|1992\/0?2\/29/).first()).toBeVisible()
    const entry = page.getByRole('listitem').filter({ hasText: '[✓] (ja)' })
    await expect(entry).toContainText('新商品やお得な情報をメールで受け取ります')
    await expect(entry).toContainText(t('customers.platformPage.thank_you'))
    await expect(entry).toContainText(/\d{1,2}:\d{2}/)
  })

  await test.step('Where the merchant did not add the block there is none, and a script tag by hand does not get there', async () => {
    await theme({ checkout_block: false, script_tag: true })
    await buy(visitor, shop)
    await expect(block).toHaveCount(0)
    await expect(visitor.locator('script[src*="okaeri.js"]')).toHaveCount(0)
  })
  await visitor.close()
})

test('a visitor signs up for the newsletter in the footer, and gets it once the owner of the address has confirmed', async ({
  page,
  request,
  browser,
}) => {
  const once = Date.now().toString(36)
  const shop = `kumo-letter-${once}.myshopify.com`
  const email = `letter-${once}@example.jp`
  await addGoods(request, shop, '藍のコーヒーカップ')
  await speak(page, 'ja')
  const owner = `owner-l-${once}@kumo-coffee.test`
  await beNewMerchantWithStore(page, { siteName: 'くも珈琲', email: owner, password: 'a long enough one' }, shop)
  await confirmAddress(page, owner)

  const visitor = await browser.newPage({ viewport: PHONE, locale: 'ja-JP' })
  await test.step('An address that is none is said, one that is leads to a mail', async () => {
    await visitor.goto(`${sandboxUrl}/stores/${shop}/pages/about?csp=strict`)
    const form = placeOf(visitor, 'sign-up')
    await form.scrollIntoViewIfNeeded()
    const address = form.getByLabel('メールアドレス')
    await address.fill('nobody@example')
    await address.press('Enter')
    await expect(form.getByRole('status')).toHaveText('メールアドレスを確認してください。')
    await address.fill(email)
    await address.press('Enter')
    await expect(form.getByRole('status')).toContainText('確認メールをお送りします')
    expect(await seriousProblems(visitor)).toEqual([])
  })

  await test.step('Before that no one is subscribed', async () => {
    await settle(request)
    await page.goto(`customers?q=${encodeURIComponent(email)}`)
    await expect(page.getByText(email)).toHaveCount(0)
    const { text } = await readMail(request, (await mailAbout(request, email, 'お申し込みの確認')).id)
    await visitor.goto(/https?:\S+\/emails\/subscribe\?\S+/.exec(text)?.[0] ?? 'no link')
    expect(await seriousProblems(visitor)).toEqual([])
    await visitor.getByRole('button', { name: 'メールを受け取る' }).click()
    await expect(visitor.getByRole('heading', { name: 'メールをお届けします' })).toBeVisible()
  })

  await test.step('Then the merchant has a new customer with the permission', async () => {
    await openCustomer(page, request, email)
    await expect(page.getByText(t('customers.state.granted')).first()).toBeVisible()
  })
  await visitor.close()
})
