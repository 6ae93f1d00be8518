import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import {
  accountMenu,
  beNewMerchant,
  beSignedIn,
  demoEmail,
  fillSignIn,
  type NewMerchant,
  signIn,
  speak,
} from './account.ts'
import { letter, mailAbout, openMail } from './outside-world.ts'
import { field } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
test.beforeEach(({ page }) => speak(page, 'ja'))

const newMerchant = (): NewMerchant => ({
  siteName: '月の本屋',
  email: `owner-${Date.now().toString(36)}@tsuki.test`,
  password: 'the first password',
})
const signInPage = (page: Page) => page.getByRole('heading', { name: t('sessions.login.title'), level: 1 })

test('a wrong password and an unknown address are refused with the same words', async ({ page }) => {
  await page.goto('login')
  const refusals: string[] = []
  for (const credentials of [
    { email: demoEmail, password: 'not the password' },
    { email: 'nobody@okaeri.test', password: 'not the password' },
  ]) {
    await page.goto('login')
    await fillSignIn(page, t, credentials)
    refusals.push(await page.getByRole('alert').innerText())
    await expect(page.getByLabel(t('sessions.login.email'))).toHaveValue(credentials.email)
  }
  expect(refusals[0]).not.toBe('')
  expect(refusals[1]).toBe(refusals[0])
})

test('who is remembered is still signed in with the browser opened again, until logging out', async ({
  page,
  browser,
}) => {
  await page.goto('login')
  await page.getByLabel(t('sessions.login.remember')).check()
  await fillSignIn(page, t)
  await expect(accountMenu(page, t)).toBeVisible()

  const later = await browser.newContext({ storageState: await page.context().storageState() })
  const again = await later.newPage()
  await again.goto('campaigns')
  await accountMenu(again, t).click()
  await again.getByRole('menuitem', { name: t('shell.account.logout') }).click()
  await expect(signInPage(again)).toBeVisible()
  expect((await later.cookies()).map(({ name }) => name)).not.toContain('access_token')
  await again.goto('campaigns')
  await expect(signInPage(again)).toBeVisible()
  await later.close()
})

test('an expired access token is renewed without a word', async ({ page }) => {
  await signIn(page, t)
  // Of the same second the next access token would be the same, letter by letter; the other one never is.
  const before = await cookie(page, 'refresh_token')
  await spoil(page, ['access_token'])
  await page.goto('campaigns')
  await expect(page.getByRole('heading', { name: t('campaigns.title'), level: 1 })).toBeVisible()
  await expect(page.getByPlaceholder(t('campaigns.search'))).toBeVisible()
  expect(await cookie(page, 'access_token')).not.toBe('spoiled')
  expect(await cookie(page, 'refresh_token')).not.toBe(before)
})

test('when the session is over one signs in and is back on the same page', async ({ page }) => {
  await beSignedIn(page)
  await spoil(page, ['access_token', 'refresh_token'])
  await page.goto('campaigns?status=draft')
  await expect(page.getByText(t('sessions.login.expired'))).toBeVisible()
  await fillSignIn(page, t)
  await expect(page.getByRole('heading', { name: t('campaigns.title'), level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/_app\/campaigns\?status=draft$/)
})

test('what was typed survives the end of the session: one signs in over it, and it is saved', async ({ page }) => {
  const merchant = newMerchant()
  await beNewMerchant(page, merchant)
  await page.goto('settings')
  await field(page, t('merchants.shop.siteName')).fill('月の本屋 本店')
  await spoil(page, ['access_token', 'refresh_token'])
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: t('sessions.again.title') })
  await expect(dialog.getByLabel(t('sessions.login.email'))).toHaveValue(merchant.email)
  await dialog.getByLabel(t('sessions.login.password'), { exact: true }).fill(merchant.password)
  await dialog.getByRole('button', { name: t('sessions.again.submit') }).click()
  await expect(page.getByText(t('ui.toast.saved'), { exact: true })).toBeVisible()
  await page.reload()
  await expect(field(page, t('merchants.shop.siteName'))).toHaveValue('月の本屋 本店')
})

test('a draft saved over the end of the session says so at its own button', async ({ page }) => {
  const merchant = newMerchant()
  await beNewMerchant(page, merchant)
  await page.goto('campaigns/new')
  await field(page, t('campaigns.name')).fill('春のお知らせ')
  await spoil(page, ['access_token', 'refresh_token'])
  await page.getByRole('button', { name: t('campaigns.form.saveDraft') }).click()
  const dialog = page.getByRole('dialog', { name: t('sessions.again.title') })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: t('campaigns.form.saveDraft') })).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByLabel(t('sessions.login.password'), { exact: true }).fill(merchant.password)
  await expect(page.locator('main button[data-loading]')).toHaveText(t('campaigns.form.saveDraft'))
  await dialog.getByRole('button', { name: t('sessions.again.submit') }).click()
  await expect(page.getByRole('heading', { name: '春のお知らせ', level: 1 })).toBeVisible()
  await expect(page).not.toHaveURL(/review/)
})

test('a forgotten password is reset by the link in a mail; the old one no longer works', async ({ page, request }) => {
  const merchant = newMerchant()
  await beNewMerchant(page, merchant)
  await page.goto('')
  await accountMenu(page, t).click()
  await page.getByRole('menuitem', { name: t('shell.account.logout') }).click()
  await page.getByRole('link', { name: t('sessions.login.forgot') }).click()
  // The sign-in page has a field of the same name.
  await expect(page.getByRole('heading', { name: t('sessions.forgot.title') })).toBeVisible()
  await page.getByLabel(t('sessions.login.email')).fill(merchant.email)
  await page.getByRole('button', { name: t('sessions.forgot.submit') }).click()
  await expect(page.getByText(t('sessions.forgot.sentTitle'))).toBeVisible()

  await openMail(page, await mailAbout(request, merchant.email, 'パスワード'))
  const opened = page.waitForEvent('popup')
  await letter(page).getByRole('link').first().click()
  const reset = await opened
  await reset.getByLabel(t('sessions.reset.password'), { exact: true }).fill('the second password')
  await reset.getByLabel(t('sessions.reset.again'), { exact: true }).fill('the second password')
  await reset.getByRole('button', { name: t('sessions.reset.submit') }).click()
  await expect(reset.getByText(t('sessions.login.passwordChanged'))).toBeVisible()
  await fillSignIn(reset, t, merchant)
  await expect(reset.getByRole('alert')).toBeVisible()
  await fillSignIn(reset, t, { ...merchant, password: 'the second password' })
  await expect(accountMenu(reset, t)).toBeVisible()
})

test('the language and the theme are remembered', async ({ page }) => {
  await beNewMerchant(page, newMerchant())
  await page.goto('')
  await page
    .getByRole('radiogroup', { name: t('shell.language') })
    .getByText('English')
    .click()
  const en = wordsIn('en')
  await page.getByRole('button', { name: en('shell.theme.label') }).click()
  await page.getByRole('menuitem', { name: en('shell.theme.dark') }).click()
  await page.goto('settings')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(page.getByRole('heading', { name: en('merchants.title'), level: 1 })).toBeVisible()
})

async function cookie(page: Page, name: string): Promise<string | undefined> {
  return (await page.context().cookies()).find((one) => one.name === name)?.value
}
/** As after a long time: the tokens are no longer good. */
async function spoil(page: Page, names: readonly string[]): Promise<void> {
  const kept = (await page.context().cookies()).filter(({ name }) => names.includes(name))
  await page.context().addCookies(kept.map((one) => ({ ...one, value: 'spoiled' })))
}
