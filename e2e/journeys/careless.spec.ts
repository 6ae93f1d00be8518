import { expect, test } from './journey.ts'
import { beNewMerchant, save, speak } from './account.ts'
import { field } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const newMerchant = () => ({
  siteName: '星の雑貨店',
  email: `owner-${Date.now().toString(36)}-${test.info().parallelIndex}@hoshi.test`,
  password: 'a long enough one',
})

test.beforeEach(({ page }) => speak(page, 'ja'))

test('neither a second click before the next page is there nor going back makes anything twice', async ({ page }) => {
  await beNewMerchant(page, newMerchant())
  await page.goto('')
  await page.goto('campaigns/new')
  // The next page's program is long in coming.
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  await page.route(/\/campaign-review-[^/]*\.js$/, async (route) => {
    await arrived
    await route.continue()
  })
  await field(page, t('campaigns.name')).fill('一度だけ')
  const button = page.getByRole('button', { name: t('campaigns.form.saveAndReview') })
  await button.click()
  await expect(page.getByText(t('ui.toast.saved'), { exact: true })).toBeVisible()
  await button.click()
  arrive()
  await expect(page.getByRole('heading', { name: t('campaigns.review.title'), level: 1 })).toBeVisible()
  // Going back leads past the form that would make another.
  await page.goBack()
  await expect(page.getByRole('heading', { name: t('dashboard.title'), level: 1 })).toBeVisible()
  await page.goto('campaigns')
  await expect(page.getByRole('link', { name: '一度だけ', exact: true })).toHaveCount(1)
})

test('with two tabs open, what is saved in one does not undo what was saved in the other', async ({
  page,
  context,
}) => {
  await beNewMerchant(page, newMerchant())
  await page.goto('settings')
  await field(page, t('merchants.sender.name')).fill('星の雑貨店 広報')

  const other = await context.newPage()
  await other.goto('settings')
  await field(other, t('merchants.law.address')).fill('京都市中京区木屋町1-2')
  await save(other, t)
  await page.bringToFront()

  // Coming back to the first tab it learns what is saved now; what was typed there stays.
  const learnt = page.waitForResponse((answer) => answer.url().endsWith('/user/me/settings'))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await (await learnt).finished()
  await save(page, t)
  await page.reload()
  await expect(field(page, t('merchants.sender.name'))).toHaveValue('星の雑貨店 広報')
  await expect(field(page, t('merchants.law.address'))).toHaveValue('京都市中京区木屋町1-2')
})
