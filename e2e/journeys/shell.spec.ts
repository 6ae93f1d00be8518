import type { Page } from '@playwright/test'
import { reasonTexts } from '../../web/src/app/reasons.ts'
import { sandboxUrl } from '../addresses.ts'
import { accountMenu, beNewMerchantWithStore, beSignedIn, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { addToStore, settle } from './outside-world.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const skeleton = (page: Page) => page.locator('#skeleton')
const navigation = (page: Page) => page.getByRole('navigation', { name: t('shell.mainNavigation') })

test('header and navigation are painted before any script or sheet has come, in the language and colours chosen', async ({
  page,
}) => {
  await speak(page, 'en')
  await beSignedIn(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('')
  await page.evaluate(() => localStorage.setItem('mantine-color-scheme-value', 'dark'))
  await page.reload()
  await expect(accountMenu(page, wordsIn('en'))).toBeVisible()
  await expect(skeleton(page)).toBeHidden()

  const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.(js|css)$/, async (route) => {
    await goOn
    await route.continue()
  })
  await page.goto('campaigns', { waitUntil: 'commit' })
  await expect(skeleton(page).locator('.side')).toBeVisible()
  await expect(skeleton(page).locator('.door')).toBeHidden()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(skeleton(page)).toHaveCSS('background-color', 'rgb(23, 25, 27)')
  letGo()
  await expect(accountMenu(page, wordsIn('en'))).toBeVisible()
  await expect(skeleton(page)).toBeHidden()
})

test('a page whose program is still on its way is seen to be coming: the frame at first, then bars in its place', async ({
  page,
}) => {
  await speak(page, 'ja')
  await beSignedIn(page)
  const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(/\/assets\/(segment-list|campaign-list)-[^/]*\.js$/, async (route) => {
    await goOn
    await route.continue()
  })
  const bars = page.getByRole('main').getByRole('status', { name: t('ui.loading') })
  await page.goto('segments', { waitUntil: 'commit' })
  // Either is something to look at; an empty page is not.
  await expect(skeleton(page).or(bars).filter({ visible: true })).toBeVisible()
  await expect(bars).toBeVisible()
  await navigation(page)
    .getByRole('link', { name: t('shell.nav.campaigns') })
    .click()
  await expect(bars).toBeVisible()
  letGo()
  await expect(page.getByRole('heading', { name: t('campaigns.title'), level: 1 })).toBeVisible()
})

test('a visitor who has to sign in sees the sign-in page first, not the frame', async ({ page }) => {
  await page.route(/\/assets\/.*\.(js|css)$/, () => undefined)
  await page.goto('campaigns', { waitUntil: 'commit' })
  await expect(skeleton(page).locator('.door')).toBeVisible()
  await expect(skeleton(page).locator('.frame')).toBeHidden()
})

test('a group folded away stays so, and is marked while one is in it', async ({ page }) => {
  await speak(page, 'ja')
  await beSignedIn(page)
  await page.goto('segments')
  const group = navigation(page).getByRole('button', { name: t('shell.nav.customerGroup') })
  const place = navigation(page).getByRole('link', { name: t('shell.nav.segments') })
  await expect(place).toBeVisible()
  await group.click()
  await expect(place).toBeHidden()
  await page.reload()
  await expect(group).toHaveAttribute('data-active', 'true')
  await expect(place).toBeHidden()
  await group.click()
  await expect(place).toBeVisible()
  await expect(navigation(page).getByRole('link').last()).toHaveText(t('shell.nav.settings'))
})

test('in a low window the navigation shows the place one is at', async ({ page }) => {
  await speak(page, 'ja')
  await beSignedIn(page)
  await page.setViewportSize({ width: 1280, height: 560 })
  await page.goto('privacy')
  await expect(navigation(page).locator('[aria-current="page"]')).toBeInViewport()
  await page.goto('')
  await expect(navigation(page).locator('[aria-current="page"]')).toBeInViewport()
})

test('a store that took Okaeri out is spoken of once, and not as one that follows by itself', async ({
  page,
  request,
}) => {
  const shop = `kumo-lost-${Date.now().toString(36)}.myshopify.com`
  await addToStore(request, shop, {
    first_name: '花子',
    last_name: '山田',
    email: `hanako@${shop}.test`,
    tags: [],
    email_state: 'SUBSCRIBED',
  })
  await speak(page, 'ja')
  await beNewMerchantWithStore(
    page,
    { siteName: 'くも珈琲', email: `owner@${shop}.test`, password: 'a long enough one' },
    shop,
  )
  await page.goto('')
  await expect(page.getByText(t('customers.sync.doneTitle'))).toBeVisible()
  const answer = await request.post(`${sandboxUrl}/stores/${shop}/admin/uninstall`, { form: {}, maxRedirects: 0 })
  expect(answer.status()).toBeLessThan(400)
  await settle(request)
  await page.reload()
  await expect(page.getByText(t('shell.storeLost.title'))).toBeVisible()
  await expect(page.getByRole('region', { name: t('dashboard.alerts') })).toBeVisible()
  await expect(page.getByText(t('dashboard.alert.store_not_connected'))).toBeHidden()
  await expect(page.getByText(t('customers.sync.doneTitle'))).toBeHidden()
})

test('nothing moves while the dashboard and the lists come', async ({ page }) => {
  await speak(page, 'ja')
  await beSignedIn(page)
  await page.addInitScript(() => {
    const moved = { sum: 0 }
    Object.assign(globalThis, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) moved.sum += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const lists = ['customers', 'campaigns', 'segments', 'emails', 'actions', 'data']
  const seen = [
    { size: { width: 1400, height: 900 }, addresses: ['', ...lists] },
    { size: { width: 390, height: 844 }, addresses: ['', ...lists] },
  ]
  for (const { size, addresses } of seen) {
    await page.setViewportSize(size)
    for (const address of addresses) {
      await page.goto(address, { waitUntil: 'networkidle' })
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
      const moved = await page.evaluate(() => (globalThis as unknown as { moved: { sum: number } }).moved.sum)
      expect([address, size.width, moved < 0.02 ? 'stands' : moved]).toEqual([address, size.width, 'stands'])
    }
  }
})

test('while the server fails, or a page’s program, the frame stands and the page says so in its one main', async ({
  page,
}) => {
  await speak(page, 'ja')
  await beSignedIn(page)
  const main = page.getByRole('main')
  const broken = async (says: string) => {
    await expect(main.getByText(says).first()).toBeVisible()
    await expect(navigation(page)).toBeVisible()
    await expect(main).toHaveCount(1)
  }
  const proxy = { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }
  // First all but who is signed in, then that too.
  for (const spared of [/\/user\/me\/settings/, /nothing/]) {
    await page.route('**', async (route) => {
      const request = route.request()
      await (request.resourceType() === 'fetch' && !spared.test(request.url())
        ? route.fulfill(proxy)
        : route.continue())
    })
    await page.goto('')
    await broken(reasonTexts.unavailable.ja)
    await page.unroute('**')
  }
  await page.route(/\/campaign-list-[^/]*\.js$/, (route) => route.abort())
  await page.goto('campaigns')
  await broken(t('shell.broken.title'))
})

/** Each page with an id in its address, and the list its way back leads to. */
const pagesOfOne: readonly [address: string, list: string][] = [
  ['actions/view/$id', '/actions'],
  ['actions/new/$id', '/actions'],
  ['actions/edit/$id', '/actions'],
  ['actions/executions/$id', '/actions'],
  ['campaigns/$id', '/campaigns'],
  ['campaigns/$id/edit', '/campaigns'],
  ['campaigns/$id/review', '/campaigns'],
  ['campaigns/$id/report', '/campaigns'],
  ['emails/view/$id', '/emails'],
  ['emails/$id/properties', '/emails'],
  ['emails/$id/editor', '/emails'],
  ['customers/$id', '/customers'],
  ['customers/$id/edit', '/customers'],
  ['segments/$id', '/segments'],
  ['segments/$id/edit', '/segments'],
  ['metafields/$id', '/metafields'],
  ['metafields/$id/edit', '/metafields'],
  ['data/import/$id', '/data/import'],
]

test('an id that is none, or of nothing, is not found, on every page, with a way back to its list', async ({
  page,
}) => {
  test.slow()
  await speak(page, 'ja')
  await beSignedIn(page)
  const nobodys = '019aa000-0000-7000-8000-000000000001'
  // Each page with one of the two kinds; with all in `check:all`.
  for (const [index, [address, list]] of pagesOfOne.entries())
    for (const id of process.env.CHECK_ALL === undefined ? [index % 2 === 0 ? 'x' : nobodys] : ['x', '1', nobodys]) {
      await page.goto(address.replace('$id', id))
      await expect(page.getByRole('heading', { name: t('ui.list.gone') })).toBeVisible()
      await expect(page.getByRole('link', { name: t('ui.list.toList') })).toHaveAttribute('href', `/_app${list}`)
      await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
    }
  for (const address of ['data/x', 'nowhere/1', 'campaigns/1/2/3']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: t('shell.notFound.title') })).toBeVisible()
    await expect(page.getByRole('link', { name: t('shell.notFound.home') })).toBeVisible()
    await expect(page.getByRole('navigation', { name: t('shell.mainNavigation') })).toBeVisible()
  }
})

test('a sign-up that is refused says what is wrong once, at its field', async ({ page }) => {
  await speak(page, 'ja')
  await page.goto('signup')
  await page.getByRole('button', { name: t('sessions.signup.submit') }).click()
  const siteName = page.getByLabel(t('sessions.signup.siteName'))
  await expect(siteName).toBeFocused()
  await expect(siteName).toHaveAttribute('aria-invalid', 'true')
  const summed = t('ui.labelled', { label: t('sessions.signup.siteName'), value: '' })
  await expect(page.getByText(summed)).toHaveCount(0)
})
