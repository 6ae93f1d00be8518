import type { APIRequestContext, Page } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { beNewMerchantWithStore, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { addGoods, addToStore, setStock } from './outside-world.ts'

const SLOW = { offline: false, latency: 200, downloadThroughput: 400_000, uploadThroughput: 200_000 }
const WIDE = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
/** Up to 0.1 is called good. The shop's own pages have 0.001 where they come bit by bit; a part that is not kept free is 0.03 and more. */
const SEEN = 0.005

const theme = async (request: APIRequestContext, shop: string, switches: object): Promise<void> => {
  const answer = await request.post(`${sandboxUrl}/stores/${shop}/sandbox/theme.json`, { data: switches })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** Writes down what the browser calls a layout shift, and which elements moved. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moved: string[] = []
    Object.assign(window, { moved, shift: 0 })
    const measured = window as unknown as { shift: number }
    interface Shift extends PerformanceEntry {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (entry.hadRecentInput) continue
        measured.shift += entry.value
        for (const { node } of entry.sources)
          moved.push(`${entry.value.toFixed(4)} ${node instanceof Element ? node.outerHTML.slice(0, 80) : ''}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Places in the view whose part is not there yet. Where nothing is sold out, the back in stock form is not loaded. */
const emptyInView = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('[data-okaeri]:not([data-okaeri="restock"]:not([data-sold-out]))')].filter(
        (place) => {
          const { top, bottom } = place.getBoundingClientRect()
          return bottom > 0 && top < innerHeight && !place.shadowRoot?.childElementCount
        },
      ).length,
  )

async function expectStill(page: Page, url: string, expected: number): Promise<void> {
  await page.goto(url)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const step = page.viewportSize()?.height ?? 800
  for (let top = 0; top < Math.min(height, 6 * step); top += step) {
    await page.evaluate((to) => scrollTo(0, to), top)
    await expect.poll(() => emptyInView(page), url).toBe(0)
  }
  const parts = await page.evaluate(
    () =>
      new Set(
        [...document.querySelectorAll('[data-okaeri]')].flatMap((place) =>
          place.shadowRoot?.childElementCount ? [place.getAttribute('data-okaeri')] : [],
        ),
      ).size,
  )
  expect(parts, `parts on ${url}`).toBe(expected)
  const { shift, moved } = await page.evaluate(() => {
    const { shift, moved } = window as unknown as { shift: number; moved: string[] }
    return { shift, moved }
  })
  expect(shift, `${url}: ${moved.join('\n')}`).toBeLessThan(SEEN)
}

const ways = [
  { way: 'by its blocks', viewport: PHONE, lang: 'ja', switches: { embed: true, blocks: true, script_tag: false } },
  { way: 'by hand', viewport: WIDE, lang: 'en', switches: { embed: false, blocks: false, script_tag: true } },
] as const
for (const { way, viewport, lang, switches } of ways)
  test(`put into the theme ${way}, the script moves nothing on any page of a shop, over a slow network`, async ({
    page,
    request,
    browser,
  }) => {
    const once = Date.now().toString(36)
    const shop = `kumo-still-${once}.myshopify.com`
    const email = `still-${once}@example.jp`
    const cup = await addGoods(request, shop, '藍のコーヒーカップ')
    const gone = await addGoods(request, shop, '限定の湯のみ')
    await setStock(request, shop, gone, 0)
    await addToStore(request, shop, {
      first_name: '花子',
      last_name: '山田',
      email,
      tags: [],
      email_state: 'NOT_SUBSCRIBED',
      birth_date: '1990-04-03',
    })
    await speak(page, 'ja')
    const owner = `owner-still-${once}@kumo-coffee.test`
    await beNewMerchantWithStore(page, { siteName: 'くも珈琲', email: owner, password: 'a long enough one' }, shop)
    await theme(request, shop, switches)

    const at = (path: string): string => `${sandboxUrl}/stores/${shop}${path}`
    const visitor = await browser.newPage({ viewport })
    await watchShifts(visitor)
    await visitor.goto(at(`?lang=${lang}`))
    const productOf = async ({ product_id }: { product_id: number }): Promise<string> => {
      await visitor.goto(at('/collections/all'))
      const card = visitor.locator('.card').filter({ has: visitor.locator(`[data-product-id="${product_id}"]`) })
      return (await card.getByRole('link').first().getAttribute('href')) ?? ''
    }
    const [cupPath, gonePath] = [await productOf(cup), await productOf(gone)]
    const slowly = await visitor.context().newCDPSession(visitor)
    await slowly.send('Network.enable')
    await slowly.send('Network.emulateNetworkConditions', SLOW)

    await test.step('A guest', async () => {
      for (const [path, parts] of [
        ['', 2],
        ['/collections', 1],
        ['/collections/all?view=long', 2],
        ['/search?q=%E6%B9%AF', 2],
        ['/cart', 1],
        ['/pages/about', 1],
        ['/account/login', 1],
        ['/account/register', 1],
        ['/apps/okaeri/shopify/proxy/favorites', 2],
      ] as const)
        await expectStill(visitor, at(path), parts)
      await expectStill(visitor, new URL(cupPath, sandboxUrl).href, 2)
      await expectStill(visitor, new URL(gonePath, sandboxUrl).href, 3)
      await expect(visitor.locator('[data-okaeri="restock"] button')).toHaveCount(1)
    })

    await test.step('A customer', async () => {
      await visitor.goto(at('/account/login'))
      await visitor.locator('#email').fill(email)
      await visitor.locator('#email').press('Enter')
      await visitor.waitForURL((url) => url.pathname.endsWith('/account'))
      await expectStill(visitor, at('/account'), 3)
      await expect(visitor.locator('[data-okaeri="consent"] input')).toBeVisible()
      await visitor.locator('[data-okaeri="birthday"] input').fill('1990-04-03')
      await visitor.locator('[data-okaeri="birthday"] input').press('Enter')
      await expect(visitor.locator('[data-okaeri="birthday"] [role=status]')).not.toBeEmpty()
      // With a birthday that is known it is another look, of the same height.
      await expectStill(visitor, at('/account'), 3)
      await expectStill(visitor, at('/apps/okaeri/shopify/proxy/favorites'), 2)
    })
    await visitor.close()
  })
