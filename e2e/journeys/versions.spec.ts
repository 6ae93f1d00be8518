import type { Page } from '@playwright/test'
import { beNewMerchant, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { field, preview } from './sending.ts'
import { type Language, wordsIn } from './words.ts'

for (const language of ['ja', 'en'] as const satisfies readonly Language[])
  test(`what was typed and not saved comes back, and an older version is restored (${language})`, async ({
    page,
    context,
  }) => {
    const t = wordsIn(language)
    await speak(page, language)
    await beNewMerchant(page, {
      siteName: '布と糸',
      email: `owner-${Date.now().toString(36)}-${language}@versions.test`,
      password: 'a long enough one',
    })
    const saved = (where: Page) => where.getByText(t('emails.editor.saved'), { exact: true })
    await page.goto('emails/new')
    await field(page, t('emails.name')).fill('秋の便り')
    await field(page, t('emails.subject')).fill('最初の件名')
    await page.getByRole('button', { name: t('emails.form.create') }).click()
    await expect(page.getByRole('region', { name: t('design.canvas') })).toBeVisible()
    const address = page.url()

    await test.step('The tab is closed while something is typed; coming back, it is offered', async () => {
      const kept = page.waitForRequest((request) => request.method() === 'PUT' && request.url().endsWith('/draft'))
      await field(page, t('emails.subject')).fill('書きかけの件名')
      await (await kept).response()
      await page.close()
    })
    const again = await context.newPage()
    await test.step('Also in a browser that kept nothing itself', async () => {
      await again.goto(address)
      await again.evaluate(() => {
        for (const key of Object.keys(localStorage)) if (key.startsWith('email-draft')) localStorage.removeItem(key)
      })
      await again.reload()
      await expect(field(again, t('emails.subject'))).toHaveValue('最初の件名')
      await again.getByRole('button', { name: t('emails.draft.take') }).click()
      await expect(field(again, t('emails.subject'))).toHaveValue('書きかけの件名')
      await again.getByRole('button', { name: t('ui.save'), exact: true }).click()
      await expect(saved(again)).toBeVisible()
      await again.reload()
      await expect(field(again, t('emails.subject'))).toHaveValue('書きかけの件名')
      await expect(again.getByRole('button', { name: t('emails.draft.take') })).toBeHidden()
    })

    await test.step('The older version is looked at and restored', async () => {
      await again.goto(address.replace(/editor$/, 'versions'))
      const versions = again.getByRole('region', { name: t('emails.versions.title') })
      await expect(versions.getByRole('button')).toHaveCount(2)
      await versions.getByRole('button', { name: /最初の件名/ }).click()
      await expect(preview(again).getByText('布と糸').first()).toBeVisible()
      await again.getByText(t('emails.versions.compare'), { exact: true }).click()
      const subjects = again.getByRole('region', { name: t('emails.subject') })
      await expect(subjects.getByRole('deletion')).toHaveText('最初の件名')
      await expect(subjects.getByRole('insertion')).toHaveText('書きかけの件名')
      await expect(again.getByRole('region', { name: t('emails.versions.now') })).toBeVisible()
      await again.getByRole('button', { name: t('emails.versions.restore') }).click()
      await again
        .getByRole('dialog')
        .getByRole('button', { name: t('emails.versions.restore') })
        .click()
      await expect(versions.getByRole('button')).toHaveCount(3)
      await again.goto(address)
      await expect(field(again, t('emails.subject'))).toHaveValue('最初の件名')
    })

    await test.step('In two tabs neither overwrites what the other keeps before that is said', async () => {
      const other = await context.newPage()
      await other.goto(address)
      const here = field(again, t('emails.subject'))
      const there = field(other, t('emails.subject'))
      await expect(there).toHaveValue('最初の件名')
      await here.fill('こちらの件名')
      await there.fill('あちらの件名')
      await expect(other.getByText(t('emails.draft.otherTab'))).toBeVisible()
      await expect(again.getByText(t('emails.draft.otherTab'))).toBeHidden()
      const kept = other.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.ok())
      await other.getByRole('button', { name: t('emails.draft.keepHere') }).click()
      await expect(again.getByText(t('emails.draft.otherTab'))).toBeVisible()
      await kept
      await again.getByRole('button', { name: t('emails.draft.takeOther') }).click()
      await expect(here).toHaveValue('あちらの件名')
      await expect(other.getByText(t('emails.draft.otherTab'))).toBeVisible()
    })
  })
