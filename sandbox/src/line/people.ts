import { refuse } from '../http.ts'
import { execute, findRow, transaction } from '../sql.ts'
import { findAlias, findMenu, shownMenu, type MenuBody } from './menus.ts'
import { type AccountScope, friendship, nowMs, type UserRow } from './platform.ts'
import { isObject, type Json } from './shapes/shapes.ts'
import { publish } from './webhooks.ts'

/** What a person does on their phone. */

/** Befriends the account, or unblocks it. Returns whether anything changed. */
export function follow(scope: AccountScope, user: UserRow): boolean {
  const { state } = friendship(scope, user.id)
  if (state === 'friend') return false
  transaction(scope.database, () => {
    execute(scope.database)`INSERT INTO line_friendship (account_id, user_id, state, since_ms)
      VALUES (${scope.account.id}, ${user.id}, 'friend', ${nowMs(scope)}) ON CONFLICT (account_id, user_id) DO UPDATE
      SET state = 'friend', since_ms = excluded.since_ms`
    publish(scope, user.id, { type: 'follow', follow: { isUnblocked: state === 'blocked' } })
  })
  return true
}

/** The account's menu for this person goes with the friendship. */
export function block(scope: AccountScope, user: UserRow): boolean {
  if (friendship(scope, user.id).state !== 'friend') return false
  transaction(scope.database, () => {
    execute(scope.database)`UPDATE line_friendship SET state = 'blocked', menu_id = NULL
      WHERE account_id = ${scope.account.id} AND user_id = ${user.id}`
    publish(scope, user.id, { type: 'unfollow' }, { canReply: false })
  })
  return true
}

function refuseStranger(scope: AccountScope, user: UserRow): void {
  if (friendship(scope, user.id).state !== 'friend')
    throw refuse(409, 'no_friend', 'Only a friend of the account can write to it: follow it first.')
}

export function say(scope: AccountScope, user: UserRow, text: string): void {
  refuseStranger(scope, user)
  if (text === '') throw refuse(422, 'text_missing', 'Write something.')
  if (text.length > 5000) throw refuse(422, 'text_too_long', 'A message has 5,000 characters or less.')
  transaction(scope.database, () => {
    const id = nextMessageId(scope)
    publish(scope, user.id, { type: 'message', message: { type: 'text', id, quoteToken: `q${id}`, text } })
  })
}

/** Sends a picture; the account fetches it by the message's id. */
export function showPicture(scope: AccountScope, user: UserRow, picture: { bytes: Buffer; type: string }): void {
  refuseStranger(scope, user)
  transaction(scope.database, () => {
    const id = nextMessageId(scope)
    execute(scope.database)`INSERT INTO line_content (message_id, account_id, type, body)
      VALUES (${id}, ${scope.account.id}, ${picture.type}, ${picture.bytes})`
    publish(scope, user.id, {
      type: 'message',
      message: { type: 'image', id, quoteToken: `q${id}`, contentProvider: { type: 'line' } },
    })
  })
}

const nextMessageId = ({ database }: AccountScope): string => {
  const row = findRow<{ next: number }>(database)`SELECT coalesce(max(id), 0) + 1 AS next FROM line_event`
  return String(561_230_000_000_000_000n + BigInt(row?.next ?? 1))
}

/** Where something was tapped: in what message of which send, or in which menu. */
export interface TapPlace {
  sendId: number | null
  seq: number
  menuId: string | null
  area: number
}

/** Taps an action. Returns an address to open, or null. */
export function tap(
  scope: AccountScope,
  user: UserRow,
  { action, place, time }: { action: unknown; place: TapPlace; time?: string },
): string | null {
  if (!isObject(action)) throw refuse(422, 'action_missing', 'There is no such action.')
  const text = (name: string): string => (typeof action[name] === 'string' ? action[name] : '')
  return transaction(scope.database, () => {
    recordTap(scope, user, { place, url: action['type'] === 'uri' ? text('uri') : null })
    switch (action['type']) {
      case 'uri':
        return text('uri')
      case 'message':
        say(scope, user, text('text'))
        return null
      case 'postback':
        postback(scope, user, { data: text('data'), said: text('displayText') || text('text') })
        return null
      case 'datetimepicker': {
        const mode = text('mode')
        if (!time) throw refuse(422, 'time_missing', 'Choose a time first.')
        postback(scope, user, { data: text('data'), said: '', params: { [mode]: time } })
        return null
      }
      case 'richmenuswitch':
        switchMenu(scope, user, { alias: text('richMenuAliasId'), data: text('data') })
        return null
      default:
        // A camera, a place and the clipboard are the phone's own business.
        return null
    }
  })
}

function recordTap(scope: AccountScope, user: UserRow, { place, url }: { place: TapPlace; url: string | null }): void {
  const { database, account } = scope
  if (place.menuId !== null)
    execute(database)`INSERT INTO line_menu_click (account_id, menu_id, area, user_id, at_ms)
      VALUES (${account.id}, ${place.menuId}, ${place.area}, ${user.id}, ${nowMs(scope)})`
  else if (place.sendId !== null && url !== null)
    execute(database)`INSERT INTO line_click (send_id, user_id, seq, url, at_ms)
      VALUES (${place.sendId}, ${user.id}, ${place.seq}, ${url}, ${nowMs(scope)})`
}

function postback(
  scope: AccountScope,
  user: UserRow,
  { data, said, params }: { data: string; said: string; params?: Record<string, string> },
): void {
  refuseStranger(scope, user)
  publish(scope, user.id, { type: 'postback', postback: { data, ...(params && { params }) } }, { said: said || null })
}

/** Returns SUCCESS where the alias leads to a menu with a picture; otherwise the menu stays and the event says why. */
function switchMenu(scope: AccountScope, user: UserRow, { alias, data }: { alias: string; data: string }): void {
  refuseStranger(scope, user)
  const target = findAlias(scope, alias)
  const menu = target && findMenu(scope, target.richMenuId)
  const status = !target ? 'RICHMENU_ALIAS_ID_NOTFOUND' : menu ? 'SUCCESS' : 'RICHMENU_NOTFOUND'
  if (menu)
    execute(scope.database)`UPDATE line_friendship SET menu_id = ${menu.id}
      WHERE account_id = ${scope.account.id} AND user_id = ${user.id}`
  publish(scope, user.id, {
    type: 'postback',
    postback: { data, params: { newRichMenuAliasId: alias, status } },
  })
}

/** The action of a menu's area, as the menu the person sees now has it. */
export function actionOfArea(
  scope: AccountScope,
  user: UserRow,
  { menuId, area }: { menuId: string; area: number },
): Json {
  const menu = shownMenu(scope, user.id)
  const action = menu && (JSON.parse(menu.body) as MenuBody).areas[area]?.action
  if (!action || menu.id !== menuId) throw refuse(409, 'menu_changed', 'This menu is no more: look at the page again.')
  return action
}
