import path from 'node:path'
import type { Page } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { root } from '../run.ts'
import { beSignedIn, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { wordsIn } from './words.ts'

// The pictures of docs/storefront.md, made again by `PICTURES=1 npm run test:e2e -- guide-pictures` when the parts or the theme changed.

const picture = (name: string): string => path.join(root, `docs/pictures/storefront-${name}.png`)
const inStore = (address: string): string => `${sandboxUrl}/stores/okaeri-sandbox.myshopify.com${address}`
const part = (page: Page, name: string) => page.locator(`[data-okaeri="${name}"]`).getByRole('button')

test.use({ locale: 'en-US', viewport: { width: 1180, height: 760 } })

test('the parts on the pages of the sandbox store', async ({ page }) => {
  await page.goto(inStore('/products/limited-pair-yunomi-indigo?lang=en&theme=light'))
  await expect(part(page, 'restock').last()).toBeVisible()
  await expect(part(page, 'heart').first()).toBeVisible()
  await page.screenshot({ path: picture('product') })

  const handles = ['limited-pair-yunomi-indigo', 'hinoki-bath-salts-set', 'double-gauze-shirt']
  for (const handle of handles) {
    await page.goto(inStore(`/products/${handle}`))
    const stored = page.waitForResponse(
      (answer) => answer.request().method() === 'POST' && /favorite/.test(answer.url()),
    )
    await part(page, 'heart').first().click()
    await stored
  }
  await page.goto(inStore('/apps/okaeri/shopify/proxy/favorites?theme=dark'))
  await expect(page.locator('[data-okaeri="favorites-page"] li')).toHaveCount(handles.length)
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: picture('favorites') })
})

test('the block on the thank-you page', async ({ page }) => {
  await page.goto(inStore('/account/login?lang=en&theme=light'))
  await page.locator('.people button[name=customer_id]').first().click()
  await page.waitForURL(/\/account$/)
  await page.goto(inStore('/collections/all'))
  await page.locator('.shelf a').nth(3).click()
  await page.locator('[name=go][value=checkout]').click()
  await page.locator('form[data-contact] .primary').click()
  await expect(page.locator('.app-block').getByLabel('Birthday')).toBeVisible()
  await page.screenshot({ path: picture('after-checkout') })
})

test('the ways into a store, in the settings', async ({ page }) => {
  const t = wordsIn('en')
  await speak(page, 'en')
  await beSignedIn(page)
  await page.goto('settings?tab=widget')
  const ways = page.getByRole('heading', { name: t('visitors.install.title') })
  await expect(
    page
      .getByRole('group', { name: t('visitors.preview.region') })
      .getByRole('button')
      .first(),
  ).toBeVisible()
  await ways.evaluate((heading) => heading.scrollIntoView({ block: 'start' }))
  const card = await page.locator('.mantine-Paper-root', { has: ways }).boundingBox()
  const { y = 0 } = (await ways.boundingBox()) ?? {}
  const { x = 0, width = 0 } = card ?? {}
  await page.screenshot({ path: picture('install'), clip: { x, y: y - 20, width, height: 640 } })
})
