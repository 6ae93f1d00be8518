import { escapeHtml, formatTime, page, type SandboxLanguage } from '../../page.ts'
import { execute, listRows } from '../../sql.ts'
import { lineNavigation } from './frame.ts'
import { listAliases, type MenuBody, type MenuRow, shownMenu } from '../menus.ts'
import { drawMessage, placeOf } from './message-drawing.ts'
import { phoneStyles } from './phone-styles.ts'
import { type AccountScope, friendship, nowMs, type UserRow } from '../platform.ts'
import { isObject, type Json } from '../shapes/shapes.ts'
import { createTaps, reachable } from './taps.ts'

/** How many of the newest things in the chat are drawn. */
const shownItems = 60

interface Received {
  what: 'received'
  at_ms: number
  send_id: number
  kind: string
  messages: Json[]
}
interface Done {
  what: 'done'
  at_ms: number
  event: Json
  said: string | null
}
type Item = Received | Done

/** The chat, oldest first; what was received counts as seen. */
export function readChat({ database, account, clock }: AccountScope, userId: string): Item[] {
  const received = listRows<{ at_ms: number; send_id: number; kind: string; messages: string }>(database)`SELECT at_ms,
    send_id, kind, messages FROM line_receipt JOIN line_send ON line_send.id = send_id
    WHERE user_id = ${userId} AND line_receipt.account_id = ${account.id} ORDER BY send_id DESC LIMIT ${shownItems}`.map(
    (row): Received => ({ ...row, what: 'received', messages: JSON.parse(row.messages) as Json[] }),
  )
  const done = listRows<{ at_ms: number; body: string; said: string | null }>(database)`SELECT at_ms, body, said
    FROM line_event WHERE account_id = ${account.id} AND user_id = ${userId} ORDER BY id DESC LIMIT ${shownItems}`.map(
    (row): Done => ({ what: 'done', at_ms: row.at_ms, said: row.said, event: JSON.parse(row.body) as Json }),
  )
  execute(database)`UPDATE line_receipt SET seen_ms = ${clock.now().getTime()}
    WHERE user_id = ${userId} AND account_id = ${account.id} AND seen_ms IS NULL`
  return [...received, ...done].sort((one, other) => one.at_ms - other.at_ms).slice(-shownItems)
}

export interface PhoneView {
  scope: AccountScope
  user: UserRow
  language: SandboxLanguage
  notice: string
}

export const phonePath = (userId: string, accountId: number, what = ''): string =>
  `/line/users/${userId}${what}?account=${accountId}`

export function phonePage(view: PhoneView): string {
  const { scope, user, language } = view
  const t = (ja: string, en: string): string => (language === 'ja' ? ja : en)
  const { state } = friendship(scope, user.id)
  const chat = drawChat(view, readChat(scope, user.id))
  const menu = shownMenu(scope, user.id)
  const here = (what: string): string => escapeHtml(phonePath(user.id, scope.account.id, what))
  const press = (what: string, label: string, className = 'small'): string =>
    `<form method="post" action="${here(what)}" class="inline"><button class="${className}">${label}</button></form>`
  const states = {
    friend: t('友だち', 'Friend'),
    blocked: t('ブロック中', 'Blocked'),
    none: t('友だちではない', 'No friend'),
  }
  const acts =
    state === 'friend'
      ? press('/block', t('ブロック', 'Block'))
      : press(
          '/follow',
          state === 'blocked' ? t('ブロック解除', 'Unblock') : t('友だち追加', 'Add as friend'),
          'small primary',
        )
  const body = `<style>${phoneStyles}</style>
<p class="muted small"><a href="/line">LINE</a> › ${escapeHtml(scope.account.name)}</p>
<h1>${escapeHtml(t(`${user.name} さんのスマートフォン`, `${user.name}’s phone`))}</h1>
${noticeOf(view)}
<div class="beside"><section class="phone" aria-label="${escapeHtml(user.name)}">
<header class="phone-top"><strong>${escapeHtml(scope.account.name)}</strong> <span class="badge">${states[state]}</span><span class="end">${acts}</span></header>
<div class="chat" tabindex="0" aria-label="${t('トーク', 'Chat')}"><div class="said" id="chat" data-refresh="${escapeHtml(phonePath(user.id, scope.account.id))}">${chat}</div></div>
<form method="post" action="${here('/say')}" class="phone-input"><input type="text" name="text" maxlength="5000" required autocomplete="off" aria-label="${t('メッセージ', 'Message')}" placeholder="${t('メッセージを入力', 'Write a message')}"${state === 'friend' ? '' : ' disabled'}><button class="primary small"${state === 'friend' ? '' : ' disabled'}>${t('送信', 'Send')}</button></form>
<div id="menu" data-refresh="${escapeHtml(phonePath(user.id, scope.account.id))}">${menu ? drawMenu(view, menu) : `<p class="muted small no-menu">${t('リッチメニューはありません', 'No rich menu')}</p>`}</div>
</section>${facts(view)}</div>`
  return page({ title: `${user.name} · LINE`, body, lang: language, nav: lineNavigation(language) })
}

function noticeOf({ notice }: PhoneView): string {
  if (notice === '') return ''
  return `<p class="flash ${notice.startsWith('!') ? 'bad' : 'ok'}" role="status">${escapeHtml(notice.replace(/^!/, ''))}</p>`
}

function facts({ scope, user, language }: PhoneView): string {
  const t = (ja: string, en: string): string => (language === 'ja' ? ja : en)
  const { since_ms, menu_id, state } = friendship(scope, user.id)
  const rows: [string, string][] = [
    ['userId', `<code>${user.id}</code>`],
    [t('言語', 'Language'), escapeHtml(user.language ?? t('同意なし', 'not told'))],
    [t('ストアの顧客', 'Customer of the store'), escapeHtml(user.email ?? t('なし', 'none'))],
    ...(state === 'none'
      ? []
      : [
          [t('友だちになった日時', 'Friend since'), formatTime(new Date(since_ms), language)] satisfies [
            string,
            string,
          ],
        ]),
    [
      t('個別のリッチメニュー', 'Own rich menu'),
      menu_id === null ? t('なし', 'none') : `<code>${escapeHtml(menu_id)}</code>`,
    ],
  ]
  return `<section class="card facts-of"><dl class="facts">${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>
<form method="post" action="${escapeHtml(phonePath(user.id, scope.account.id, '/picture'))}"><button class="small">${t('画像を送る', 'Send a picture')}</button></form>
<form method="post" action="${escapeHtml(phonePath(user.id, scope.account.id, '/use'))}"><button class="small">${t('このブラウザの LINE にする', 'Use as this browser’s LINE')}</button></form>
<p class="muted small">${t('LINE ログインとアカウント連携の画面では、この人として操作します。', 'The pages of LINE Login and account link are then this person’s.')}</p></section>`
}

function drawChat(view: PhoneView, items: Item[]): string {
  const { scope, user, language } = view
  const t = (ja: string, en: string): string => (language === 'ja' ? ja : en)
  if (items.length === 0) return `<p class="nothing">${t('トークはまだありません', 'Nothing was said yet')}</p>`
  const words = { noLabel: t('開く', 'Open') }
  const target = phonePath(user.id, scope.account.id, '/tap')
  let day = ''
  return items
    .map((item, index) => {
      const time = timeOf(item.at_ms, language)
      const heading = time.day === day ? '' : `<p class="day"><span>${time.day}</span></p>`
      day = time.day
      if (item.what === 'done') return heading + drawDone(item, { time: time.clock, t })
      const drawn = item.messages.map((message, place) => {
        const taps = createTaps({ target, sendId: item.send_id, seq: place + 1 }, words)
        const isLast = index === items.length - 1 && place === item.messages.length - 1
        const inner = drawMessage(message, taps) + (isLast ? drawQuickReplies(message, taps) : '')
        const sender =
          isObject(message['sender']) && typeof message['sender']['name'] === 'string' ? message['sender']['name'] : ''
        return `<div class="them">${sender === '' ? '' : `<span class="sender">${escapeHtml(sender)}</span>`}<div class="what">${inner}</div><time>${time.clock}</time>${taps.forms()}</div>`
      })
      return heading + drawn.join('')
    })
    .join('')
}

function drawQuickReplies(message: Json, taps: ReturnType<typeof createTaps>): string {
  const items = isObject(message['quickReply']) ? ((message['quickReply']['items'] ?? []) as Json[]) : []
  if (items.length === 0) return ''
  return `<div class="quick" role="group">${items.map(({ action }) => taps.button(action, { className: 'chip' })).join('')}</div>`
}

function drawDone({ event, said }: Done, { time, t }: { time: string; t: (ja: string, en: string) => string }): string {
  const own = (text: string): string => `<div class="me"><div class="bubble">${text}</div><time>${time}</time></div>`
  const note = (text: string): string => `<p class="note"><span>${escapeHtml(text)} · ${time}</span></p>`
  const message = isObject(event['message']) ? event['message'] : {}
  switch (event['type']) {
    case 'message':
      return own(message['type'] === 'text' ? escapeHtml(String(message['text'])) : t('🖼 画像', '🖼 Picture'))
    case 'follow':
      return note(t('友だちになりました', 'Became a friend'))
    case 'unfollow':
      return note(t('ブロックしました', 'Blocked the account'))
    case 'accountLink':
      return note(t('アカウントを連携しました', 'Linked an account'))
    case 'postback': {
      const { data } = event['postback'] as { data: string }
      return (said === null ? '' : own(escapeHtml(said))) + note(`postback: ${data}`)
    }
    default:
      return ''
  }
}

function timeOf(atMs: number, language: SandboxLanguage): { day: string; clock: string } {
  const locale = language === 'ja' ? 'ja-JP' : 'en-GB'
  const zone = { timeZone: 'Asia/Tokyo' }
  return {
    day: new Intl.DateTimeFormat(locale, { ...zone, month: 'short', day: 'numeric', weekday: 'short' }).format(atMs),
    clock: new Intl.DateTimeFormat(locale, { ...zone, hour: '2-digit', minute: '2-digit' }).format(atMs),
  }
}

/** The menu the person sees, with its areas to tap; a tab is an area that switches to the menu of an alias. */
function drawMenu({ scope, user, language }: PhoneView, row: MenuRow): string {
  const t = (ja: string, en: string): string => (language === 'ja' ? ja : en)
  const { size, areas, chatBarText, selected } = JSON.parse(row.body) as MenuBody
  const target = escapeHtml(phonePath(user.id, scope.account.id, '/menu'))
  const aliases = new Map(listAliases(scope).map(({ richMenuAliasId, richMenuId }) => [richMenuAliasId, richMenuId]))
  const buttons = areas.map(({ bounds, action }, index) => {
    const isTab = action['type'] === 'richmenuswitch'
    const isHere = isTab && aliases.get(String(action['richMenuAliasId'])) === row.id
    const named = [action['label'], action['text'], action['uri'], action['richMenuAliasId'], action['data']]
    const name = named.find((one): one is string => typeof one === 'string' && one !== '') ?? ''
    return `<form method="post" action="${target}" class="area" style="${placeOf(bounds, size)}"${action['type'] === 'uri' ? ' target="_blank"' : ''}><input type="hidden" name="menu" value="${row.id}"><button class="over" name="area" value="${index}" aria-label="${escapeHtml(name)}"${isTab ? ` aria-pressed="${isHere}"` : ''} title="${escapeHtml(name)}"></button></form>`
  })
  return `<details class="menu"${selected ? ' open' : ''}><summary>${escapeHtml(chatBarText)}</summary><div class="menu-picture" style="aspect-ratio:${size.width}/${size.height}"><img src="${reachable(`/line/accounts/${scope.account.id}/menus/${row.id}`)}" alt="${t('リッチメニュー', 'Rich menu')}">${buttons.join('')}</div></details>`
}

export const chatAsJson = (scope: AccountScope, userId: string): unknown => ({
  now: new Date(nowMs(scope)).toISOString(),
  data: readChat(scope, userId).map((item) =>
    item.what === 'received'
      ? {
          what: item.what,
          at: new Date(item.at_ms).toISOString(),
          kind: item.kind,
          send_id: item.send_id,
          messages: item.messages,
        }
      : { what: item.what, at: new Date(item.at_ms).toISOString(), event: item.event },
  ),
})
