import { createHash } from 'node:crypto'
import { type PictureSize, type RichMenuAction, tabBarHeight } from '@okaeri/contract/rich-menus/menu'
import type { LineMenu } from '../../integrations/line/index.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { RichMenuRow } from './queries.ts'
import { trackedLink } from './tracked-link.ts'

type Area = LineMenu['areas'][number]

/** By its name a menu of ours is known at the platform, which tells no other mark. */
export const namesOf = (merchantId: string): string => `Okaeri ${merchantId} `
const nameOf = (merchantId: string, menuId: string, tab: number): string => `${namesOf(merchantId)}${menuId} ${tab}`

/** Aliases are 32 characters at most: too few for an id. */
const ALIAS_HASH = 24
const aliasMark = 'okaeri-'
export const isAliasOfOurs = (aliasId: string): boolean => aliasId.startsWith(aliasMark)
export const aliasOf = (menuId: string, tab: number): string =>
  `${aliasMark}${createHash('sha256')
    .update(menuId)
    .digest('hex')
    .slice(0, ALIAS_HASH - 1)}-${tab}`

/** One tab of a menu as the platform takes it; the bar with the tabs is the upper part of every picture. */
export const lineMenuOf = (
  { merchantId, context }: MerchantScope,
  menu: RichMenuRow,
  tab: number,
  size: PictureSize,
): LineMenu => ({
  size: { width: size.width, height: size.height },
  selected: menu.is_open,
  name: nameOf(merchantId, menu.id, tab),
  chatBarText: menu.chat_bar_text,
  areas: [
    ...tabAreas(menu, size),
    ...(menu.tabs[tab]?.areas ?? []).flatMap(({ action, ...bounds }, area) => {
      const lineAction = lineActionOf(action)
      if (lineAction && action.type === 'link' && menu.tracking_enabled)
        lineAction.uri = trackedLink(context, { merchantId, menuId: menu.id, tab, area })
      return lineAction ? [{ bounds, action: lineAction }] : []
    }),
  ],
})

function tabAreas(menu: RichMenuRow, size: PictureSize): Area[] {
  const count = menu.tabs.length
  if (count === 1) return []
  const height = tabBarHeight(size, menu.tab_height)
  const edge = (tab: number): number => Math.round((size.width * tab) / count)
  return menu.tabs.map((_, tab) => ({
    bounds: { x: edge(tab), y: 0, width: edge(tab + 1) - edge(tab), height },
    action: { type: 'richmenuswitch', richMenuAliasId: aliasOf(menu.id, tab), data: `tab=${tab + 1}` },
  }))
}

function lineActionOf(action: RichMenuAction): Area['action'] | null {
  if (action.type === 'message') return { type: 'message', text: action.text }
  return action.type === 'link' ? { type: 'uri', uri: action.url } : null
}
