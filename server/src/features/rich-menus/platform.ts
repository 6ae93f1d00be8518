import type { RichMenuTrouble } from '@okaeri/contract/rich-menus/menu'
import { LineError, type LineMenu, type LineMenuAlias } from '../../integrations/line/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { mayReachPeople } from '../deliveries/index.ts'
import { getLineToken } from '../line-accounts/index.ts'
import { aliasOf, isAliasOfOurs, lineMenuOf, namesOf } from './line-menu.ts'
import { compareLinks } from './link-queries.ts'
import { sendLinks } from './links.ts'
import {
  claimLook,
  forgetMissing,
  forgetRefusal,
  forgetUploads,
  keepRefusal,
  keepUpload,
  listUploads,
  type Look,
  type LookResult,
  reportLook,
  reportTrouble,
} from './look-queries.ts'
import { refusalOf } from './refusal.ts'
import { findNextTurn, listMenusOfNow, listPictures, type PictureRow, type RichMenuRow } from './queries.ts'

/** A look takes seconds; a worker that died leaves it to others after this. */
const HELD_MS = 5 * 60_000
/** What others changed at the platform is put right so often. */
const LOOK_EVERY_MS = 86_400_000
const FIRST_RETRY_MS = 60_000
const LAST_RETRY_MS = 3_600_000

type ThereMenu = { richMenuId: string } & LineMenu

/**
 * Compares what friends should see with what the platform shows, and puts that right, as much of it as is due. Safe to die anywhere: the next
 * look finds what is there.
 */
export async function keepMenus(scope: MerchantScope): Promise<boolean> {
  if (!(await mayReachPeople(scope))) return false
  const look = await claimLook(scope, new Date(scope.now.getTime() + HELD_MS))
  if (!look) return false
  let token: string | undefined
  try {
    token = await getLineToken(scope)
    await reportLook(now(scope), look, await lookAt(scope, token, look))
  } catch (error) {
    await reportFailure(scope, look, error)
    // The next caller renews a token that ended before its time, or marks the account.
    if (error instanceof LineError && error.outcome.kind === 'unauthorized' && token) await renewToken(scope, token)
  }
  return true
}

async function lookAt(scope: MerchantScope, token: string, look: Look): Promise<LookResult> {
  const there = look.isWhole ? await putRight(scope, token, look) : null
  if (there || look.isComparison) await compareLinks(scope)
  const { hasMore, size: linkSize, isRefused } = await sendLinks(scope, token, look)
  if (!there) {
    // A menu no one should have is deleted once everyone has another; what failed before is tried again now that the platform answers.
    const isDue = isRefused || (!hasMore && (look.hasLeftovers || look.failures > 0))
    return { hasMore, linkSize, hasLeftovers: look.hasLeftovers, ...(isDue && { lookAt: scope.now }) }
  }
  if (!hasMore) await removeLeftovers(scope, token, there)
  return {
    shown: there.shown,
    // If a menu was refused just now, its people get another one.
    lookAt: isRefused ? scope.now : await findNextLook(scope, there.menuCount > 0),
    hasMore,
    linkSize,
    hasLeftovers: hasMore && there.menuIds.length + there.aliasIds.length > 0,
  }
}

async function findNextLook(scope: MerchantScope, hasMenus: boolean): Promise<Date | null> {
  const turn = await findNextTurn(scope)
  const check = hasMenus ? new Date(scope.now.getTime() + LOOK_EVERY_MS) : null
  return turn && check ? (turn < check ? turn : check) : (turn ?? check)
}

const now = ({ context, merchantId }: MerchantScope): MerchantScope => merchantScope(context, merchantId)

async function renewToken(scope: MerchantScope, refused: string): Promise<void> {
  await getLineToken(scope, refused).catch((error: unknown) => {
    if (!(error instanceof LineError || error instanceof AppError)) throw error
  })
}

async function reportFailure(scope: MerchantScope, look: Look, error: unknown): Promise<void> {
  const trouble = troubleOf(error)
  if (!trouble) throw error
  const failures = Math.min(look.failures + 1, 10)
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS)
  await reportTrouble(now(scope), look, { trouble, failures, lookAt: new Date(scope.now.getTime() + waitMs) })
}

function troubleOf(error: unknown): RichMenuTrouble | null {
  if (error instanceof LineError && error.outcome.kind === 'rate_limited') return 'limited'
  if (error instanceof LineError) return error.retryable ? 'away' : 'refused'
  return error instanceof AppError && error.reason === 'line_not_connected' ? 'not_connected' : null
}

/** What is no longer needed on the platform; deleted once it is shown to no one. */
interface Leftovers {
  menuIds: string[]
  aliasIds: string[]
}

/** What matters to friends: menus, aliases, the default. */
async function putRight(
  scope: MerchantScope,
  token: string,
  look: Look,
): Promise<Leftovers & { shown: string | null; menuCount: number }> {
  const { menus } = scope.context.integrations.line
  const ours = (await menus.list(token)).filter(({ name }) => name.startsWith(namesOf(scope.merchantId)))
  await forgetMissing(
    scope,
    ours.map(({ richMenuId }) => richMenuId),
  )
  const there = { ours, aliases: await menus.listAliases(token), shown: await menus.findDefault(token) }
  const wanted = await listMenusOfNow(scope)
  const made = new Map<string, string[]>()
  const gone: Leftovers = { menuIds: [], aliasIds: [] }
  /** Returns the platform's id of the first tab; null where the platform refuses the menu, which is recorded and does not stop the others. */
  const bring = async (menu: RichMenuRow, show?: (id: string) => Promise<void>): Promise<string | null> => {
    try {
      const ids = await bringWhole(scope, token, { look, wanted: menu, there })
      const [first = ''] = ids
      await show?.(first)
      if (menu.refusals > 0) await forgetRefusal(scope, menu)
      made.set(menu.id, ids)
      return first
    } catch (error) {
      const words = refusalOf(error)
      if (words === null) throw error
      gone.menuIds.push(...(await keepRefusal(now(scope), look, { menu, words })))
      if (menu.tabs.length > 1) gone.aliasIds.push(...menu.tabs.map((_, tab) => aliasOf(menu.id, tab)))
      return null
    }
  }
  const show = async (id: string): Promise<void> => {
    if (there.shown !== id) await menus.setDefault(token, id)
  }
  let shown: RichMenuRow | undefined
  for (const menu of wanted.filter(({ segment_id }) => segment_id === null))
    if (!shown && (await bring(menu, show))) shown = menu
  // A default menu that was set elsewhere stays while we have none.
  if (!shown && ours.some(({ richMenuId }) => richMenuId === there.shown)) await menus.setDefault(token, null)
  for (const menu of wanted.filter(({ segment_id }) => segment_id !== null)) await bring(menu)
  const used = new Set([...made.values()].flat())
  const aliases = new Set(
    [...made].flatMap(([id, ids]) => (ids.length > 1 ? ids.map((_, tab) => aliasOf(id, tab)) : [])),
  )
  gone.menuIds.push(...ours.map(({ richMenuId }) => richMenuId).filter((id) => !used.has(id)))
  gone.aliasIds.push(
    ...there.aliases
      .map(({ richMenuAliasId }) => richMenuAliasId)
      .filter((id) => isAliasOfOurs(id) && !aliases.has(id)),
  )
  return {
    menuIds: [...new Set(gone.menuIds)],
    aliasIds: [...new Set(gone.aliasIds)],
    shown: shown?.id ?? null,
    menuCount: wanted.length,
  }
}

async function removeLeftovers(scope: MerchantScope, token: string, { menuIds, aliasIds }: Leftovers): Promise<void> {
  const { menus } = scope.context.integrations.line
  for (const id of aliasIds) await menus.deleteAlias(token, id)
  for (const id of menuIds) {
    await menus.delete(token, id)
    await forgetUploads(scope, id)
  }
}

interface There {
  ours: readonly ThereMenu[]
  aliases: readonly LineMenuAlias[]
  shown: string | null
}

/** The menu with the aliases that its tabs switch by; returns the platform's ids, by tab. */
async function bringWhole(
  scope: MerchantScope,
  token: string,
  { look, wanted, there }: { look: Look; wanted: RichMenuRow; there: There },
): Promise<string[]> {
  const { menus } = scope.context.integrations.line
  const ids = await bringMenus(scope, token, { look, wanted, ours: there.ours })
  if (ids.length === 1) return ids
  for (const [tab, richMenuId] of ids.entries()) {
    const alias = { richMenuAliasId: aliasOf(wanted.id, tab), richMenuId }
    const known = there.aliases.find(({ richMenuAliasId }) => richMenuAliasId === alias.richMenuAliasId)
    if (!known) await menus.createAlias(token, alias)
    else if (known.richMenuId !== richMenuId) await menus.changeAlias(token, alias)
  }
  return ids
}

/**
 * A menu for each tab, by tab. One is kept when it was recorded with its picture: creating has no retry key, and the platform does not say
 * whether a menu has a picture, so one whose making was cut short is made again and goes.
 */
async function bringMenus(
  scope: MerchantScope,
  token: string,
  { look, wanted, ours }: { look: Look; wanted: RichMenuRow; ours: readonly ThereMenu[] },
): Promise<string[]> {
  const made = await listUploads(scope, wanted.id)
  const pictures = await listPictures(
    scope,
    wanted.tabs.flatMap(({ picture_id }) => picture_id ?? []),
  )
  const ids: string[] = []
  for (const [tab, { picture_id }] of wanted.tabs.entries()) {
    const known = made.get(tab)
    const picture = pictures.find(({ id }) => id === picture_id)
    if (!picture) throw new Error(`rich menu ${wanted.id} is active without a picture`)
    const isThere = ours.some(({ richMenuId }) => richMenuId === known)
    ids.push(known && isThere ? known : await makeMenu(scope, token, { look, wanted, tab, picture }))
  }
  return ids
}

async function makeMenu(
  scope: MerchantScope,
  token: string,
  { look, wanted, tab, picture }: { look: Look; wanted: RichMenuRow; tab: number; picture: PictureRow },
): Promise<string> {
  const { menus } = scope.context.integrations.line
  const lineMenuId = await menus.create(token, lineMenuOf(scope, wanted, tab, picture))
  try {
    await menus.uploadPicture(token, lineMenuId, { bytes: picture.bytes, type: picture.type })
  } catch (error) {
    // Each try would leave one there, up to the thousand that the platform keeps. What stays all the same is a leftover.
    await Promise.allSettled([menus.delete(token, lineMenuId)])
    throw error
  }
  await keepUpload(scope, look, { menuId: wanted.id, tab, lineMenuId })
  return lineMenuId
}
