import { sandboxUrl } from '../addresses.ts'
import { seriousProblems } from './accessible.ts'
import { beNewMerchantWithStore, confirmAddress, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { addGoods, mailAbout, readMail, setStock, settle } from './outside-world.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const PHONE = { width: 390, height: 844 }

test('a visitor asks for news of a sold-out product by keyboard, the owner of the address agrees, and the merchant sees who waits', async ({
  page,
  request,
  browser,
}) => {
  const once = Date.now().toString(36)
  const shop = `kumo-restock-${once}.myshopify.com`
  const email = `tarou-${once}@example.jp`
  const cup = await addGoods(request, shop, '限定の湯のみ')
  await setStock(request, shop, cup, 0)
  await speak(page, 'ja')
  const owner = `owner-r-${once}@kumo-coffee.test`
  await beNewMerchantWithStore(page, { siteName: 'くも珈琲', email: owner, password: 'a long enough one' }, shop)
  await confirmAddress(page, owner)

  const visitor = await browser.newPage({ viewport: PHONE, locale: 'ja-JP' })
  await test.step('The button opens a popup, which keeps the focus and gives it back', async () => {
    await visitor.goto(`${sandboxUrl}/stores/${shop}/collections/all`)
    await visitor.getByRole('link', { name: '限定の湯のみ' }).first().click()
    const button = visitor.getByRole('button', { name: '再入荷をメールで受け取る' })
    await button.press('Enter')
    const popup = visitor.getByRole('dialog', { name: '再入荷のお知らせ' })
    await expect(popup).toBeVisible()
    expect(await seriousProblems(visitor)).toEqual([])
    await visitor.keyboard.press('Escape')
    await expect(popup).toBeHidden()
    await expect(button).toBeFocused()
    await button.press('Enter')
    await popup.getByLabel('メールアドレス').fill(email)
    await visitor.keyboard.press('Enter')
    await expect(popup.getByRole('status')).toContainText('確認メール')
  })

  await test.step('No one is registered before the owner of the address has pressed the button of the page', async () => {
    await settle(request)
    await page.goto('restock')
    await expect(page.getByText('限定の湯のみ')).toHaveCount(0)
    const { text } = await readMail(request, (await mailAbout(request, email, '再入荷')).id)
    await visitor.goto(/https?:\S+\/pages\/restock\S+/.exec(text)?.[0] ?? 'no link')
    await visitor.getByRole('button', { name: '再入荷のお知らせを受け取る' }).click()
    await expect(visitor.getByRole('heading', { name: '再入荷をお知らせします' })).toBeVisible()
  })

  await test.step('The merchant sees the product and who waits', async () => {
    await settle(request)
    await page.goto('restock')
    const row = page.getByRole('row').filter({ hasText: '限定の湯のみ' })
    await expect(row).toContainText('1人')
    await row.getByRole('link').first().click()
    await expect(page.getByText(email).first()).toBeVisible()
  })

  await test.step('Back in stock in test mode, no time is promised at which no one is notified', async () => {
    await setStock(request, shop, cup, 1)
    await settle(request)
    const next = page.getByRole('region', { name: t('restocks.next.title') })
    await page.reload()
    await expect(next.getByText(t('restocks.hold.test_mode'))).toBeVisible()
    await expect(next.getByText(t('restocks.next.noOneYet'))).toBeVisible()
  })

  await test.step('Cancelled by the same link, no one is registered', async () => {
    await visitor.getByRole('button', { name: '登録を取り消す' }).click()
    await expect(visitor.getByRole('heading', { name: '登録を取り消しました' })).toBeVisible()
    await settle(request)
    await page.goto('restock')
    await expect(page.getByRole('row').filter({ hasText: '限定の湯のみ' })).toContainText('0人')
  })
})
