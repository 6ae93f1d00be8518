import type { Page } from '@playwright/test'
import { beNewMerchant, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const MEGABYTE = 1024 * 1024

test('a picture that cannot be used is converted or refused, and the reason stays at its field', async ({ page }) => {
  const once = Date.now().toString(36)
  await speak(page, 'ja')
  await beNewMerchant(page, {
    siteName: '画像の店',
    email: `owner-${once}@picture.test`,
    password: 'a long enough one',
  })
  await page.addInitScript(countReads)
  await page.goto('messages/rich-menus/new')
  const size = (width: number, height: number) => page.getByText(t('richMenus.picture.size', { width, height }))
  const shows = (text: string) => expect(page.locator('main').getByText(text)).toBeVisible()

  await test.step('Of a file of 26 MB nothing is read', async () => {
    await choose(page, 'large.png', Buffer.alloc(26 * MEGABYTE))
    await shows(t('richMenus.picture.fileTooLarge'))
    expect(await page.evaluate('reads')).toBe(0)
  })

  await test.step('A picture that is cut off, and one that no browser shows', async () => {
    const whole = await jpegOf(page, 1600, 1000)
    await choose(page, 'cut.jpg', whole.subarray(0, whole.length / 2))
    await shows('画像を読み込めませんでした。壊れていないJPEGまたはPNGの画像を使用してください。')
    await choose(page, 'photo.png', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'))
    await shows(t('richMenus.picture.loadFailed'))
  })

  await test.step('A photograph taken with the camera on its side is made upright', async () => {
    await choose(page, 'camera.jpg', turned(await jpegOf(page, 1000, 1600)))
    await expect(page.getByRole('dialog')).toContainText('向きの情報（EXIF）')
    await page.getByRole('button', { name: t('richMenus.picture.convert'), exact: true }).click()
    await expect(size(1600, 1000)).toBeVisible()
    await expect(page.getByText(t('richMenus.picture.loadFailed'))).toBeHidden()
  })

  await test.step('A GIF that is called PNG becomes a JPEG', async () => {
    await choose(page, 'moving.png', GIF)
    await expect(page.getByRole('dialog')).toContainText(t('richMenus.picture.otherFormat'))
    await page.getByRole('button', { name: t('richMenus.picture.convert'), exact: true }).click()
    await expect(size(800, 551)).toBeVisible()
  })
})

/** Counts what the page reads and unpacks of files. */
function countReads(): void {
  const counted = globalThis as unknown as { reads: number }
  counted.reads = 0
  for (const name of ['arrayBuffer', 'bytes', 'text', 'stream'] as const) {
    const real = Blob.prototype[name] as () => unknown
    Object.assign(Blob.prototype, {
      [name](this: Blob) {
        counted.reads += 1
        return real.call(this)
      },
    })
  }
  const real = createImageBitmap as (image: Blob) => Promise<ImageBitmap>
  Object.assign(globalThis, {
    createImageBitmap(image: Blob) {
      counted.reads += 1
      return real(image)
    },
  })
}

const choose = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer })

/** As the browser writes one. */
async function jpegOf(page: Page, width: number, height: number): Promise<Buffer> {
  const text = await page.evaluate(
    ([width, height]) => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width, height })
      return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
    },
    [width, height] as const,
  )
  return Buffer.from(text, 'base64')
}

/** With what cameras write in front of it: the first row of the picture is on the right. */
function turned(jpeg: Buffer): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06', 'latin1')
  const data = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, data.length + 2]), data])
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}

/** One white pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64')
