import { expect, type Page } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { beSignedIn, save, speak } from './account.ts'
import { seriousProblems } from './accessible.ts'
import { test } from './journey.ts'
import { wordsIn } from './words.ts'

const SHOP = 'okaeri-sandbox.myshopify.com'
const storefront = (path: string): string => `${sandboxUrl}/stores/${SHOP}${path}`

/** What goes wrong on a page, in its console or outside. */
function problemsOn(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return problems
}
const hearts = (page: Page) => page.locator('[data-okaeri="heart"] button')

test('the script brings hearts to a shop’s page, and leaves nothing in the browser until one is pressed', async ({
  page,
}) => {
  const problems = problemsOn(page)
  await page.goto(storefront('/collections/all?csp=strict'))
  await expect(hearts(page).first()).toBeVisible()
  const left = () =>
    page.evaluate(() =>
      [Object.keys(localStorage), Object.keys(sessionStorage)].flat().filter((key) => /okaeri/.test(key)),
    )
  expect(await left()).toEqual([])
  // With the strict policy a style that is not the theme's would have been refused, and said so.
  expect(problems).toEqual([])
  expect(await seriousProblems(page)).toEqual([])
  await hearts(page).first().press('Enter')
  await expect(hearts(page).first()).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(left).toContain(`okaeri-token:${SHOP}`)
  await page.reload()
  await expect(hearts(page).first()).toHaveAttribute('aria-pressed', 'true')
  expect(problems).toEqual([])
})

const hostilePages: [string, () => void][] = [
  [
    'that replaces fetch, Promise and JSON',
    () => {
      if (window !== top) return
      window.fetch = () => {
        throw new Error('replaced')
      }
      window.Promise = undefined as never
      JSON.parse = () => ({ on: 5 })
      JSON.stringify = () => 'replaced'
    },
  ],
  [
    'whose storage is blocked',
    () => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('blocked', 'SecurityError')
          },
        })
    },
  ],
]
for (const [what, change] of hostilePages)
  test(`the script works on a page ${what}`, async ({ page }) => {
    const problems = problemsOn(page)
    await page.addInitScript(change)
    await page.goto(storefront('/collections/all'))
    await expect(hearts(page).first()).toBeVisible()
    await hearts(page).first().click()
    await expect(hearts(page).first()).toHaveAttribute('aria-pressed', 'true')
    expect(problems.filter((one) => /okaeri|unhandled/i.test(one))).toEqual([])
  })

const networks = [
  { network: 'slow', hearts: true },
  { network: 'failing', hearts: false },
  { network: 'dead', hearts: false },
] as const
for (const { network, hearts: come } of networks)
  test(`over a ${network} network the shop’s page is whole without the script, and the script says nothing`, async ({
    page,
    request,
  }) => {
    const thrown: string[] = []
    page.on('pageerror', ({ message }) => thrown.push(message))
    const play = async (switches: object): Promise<void> => {
      const answer = await request.post(storefront('/sandbox/theme.json'), { data: switches })
      expect(answer.ok(), await answer.text()).toBe(true)
    }
    await play({ network })
    // The page is read, and buys, before anything of ours has come.
    await page.goto(storefront('/collections/all?lang=ja'), { waitUntil: 'domcontentloaded' })
    await expect(hearts(page)).toHaveCount(0)
    await page.locator('.shelf a').first().click({ noWaitAfter: true })
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('すべての商品')
    const first = hearts(page).first()
    if (come) {
      await first.click()
      await expect(first).toHaveAttribute('aria-pressed', 'true')
    } else {
      await page.waitForLoadState()
      await expect(page.locator('[data-okaeri="heart"]').first()).toBeEmpty()
      await expect(hearts(page)).toHaveCount(0)
    }
    expect(thrown).toEqual([])
    await play({ network: 'normal' })
  })

test('the back in stock form is loaded only where something is sold out, and is there once that is chosen', async ({
  page,
  request,
}) => {
  const once = Date.now().toString(36)
  const add = async (handle: string, available: number): Promise<void> => {
    const variants = [
      { values: ['白'], price: 1200, available: 9 },
      { values: ['黒'], price: 1200, available },
    ]
    const answer = await request.post(storefront('/sandbox/products.json'), {
      data: { title: `湯のみ ${handle}`, handle, options: ['色'], variants },
    })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
  await add(`full-${once}`, 9)
  await add(`partly-${once}`, 0)
  const loaded = (): Promise<string[]> =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').flatMap(({ name }) => /parts\/.*\/([\w-]+)\.js$/.exec(name)?.[1] ?? []),
    )
  await page.goto(storefront(`/products/full-${once}?lang=ja`))
  await expect(hearts(page).first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(await loaded()).not.toContain('restock')

  await page.goto(storefront(`/products/partly-${once}?lang=ja`))
  const button = page.locator('[data-okaeri="restock"] button').first()
  await expect.poll(loaded).toContain('restock')
  await expect(button).toHaveCount(0)
  await page.getByLabel(/黒/).check({ force: true })
  await expect(button).toBeVisible()
})

test('a form whose call is never answered says that it is under way, then that it failed, and can be sent again', async ({
  page,
  request,
}) => {
  const handle = `gone-${Date.now().toString(36)}`
  const answer = await request.post(storefront('/sandbox/products.json'), {
    data: { title: '玉露', handle, available: 0 },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  // Sooner than the script would give up.
  await page.addInitScript(() => {
    const { timeout } = AbortSignal
    AbortSignal.timeout = () => timeout.call(AbortSignal, 3000)
  })
  await page.goto(storefront(`/products/${handle}?lang=en`))
  const form = page.locator('[data-okaeri="restock"]')
  await form.getByRole('button').first().click()
  await form.getByLabel('Email address').fill('guest@example.jp')
  await page.route('**/frontend/restock*', () => undefined)
  await form.getByRole('button', { name: 'Notify me' }).click()
  await expect(form.getByRole('status')).toHaveText('Signing up…')
  await expect(form.getByRole('status')).toHaveText('That failed. Please try again.')
  await page.unrouteAll()
  await form.getByRole('button', { name: 'Notify me' }).click()
  await expect(form.getByRole('status')).toHaveText(/We are sending you an email/)
})

test('twice on a page it does its work once, and hundreds of cards delay nothing and shift no layout', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const seen = { shift: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) seen.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(storefront('/collections/all?view=long'))
  await page.addScriptTag({
    url: (await page.locator('script[src*="/assets/js/okaeri.js"]').first().getAttribute('src')) ?? '',
  })
  await expect(hearts(page).first()).toBeVisible()
  const first = page.locator('[data-okaeri="heart"]').first()
  expect(await first.evaluate((place) => place.shadowRoot?.querySelectorAll('button').length)).toBe(1)
  // Only what is near the view is there.
  const { places, there } = await page.evaluate(() => {
    const all = [...document.querySelectorAll('[data-okaeri="heart"]')]
    return { places: all.length, there: all.filter(({ shadowRoot }) => shadowRoot !== null).length }
  })
  expect(there).toBeLessThan(places)
  expect(await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift)).toBeLessThan(0.02)
})

test('a merchant sees their words and colors in the preview, saves, and the shop’s page has them', async ({ page }) => {
  const t = wordsIn('ja')
  await speak(page, 'ja')
  await beSignedIn(page)
  await page.goto('settings?tab=widget')
  const preview = page.getByRole('group', { name: t('visitors.preview.region') })
  await expect(preview.locator('[data-okaeri="heart"] button')).toBeVisible()
  expect(await seriousProblems(page)).toEqual([])
  const words = page.getByLabel('お気に入りに追加（日本語）')
  await words.fill('好きな品に入れる')
  await expect(preview.locator('[data-okaeri="heart"] button')).toHaveAttribute('title', '好きな品に入れる')
  await page.getByLabel(t('visitors.colors.names.accent'), { exact: true }).fill('#0a7d5a')
  await save(page, t)
  await page.goto(storefront('/collections/all?lang=ja'))
  await expect(hearts(page).first()).toHaveAttribute('title', '好きな品に入れる')

  // Other journeys of this world know the plain words.
  await page.goto('settings?tab=widget')
  await words.fill('')
  await page.getByLabel(t('visitors.colors.names.accent'), { exact: true }).fill('')
  await save(page, t)
})
