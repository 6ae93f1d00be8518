import { expect, test } from './journey.ts'
import { beSignedIn, speak } from './account.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
test.beforeEach(async ({ page }) => {
  await speak(page, 'ja')
  await beSignedIn(page)
})

test('a page says since when its figures are old while the server is away, keeps them, and is itself again after', async ({
  page,
}) => {
  await page.goto('segments')
  const somebody = page.getByRole('link', { name: 'VIP', exact: true })
  await expect(somebody).toBeVisible()
  const old = page.getByRole('status').filter({ hasText: t('ui.stale.trying', { time: '' }).trim() })
  const comeBack = () => page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))

  await page.route(/customer_segments/, (route) => route.abort())
  await comeBack()
  await expect(old).toBeVisible()
  await expect(old).toHaveText(/^\d\d:\d\d/)
  await expect(somebody).toBeVisible()

  await page.unroute(/customer_segments/)
  await comeBack()
  await expect(old).toBeHidden()
})

test('a search for choices that fails says so, not that there are none, and finds them when the server is back', async ({
  page,
}) => {
  await page.route(/\/emails\?/, (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto('campaigns/new')
  const emails = page.getByRole('combobox', { name: t('campaigns.email'), exact: true })
  await emails.click()
  await expect(page.getByRole('listbox')).toHaveText(t('ui.list.loadFailed'))
  await page.unroute(/\/emails\?/)
  await emails.fill('テスト')
  await expect(page.getByRole('listbox')).not.toContainText(t('ui.list.loadFailed'))
})

test('on a phone a list is cards, sorted by a choice, each with its menu and a real link', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('segments')
  await expect(page.getByRole('table')).toBeHidden()
  const cards = page.getByRole('main').getByRole('listitem')
  await expect(cards.filter({ hasText: 'VIP' }).first()).toContainText(t('segments.customers'))
  await page.getByRole('combobox', { name: t('ui.list.sortBy') }).click()
  await page.getByRole('option', { name: t('segments.name') }).click()
  await expect(page).toHaveURL(/sort=name/)
  await page.getByRole('button', { name: t('ui.menuFor', { name: 'VIP' }), exact: true }).click()
  await expect(page.getByRole('menuitem', { name: t('segments.details') })).toHaveAttribute(
    'href',
    /\/_app\/segments\//,
  )
  await page.keyboard.press('Escape')
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
})

test('a table at 1,280 is shown whole; narrower, the buttons of its rows stay in sight', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 3000 })
  await page.goto('segments')
  await page.getByRole('link', { name: 'VIP', exact: true }).click()
  const members = page.getByRole('region', { name: t('segments.table.title'), exact: true })
  const details = members.getByRole('link', { name: t('segments.details'), exact: true }).first()
  await expect(details).toBeInViewport({ ratio: 1 })
  await expect(members.getByRole('columnheader', { name: t('segments.table.confirm') })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1024, height: 3000 })
  await expect(details).toBeInViewport({ ratio: 1 })
})
