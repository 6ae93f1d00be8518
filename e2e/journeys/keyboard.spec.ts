import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { seriousProblems } from './accessible.ts'
import { accountMenu, asDemo, beSignedIn, speak } from './account.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
test.beforeEach(async ({ page }) => {
  await speak(page, 'ja')
  await beSignedIn(page)
})

const palette = (page: Page) => page.getByPlaceholder(t('shell.palette.placeholder'))

test('the command palette opens by Ctrl-K and leads to pages and to campaigns', async ({ page, request }) => {
  // Begins as the page does that is looked for first.
  const name = `メ鍵盤 ${Date.now().toString(36)}`
  await (await asDemo(request)).post('/campaigns', { name })
  await page.goto('')
  await expect(accountMenu(page, t)).toBeVisible()

  await page.keyboard.press('Control+k')
  await expect(palette(page)).toBeFocused()
  const [first = '', ...rest] = t('shell.nav.metafields')
  await page.keyboard.type(first)
  await expect(page.getByRole('button', { name })).toBeVisible()
  await page.keyboard.type(rest.join(''))
  await expect(page.getByRole('button', { name: t('shell.palette.newSegment') })).toBeHidden()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: t('metafields.title'), level: 1 })).toBeVisible()
  await expect(palette(page)).toBeHidden()

  await page.keyboard.press('Control+k')
  await expect(palette(page)).toBeFocused()
  await page.keyboard.type(name.charAt(0))
  await expect(page.getByRole('button', { name })).toBeVisible()
  // The answer to the whole name is long in coming: what was found before stays, chosen.
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const isWhole = (url: URL): boolean => url.pathname === '/campaigns' && url.searchParams.get('q') === name
  await page.route(isWhole, async (route) => {
    await arrived
    await route.continue()
  })
  const [asked] = await Promise.all([
    page.waitForRequest((request) => isWhole(new URL(request.url()))),
    page.keyboard.type(name.slice(1)),
  ])
  await page.keyboard.press('ArrowDown')
  arrive()
  await (await asked.response())?.finished()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  await expect(palette(page)).toBeHidden()

  await page.keyboard.press('Control+k')
  await expect(palette(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
})

test('the skip link comes first and leads past the menu', async ({ page }) => {
  await page.goto('campaigns')
  await expect(page.getByRole('heading', { name: t('campaigns.title'), level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: t('shell.skip') })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
})

test('a row’s menu is opened, gone through and closed by keys, and is in order while it is open', async ({
  page,
  request,
}) => {
  const name = `行 ${Date.now().toString(36)}`
  await (await asDemo(request)).post('/campaigns', { name })
  await page.goto(`campaigns?q=${encodeURIComponent(name)}`)
  const dots = page.getByRole('button', { name: t('ui.menuFor', { name }), exact: true })
  await dots.focus()
  await page.keyboard.press('Enter')
  const items = page.getByRole('menuitem')
  await expect(items.first()).toBeFocused()
  expect(await seriousProblems(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await expect(items.nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(items.last()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(items.first()).toBeHidden()
  await expect(dots).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(items.first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
})

test('a segment is made without a mouse', async ({ page }) => {
  const name = `手だけで ${Date.now().toString(36)}`
  await page.goto('segments')
  await tabTo(page, 'link', t('segments.add'))
  await page.keyboard.press('Enter')
  await tabTo(page, 'textbox', t('segments.name'))
  await page.keyboard.press('Control+a')
  await page.keyboard.type(name)
  const row = t('segments.editor.row', { place: '1' })
  await tabTo(page, 'combobox', `${row}: ${t('segments.editor.field')}`)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('注文回数')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabTo(page, 'textbox', `${row}: ${t('segments.editor.value')}`)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('2')
  await tabTo(page, 'button', t('segments.create'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
})

test('a campaign is drafted and reviewed without a mouse', async ({ page, request }) => {
  const once = Date.now().toString(36)
  const demo = await asDemo(request)
  await demo.post('/emails', { name: `便り ${once}`, subject: '便り', language: 'ja' })
  await page.goto('campaigns/new')
  await tabTo(page, 'textbox', t('campaigns.name'))
  await page.keyboard.type(`鍵盤から ${once}`)
  await tabTo(page, 'radio', t('campaigns.form.own'))
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: t('campaigns.form.all') })).toBeChecked()
  await tabTo(page, 'combobox', t('campaigns.email'))
  await page.keyboard.type(`便り ${once}`)
  // The search has answered: nothing else fits the name.
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tabTo(page, 'button', t('campaigns.form.saveAndReview'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: t('campaigns.review.title'), level: 1 })).toBeVisible()
  // The button that led here is gone: the next key begins in the page, not before the menu.
  await expect(page.getByRole('main')).toBeFocused()
  await tabTo(page, 'button', t('campaigns.review.sendTest'))
})

test('a time is chosen by keys: the calendar keeps the focus whatever is pressed in it, and Escape gives it back', async ({
  page,
}) => {
  await page.goto('campaigns/new')
  await tabTo(page, 'radio', t('campaigns.form.now'))
  await page.keyboard.press('ArrowDown')
  const time = page.getByRole('button', { name: t('campaigns.form.dateTime'), exact: true })
  await page.keyboard.press('Tab')
  await expect(time).toBeFocused()
  await page.keyboard.press('Enter')
  const calendar = page.getByRole('dialog')
  await expect(calendar.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(calendar.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
  await expect(time).toBeFocused()
})

test('a day chosen by keys has a name of its own, and means ten o’clock until another time is chosen', async ({
  page,
}) => {
  await page.goto('campaigns/new')
  await tabTo(page, 'radio', t('campaigns.form.now'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const calendar = page.getByRole('dialog')
  const nextMonth = calendar.getByRole('button', { name: t('ui.calendar.nextMonth') })
  await nextMonth.focus()
  await page.keyboard.press('Enter')
  // The first that Tab reaches is one of the days.
  await page.keyboard.press('Tab')
  const day = calendar.locator(':focus')
  await expect(day).toHaveAccessibleName(/^\d{4}年\d{1,2}月\d{1,2}日.曜日$/)
  await page.keyboard.press('Enter')
  await expect(calendar.getByLabel(t('ui.time.hours'), { exact: true })).toHaveValue('10')
  await expect(calendar.getByLabel(t('ui.time.minutes'), { exact: true })).toHaveValue('00')
})

test('a calendar opens with the focus on the chosen day, or today, or the nearest that may be chosen', async ({
  page,
}) => {
  const spoken = (date: Date) => new RegExp(`^${date.getFullYear()}年${date.getMonth() + 1}月${date.getDate()}日`)
  await page.goto('campaigns/new')
  await tabTo(page, 'radio', t('campaigns.form.now'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const focused = page.locator('[data-dates-dropdown] table button:focus')
  await expect(focused).toHaveAccessibleName(spoken(new Date()))

  await page.goto('customers?created_from=2026-02-17&created_to=2026-03-20')
  const from = page.getByRole('button', { name: t('customers.filter.from'), exact: true }).first()
  const open = async () => {
    await page.getByRole('button', { name: new RegExp(`^${t('customers.filter.open')}`) }).focus()
    await page.keyboard.press('Enter')
    await from.focus()
    await page.keyboard.press('Enter')
  }
  await open()
  await expect(focused).toHaveAccessibleName(/^2026年2月17日/)
  await page.keyboard.press('ArrowRight')
  await expect(focused).toHaveAccessibleName(/^2026年2月18日/)
  await page.keyboard.press('ArrowDown')
  await expect(focused).toHaveAccessibleName(/^2026年2月25日/)
  await page.keyboard.press('Escape')
  await expect(from).toBeFocused()
  // A list closes alone, too; only then the filters.
  const marketing = page.getByRole('combobox', { name: t('customers.marketing') })
  await marketing.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  await expect(marketing).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: new RegExp(`^${t('customers.filter.open')}`) })).toBeFocused()

  await page.goto('customers?created_to=2026-03-20')
  await open()
  await expect(focused).toHaveAccessibleName(/^2026年3月20日/)
})

test('months and years of a calendar are chosen by keys: the focus stays in it', async ({ page }) => {
  await page.goto('customers')
  await page.getByRole('button', { name: t('customers.filter.open') }).focus()
  await page.keyboard.press('Enter')
  const day = page.getByRole('button', { name: t('customers.filter.from'), exact: true }).first()
  await day.focus()
  await page.keyboard.press('Enter')
  const calendar = page.locator('[data-dates-dropdown]')
  await expect(calendar).toBeVisible()
  // To the months, to the years, and back again by what is chosen there.
  for (const expected of [12, 10]) {
    await calendar.locator('[data-calendar-header-level], .mantine-DatePickerInput-calendarHeaderLevel').focus()
    await page.keyboard.press('Enter')
    await expect(calendar.locator('table button')).toHaveCount(expected)
    await expect(calendar.locator('table button:focus')).toHaveCount(1)
  }
  await page.keyboard.press('Enter')
  await expect(calendar.locator('table button')).toHaveCount(12)
  await expect(calendar.locator('table button:focus')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(calendar.locator('table button:focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
})

/** Presses Tab until it is reached; the order of the page is the order of the fingers. */
async function tabTo(
  page: Page,
  role: 'link' | 'button' | 'textbox' | 'combobox' | 'radio',
  name: string,
): Promise<void> {
  const target = page.getByRole(role, { name, exact: true }).first()
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${role} “${name}”`)
}
