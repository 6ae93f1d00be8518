import type { Page } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { beReadyToSend, save, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { addGoods, addToStore, mailAbout, mailsTo, moveTheClock, readMail, settle } from './outside-world.ts'
import { wordsIn } from './words.ts'

const HOUR_MS = 3_600_000
const t = wordsIn('ja')

test('a customer looks at a product, signs in, and is reminded of it; who left a cart is not; switched off, nothing is kept', async ({
  page,
  request,
  browser,
}) => {
  const once = Date.now().toString(36)
  const shop = `kumo-behavior-${once}.myshopify.com`
  const at = (path: string) => `${sandboxUrl}/stores/${shop}${path}`
  const looker = { first_name: '花子', last_name: '山田', email: `hanako-b-${once}@example.jp` }
  const shopper = { first_name: '太郎', last_name: '田中', email: `taro-b-${once}@example.jp` }
  for (const each of [looker, shopper])
    await addToStore(request, shop, { ...each, tags: [], email_state: 'SUBSCRIBED' })
  await addGoods(request, shop, '藍のコーヒーカップ')
  await speak(page, 'ja')
  const merchant = await beReadyToSend(
    page,
    { siteName: 'くも珈琲', email: `owner-b-${once}@kumo-coffee.test`, password: 'a long enough one' },
    shop,
  )
  const idOf = async ({ email }: { email: string }): Promise<string> => {
    const { data } = await merchant.get<{ data: { id: string }[] }>(`/customers?q=${encodeURIComponent(email)}`)
    return data[0]?.id ?? ''
  }
  interface Profile {
    viewed: { product_title: string; views: number }[]
    cart: { product_title: string; quantity: number }[]
  }
  const profileOf = async (who: { email: string }) => merchant.get<Profile>(`/customers/${await idOf(who)}`)
  const productPage = async (on: Page) => {
    await on.goto(at('/collections/all?view=long'))
    await on.getByRole('link', { name: '藍のコーヒーカップ' }).first().click()
    await expect(on.getByRole('heading', { level: 1 })).toContainText('藍のコーヒーカップ')
  }
  const reported = (on: Page) =>
    on.waitForResponse((answer) => answer.url().includes('/frontend/views') && answer.status() === 204)
  const signIn = async (on: Page, { email }: { email: string }) => {
    await on.goto(at('/account/login'))
    await on.locator('#email').fill(email)
    await on.locator('#email').press('Enter')
    await on.waitForURL((url) => !url.pathname.endsWith('/login'))
  }

  await test.step('The merchant turns both on, and enables the scenario from its template', async () => {
    await page.goto('settings?tab=customer')
    await page.getByRole('switch', { name: t('metafields.setting.behavior') }).click()
    await page.getByRole('switch', { name: t('metafields.setting.carts') }).click()
    await save(page, t)
    const { email } = await merchant.post<{ email: { id: string } }>('/emails', {
      name: `閲覧 ${once}`,
      subject: `ご覧の商品 ${once}`,
      starter: 'BrowseAbandonmentAction',
    })
    const { action } = await merchant.post<{ action: { id: string } }>('/actions', {
      name: '閲覧後のフォロー',
      template: 'BrowseAbandonmentAction',
      form: { email: email.id, hours: 4 },
    })
    await merchant.post(`/actions/${action.id}/enable`, {})
  })

  const visitor = await browser.newPage({ locale: 'ja-JP' })
  await test.step('As a guest nothing leaves the tab; signed in there, what was looked at is kept', async () => {
    const asked: string[] = []
    visitor.on('request', (one) => {
      if (one.url().includes('/frontend/views')) asked.push(one.url())
    })
    await productPage(visitor)
    await visitor.waitForFunction((key) => sessionStorage.getItem(key) !== null, `okaeri-views:${shop}`)
    expect(asked).toEqual([])
    const stored = reported(visitor)
    await signIn(visitor, looker)
    await stored
    expect((await profileOf(looker)).viewed).toMatchObject([{ product_title: '藍のコーヒーカップ', views: 1 }])
  })

  await test.step('What lies in the cart is kept when it changes', async () => {
    const other = await browser.newPage({ locale: 'ja-JP' })
    await signIn(other, shopper)
    await productPage(other)
    const stored = reported(other)
    await other.locator('form[action$="/cart/add"] button').first().click()
    await other.waitForURL((url) => url.pathname.endsWith('/cart'))
    await stored
    expect((await profileOf(shopper)).cart).toMatchObject([{ product_title: '藍のコーヒーカップ', quantity: 1 }])
    await page.goto(`customers/${await idOf(shopper)}`)
    await expect(page.getByText(t('customers.cart'), { exact: true })).toBeVisible()
    await other.close()
  })

  await test.step('Hours later the mail comes with that product, and none to who left a cart', async () => {
    await settle(request)
    await moveTheClock(request, 4.5 * HOUR_MS)
    const { id } = await mailAbout(request, looker.email, `ご覧の商品 ${once}`)
    expect((await readMail(request, id)).text).toContain('藍のコーヒーカップ')
    expect(await mailsTo(request, shopper.email)).toEqual([])
  })

  await test.step('Switched off, all of it is gone, and nothing new is kept', async () => {
    await page.goto('settings?tab=customer')
    await page.getByRole('switch', { name: t('metafields.setting.behavior') }).click()
    await expect(page.getByText(t('metafields.setting.behaviorOff'))).toBeVisible()
    await save(page, t)
    await settle(request)
    expect((await profileOf(looker)).viewed).toEqual([])
    expect((await profileOf(shopper)).cart).toHaveLength(1)
    // A page that was loaded before it was switched off.
    const stored = reported(visitor)
    await productPage(visitor)
    await stored
    await settle(request)
    expect((await profileOf(looker)).viewed).toEqual([])
  })
  await visitor.close()
})
