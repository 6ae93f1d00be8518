import type { Page } from '@playwright/test'
import { beNewMerchant, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')

test('pictures are uploaded by choosing and by dragging, one is put into an email, and deleting it says where it is used', async ({
  page,
}) => {
  const once = Date.now().toString(36)
  await speak(page, 'ja')
  const api = await beNewMerchant(page, {
    siteName: '画像の店',
    email: `owner-${once}@media.test`,
    password: 'a long enough one',
  })
  await page.goto('media')
  const tile = (name: string) => page.getByRole('button', { name: t('media.open', { name }), exact: true })
  const uploads = page.getByRole('region', { name: t('media.uploads.title') })

  await test.step('Two by choosing, one of which is no picture', async () => {
    await expect(page.getByText(t('media.empty.title'))).toBeVisible()
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([
        { name: '茶畑.jpg', mimeType: 'image/jpeg', buffer: await jpegOf(page, 1600, 900) },
        {
          name: 'ロゴ.svg',
          mimeType: 'image/svg+xml',
          buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
        },
      ])
    await expect(tile('茶畑.jpg')).toBeVisible()
    await expect(uploads.getByRole('alert')).toContainText('SVG')
    await expect(uploads).toContainText(t('media.uploads.summary', { done: 1, total: 2 }))
  })

  await test.step('One by dragging', async () => {
    await drop(page, '急須.jpg', await jpegOf(page, 800, 800))
    await expect(tile('急須.jpg')).toBeVisible()
    await uploads.getByRole('button', { name: t('media.uploads.dismiss') }).click()
    await expect(uploads).toBeHidden()
  })

  await test.step('Its text for those who do not see it is written', async () => {
    await tile('茶畑.jpg').click()
    const details = page.getByRole('dialog')
    await details.getByLabel(t('media.details.alt')).fill('朝の茶畑')
    await details.getByRole('button', { name: t('ui.save') }).click()
    await expect(details).toBeHidden()
  })

  const { email } = await api.post<{ email: { id: string } }>('/emails', {
    name: '新茶のお知らせ',
    subject: '新茶',
    content: '<p>こんにちは</p>',
  })
  await test.step('In the editor of an email it is put at the cursor, and the preview shows it', async () => {
    await page.goto(`emails/${email.id}/editor`)
    await page.getByRole('button', { name: t('media.picker.insert') }).click()
    const picker = page.getByRole('dialog')
    await picker.getByRole('button', { name: t('media.choose', { name: '茶畑.jpg' }) }).click()
    await expect(picker).toBeHidden()
    await expect(page.getByLabel(t('emails.editor.codeLabel'))).toContainText('alt="朝の茶畑" width="600"')
    const picture = page.frameLocator('iframe').getByAltText('朝の茶畑')
    await expect(picture).toBeVisible()
    await expect(picture).toHaveJSProperty('naturalWidth', 1200)
    await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
    await expect(page.getByText(t('emails.editor.saved'))).toBeVisible()
  })

  await test.step('Deleting it names the email and asks', async () => {
    await page.goto('media')
    await tile('茶畑.jpg').click()
    await expect(page.getByRole('dialog')).toContainText(t('media.use.email', { name: '新茶のお知らせ' }))
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('ui.delete') })
      .click()
    const question = page.getByRole('dialog').filter({ hasText: t('media.remove.title', { name: '茶畑.jpg' }) })
    await expect(question).toContainText(t('media.use.email', { name: '新茶のお知らせ' }))
    await question.getByRole('button', { name: t('ui.delete') }).click()
    await expect(tile('急須.jpg')).toBeVisible()
    await expect(tile('茶畑.jpg')).toBeHidden()
  })
})

/** A photograph, as a browser makes one. */
async function jpegOf(page: Page, width: number, height: number): Promise<Buffer> {
  const data = await page.evaluate(
    ([wide, high]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: wide, height: high })
      const pen = canvas.getContext('2d')
      if (!pen) throw new Error('no canvas')
      const sky = pen.createLinearGradient(0, 0, wide, high)
      sky.addColorStop(0, '#7fb27f')
      sky.addColorStop(1, '#24503a')
      pen.fillStyle = sky
      pen.fillRect(0, 0, wide, high)
      return canvas.toDataURL('image/jpeg', 0.9).split(',')[1] ?? ''
    },
    [width, height] as const,
  )
  return Buffer.from(data, 'base64')
}

async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, base64]) => {
      const data = new DataTransfer()
      const content = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
      data.items.add(new File([content], fileName, { type: 'image/jpeg' }))
      return data
    },
    [name, bytes.toString('base64')] as const,
  )
  await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer })
  await expect(page.getByText(t('media.drop'))).toBeVisible()
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer })
}
