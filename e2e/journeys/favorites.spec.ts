import type { Page } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { seriousProblems } from './accessible.ts'
import { beNewMerchantWithStore, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { addGoods, addToStore, settle } from './outside-world.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const PHONE = { width: 390, height: 844 }

const heartOf = (page: Page, product: number) =>
  page.locator(`[data-okaeri="heart"][data-product-id="${product}"]`).getByRole('button')

test('a visitor likes products as a guest, signs in and keeps them, and the merchant sees who likes what', async ({
  page,
  request,
  browser,
}) => {
  const once = Date.now().toString(36)
  const shop = `kumo-favorites-${once}.myshopify.com`
  const email = `hanako-${once}@example.jp`
  await addToStore(request, shop, {
    first_name: '花子',
    last_name: '山田',
    email,
    tags: [],
    email_state: 'SUBSCRIBED',
  })
  const cup = await addGoods(request, shop, '藍のコーヒーカップ')
  const tea = await addGoods(request, shop, '有機栽培の煎茶')
  await speak(page, 'ja')
  await beNewMerchantWithStore(
    page,
    { siteName: 'くも珈琲', email: `owner-f-${once}@kumo-coffee.test`, password: 'a long enough one' },
    shop,
  )

  await test.step('Before anyone likes anything, the list leads to where the heart is switched on', async () => {
    await page.goto('favorites')
    await page.getByRole('link', { name: t('favorites.settings') }).click()
    await expect(page.getByRole('tab', { name: t('merchants.tabs.widget') })).toHaveAttribute('aria-selected', 'true')
  })

  const visitor = await browser.newPage({ viewport: PHONE, locale: 'ja-JP' })
  const at = (path: string) => `${sandboxUrl}/stores/${shop}${path}`
  await test.step('As a guest, by keyboard and by finger', async () => {
    await visitor.goto(at('/collections/all?view=long'))
    const first = heartOf(visitor, cup.product_id)
    await first.scrollIntoViewIfNeeded()
    await expect(first).toHaveAttribute('aria-pressed', 'false')
    // One after the other: their page shows first what was stored last.
    const stored = () =>
      visitor.waitForResponse(
        (answer) => answer.url().includes('/frontend/favorite') && answer.request().method() === 'POST' && answer.ok(),
      )
    const isFirstStored = stored()
    await first.press('Enter')
    await expect(first).toHaveAttribute('aria-pressed', 'true')
    await isFirstStored
    const second = heartOf(visitor, tea.product_id)
    await second.scrollIntoViewIfNeeded()
    const isSecondStored = stored()
    await second.click()
    await isSecondStored
    await visitor.reload()
    await expect(first).toHaveAttribute('aria-pressed', 'true')
  })

  await test.step('What cannot be stored is taken back and said', async () => {
    const heart = heartOf(visitor, cup.product_id)
    await visitor.route('**/frontend/favorite*', (route) => route.abort())
    await heart.click()
    const note = visitor.getByRole('status').filter({ hasText: '保存できませんでした' })
    await expect(note).toBeVisible()
    const box = await note.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width)
    await expect(heart).toHaveAttribute('aria-pressed', 'true')
    await visitor.unroute('**/frontend/favorite*')
  })

  await test.step('Where we do not answer, their page in the theme says so', async () => {
    await visitor.route('**/frontend/status*', (route) => route.fulfill({ status: 503, body: '' }))
    await visitor.goto(at('/apps/okaeri/shopify/proxy/favorites'))
    const note = visitor.getByText('お気に入りを読み込めませんでした。')
    // Not while it may still come: the end of ten seconds, without waiting for them.
    await expect(note).toBeHidden()
    await visitor.evaluate(() => document.getAnimations().forEach((each) => each.finish()))
    await expect(note).toBeVisible()
    await visitor.unroute('**/frontend/status*')
  })

  const shown = visitor.getByRole('listitem').filter({ has: visitor.getByRole('button', { name: '外す' }) })
  await test.step('Their page in the theme shows both, and one is removed there', async () => {
    await visitor.goto(at('/apps/okaeri/shopify/proxy/favorites'))
    await expect(shown).toHaveCount(2)
    await expect(shown.first()).toContainText('有機栽培の煎茶')
    await visitor.evaluate(() => document.getAnimations().forEach((each) => each.finish()))
    await expect(visitor.getByText('お気に入りを読み込めませんでした。')).toBeHidden()
    expect(await seriousProblems(visitor)).toEqual([])
    const removed = visitor.waitForResponse((answer) => answer.request().method() === 'DELETE' && answer.ok())
    await visitor.getByRole('button', { name: '有機栽培の煎茶をお気に入りから外す' }).click()
    await removed
    await expect(shown).toHaveCount(1)
  })

  await test.step('Signed in, they have what they liked as a guest, in another browser too', async () => {
    const signIn = async (on: Page) => {
      await on.goto(at('/account/login'))
      await on.locator('#email').fill(email)
      await on.locator('#email').press('Enter')
      await on.waitForURL((url) => !url.pathname.endsWith('/login'))
      await on.goto(at('/apps/okaeri/shopify/proxy/favorites'))
    }
    await signIn(visitor)
    await expect(shown).toHaveCount(1)
    await expect(shown.first()).toContainText('藍のコーヒーカップ')
    const other = await browser.newPage({ locale: 'ja-JP' })
    await signIn(other)
    await expect(other.getByText('藍のコーヒーカップ')).toBeVisible()
    await other.close()
  })

  await test.step('The merchant sees the products, and who likes them', async () => {
    await settle(request)
    await page.goto('favorites')
    const row = page.getByRole('row').filter({ hasText: '藍のコーヒーカップ' })
    await expect(row).toContainText('1')
    await row.getByRole('link').click()
    const person = page.getByRole('row').filter({ hasText: email })
    await expect(person).toContainText('山田 花子')
    await expect(person).toContainText(t('favorites.active'))
    await page.goto('favorites')
    await page.getByRole('link', { name: '有機栽培の煎茶' }).click()
    await expect(page.getByRole('row').filter({ hasText: email })).toContainText(t('favorites.removed'))
  })
})
