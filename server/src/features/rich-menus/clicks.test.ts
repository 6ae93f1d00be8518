import type { RichMenuDraft } from '@okaeri/contract/rich-menus/menu'
import { deactivateRichMenu, deleteRichMenu, getRichMenuClicks } from '@okaeri/contract/rich-menus/routes'
import { beforeEach, expect, test } from 'vitest'
import { activateMenu, addMenuPicture, makeMenu, menusAt, menuTab } from '../../../test/rich-menu.ts'
import { BROWSER } from '../../../test/sent-mail.ts'
import { account, withLineAccounts } from '../../../test/with-line.ts'
import { merchant, okaeri } from '../../../test/with-okaeri.ts'
import { makeLinkToken } from '../deliveries/index.ts'

withLineAccounts('メニューの店')

beforeEach(async () => {
  await okaeri.settle()
})

const area = (x: number, action: RichMenuDraft['tabs'][number]['areas'][number]['action']) => ({
  x,
  y: 270,
  width: 100,
  height: 100,
  action,
})
/** Two tabs: a link and a message, and a link with what a header cannot carry as it is. */
async function showMenu(more: Partial<RichMenuDraft> = {}): Promise<string> {
  const first = [
    area(0, { type: 'link', url: 'https://shop.test/new?a=1#b' }),
    area(200, { type: 'message', text: 'a' }),
  ]
  const second = [area(0, { type: 'none' }), area(200, { type: 'link', url: 'https://shop.test/お茶' })]
  const tabs = [menuTab(await addMenuPicture(), first), menuTab(await addMenuPicture(), second)]
  const id = await makeMenu(tabs, more)
  await activateMenu(id)
  await okaeri.settle()
  return id
}
/** What the areas of each tab lead to at the platform. */
async function addresses(): Promise<string[][]> {
  const { there } = await menusAt(account)
  return there
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ areas }) => areas.flatMap(({ action }) => (action.type === 'uri' ? [String(action['uri'])] : [])))
}
async function click(address: string, userAgent = BROWSER, method = 'GET') {
  const path = new URL(address).pathname
  const answer = await fetch(`${okaeri.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { 'user-agent': userAgent },
  })
  return [answer.status, answer.headers.get('location')]
}
const clicksOf = async (id: string) => (await merchant.call(getRichMenuClicks, { params: { id } })).clicks

test('a link of a menu leads on by an address of ours, and is counted by area and by day, programs apart', async () => {
  const id = await showMenu()
  const [[first = ''] = [], [second = ''] = []] = await addresses()
  expect(first.startsWith(`${okaeri.context.settings.publicUrl}/m/`)).toBe(true)
  expect(await click(first)).toEqual([302, 'https://shop.test/new?a=1#b'])
  expect(await click(second)).toEqual([302, `https://shop.test/${encodeURIComponent('お茶')}`])
  await click(second, 'facebookexternalhit/1.1;line-poker/1.0')
  await click(second, BROWSER, 'HEAD')
  okaeri.advance(86_400_000)
  await Promise.all(Array.from({ length: 30 }, () => click(first)))
  const { areas, days } = await clicksOf(id)
  expect(areas).toEqual([
    { tab: 0, area: 0, human: 31, machine: 0 },
    { tab: 1, area: 1, human: 1, machine: 1 },
  ])
  expect(days).toHaveLength(30)
  expect(days.slice(-2).map(({ human }) => human)).toEqual([2, 30])
  const today = new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Tokyo' }).format(okaeri.clock.now())
  expect(days.at(-1)?.day).toBe(today)
})

test('an address that was changed, or is another link of ours, leads nowhere', async () => {
  const id = await showMenu()
  const [[first = ''] = []] = await addresses()
  const token = first.split('/').at(-1) ?? ''
  const other = `${token[0] === 'A' ? 'B' : 'A'}${token.slice(1)}`
  // The last bits before the signature name tab and area.
  const bytes = Buffer.from(token, 'base64url')
  bytes.writeUInt8(1, 32)
  const mail = makeLinkToken(okaeri.context.keyring, { merchantId: merchant.id, deliveryId: id })
  for (const wrong of [other, bytes.toString('base64url'), mail, `${token}x`, 'x'])
    expect((await click(`https://okaeri.test/m/${wrong}`))[0]).toBe(404)
  expect((await click(`https://okaeri.test/c/${token}-0`))[0]).toBe(404)
  expect((await clicksOf(id)).areas).toEqual([])
})

test('it leads on after the menu ended, and after it was deleted', async () => {
  const id = await showMenu()
  const [[first = ''] = []] = await addresses()
  await merchant.call(deactivateRichMenu, { params: { id } })
  await click(first)
  expect((await clicksOf(id)).areas).toMatchObject([{ human: 1 }])
  await merchant.call(deleteRichMenu, { params: { id } })
  expect(await click(first)).toEqual([302, 'https://shop.test/new?a=1#b'])
  const rows = await okaeri.query`select from rich_menu_clicks where merchant_id = ${merchant.id}`
  expect(rows).toEqual([])
})

test('with tracking off, links are as they were written', async () => {
  await showMenu({ tracking_enabled: false })
  expect(await addresses()).toEqual([['https://shop.test/new?a=1#b'], ['https://shop.test/お茶']])
})
