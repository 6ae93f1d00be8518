import type { APIRequestContext, Page } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { seriousProblems } from './accessible.ts'
import { expect, test } from './journey.ts'
import { addToStore } from './outside-world.ts'

// The sandbox's store, as its customers see it: what journeys about the storefront's script stand on.

const storeUrl = (shop: string): string => `${sandboxUrl}/stores/${shop}`

async function tellStore<Reply>(request: APIRequestContext, shop: string, what: string, data: object): Promise<Reply> {
  const answer = await request.post(`${storeUrl(shop)}/sandbox/${what}`, { data })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as Reply
}

interface Variant {
  id: number
}
/** In white one size is left, the other sold out; indigo can be had. */
const addShirt = (request: APIRequestContext, shop: string) =>
  tellStore<{ variants: [Variant, Variant, Variant] }>(request, shop, 'products.json', {
    title: '麻のシャツ',
    handle: 'linen-shirt',
    options: ['色', 'サイズ'],
    variants: [
      { values: ['白', 'M'], price: 8800, compare_at_price: 9800, available: 2 },
      { values: ['白', 'L'], price: 8800, available: 0 },
      { values: ['藍', 'M'], price: 9800, available: 30 },
    ],
  })

test('a visitor finds a product, chooses what is left of it by keyboard, and buys it', async ({ page, request }) => {
  const shop = `kumo-shelf-${Date.now().toString(36)}.myshopify.com`
  const email = `visitor-${Date.now().toString(36)}@example.jp`
  await page.goto(`${storeUrl(shop)}?lang=ja`)
  const {
    variants: [whiteM, whiteL],
  } = await addShirt(request, shop)

  await test.step('From the shelf to the product', async () => {
    await page.getByRole('link', { name: '品物を見る' }).click()
    await expect(page.getByRole('heading', { name: 'すべての商品', level: 1 })).toBeVisible()
    await page.getByRole('link', { name: /麻のシャツ/ }).click()
    await expect(page.getByRole('heading', { name: '麻のシャツ', level: 1 })).toBeVisible()
    await expect(page.getByText('残りわずか（あと2点）')).toBeVisible()
  })

  await test.step('Another size is sold out; the address and the form name it', async () => {
    await page.getByRole('radio', { name: 'M', exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(page).toHaveURL(new RegExp(`variant=${whiteL.id}`))
    await expect(page.getByRole('button', { name: '在庫切れ' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'カートに入れる' })).toBeHidden()
    await expect(page.locator('form[action$="/cart/add"] [name=id]')).toHaveValue(String(whiteL.id))
    await page.reload()
    await expect(page.getByRole('radio', { name: /^L/ })).toBeChecked()
    await page.keyboard.press('Tab')
    await page.getByRole('radio', { name: /^L/ }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(page).toHaveURL(new RegExp(`variant=${whiteM.id}`))
  })

  await test.step('Into the cart, not more than there is, and out of it with an address', async () => {
    await page.getByRole('button', { name: 'カートに入れる' }).click()
    await expect(page.getByRole('heading', { name: 'カート', level: 1 })).toBeVisible()
    await page.getByRole('spinbutton', { name: /数量.*麻のシャツ/ }).fill('3')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('在庫の数を超えています。')
    await page.getByRole('spinbutton', { name: /数量.*麻のシャツ/ }).fill('2')
    await page.keyboard.press('Enter')
    await expect(page.getByText('¥17,600').first()).toBeVisible()
    await page.getByRole('button', { name: 'ご購入手続きへ' }).click()
    await page.getByLabel('メールアドレス').fill(email)
    await page.getByRole('checkbox', { name: /お知らせをメールで受け取る/ }).check()
    await page.getByRole('button', { name: '注文を確定する' }).click()
    await expect(page.getByRole('heading', { name: /ご注文ありがとうございます/ })).toBeVisible()
  })

  await test.step('What was bought is gone from the shelf, and comes back where stock is put for the online store', async () => {
    await page.goto(`${storeUrl(shop)}/products/linen-shirt?variant=${whiteM.id}`)
    await expect(page.getByRole('button', { name: '在庫切れ' })).toBeDisabled()
    await page.goto(`${storeUrl(shop)}/admin/stock?q=${encodeURIComponent('麻のシャツ')}`)
    const row = page.getByRole('row', { name: /麻のシャツ.*白 \/ M/ })
    await row.getByRole('spinbutton', { name: /催事用の倉庫/ }).fill('9')
    await page.getByRole('button', { name: 'この一覧を保存' }).click()
    await expect(page.getByRole('status')).toHaveText('在庫1件、価格0件を変更しました。')
    await page.goto(`${storeUrl(shop)}/products/linen-shirt?variant=${whiteM.id}`)
    await expect(page.getByRole('button', { name: '在庫切れ' })).toBeVisible()
    await tellStore(request, shop, 'stock.json', { variant_id: whiteM.id, available: 5 })
    await page.reload()
    await expect(page.getByText('残りわずか（あと5点）')).toBeVisible()
  })
})

const looks = [
  { theme: 'light', lang: 'ja', viewport: { width: 1280, height: 900 } },
  { theme: 'dark', lang: 'en', viewport: { width: 390, height: 844 } },
] as const
for (const { theme, lang, viewport } of looks)
  test(`every page of the store in the ${theme} look keeps to a strict policy, has no serious axe finding, and fits`, async ({
    page,
    request,
  }) => {
    const shop = `kumo-${theme}-${Date.now().toString(36)}.myshopify.com`
    const email = `walker-${theme}@example.jp`
    const refusals = collectRefusals(page)
    await page.setViewportSize(viewport)
    await page.goto(`${storeUrl(shop)}?lang=${lang}&theme=${theme}&csp=strict`)
    await addShirt(request, shop)
    await addToStore(request, shop, { first_name: '歩', last_name: '森', email, tags: [], email_state: 'SUBSCRIBED' })

    const look = async (path: string) => {
      await page.goto(`${storeUrl(shop)}${path}`)
      await judge(page, path)
    }
    for (const path of ['/', '/collections', '/collections/all', '/search?q=x', '/pages/about', '/account/register'])
      await look(path)
    await look('/products/linen-shirt')
    await page.locator('[name=go][value=cart]').click()
    await judge(page, 'the cart')
    await page.goto(`${storeUrl(shop)}/account/login?who=${encodeURIComponent(email)}`)
    await judge(page, 'signing in')
    await page.locator('.people button[name=customer_id]').click()
    await expect(page.getByText(email)).toBeVisible()
    await judge(page, 'the account')
    await page.goto(`${storeUrl(shop)}/cart`)
    await page.locator('[name=checkout]').click()
    await expect(page.locator('#email')).toHaveValue(email)
    await judge(page, 'the checkout')
    await page.locator('form[data-contact] .primary').click()
    await judge(page, 'the thank-you page')
    expect(refusals).toEqual([])
  })

async function judge(page: Page, what: string): Promise<void> {
  expect(await seriousProblems(page), what).toEqual([])
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  expect(isWide, `${what} is wider than the screen`).toBe(false)
}

/** What the page's policy refused, and what went wrong in its programs. */
function collectRefusals(page: Page): string[] {
  const refusals: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refusals.push(message.text())
  })
  page.on('pageerror', (error) => refusals.push(error.message))
  return refusals
}
