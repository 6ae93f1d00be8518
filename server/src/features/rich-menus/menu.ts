import { isDeepStrictEqual } from 'node:util'
import {
  mayDo,
  type PictureSize,
  type RichMenu,
  type RichMenuClicks,
  RichMenuDraft,
  type RichMenuOutlook,
  type RichMenuPeriod,
  type RichMenuSummary,
  type RichMenuVerb,
  tabBarHeight,
} from '@okaeri/contract/rich-menus/menu'
import type { FieldReason } from '@okaeri/contract/errors'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findSegment } from '../segments/index.ts'
import { insertTargets, selectClicks } from './click-queries.ts'
import { findTrouble, scheduleLook } from './look-queries.ts'
import {
  countActive,
  countFriends,
  deleteMenuRow,
  findMenu,
  insertMenu,
  listPictureSizes,
  type MenusQuery,
  type RichMenuRow,
  selectMenus,
  updateMenu,
  updatePeriod,
  updateState,
} from './queries.ts'

/** Of three tabs each they fit the thousand that the platform keeps, with room for those that replace others. */
const MAX_ACTIVE = 200

export const presentSegment = ({ segment_id, segment }: Pick<RichMenuRow, 'segment_id' | 'segment'>) =>
  segment_id === null ? null : (segment ?? { id: segment_id, name: null })

export const presentSummary = (row: RichMenuRow): RichMenuSummary => ({
  id: row.id,
  title: row.title,
  status: row.status,
  starts_at: row.starts_at?.toISOString() ?? null,
  ends_at: row.ends_at?.toISOString() ?? null,
  chat_bar_text: row.chat_bar_text,
  segment: presentSegment(row),
  people: row.people,
  tab_count: row.tabs.length > 1 ? row.tabs.length : 0,
  is_shown: row.is_shown,
  refusal:
    row.status === 'broadcasting' && row.refusal !== null && row.retry_at
      ? { words: row.refusal, retry_at: row.retry_at.toISOString() }
      : null,
  updated_at: row.updated_at.toISOString(),
})

export async function listMenus(scope: MerchantScope, query: MenusQuery) {
  const { rows, total } = await selectMenus(scope, query)
  const { limit, offset } = query
  return { data: rows.map(presentSummary), limit, offset, total, trouble: await findTrouble(scope) }
}

export async function getMenu(scope: MerchantScope, id: string): Promise<RichMenu> {
  const row = await getRow(scope, id)
  const { segment_id, is_open, tracking_enabled, tab_height, tabs } = row
  return { ...presentSummary(row), segment_id, is_open, tracking_enabled, tab_height, tabs }
}

async function getRow(scope: MerchantScope, id: string, options?: { lock: boolean }): Promise<RichMenuRow> {
  const row = await findMenu(scope, id, options)
  if (!row) throw notFound('there is no such rich menu')
  return row
}

export async function createMenu(scope: MerchantScope, menu: RichMenuDraft): Promise<RichMenu> {
  await refuseUnknown(scope, menu)
  const id = newId()
  await insertMenu(scope, id, menu)
  return getMenu(scope, id)
}

export async function getOutlook(scope: MerchantScope, id: string): Promise<RichMenuOutlook> {
  const { segment_id } = await getRow(scope, id)
  return { friends: await countFriends(scope, segment_id) }
}

/** Of people by day: so many days. */
const DAYS_TOLD = 30

export async function getClicks(scope: MerchantScope, id: string): Promise<RichMenuClicks> {
  await getRow(scope, id)
  return selectClicks(scope, id, DAYS_TOLD)
}

/** Under lock, where the status allows it; returns the menu afterwards. */
function doTo(
  scope: MerchantScope,
  id: string,
  { verb, act }: { verb: RichMenuVerb | null; act: (scope: MerchantScope, row: RichMenuRow) => Promise<void> },
): Promise<RichMenu> {
  return scope.transaction(async (scope) => {
    const row = await getRow(scope, id, { lock: true })
    if (verb && !mayDo(verb, row.status)) throw conflict('rich_menu_status_forbids', `the menu is ${row.status}`)
    await act(scope, row)
    return getMenu(scope, id)
  })
}

/** Throws `rich_menu_changed_meanwhile` where the person and another member changed the same since the person `began`. */
export const changeMenu = (
  scope: MerchantScope,
  id: string,
  { richmenu, began }: { richmenu: RichMenuDraft; began?: RichMenuDraft | undefined },
): Promise<RichMenu> =>
  doTo(scope, id, {
    verb: 'edit',
    act: async (scope, row) => {
      const menu = began ? withChangesOfOthers({ began, wanted: richmenu, saved: draftOf(row) }) : richmenu
      await refuseUnknown(scope, menu)
      await updateMenu(scope, id, menu)
    },
  })

const draftOf = (row: RichMenuRow): RichMenuDraft => {
  const { segment_id, is_open, tracking_enabled, tab_height, tabs } = row
  const { title, starts_at, ends_at, chat_bar_text } = presentSummary(row)
  return { title, segment_id, starts_at, ends_at, is_open, chat_bar_text, tracking_enabled, tab_height, tabs }
}

function withChangesOfOthers({
  began,
  wanted,
  saved,
}: {
  began: RichMenuDraft
  wanted: RichMenuDraft
  saved: RichMenuDraft
}): RichMenuDraft {
  const fields = Object.keys(saved) as (keyof RichMenuDraft)[]
  const others = fields.filter((field) => !isDeepStrictEqual(saved[field], began[field]))
  const lost = others.filter(
    (field) => !isDeepStrictEqual(wanted[field], began[field]) && !isDeepStrictEqual(wanted[field], saved[field]),
  )
  const menu = RichMenuDraft.safeParse({
    ...wanted,
    ...Object.fromEntries(others.filter((field) => !lost.includes(field)).map((field) => [field, saved[field]])),
  })
  // Each for itself may fit, and both together not: a start of one and an end of the other.
  if (lost.length > 0 || !menu.success)
    throw conflict(
      'rich_menu_changed_meanwhile',
      `saved by someone else: ${(lost.length > 0 ? lost : others).join(', ')}`,
    )
  return menu.data
}

/** One that is active keeps a start. */
export const changePeriod = (scope: MerchantScope, id: string, period: RichMenuPeriod): Promise<RichMenu> =>
  doTo(scope, id, {
    verb: null,
    act: async (scope, row) => {
      const isActive = row.status === 'broadcasting' || row.status === 'ended'
      if (isActive && !period.starts_at) throw invalid({ 'period.starts_at': 'required' })
      await updatePeriod(scope, id, period)
      if (isActive) await scheduleLook(scope)
    },
  })

export const activateMenu = (scope: MerchantScope, id: string): Promise<RichMenu> =>
  doTo(scope, id, {
    verb: 'activate',
    act: async (scope, row) => {
      if (row.ends_at && row.ends_at <= scope.now) throw invalid({ ends_at: 'in_past' })
      // Under lock, so that it is not deleted meanwhile.
      if (row.segment_id && !(await findSegment(scope, row.segment_id, { lock: true })))
        throw invalid({ segment_id: 'not_found' })
      await refuseIncomplete(scope, row)
      if ((await countActive(scope)) >= MAX_ACTIVE)
        throw conflict('too_many_rich_menus', `${MAX_ACTIVE} active menus at most`)
      await updateState(scope, id, 'active')
      if (row.tracking_enabled) await insertTargets(scope, row)
      await scheduleLook(scope)
    },
  })

export const deactivateMenu = (scope: MerchantScope, id: string): Promise<RichMenu> =>
  doTo(scope, id, {
    verb: 'deactivate',
    act: async (scope) => {
      await updateState(scope, id, 'inactive')
      await scheduleLook(scope)
    },
  })

export const deleteMenu = (scope: MerchantScope, id: string): Promise<void> =>
  scope.transaction(async (scope) => {
    const { status } = await getRow(scope, id, { lock: true })
    if (!mayDo('delete', status)) throw conflict('rich_menu_status_forbids', `the menu is ${status}`)
    await deleteMenuRow(scope, id)
    if (status !== 'draft') await scheduleLook(scope)
  })

export async function duplicateMenu(scope: MerchantScope, id: string): Promise<RichMenu> {
  const { title, segment_id, is_open, chat_bar_text, tracking_enabled, tab_height, tabs } = await getRow(scope, id)
  return createMenu(scope, {
    title,
    segment_id,
    is_open,
    chat_bar_text,
    tracking_enabled,
    tab_height,
    tabs,
    starts_at: null,
    ends_at: null,
  })
}

type Fields = Record<string, FieldReason>

async function refuseUnknown(scope: MerchantScope, { segment_id, tabs }: RichMenuDraft): Promise<void> {
  if (segment_id && !(await findSegment(scope, segment_id))) throw invalid({ 'richmenu.segment_id': 'not_found' })
  const sizes = await sizesOf(scope, tabs)
  const fields = tabs.flatMap(({ picture_id }, tab) =>
    picture_id && !sizes.has(picture_id) ? [[`richmenu.tabs.${tab}.picture_id`, 'not_found'] as const] : [],
  )
  if (fields.length > 0) throw invalid(Object.fromEntries(fields) as Fields)
}

async function sizesOf(scope: MerchantScope, tabs: RichMenuDraft['tabs']): Promise<Map<string, PictureSize>> {
  const ids = tabs.flatMap(({ picture_id }) => picture_id ?? [])
  return new Map((await listPictureSizes(scope, ids)).map(({ id, ...size }) => [id, size]))
}

/** Each tab has a picture, all of one size, and areas inside it and below the bar. */
async function refuseIncomplete(scope: MerchantScope, { tabs, tab_height }: RichMenuRow): Promise<void> {
  const sizes = await sizesOf(scope, tabs)
  const first = sizes.get(tabs[0]?.picture_id ?? '')
  const fields: Fields = {}
  for (const [tab, { picture_id, areas }] of tabs.entries()) {
    const size = sizes.get(picture_id ?? '')
    if (!size) fields[`tabs.${tab}.picture_id`] = 'required'
    else if (first && (size.width !== first.width || size.height !== first.height))
      throw invalid({ [`tabs.${tab}.picture_id`]: 'invalid' }, 'rich_menu_sizes_differ')
    if (areas.length === 0) fields[`tabs.${tab}.areas`] = 'required'
    const top = size && tabs.length > 1 ? tabBarHeight(size, tab_height) : 0
    for (const [index, { x, y, width, height }] of areas.entries())
      if (size && (y < top || x + width > size.width || y + height > size.height))
        fields[`tabs.${tab}.areas.${index}`] = 'invalid'
  }
  if (Object.keys(fields).length > 0) throw invalid(fields, 'rich_menu_incomplete')
}
