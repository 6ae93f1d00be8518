import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { beSignedIn, demoEmail, speak } from './account.ts'
import { lookAgain, mailAbout } from './outside-world.ts'
import { choose } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const figure = (page: Page, name: 'created' | 'errors' | 'unchanged') =>
  page.getByRole('group', { name: t(`imports.count.${name}`), exact: true })

test('a file of customers is checked, corrected and imported, and its refused rows come back with reasons', async ({
  page,
  request,
}) => {
  const mark = Date.now().toString(36)
  const name = `${mark}.csv`
  const content = [
    'Customer ID,Email,名,何か',
    `,${mark}a@example.jp,花子,1990-04-01`,
    `7.21E+12,${mark}b@example.jp,太郎,`,
    ',not-an-address,次郎,',
    `,${mark}c@example.jp,三郎,`,
    '',
  ].join('\r\n')
  const upload = async (): Promise<void> => {
    await page.goto('data/import')
    await choose(page, t('imports.app.label'), t('imports.app.customers'))
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
    await page.getByRole('button', { name: t('imports.upload') }).click()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  }
  const start = async (): Promise<void> => {
    await page.getByRole('button', { name: t('imports.start') }).click()
    await expect(page.getByText(t('imports.started'))).toBeVisible()
    await lookAgain(page)
  }
  await speak(page, 'ja')
  await beSignedIn(page)

  await test.step('What was recognised is shown, and a column is corrected', async () => {
    await upload()
    await expect(page.getByText('花子', { exact: false }).first()).toBeVisible()
    await choose(page, t('imports.mapping.fieldOf', { column: '何か' }), t('imports.field.birthday'))
    await page.reload()
    await expect(page.getByRole('combobox', { name: t('imports.mapping.fieldOf', { column: '何か' }) })).toHaveValue(
      t('imports.field.birthday'),
    )
  })

  await test.step('It runs by itself, and says what was taken and what not', async () => {
    await start()
    await expect(figure(page, 'created')).toContainText('2')
    await expect(page.getByText(t('imports.status.doneWithErrors'))).toBeVisible()
    await expect(figure(page, 'errors')).toContainText('2')
    await expect(page.getByText(t('imports.reason.id_damaged')).first()).toBeVisible()
  })

  await test.step('The refused rows are downloaded with their reasons, and a mail tells the end', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: t('imports.errors.download') }).click(),
    ])
    const csv = await readFile(await download.path(), 'utf8')
    expect(csv).toContain(`7.21E+12,${mark}b@example.jp,太郎`)
    expect(csv).toContain('not-an-address')
    await mailAbout(request, demoEmail, /取り込み/)
  })

  await test.step('The same file once more changes nothing', async () => {
    await upload()
    await start()
    await expect(figure(page, 'unchanged')).toContainText('2')
    await expect(figure(page, 'created')).toContainText('0')
  })
})
