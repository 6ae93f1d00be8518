import { randomBytes } from 'node:crypto'
import { execute, findRow, listRows, part, transaction } from '../sql.ts'
import type { LineAnswer, LineCall, Route } from './api.ts'
import { type AccountScope, friendship, isUserId, nowMs } from './platform.ts'
import { hourly, perSecond } from './rate-limits.ts'
import { LineRefusal } from './refusals.ts'
import { requests } from './shapes/request-shapes.ts'
import { pictureFacts } from './picture-facts.ts'
import { isKnown } from './sends.ts'
import type { Json } from './shapes/shapes.ts'

const menusPerAccount = 1000
const aliasesPerAccount = 1000
const pictureBytes = 1024 * 1024
const fortnightMs = 14 * 86_400_000

export interface MenuRow {
  id: string
  body: string
  picture_type: string | null
  at_ms: number
}
export interface MenuBody {
  size: { width: number; height: number }
  selected: boolean
  name: string
  chatBarText: string
  areas: { bounds: { x: number; y: number; width: number; height: number }; action: Json }[]
}

const menuPath = '/v2/bot/richmenu/:richMenuId'
const aliasPath = '/v2/bot/richmenu/alias/:richMenuAliasId'
const userMenuPath = '/v2/bot/user/:userId/richmenu'
const defaultPath = '/v2/bot/user/all/richmenu'

export const menuRoutes: readonly Route[] = [
  { method: 'POST', path: '/v2/bot/richmenu', rate: hourly(100), answer: create },
  {
    method: 'POST',
    path: '/v2/bot/richmenu/validate',
    answer: (call) => {
      call.body(requests.richMenu)
      return {}
    },
  },
  {
    method: 'GET',
    path: '/v2/bot/richmenu/list',
    rate: perSecond(10),
    answer: ({ scope }) => ({ body: { richmenus: listMenus(scope).map(present) } }),
  },
  {
    method: 'GET',
    path: menuPath,
    answer: ({ scope, params }) => ({ body: present(getMenu(scope, params['richMenuId'])) }),
  },
  { method: 'DELETE', path: menuPath, rate: hourly(100), answer: remove },
  { method: 'POST', path: '/v2/bot/richmenu/bulk/link', answer: bulkLink },
  { method: 'POST', path: '/v2/bot/richmenu/bulk/unlink', answer: bulkUnlink },
  { method: 'POST', path: '/v2/bot/richmenu/batch', rate: hourly(3), answer: batch },
  {
    method: 'POST',
    path: '/v2/bot/richmenu/validate/batch',
    answer: (call) => {
      call.body(requests.batch)
      return {}
    },
  },
  { method: 'GET', path: '/v2/bot/richmenu/progress/batch', rate: hourly(100), answer: batchProgress },
  { method: 'POST', path: '/v2/bot/richmenu/alias', answer: createAlias },
  {
    method: 'GET',
    path: '/v2/bot/richmenu/alias/list',
    answer: ({ scope }) => ({ body: { aliases: listAliases(scope) } }),
  },
  {
    method: 'GET',
    path: aliasPath,
    answer: ({ scope, params }) => ({ body: getAlias(scope, params['richMenuAliasId']) }),
  },
  { method: 'POST', path: aliasPath, answer: changeAlias },
  { method: 'DELETE', path: aliasPath, rate: hourly(100), answer: removeAlias },
  {
    method: 'GET',
    path: defaultPath,
    answer: ({ scope: { account } }) => {
      if (account.default_menu === null) throw new LineRefusal(404, 'no default richmenu')
      return { body: { richMenuId: account.default_menu } }
    },
  },
  {
    method: 'POST',
    path: `${defaultPath}/:richMenuId`,
    answer: ({ scope, params }) => setDefault(scope, getPictured(scope, params['richMenuId']).id),
  },
  { method: 'DELETE', path: defaultPath, answer: ({ scope }) => setDefault(scope, null) },
  {
    method: 'GET',
    path: userMenuPath,
    answer: ({ scope, params: { userId = '' } }) => {
      const { menu_id } = friendship(scope, userId)
      if (menu_id === null) throw new LineRefusal(404, 'the user has no richmenu')
      return { body: { richMenuId: menu_id } }
    },
  },
  {
    method: 'POST',
    path: `${userMenuPath}/:richMenuId`,
    answer: ({ scope, params: { userId = '', richMenuId } }) => {
      const { id } = getPictured(scope, richMenuId)
      if (!isUserId(userId) || !isKnown(scope, userId)) throw new LineRefusal(400, "The property, 'userId', is invalid")
      setMenu(scope, [userId], id)
      return {}
    },
  },
  {
    method: 'DELETE',
    path: userMenuPath,
    answer: ({ scope, params: { userId = '' } }) => {
      setMenu(scope, [userId], null)
      return {}
    },
  },
]

/** Pictures go over a host of their own. */
export const menuPictureRoutes: readonly Route[] = [
  { method: 'POST', path: `${menuPath}/content`, answer: upload },
  {
    method: 'GET',
    path: `${menuPath}/content`,
    answer: ({ scope, params }) => {
      const picture = findPicture(scope, getMenu(scope, params['richMenuId']).id)
      if (!picture) throw new LineRefusal(404, 'Not found')
      return { body: picture.bytes, type: picture.type }
    },
  },
  {
    method: 'GET',
    path: '/v2/bot/message/:messageId/content',
    answer: ({ scope, params }) => {
      const content = findRow<{ type: string; body: Uint8Array }>(scope.database)`SELECT type, body FROM line_content
        WHERE message_id = ${params['messageId'] ?? ''} AND account_id = ${scope.account.id}`
      if (!content) throw new LineRefusal(404, 'Not found')
      return { body: Buffer.from(content.body), type: content.type }
    },
  },
]

function create(call: LineCall): LineAnswer {
  const { scope } = call
  const menu = call.body<MenuBody>(requests.richMenu)
  const kept = findRow<{ count: number }>(scope.database)`SELECT count(*) AS count FROM line_menu
    WHERE account_id = ${scope.account.id}`
  if ((kept?.count ?? 0) >= menusPerAccount)
    throw new LineRefusal(400, 'The number of rich menus has reached its limit')
  const id = `richmenu-${randomBytes(16).toString('hex')}`
  execute(scope.database)`INSERT INTO line_menu (account_id, id, body, at_ms)
    VALUES (${scope.account.id}, ${id}, ${JSON.stringify(menu)}, ${nowMs(scope)})`
  return { body: { richMenuId: id } }
}

export const listMenus = ({ database, account }: AccountScope): MenuRow[] =>
  listRows<MenuRow>(database)`SELECT id, body, picture_type, at_ms FROM line_menu WHERE account_id = ${account.id}
    ORDER BY at_ms, id`

const present = ({ id, body }: MenuRow): unknown => ({ richMenuId: id, ...(JSON.parse(body) as MenuBody) })

export const findMenu = ({ database, account }: AccountScope, id: string): MenuRow | undefined =>
  findRow<MenuRow>(database)`SELECT id, body, picture_type, at_ms FROM line_menu
    WHERE account_id = ${account.id} AND id = ${id}`

function getMenu(scope: AccountScope, id = ''): MenuRow {
  const menu = findMenu(scope, id)
  if (!menu) throw new LineRefusal(404, 'richmenu not found')
  return menu
}

function getPictured(scope: AccountScope, id: string | undefined): MenuRow {
  const menu = getMenu(scope, id)
  if (menu.picture_type === null) throw new LineRefusal(400, 'must upload richmenu image before applying it to user')
  return menu
}

export function findPicture({ database, account }: AccountScope, id: string): { bytes: Buffer; type: string } | null {
  const row = findRow<{ picture: Uint8Array | null; picture_type: string | null }>(database)`SELECT picture,
    picture_type FROM line_menu WHERE account_id = ${account.id} AND id = ${id}`
  if (!row?.picture || row.picture_type === null) return null
  return { bytes: Buffer.from(row.picture), type: row.picture_type }
}

/** Once: a picture cannot be replaced. It has the menu's size in pixels, and is what its header says. */
function upload({ scope, params, bytes, contentType }: LineCall): LineAnswer {
  const menu = getMenu(scope, params['richMenuId'])
  if (!['image/jpeg', 'image/png'].includes(contentType))
    throw new LineRefusal(415, `The content type, ${contentType}, is not supported`)
  if (bytes.length > pictureBytes) throw new LineRefusal(413, 'Request Entity Too Large')
  if (menu.picture_type !== null) throw new LineRefusal(400, 'An image has already been uploaded to the richmenu')
  const facts = pictureFacts(bytes)
  if (!facts || facts.type !== contentType) throw new LineRefusal(400, 'The image is not a valid JPEG or PNG')
  const { size } = JSON.parse(menu.body) as MenuBody
  if (facts.width !== size.width || facts.height !== size.height)
    throw new LineRefusal(
      400,
      `The image size (${facts.width}x${facts.height}) does not match the richmenu size (${size.width}x${size.height})`,
    )
  execute(scope.database)`UPDATE line_menu SET picture = ${bytes}, picture_type = ${contentType}
    WHERE account_id = ${scope.account.id} AND id = ${menu.id}`
  return {}
}

/** Users who had it have none; aliases keep pointing at the deleted menu, as on the platform. */
function remove({ scope, params }: LineCall): LineAnswer {
  const { id } = getMenu(scope, params['richMenuId'])
  const { database, account } = scope
  transaction(database, () => {
    execute(database)`DELETE FROM line_menu WHERE account_id = ${account.id} AND id = ${id}`
    execute(database)`UPDATE line_friendship SET menu_id = NULL WHERE account_id = ${account.id} AND menu_id = ${id}`
    execute(database)`UPDATE line_account SET default_menu = NULL WHERE id = ${account.id} AND default_menu = ${id}`
  })
  return {}
}

function setDefault({ database, account }: AccountScope, id: string | null): LineAnswer {
  execute(database)`UPDATE line_account SET default_menu = ${id} WHERE id = ${account.id}`
  return {}
}

/** Strangers and who has blocked the account are passed over without a word. */
function setMenu({ database, account }: AccountScope, userIds: readonly string[], menuId: string | null): void {
  transaction(database, () => {
    for (const userId of userIds)
      execute(database)`UPDATE line_friendship SET menu_id = ${menuId}
        WHERE account_id = ${account.id} AND user_id = ${userId} AND state = 'friend'`
  })
}

/** A bad id among them, and nothing is changed. */
function refuseBadIds(userIds: readonly string[]): void {
  const details = userIds.flatMap((id, index) =>
    isUserId(id) ? [] : [{ message: 'invalid user id', property: `userIds[${index}]` }],
  )
  if (details.length > 0) throw new LineRefusal(400, `The request body has ${details.length} error(s)`, details)
}

function bulkLink(call: LineCall): LineAnswer {
  const { richMenuId, userIds } = call.body<{ richMenuId: string; userIds: string[] }>(requests.bulkLink)
  const { id } = getPictured(call.scope, richMenuId)
  refuseBadIds(userIds)
  setMenu(call.scope, userIds, id)
  return { status: 202 }
}

function bulkUnlink(call: LineCall): LineAnswer {
  const { userIds } = call.body<{ userIds: string[] }>(requests.bulkUnlink)
  refuseBadIds(userIds)
  setMenu(call.scope, userIds, null)
  return { status: 202 }
}

interface Operation {
  type: 'link' | 'unlink' | 'unlinkAll'
  from: string
  to: string
}

/** All at once here; on the platform it takes its time, and `progress` is asked. */
function batch(call: LineCall): LineAnswer {
  const { scope, requestId } = call
  const { operations, resumeRequestKey = null } = call.body<{ operations: Operation[]; resumeRequestKey?: string }>(
    requests.batch,
  )
  const froms = operations.filter(({ type }) => type !== 'unlinkAll').map(({ from }) => from)
  if (new Set(froms).size !== froms.length)
    throw new LineRefusal(400, 'The same rich menu is specified in several operations')
  if (operations.length > 1 && operations.some(({ type }) => type === 'unlinkAll'))
    throw new LineRefusal(400, 'unlinkAll cannot be specified with other operations')
  const { database, account } = scope
  return transaction(database, () => {
    const before = findRow<{ request_id: string }>(database)`SELECT request_id FROM line_menu_batch
      WHERE account_id = ${account.id} AND resume_key = ${resumeRequestKey} AND at_ms > ${nowMs(scope) - fortnightMs}`
    if (before) return { status: 202 }
    for (const { type, to } of operations) if (type === 'link') getPictured(scope, to)
    const moves = operations.map(({ type, from, to }) => ({
      from: type === 'unlinkAll' ? null : from,
      to: type === 'link' ? to : null,
      people: listRows<{ user_id: string }>(database)`SELECT user_id FROM line_friendship
        WHERE account_id = ${account.id} AND menu_id ${type === 'unlinkAll' ? part('IS NOT NULL') : part('= ?', from)}`,
    }))
    for (const { people, to } of moves)
      setMenu(
        scope,
        people.map(({ user_id }) => user_id),
        to,
      )
    execute(database)`INSERT INTO line_menu_batch (account_id, request_id, resume_key, at_ms)
      VALUES (${account.id}, ${requestId}, ${resumeRequestKey}, ${nowMs(scope)})`
    return { status: 202 }
  })
}

function batchProgress({ scope, query }: LineCall): LineAnswer {
  const row = findRow<{ at_ms: number }>(scope.database)`SELECT at_ms FROM line_menu_batch
    WHERE account_id = ${scope.account.id} AND request_id = ${query['requestId'] ?? ''}`
  if (!row) throw new LineRefusal(404, 'Not found')
  const at = new Date(row.at_ms).toISOString()
  return { body: { phase: 'succeeded', acceptedTime: at, completedTime: at } }
}

interface Alias {
  richMenuAliasId: string
  richMenuId: string
}
const aliasColumns = part('id AS richMenuAliasId, menu_id AS richMenuId')

export const listAliases = ({ database, account }: AccountScope): Alias[] =>
  listRows<Alias>(database)`SELECT ${aliasColumns} FROM line_menu_alias WHERE account_id = ${account.id} ORDER BY id`

export const findAlias = ({ database, account }: AccountScope, id: string): Alias | undefined =>
  findRow<Alias>(database)`SELECT ${aliasColumns} FROM line_menu_alias
    WHERE account_id = ${account.id} AND id = ${id}`

function getAlias(scope: AccountScope, id = ''): Alias {
  const alias = findAlias(scope, id)
  if (!alias) throw new LineRefusal(404, 'richmenu alias not found')
  return alias
}

/** What an alias is to point at: a menu with its picture. */
function pointTo(scope: AccountScope, menuId: string): string {
  const menu = findMenu(scope, menuId)
  if (!menu) throw new LineRefusal(400, 'richmenu not found')
  if (menu.picture_type === null) throw new LineRefusal(400, 'must upload richmenu image before applying it to user')
  return menu.id
}

function createAlias(call: LineCall): LineAnswer {
  const { scope } = call
  const { richMenuAliasId, richMenuId } = call.body<Alias>(requests.alias)
  const target = pointTo(scope, richMenuId)
  if (findAlias(scope, richMenuAliasId)) throw new LineRefusal(400, 'conflict richmenu alias id')
  if (listAliases(scope).length >= aliasesPerAccount)
    throw new LineRefusal(400, 'The number of rich menu aliases has reached its limit')
  execute(scope.database)`INSERT INTO line_menu_alias (account_id, id, menu_id)
    VALUES (${scope.account.id}, ${richMenuAliasId}, ${target})`
  return {}
}

function changeAlias(call: LineCall): LineAnswer {
  const { scope, params } = call
  const { richMenuAliasId } = getAlias(scope, params['richMenuAliasId'])
  const { richMenuId } = call.body<{ richMenuId: string }>(requests.aliasChange)
  execute(scope.database)`UPDATE line_menu_alias SET menu_id = ${pointTo(scope, richMenuId)}
    WHERE account_id = ${scope.account.id} AND id = ${richMenuAliasId}`
  return {}
}

function removeAlias({ scope, params }: LineCall): LineAnswer {
  const { richMenuAliasId } = getAlias(scope, params['richMenuAliasId'])
  execute(scope.database)`DELETE FROM line_menu_alias WHERE account_id = ${scope.account.id}
    AND id = ${richMenuAliasId}`
  return {}
}

/** The menu a friend sees: their own, else the default; null for who is no friend. */
export function shownMenu(scope: AccountScope, userId: string): MenuRow | null {
  const { state, menu_id } = friendship(scope, userId)
  const id = menu_id ?? scope.account.default_menu
  return state === 'friend' && id !== null ? (findMenu(scope, id) ?? null) : null
}
