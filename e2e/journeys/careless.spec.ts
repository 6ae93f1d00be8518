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
  // Pressed by the page itself as soon as it says that it saved: on a slow machine the form is gone before we could.
  const wasThere = button.evaluate(
    (again: HTMLButtonElement, saved) =>
      new Promise<boolean>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!document.body.textContent.includes(saved)) return
          observer.disconnect()
          again.click()
          resolve(again.isConnected && !again.disabled)
        })
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
      }),
    t('ui.toast.saved'),
  )
  await button.click()
  expect(await wasThere).toBe(true)
  arrive()
  await expect(page.getByRole('heading', { name: t('campaigns.review.title'), level: 1 })).toBeVisible()
  // Going back leads past the form that would make another.
  await page.goBack()
  await expect(page.getByRole('heading', { name: t('dashboard.title'), level: 1 })).toBeVisible()
  await page.goto('campaigns')
  await expect(page.getByRole('link', { name: '一度だけ', exact: true })).toHaveCount(1)
})

test('with an email open in two tabs, neither text is lost: the later one is kept on the page until a member chooses', async ({
  page,
  context,
}) => {
  await beNewMerchant(page, newMerchant())
  await page.goto('emails/new')
  await field(page, t('emails.name')).fill('二人の便り')
  await page.getByRole('radio', { name: t('emails.form.html') }).click()
  await page.getByRole('button', { name: t('emails.form.create') }).click()
  await expect(page.getByRole('textbox', { name: t('emails.editor.codeLabel') })).toBeVisible()
  const other = await context.newPage()
  await other.goto(page.url())

  await field(other, t('emails.subject')).fill('先に保存した件名')
  await field(other, t('emails.preheader')).fill('先に保存したプリヘッダー')
  await other.getByRole('button', { name: t('ui.save'), exact: true }).click()
  await expect(other.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()

  await page.bringToFront()
  await field(page, t('emails.subject')).fill('後から書いた件名')
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
  await expect(field(page, t('emails.subject'))).toHaveValue('後から書いた件名')
  await page.getByRole('button', { name: t('ui.meanwhile.compare') }).click()
  const comparison = page.getByRole('dialog', { name: t('ui.meanwhile.compareTitle') })
  await expect(comparison.getByText('先に保存した件名')).toBeVisible()
  await expect(comparison.getByText('後から書いた件名')).toBeVisible()
  await comparison.getByRole('button', { name: t('ui.meanwhile.overwrite') }).click()
  await page
    .getByRole('dialog', { name: t('ui.meanwhile.overwriteAsk') })
    .getByRole('button', { name: t('ui.meanwhile.overwrite') })
    .click()
  await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()
  await page.reload()
  await expect(field(page, t('emails.subject'))).toHaveValue('後から書いた件名')
  await expect(field(page, t('emails.preheader'))).toHaveValue('先に保存したプリヘッダー')
})

test('with a rich menu open in two tabs, each keeps what the other changed, and the same field is asked about', async ({
  page,
  context,
}) => {
  await beNewMerchant(page, newMerchant())
  await page.goto('messages/rich-menus/new')
  await field(page, t('richMenus.menuTitle')).fill('春のメニュー')
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
  await expect(page).toHaveURL(/rich-menus\/[0-9a-f-]{36}$/)
  // Without the toast of this save, which would stand beside that of the next.
  await page.reload()
  const other = await context.newPage()
  await other.goto(page.url())
  await field(other, t('richMenus.chatBarText')).fill('お店を見る')
  await save(other, t)
  await field(other, t('richMenus.menuTitle')).fill('秋のメニュー')

  await field(page, t('richMenus.menuTitle')).fill('夏のメニュー')
  await save(page, t)
  await expect(field(page, t('richMenus.chatBarText'))).toHaveValue('お店を見る')

  // On a phone the button to save is far below the notice: it comes into view, and the next key leads to what can be done.
  await other.setViewportSize({ width: 390, height: 700 })
  await other.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await other.getByRole('button', { name: t('ui.save'), exact: true }).click()
  const overwrite = other.getByRole('button', { name: t('ui.meanwhile.overwrite'), exact: true })
  await expect(other.getByText(t('ui.meanwhile.text', { fields: t('richMenus.menuTitle') }))).toBeInViewport()
  await other.keyboard.press('Tab')
  await expect(other.getByRole('button', { name: t('ui.meanwhile.compare') })).toBeFocused()
  await expect(field(other, t('richMenus.menuTitle'))).toHaveValue('秋のメニュー')
  await overwrite.click()
  await other
    .getByRole('dialog')
    .getByRole('button', { name: t('ui.meanwhile.overwrite'), exact: true })
    .click()
  await expect(other.getByText(t('ui.toast.saved')).first()).toBeVisible()
  await other.reload()
  await expect(field(other, t('richMenus.menuTitle'))).toHaveValue('秋のメニュー')
  await expect(field(other, t('richMenus.chatBarText'))).toHaveValue('お店を見る')
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

test('a double click on a button that opens a dialog leaves it open', async ({ page }) => {
  await beNewMerchant(page, newMerchant())
  await page.goto('emails/new')
  await field(page, t('emails.name')).fill('二度押しの便り')
  await page.getByRole('radio', { name: t('emails.form.html') }).click()
  await page.getByRole('button', { name: t('emails.form.create') }).click()
  await expect(page.getByRole('textbox', { name: t('emails.editor.codeLabel') })).toBeVisible()
  await page.getByRole('button', { name: t('emails.testSend'), exact: true }).dblclick()
  const dialog = page.getByRole('dialog', { name: t('emails.test.title') })
  await expect(dialog.getByText(t('emails.test.intro'))).toBeVisible()
  await expect(dialog).toHaveCSS('opacity', '1')
  // Only a click of its own beside it closes it.
  await page.mouse.click(5, 5)
  await expect(dialog).toBeHidden()
})
