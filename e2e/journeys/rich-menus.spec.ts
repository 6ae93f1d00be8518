import type { APIRequestContext, Page } from '@playwright/test'
import { crc32, deflateSync } from 'node:zlib'
import { sandboxUrl } from '../addresses.ts'
import { seriousProblems } from './accessible.ts'
import { beNewMerchant, save, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { lookAgain, moveTheClock, readTheClock, settle } from './outside-world.ts'
import { field } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const DAY_MS = 86_400_000

test('a menu with three tabs is drawn, seen on the phone, and gives way to another by its period', async ({
  page,
  request,
}) => {
  const once = Date.now().toString(36)
  await speak(page, 'ja')
  const merchant = await beNewMerchant(page, {
    siteName: 'メニューの店',
    email: `owner-${once}@menu.test`,
    password: 'a long enough one',
  })
  const account = (await line<{ account: Account }>(request, 'accounts.json', { name: `メニューの店${once}` })).account
  const [user] = (await line<{ data: { user_id: string }[] }>(request, `users.json?account=${account.id}&limit=1`)).data
  const phone = `${sandboxUrl}/line/users/${user?.user_id}?account=${account.id}`

  await test.step('LINE is connected, and a person is a friend', async () => {
    const { channel_id, channel_secret } = account
    await merchant.put('/line/account', { line_account: { channel_id, channel_secret } })
    await line(request, `users/${user?.user_id}/follow.json?account=${account.id}`, { account_id: account.id })
    await settle(request)
  })

  await test.step('A menu with three tabs is drawn by mouse, keys and template', async () => {
    await page.goto('messages/rich-menus')
    await page
      .getByRole('link', { name: t('richMenus.add') })
      .first()
      .click()
    await field(page, t('richMenus.menuTitle')).fill('三つのタブ')
    await field(page, t('richMenus.chatBarText')).fill('お店を見る')
    await page.getByText('3', { exact: true }).click()
    for (const number of [1, 2, 3]) {
      await page.getByRole('tab', { name: t('richMenus.tab', { number }) }).click()
      await choosePicture(page, number)
      if (number === 1) await drawArea(page)
      else await page.getByRole('button', { name: t('richMenus.addArea'), exact: true }).click()
      await moveByKeys(page)
      await field(page, t('richMenus.action.url')).fill(`https://menu.test/${number}`)
    }
    expect(await seriousProblems(page)).toEqual([])
    await save(page, t)
  })

  await test.step('What was added and is not wanted goes by a key', async () => {
    await page.getByRole('button', { name: t('richMenus.addArea'), exact: true }).click()
    const second = page.getByRole('button', { name: t('richMenus.area', { number: 2 }), exact: true })
    await expect(second).toBeFocused()
    await page.keyboard.press('Delete')
    await expect(second).toBeHidden()
  })

  await test.step('Activated, it is below the chat, and its tabs can be tapped', async () => {
    await activate(page)
    await lookAgain(page)
    await page.goto('messages/rich-menus')
    await expect(page.getByRole('row', { name: /三つのタブ/ })).toContainText(t('richMenus.shown'))
    await page.goto(phone)
    await expect(page.getByText('お店を見る')).toBeVisible()
    expect(await leadsTo(page)).toBe('https://menu.test/1')
    await page.getByRole('button', { name: /okaeri-.*-1$/ }).click()
    await expect(async () => expect(await leadsTo(page)).toBe('https://menu.test/2')).toPass()
    await page.goto('messages/rich-menus')
    await page.getByRole('link', { name: '三つのタブ' }).click()
    const clicked = page.getByRole('row').filter({ hasText: 'https://menu.test/1' })
    await expect(clicked.getByRole('cell').nth(2)).toHaveText('1')
  })

  await test.step('Tomorrow another one begins, and the day after the first is back', async () => {
    const copyOf = async () => {
      await page.goto('messages/rich-menus')
      await more(page, '三つのタブ', t('richMenus.duplicate'))
      await expect(page).toHaveURL(/rich-menus\/[0-9a-f-]{36}/)
    }
    await copyOf()
    const id = page.url().split('/').at(-1) ?? ''
    const { richmenu } = await merchant.get<{ richmenu: Record<string, unknown> }>(`/line/richmenu/draft/${id}`)
    const { is_open, tab_height, tabs, segment_id } = richmenu
    // Not the machine's: other journeys of this world may have moved it.
    const now = (await readTheClock(request)).getTime()
    const monthAt = (ms: number) => new Date(ms).toLocaleDateString('sv', { timeZone: 'Asia/Tokyo' }).slice(0, 7)
    await merchant.put(`/line/richmenu/draft/${id}`, {
      richmenu: {
        title: '一日だけ',
        chat_bar_text: '本日限り',
        starts_at: new Date(now + DAY_MS).toISOString(),
        ends_at: new Date(now + 2 * DAY_MS).toISOString(),
        is_open,
        tab_height,
        tabs,
        segment_id,
      },
    })
    await page.reload()
    await expect(page.getByText(t('richMenus.overlap.title'))).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: '「三つのタブ」に代わり' })).toBeVisible()
    await activate(page, '「三つのタブ」に代わり')
    await page.goto('messages/rich-menus')
    await page.getByRole('link', { name: t('richMenus.calendar.open') }).click()
    await expect(page).toHaveURL(/rich-menus\/calendar/)
    await expect(page.getByRole('rowheader', { name: '三つのタブ' })).toBeVisible()
    // It begins tomorrow, which may be the next month's.
    await page.goto(`messages/rich-menus/calendar?month=${monthAt(now + DAY_MS)}`)
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: '一日だけ' }) })
    await expect(row.getByText(t('richMenus.calendar.partly', { times: '' })).first()).toBeAttached()
    expect(await seriousProblems(page)).toEqual([])
    await moveTheClock(request, DAY_MS + 60_000)
    await page.goto(phone)
    await expect(page.getByText('本日限り')).toBeVisible()
    await moveTheClock(request, DAY_MS)
    await page.goto(phone)
    await expect(page.getByText('お店を見る')).toBeVisible()
  })

  await test.step('Deactivated, there is none', async () => {
    await page.goto('messages/rich-menus')
    await more(page, '三つのタブ', t('richMenus.deactivate'))
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('richMenus.deactivate'), exact: true })
      .click()
    await expect(page.getByText(t('richMenus.deactivated'))).toBeVisible()
    await settle(request)
    await page.goto(phone)
    await expect(page.getByText('リッチメニューはありません')).toBeVisible()
  })
})

/** Where the only link of the menu on the phone takes a person, by way of an address of ours. */
async function leadsTo(page: Page): Promise<string | undefined> {
  const address = await page.getByRole('button', { name: /\/m\// }).getAttribute('aria-label')
  const answer = await page.request.get(address ?? '', { maxRedirects: 0 })
  return answer.headers()['location']
}

interface Account {
  id: number
  channel_id: string
  channel_secret: string
}

async function line<Reply>(request: APIRequestContext, what: string, data?: object): Promise<Reply> {
  const address = `${sandboxUrl}/line/${what}`
  const answer = await (data ? request.post(address, { data }) : request.get(address))
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()) as Reply
}

async function activate(page: Page, says = ''): Promise<void> {
  await page.getByRole('button', { name: t('richMenus.activate'), exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText(says)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('richMenus.activate'), exact: true })
    .click()
  await expect(page.getByText(t('richMenus.activated'))).toBeVisible()
}

/** From 900 to 1100 pixels wide: those of the second and third tab do not fit the first, and are converted. */
async function choosePicture(page: Page, number: number): Promise<void> {
  const buffer = picture(800 + number * 100, 600)
  await page.locator('input[type=file]').setInputFiles({ name: `tab-${number}.png`, mimeType: 'image/png', buffer })
  if (number > 1) await page.getByRole('button', { name: t('richMenus.picture.convert'), exact: true }).click()
  await expect(page.getByText(t('richMenus.picture.size', { width: 900, height: 600 }))).toBeVisible()
}

async function drawArea(page: Page): Promise<void> {
  const canvas = page.getByRole('group', { name: t('richMenus.canvas') })
  await canvas.scrollIntoViewIfNeeded()
  const box = await canvas.boundingBox()
  if (!box) throw new Error('there is nothing to draw on')
  // From the lower right to the upper left.
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.7)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.5)
  await page.mouse.move(box.x + box.width * 0.1, box.y + box.height * 0.3)
  await page.mouse.up()
}

/** What was drawn or added has the focus. */
async function moveByKeys(page: Page): Promise<void> {
  const area = page.getByRole('button', { name: t('richMenus.area', { number: 1 }), exact: true })
  await expect(area).toBeFocused()
  const box = async () => (await area.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const before = await box()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+ArrowLeft')
  // The last key press may not be drawn yet.
  await expect(async () => {
    const after = await box()
    expect(after.x).toBeGreaterThan(before.x)
    expect(after.y).toBeGreaterThan(before.y)
    expect(after.width).toBeLessThan(before.width)
  }).toPass()
}

async function more(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: t('ui.menuFor', { name }), exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** A black PNG. */
function picture(width: number, height: number): Buffer {
  const chunk = (kind: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
    const [head, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    head.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([head, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height)))
  return Buffer.concat([start, chunk('IHDR', header), pixels, chunk('IEND', Buffer.alloc(0))])
}
