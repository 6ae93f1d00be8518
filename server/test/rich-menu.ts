import type { RichMenuArea, RichMenuDraft, RichMenuTab } from '@okaeri/contract/rich-menus/menu'
import { activateRichMenu, addRichMenuPicture, createRichMenu } from '@okaeri/contract/rich-menus/routes'
import type { LineMenus } from '../src/integrations/line/menus.ts'
import type { PlayedAccount } from './line-platform.ts'
import { pngPicture } from './picture-files.ts'
import { merchant, okaeri } from './with-okaeri.ts'

const link: RichMenuArea = {
  x: 0,
  y: 270,
  width: 400,
  height: 270,
  action: { type: 'link', url: 'https://shop.test/' },
}
export const menuTab = (pictureId: string | null, areas: RichMenuArea[] = [link]): RichMenuTab => ({
  picture_id: pictureId,
  areas,
})

export const menuDraft = (tabs: RichMenuTab[], more: Partial<RichMenuDraft> = {}): RichMenuDraft => ({
  title: '夏のメニュー',
  segment_id: null,
  starts_at: null,
  ends_at: null,
  is_open: true,
  chat_bar_text: 'メニュー',
  tracking_enabled: true,
  tab_height: 15,
  tabs,
  ...more,
})

export const addMenuPicture = async (bytes = pngPicture(800, 540)): Promise<string> =>
  (await merchant.call(addRichMenuPicture, { body: { data: bytes.toString('base64') } })).picture.id

/** Returns its id; a picture is made where no tabs are given. */
export async function makeMenu(tabs?: RichMenuTab[], more?: Partial<RichMenuDraft>): Promise<string> {
  const richmenu = menuDraft(tabs ?? [menuTab(await addMenuPicture())], more)
  return (await merchant.call(createRichMenu, { body: { richmenu } })).richmenu.id
}
export const activateMenu = async (id: string): Promise<string> =>
  (await merchant.call(activateRichMenu, { params: { id } })).richmenu.status

export const lineMenus = (): LineMenus => okaeri.context.integrations.line.menus

/** The platform's own word: all menus, the aliases and the default. */
export async function menusAt({ access_token: token }: PlayedAccount) {
  const there = await lineMenus().list(token)
  const shown = await lineMenus().findDefault(token)
  return {
    there,
    aliases: await lineMenus().listAliases(token),
    shown: there.find((menu) => menu.richMenuId === shown),
  }
}
