import type { RichMenuDraft, RichMenuTab } from '@okaeri/contract/rich-menus/menu'
import {
  activateRichMenu,
  changeRichMenu,
  changeRichMenuPeriod,
  createRichMenu,
  deactivateRichMenu,
  deleteRichMenu,
  duplicateRichMenu,
  getRichMenu,
  getRichMenuOutlook,
  listRichMenus,
} from '@okaeri/contract/rich-menus/routes'
import { beforeEach, expect, test } from 'vitest'
import { deliverLineEvents, lineEvent, playLine } from '../../../test/line-platform.ts'
import { pngPicture } from '../../../test/picture-files.ts'
import {
  activateMenu,
  addMenuPicture,
  lineMenus,
  makeMenu,
  menuDraft,
  menusAt,
  menuTab,
} from '../../../test/rich-menu.ts'
import { account, withLineAccounts } from '../../../test/with-line.ts'
import { merchant, okaeri, sandbox } from '../../../test/with-okaeri.ts'
import { LineError } from '../../integrations/line/index.ts'

withLineAccounts('メニューの店')

beforeEach(async () => {
  await okaeri.settle()
})

const DAY_MS = 86_400_000
const pass = async (ms: number): Promise<void> => {
  okaeri.advance(ms)
  await okaeri.settle()
}
const inMs = (ms: number): string => new Date(okaeri.clock.now().getTime() + ms).toISOString()
const statusOf = async (id: string) => {
  const { status, is_shown } = (await merchant.call(getRichMenu, { params: { id } })).richmenu
  return [status, is_shown]
}
const platform = () => menusAt(account)
const reasonOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (error: { reason?: string; fields?: object }) => [error.reason, error.fields],
  )

test('a draft is shown to friends once it is activated, and no more once it is deactivated', async () => {
  const id = await makeMenu(undefined, { title: '新茶', chat_bar_text: 'お店を見る' })
  await okaeri.settle()
  expect((await platform()).there).toEqual([])
  expect(await activateMenu(id)).toBe('broadcasting')
  await okaeri.settle()
  expect((await platform()).shown).toMatchObject({
    chatBarText: 'お店を見る',
    selected: true,
    size: { width: 800, height: 540 },
    areas: [{ bounds: { x: 0, y: 270, width: 400, height: 270 }, action: { type: 'uri' } }],
  })
  expect(await statusOf(id)).toEqual(['broadcasting', true])
  await merchant.call(deactivateRichMenu, { params: { id } })
  await okaeri.settle()
  expect(await platform()).toEqual({ there: [], aliases: [], shown: undefined })
  expect(await statusOf(id)).toEqual(['not_set', false])
})

test('three tabs are three menus that switch to each other by aliases', async () => {
  const tabs = [menuTab(await addMenuPicture()), menuTab(await addMenuPicture()), menuTab(await addMenuPicture())]
  await activateMenu(await makeMenu(tabs))
  await okaeri.settle()
  const { there, aliases, shown } = await platform()
  expect(there).toHaveLength(3)
  const switches = shown?.areas.slice(0, 3).map(({ action }) => action['richMenuAliasId'])
  expect(
    switches?.map((id) => aliases.find(({ richMenuAliasId }) => richMenuAliasId === id)?.richMenuId).sort(),
  ).toEqual(there.map(({ richMenuId }) => richMenuId).sort())
  expect(shown?.areas.map(({ bounds }) => bounds.width)).toEqual([267, 266, 267, 400])
  expect(shown?.areas[0]?.bounds.height).toBe(81)
})

test('of several the one with the nearest start is shown, and periods turn by themselves', async () => {
  const always = await makeMenu(undefined, { chat_bar_text: 'いつも' })
  const sale = await makeMenu(undefined, {
    chat_bar_text: 'セール',
    starts_at: inMs(DAY_MS),
    ends_at: inMs(2 * DAY_MS),
  })
  await activateMenu(always)
  await activateMenu(sale)
  await okaeri.settle()
  const shown = async () => (await platform()).shown?.chatBarText
  expect(await shown()).toBe('いつも')
  await pass(DAY_MS)
  expect(await shown()).toBe('セール')
  await pass(DAY_MS)
  expect(await shown()).toBe('いつも')
  expect(await statusOf(sale)).toEqual(['ended', false])
  await merchant.call(changeRichMenuPeriod, {
    params: { id: sale },
    body: { period: { starts_at: inMs(-1000), ends_at: null } },
  })
  await okaeri.settle()
  expect(await shown()).toBe('セール')
  expect((await platform()).there).toHaveLength(1)
})

test('a menu whose making was cut short is made again, and nothing of ours stays beside it', async () => {
  const id = await makeMenu()
  const name = `Okaeri ${merchant.id} ${id} 0`
  const area = { bounds: { x: 0, y: 0, width: 1, height: 1 }, action: { type: 'message', text: 'a' } }
  const theirs = { size: { width: 800, height: 540 }, selected: false, name: 'x', chatBarText: 'x', areas: [area] }
  await lineMenus().create(account.access_token, { ...theirs, name })
  const other = await lineMenus().create(account.access_token, { ...theirs, name: '手作業のメニュー' })
  await activateMenu(id)
  await okaeri.settle()
  const { there, shown } = await platform()
  expect(there.map((menu) => menu.name).sort()).toEqual([name, '手作業のメニュー'].sort())
  expect(shown?.name).toBe(name)
  await merchant.call(deactivateRichMenu, { params: { id } })
  await okaeri.settle()
  expect((await platform()).there.map(({ richMenuId }) => richMenuId)).toEqual([other])
})

test('what others change at the platform is put right within a day', async () => {
  await activateMenu(await makeMenu())
  await okaeri.settle()
  const { shown } = await platform()
  await lineMenus().delete(account.access_token, shown?.richMenuId ?? '')
  await pass(DAY_MS)
  expect((await platform()).shown?.name).toBe(shown?.name)
})

test('only drafts are edited; what is shown is not deleted; a duplicate is a draft', async () => {
  const id = await makeMenu()
  await activateMenu(id)
  const richmenu = menuDraft([menuTab(null)])
  const forbidden = ['rich_menu_status_forbids', {}]
  expect(await reasonOf(merchant.call(changeRichMenu, { params: { id }, body: { richmenu } }))).toEqual(forbidden)
  expect(await reasonOf(merchant.call(activateRichMenu, { params: { id } }))).toEqual(forbidden)
  expect(await reasonOf(merchant.call(deleteRichMenu, { params: { id } }))).toEqual(forbidden)
  const copy = (await merchant.call(duplicateRichMenu, { params: { id } })).richmenu
  expect(copy).toMatchObject({ status: 'draft', starts_at: null, title: '夏のメニュー' })
  await merchant.call(deactivateRichMenu, { params: { id } })
  await merchant.call(deleteRichMenu, { params: { id } })
  expect((await merchant.call(listRichMenus, {})).data.map(({ id }) => id)).toEqual([copy.id])
})

test('who saves a draft does not undo what another member changed meanwhile; the same changed by both is not saved', async () => {
  const began = menuDraft([menuTab(null)], { title: '春', chat_bar_text: 'メニュー' })
  const { id } = (await merchant.call(createRichMenu, { body: { richmenu: began } })).richmenu
  const save = (change: Partial<RichMenuDraft>) =>
    merchant.call(changeRichMenu, { params: { id }, body: { richmenu: { ...began, ...change }, began } })
  const saved = async () => (await merchant.call(getRichMenu, { params: { id } })).richmenu
  await save({ chat_bar_text: 'お店を見る' })
  await save({ title: '初夏' })
  expect(await saved()).toMatchObject({ title: '初夏', chat_bar_text: 'お店を見る' })
  expect(await reasonOf(save({ title: '夏', is_open: false }))).toEqual(['rich_menu_changed_meanwhile', {}])
  expect(await saved()).toMatchObject({ title: '初夏', is_open: began.is_open })
  // Two saves that fit each for itself.
  await save({ title: '初夏', ends_at: inMs(DAY_MS) })
  expect(await reasonOf(save({ title: '初夏', starts_at: inMs(2 * DAY_MS) }))).toEqual([
    'rich_menu_changed_meanwhile',
    {},
  ])
})

test('what is incomplete is not activated, and it is said what is missing', async () => {
  const answer = async (tabs: RichMenuTab[], more?: Partial<RichMenuDraft>) => {
    const id = await makeMenu(tabs, more)
    return reasonOf(merchant.call(activateRichMenu, { params: { id } }))
  }
  expect(await answer([menuTab(null, [])])).toEqual([
    'rich_menu_incomplete',
    { 'tabs.0.picture_id': 'required', 'tabs.0.areas': 'required' },
  ])
  const picture = await addMenuPicture()
  expect(await answer([menuTab(picture), menuTab(await addMenuPicture(pngPicture(900, 540)))])).toMatchObject([
    'rich_menu_sizes_differ',
    { 'tabs.1.picture_id': 'invalid' },
  ])
  const atTop = { x: 0, y: 0, width: 10, height: 10, action: { type: 'none' as const } }
  expect(await answer([menuTab(picture, [atTop]), menuTab(picture)])).toEqual([
    'rich_menu_incomplete',
    { 'tabs.0.areas.0': 'invalid' },
  ])
  expect(await answer([menuTab(picture)], { ends_at: inMs(-1) })).toEqual(['validation', { ends_at: 'in_past' }])
})

test('while the platform refuses a picture, no menu without one stays there', async () => {
  const { line } = okaeri.context.integrations
  const real = line.menus
  let uploads = 0
  line.menus = {
    ...real,
    uploadPicture: () => {
      uploads += 1
      return Promise.reject(new LineError({ kind: 'bad_request', message: 'not a picture', problems: [] }))
    },
  }
  await activateMenu(await makeMenu())
  await okaeri.settle()
  for (let hour = 0; hour < 3; hour += 1) await pass(3_600_000)
  line.menus = real
  expect(uploads).toBeGreaterThan(3)
  const { data, trouble } = await merchant.call(listRichMenus, {})
  expect(trouble).toBeNull()
  expect(data).toMatchObject([{ is_shown: false, refusal: { words: 'not a picture' } }])
  const retryInMs = Date.parse(data[0]?.refusal?.retry_at ?? '') - okaeri.clock.now().getTime()
  expect(Math.ceil(retryInMs / 60_000)).toBe(8)
  expect((await platform()).there).toEqual([])
  await pass(3_600_000)
  expect((await platform()).there).toHaveLength(1)
  expect((await merchant.call(listRichMenus, {})).data).toMatchObject([{ is_shown: true, refusal: null }])
})

test('what the platform refuses the account, no menu is blamed for', async () => {
  const { line } = okaeri.context.integrations
  const real = line.menus
  line.menus = {
    ...real,
    create: () => Promise.reject(new LineError({ kind: 'refused', status: 403, message: 'not entitled' })),
  }
  await activateMenu(await makeMenu())
  await okaeri.settle()
  line.menus = real
  const { data, trouble } = await merchant.call(listRichMenus, {})
  expect([trouble, data[0]?.refusal]).toEqual(['refused', null])
})

test('when the platform takes no more, it is said so, and tried again later', async () => {
  // A hundred an hour.
  const menu = { size: { width: 800, height: 540 }, selected: false, name: 'x', chatBarText: 'x', areas: [] }
  const made = Array.from({ length: 99 }, () => lineMenus().create(account.access_token, menu))
  await Promise.all(made)
  await activateMenu(await makeMenu([menuTab(await addMenuPicture()), menuTab(await addMenuPicture())]))
  await okaeri.settle()
  expect((await merchant.call(listRichMenus, {})).trouble).toBe('limited')
  expect((await platform()).shown).toBeUndefined()
  sandbox.clock.advance(3_600_000)
  await pass(3_600_000)
  expect((await merchant.call(listRichMenus, {})).trouble).toBe(null)
  expect((await platform()).shown).toBeDefined()
})

test('before it is activated, the answer says how many friends would see it', async () => {
  const { data } = await playLine<{ data: { user_id: string }[] }>(`users.json?account=${account.id}&limit=2`)
  for (const { user_id } of data) await deliverLineEvents(okaeri, merchant, account, [lineEvent(user_id, 'follow')])
  await okaeri.settle()
  const { outlook } = await merchant.call(getRichMenuOutlook, { params: { id: await makeMenu() } })
  expect(outlook.friends).toBe(2)
})

test('lengths are counted as people see characters', async () => {
  const family = '👨‍👩‍👧‍👦'
  const id = await makeMenu(undefined, { chat_bar_text: family.repeat(14) })
  await activateMenu(id)
  await okaeri.settle()
  expect((await platform()).shown?.chatBarText).toBe(family.repeat(14))
  const richmenu = menuDraft([menuTab(null)], { chat_bar_text: 'あ'.repeat(15) })
  expect(await reasonOf(merchant.call(createRichMenu, { body: { richmenu } }))).toEqual([
    'validation',
    { 'richmenu.chat_bar_text': 'too_long' },
  ])
})
