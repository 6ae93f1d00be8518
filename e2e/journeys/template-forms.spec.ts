import { ofToday } from '../run.ts'
import { beNewMerchant, speak } from './account.ts'
import { expect, test } from './journey.ts'
import type { TemplateForm } from './scenario-pages.ts'
import { wordsIn } from './words.ts'

test('each template’s form reads in English, with what it makes beside it', async ({ page }) => {
  const t = wordsIn('en')
  const email = `owner-te-${Date.now().toString(36)}@shiori-books.test`
  await speak(page, 'en')
  const merchant = await beNewMerchant(page, { siteName: 'Shiori Books', email, password: 'a long enough one' })
  const { data } = await merchant.get<{ data: TemplateForm[] }>('/actiontemplates')
  expect(data).toHaveLength(19)
  for (const { classname, name_en } of ofToday(data, 5)) {
    await page.goto(`actions/new/${classname}`)
    const beside = page.getByRole('region', { name: t('scenarios.form.description') })
    await expect(beside.getByRole('listitem').nth(2)).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name_en)
    expect(await page.getByRole('main').innerText(), classname).not.toMatch(/[ぁ-んァ-ヶ一-龠]/)
  }
})
