import { expect, test } from './journey.ts'
import { beNewMerchant, speak } from './account.ts'
import { seriousProblems } from './accessible.ts'
import { field, insertTag, preview } from './sending.ts'
import { type Language, wordsIn } from './words.ts'

for (const language of ['ja', 'en'] satisfies Language[])
  test(`a component is written once, placed in an email and changed wherever it stands (${language})`, async ({
    page,
  }) => {
    const t = wordsIn(language)
    const code = (label: string) => page.getByRole('textbox', { name: label })
    const write = async (label: string, text: string) => {
      await code(label).click()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(text)
    }
    const saved = page.getByText(t('emails.editor.saved'), { exact: true })
    await speak(page, language)
    await beNewMerchant(page, {
      siteName: '星の雑貨店',
      email: `owner-${Date.now().toString(36)}-${language}@hoshi.test`,
      password: 'a long enough one',
    })

    await test.step('The merchant writes a footer with a key of its own', async () => {
      await page.goto('email-components')
      await page
        .getByRole('link', { name: t('emails.components.add') })
        .first()
        .click()
      await field(page, t('emails.components.name')).fill('フッター')
      await field(page, t('emails.components.key')).fill('Shop Footer')
      await page.getByRole('button', { name: t('emails.components.create'), exact: true }).click()
      await expect(field(page, t('emails.components.key'))).toHaveAttribute('aria-invalid', 'true')
      await field(page, t('emails.components.key')).fill('shop-footer')
      await page.getByRole('button', { name: t('emails.components.create'), exact: true }).click()
      await expect(page.getByText('{% component "shop-footer" %}', { exact: true })).toBeVisible()
      await write(t('emails.components.codeLabel'), '<p>冬は10時に開きます</p>')
      await expect(preview(page).getByText('冬は10時に開きます')).toBeVisible()
      await page.keyboard.press('Control+S')
      await expect(saved).toBeVisible()
      expect(await seriousProblems(page)).toEqual([])
    })

    await test.step('Placed in an email by the menu of tags, it is seen in the preview', async () => {
      await page.goto('emails/new')
      await field(page, t('emails.name')).fill('冬の便り')
      await page.getByRole('radio', { name: t('emails.form.html') }).click()
      await page.getByRole('button', { name: t('emails.form.create') }).click()
      await code(t('emails.editor.codeLabel')).click()
      await page.keyboard.press('Control+End')
      await insertTag(page, t, /shop-footer/)
      await expect(preview(page).getByText('冬は10時に開きます')).toBeVisible()
      await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
      await expect(saved).toBeVisible()
    })

    await test.step('Changing it says first which emails change, and leaving it at that changes nothing', async () => {
      await page.goto('email-components')
      await expect(page.getByText(t('emails.components.emails', { count: 1 }), { exact: true })).toBeVisible()
      await page.getByRole('link', { name: 'フッター', exact: true }).click()
      await write(t('emails.components.codeLabel'), '<p>春は9時に開きます</p>')
      await page.keyboard.press('Control+S')
      const question = page.getByRole('dialog', { name: t('emails.components.saveAsk', { count: 1 }) })
      await question.getByRole('button', { name: t('ui.cancel'), exact: true }).click()
      await expect(page.getByText(t('ui.unsaved'), { exact: true })).toBeVisible()
      await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
      await question.getByRole('button', { name: t('emails.components.save'), exact: true }).click()
      await expect(saved).toBeVisible()
      await page.getByRole('link', { name: t('emails.components.uses.email', { name: '冬の便り' }) }).click()
      await expect(preview(page).getByText('春は9時に開きます')).toBeVisible()
    })

    await test.step('While an email uses it, it is not deleted, and the page says which', async () => {
      await page.goto('email-components')
      await page.getByRole('button', { name: t('ui.menuFor', { name: 'フッター' }) }).click()
      await page.getByRole('menuitem', { name: t('emails.delete'), exact: true }).click()
      await expect(page.getByRole('dialog').getByRole('link', { name: /冬の便り/ })).toBeVisible()
    })
  })
