import { escapeHtml, formatTime, page, type SandboxLanguage } from '../../page.ts'
import { findRow, listRows } from '../../sql.ts'
import { lineNavigation } from './frame.ts'
import { listAliases, listMenus, type MenuBody } from '../menus.ts'
import { type AccountRow, type AccountScope, type FriendState, type LinePlatform, type UserRow } from '../platform.ts'
import { phonePath } from './phone.ts'
import { faults, faultTexts, sentinels } from '../sentinels.ts'
import { usedThisMonth } from '../sends.ts'
import { listWebhooks, type WebhookRow } from '../webhooks.ts'

const pageSize = 50

type T = (ja: string, en: string) => string
const translator =
  (language: SandboxLanguage): T =>
  (ja, en) =>
    language === 'ja' ? ja : en

export interface ListView {
  platform: LinePlatform
  language: SandboxLanguage
  q: string
  offset: number
}

/** The accounts there are, and the people. */
export function linePage({ platform, language, q, offset }: ListView): string {
  const t = translator(language)
  const accounts = listRows<AccountRow>(platform.database)`SELECT * FROM line_account ORDER BY id`
  const [first] = accounts
  if (!first) throw new Error('the platform has no account')
  const cards = accounts.map((account) => accountCard({ ...platform, account }, language))
  const body = `<h1>LINE</h1>
<p class="muted">${t('LINE のプラットフォームと、それを使う人たちです。実在の人には何も届きません。', 'The LINE platform and the people who use it. Nothing reaches real people.')}</p>
<div class="grid">${cards.join('')}</div>
${people({ ...platform, account: first }, { language, q, offset })}
${sentinelTable(first, language)}`
  return page({ title: 'LINE', body, lang: language, nav: lineNavigation(language) })
}

function accountCard(scope: AccountScope, language: SandboxLanguage): string {
  const { account } = scope
  const t = translator(language)
  return `<section class="card"><h2><a href="/line/accounts/${account.id}">${escapeHtml(account.name)}</a></h2><dl class="facts">
<dt>ID</dt><dd>${escapeHtml(account.basic_id)}</dd><dt>${t('友だち', 'Friends')}</dt><dd>${friendCount(scope, 'friend')} · ${t('ブロック', 'blocked')} ${friendCount(scope, 'blocked')}</dd>
<dt>${t('今月の送信数', 'Sent this month')}</dt><dd>${quotaText(scope, language)}</dd><dt>Webhook</dt><dd>${escapeHtml(account.webhook_url ?? t('未設定', 'not set'))}</dd></dl></section>`
}

function quotaText(scope: AccountScope, language: SandboxLanguage): string {
  const number = new Intl.NumberFormat(language)
  const used = number.format(usedThisMonth(scope))
  return scope.account.quota === null ? used : `${used} / ${number.format(scope.account.quota)}`
}

const friendCount = ({ database, account }: AccountScope, state: FriendState): number =>
  findRow<{ count: number }>(database)`SELECT count(*) AS count FROM line_friendship
    WHERE account_id = ${account.id} AND state = ${state}`?.count ?? 0

const stateNames: Record<FriendState, [ja: string, en: string, badge: string]> = {
  friend: ['友だち', 'Friend', 'ok'],
  blocked: ['ブロック中', 'Blocked', 'bad'],
  none: ['友だちではない', 'No friend', ''],
}

function people(
  scope: AccountScope,
  { language, q, offset }: { language: SandboxLanguage; q: string; offset: number },
): string {
  const t = translator(language)
  const like = `%${q.replaceAll(/[%_\\]/g, (sign) => `\\${sign}`)}%`
  const rows = listRows<UserRow & { state: FriendState; received: number }>(scope.database)`SELECT line_user.*,
    coalesce(state, 'none') AS state, (SELECT count(*) FROM line_receipt
    WHERE user_id = line_user.id AND account_id = ${scope.account.id}) AS received FROM line_user LEFT
    JOIN line_friendship ON user_id = line_user.id AND account_id = ${scope.account.id}
    WHERE kind = 'person' AND (name LIKE ${like} ESCAPE '\\' OR email LIKE ${like} ESCAPE '\\'
    OR id LIKE ${like} ESCAPE '\\') ORDER BY number LIMIT ${pageSize + 1} OFFSET ${offset}`
  const lines = rows.slice(0, pageSize).map((user) => {
    const [ja, en, badge] = stateNames[user.state]
    return `<tr><td><a href="${escapeHtml(phonePath(user.id, scope.account.id))}">${escapeHtml(user.name)}</a></td><td><span class="badge ${badge}">${t(ja, en)}</span></td><td>${escapeHtml(user.email ?? '')}</td><td class="num">${user.received}</td></tr>`
  })
  const link = (place: number, label: string): string =>
    `<a class="button small" href="/line?${escapeHtml(new URLSearchParams({ q, offset: String(place) }).toString())}#people">${label}</a>`
  return `<h2 id="people" class="spaced">${t('LINE を使う人', 'People')}</h2>
<form method="get" action="/line#people" class="toolbar" role="search"><input type="search" name="q" value="${escapeHtml(q)}" aria-label="${t('検索', 'Search')}" placeholder="${t('名前、メールアドレス、userId', 'Name, address, userId')}" size="32"><button>${t('検索', 'Search')}</button></form>
${
  lines.length === 0
    ? `<div class="card empty"><p>${t('該当する人はいません', 'Nobody matches')}</p></div>`
    : `<div class="table-wrap"><table><thead><tr><th>${t('名前', 'Name')}</th><th>${t('状態', 'State')}</th><th>${t('ストアの顧客', 'Customer of the store')}</th><th class="num">${t('受信', 'Received')}</th></tr></thead><tbody>${lines.join('')}</tbody></table></div>`
}
<nav class="pager" aria-label="${t('ページ', 'Pages')}">${offset > 0 ? link(Math.max(0, offset - pageSize), t('前へ', 'Previous')) : ''}${rows.length > pageSize ? link(offset + pageSize, t('次へ', 'Next')) : ''}</nav>`
}

function sentinelTable(account: AccountRow, language: SandboxLanguage): string {
  const t = translator(language)
  const rows = sentinels.map(({ id, fault, times }) => {
    const often = times === null ? t('毎回', 'always') : t('最初だけ', 'first try only')
    return `<tr><td class="mono"><a href="${escapeHtml(phonePath(id, account.id))}">${id}</a></td><td>${faultTexts[fault][language]} <span class="badge">${often}</span></td></tr>`
  })
  return `<h2 class="spaced">${t('特別な宛先', 'People that make calls fail')}</h2><p class="muted">${t('この userId を宛先に含む呼び出しは、決まった失敗をします。友だちとして登録済みです。', 'A call that names one of these fails in its own way. All of them are friends.')}</p>
<div class="table-wrap"><table><tbody>${rows.join('')}</tbody></table></div>`
}

export interface AccountView {
  scope: AccountScope
  language: SandboxLanguage
  notice: string
}

/** An account as its owner sees it in the platform's consoles. */
export function accountPage(view: AccountView): string {
  const { scope, language, notice } = view
  const { account } = scope
  const flash =
    notice === ''
      ? ''
      : `<p class="flash ${notice.startsWith('!') ? 'bad' : 'ok'}" role="status">${escapeHtml(notice.replace(/^!/, ''))}</p>`
  const body = `<p class="muted small"><a href="/line">LINE</a></p><h1>${escapeHtml(account.name)}</h1>${flash}
<div class="grid">${credentials(scope, language)}${webhookForm(scope, language)}${quotaForm(scope, language)}${faultForm(scope, language)}</div>
${menus(scope, language)}${webhookTable(scope, language)}`
  return page({ title: `${account.name} · LINE`, body, lang: language, nav: lineNavigation(language) })
}

function credentials({ database, account }: AccountScope, language: SandboxLanguage): string {
  const t = translator(language)
  const token = findRow<{ token: string }>(database)`SELECT token FROM line_channel_token
    WHERE account_id = ${account.id} AND kind = 'long'`
  const logins = listRows<{ channel_id: string; channel_secret: string; name: string; provider: string }>(
    database,
  )`SELECT channel_id,
    channel_secret, name, provider FROM line_login_channel WHERE account_id = ${account.id} OR account_id IS NULL
    ORDER BY channel_id`
  const rows: [string, string][] = [
    [t('チャネル ID', 'Channel ID'), account.channel_id],
    [t('チャネルシークレット', 'Channel secret'), account.channel_secret],
    [t('チャネルアクセストークン（長期）', 'Channel access token (long-lived)'), token?.token ?? ''],
    [t('プロバイダー', 'Provider'), account.provider],
    ...logins.flatMap(({ channel_id, channel_secret, name, provider }): [string, string][] => [
      [t(`ログインチャネル ID（${name}、${provider}）`, `Login channel ID (${name}, ${provider})`), channel_id],
      [t('ログインチャネルシークレット', 'Login channel secret'), channel_secret],
    ]),
  ]
  return `<section class="card"><h2>${t('接続に使う値', 'Values to connect with')}</h2><dl class="facts" style="grid-template-columns:1fr">${rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd class="mono">${escapeHtml(value)}</dd>`).join('')}</dl></section>`
}

const form = ({ account }: AccountScope, inner: string): string =>
  `<form method="post" action="/line/accounts/${account.id}/settings">${inner}</form>`
const check = (name: string, label: string, on: boolean): string =>
  `<label class="check"><input type="hidden" name="${name}" value="false"><input type="checkbox" name="${name}" value="true"${on ? ' checked' : ''}> ${label}</label>`

function webhookForm(scope: AccountScope, language: SandboxLanguage): string {
  const t = translator(language)
  const { account } = scope
  return `<section class="card"><h2>Webhook</h2>${form(
    scope,
    `<div class="field"><label for="url">URL</label><input id="url" type="url" name="webhook_url" maxlength="500" value="${escapeHtml(account.webhook_url ?? '')}" placeholder="https://"></div>
${check('webhook_active', t('Webhook を利用する', 'Use webhooks'), account.webhook_active === 1)}${check('redelivery', t('失敗したら再送する', 'Send again what failed'), account.redelivery === 1)}${check('standby', t('スタンバイとして送る', 'Send as standby'), account.standby === 1)}
<button>${t('保存', 'Save')}</button>`,
  )}</section>`
}

function quotaForm(scope: AccountScope, language: SandboxLanguage): string {
  const t = translator(language)
  const { account } = scope
  return `<section class="card"><h2>${t('今月の送信数', 'Sent this month')}</h2><p class="big">${quotaText(scope, language)}</p>${form(
    scope,
    `<div class="field"><label for="quota">${t('月の上限（空欄は無制限）', 'Monthly limit (empty: none)')}</label><input id="quota" type="number" min="0" name="quota" value="${account.quota ?? ''}"></div>
<div class="field"><label for="used">${t('うち、手作業で送った数', 'Of these, sent by hand')}</label><input id="used" type="number" min="0" name="used_elsewhere" value="${account.used_elsewhere}"></div><button>${t('保存', 'Save')}</button>`,
  )}</section>`
}

function faultForm(scope: AccountScope, language: SandboxLanguage): string {
  const t = translator(language)
  const { break_as, break_left } = scope.account
  const now =
    break_left > 0
      ? `<p class="flash warn">${t(`あと ${break_left} 回`, `${break_left} more calls`)}: ${faultTexts[faults.find((one) => one === break_as) ?? 'error'][language]}</p>`
      : ''
  const choices = faults.map(
    (one) => `<option value="${one}"${one === break_as ? ' selected' : ''}>${faultTexts[one][language]}</option>`,
  )
  return `<section class="card"><h2>${t('次の呼び出しを失敗させる', 'Make the next calls fail')}</h2>${now}${form(
    scope,
    `<div class="field"><label for="as">${t('失敗のしかた', 'How')}</label><select id="as" name="break_as">${choices.join('')}</select></div><div class="field"><label for="times">${t('回数', 'Calls')}</label><input id="times" type="number" min="0" max="1000000" name="break_times" value="1"></div><button>${t('設定', 'Set')}</button>`,
  )}</section>`
}

function menus(scope: AccountScope, language: SandboxLanguage): string {
  const t = translator(language)
  const aliases = listAliases(scope)
  const cards = listMenus(scope).map(({ id, body, picture_type }) => {
    const { name, chatBarText, size } = JSON.parse(body) as MenuBody
    const names = aliases.filter(({ richMenuId }) => richMenuId === id).map(({ richMenuAliasId }) => richMenuAliasId)
    const picture =
      picture_type === null
        ? `<p class="badge warn">${t('画像なし', 'no picture')}</p>`
        : `<img src="/line/accounts/${scope.account.id}/menus/${id}" alt="" style="width:100%;display:block;border-radius:6px">`
    const isDefault =
      scope.account.default_menu === id ? `<span class="badge ok">${t('デフォルト', 'default')}</span>` : ''
    return `<section class="card">${picture}<h3 class="spaced">${escapeHtml(name)} ${isDefault}</h3><p class="muted small">${escapeHtml(chatBarText)} · ${size.width}×${size.height}${names.length === 0 ? '' : ` · ${escapeHtml(names.join(', '))}`}</p><p class="mono small">${id}</p></section>`
  })
  return `<h2 class="spaced">${t('リッチメニュー', 'Rich menus')}</h2>${cards.length === 0 ? `<div class="card empty"><p>${t('リッチメニューはまだありません', 'There is no rich menu yet')}</p></div>` : `<div class="grid">${cards.join('')}</div>`}`
}

const webhookStates: Record<WebhookRow['status'], [ja: string, en: string, badge: string]> = {
  pending: ['送信待ち', 'Waiting', 'warn'],
  delivered: ['送信済み', 'Delivered', 'ok'],
  failed: ['失敗', 'Failed', 'bad'],
}

function webhookTable(scope: AccountScope, language: SandboxLanguage): string {
  const t = translator(language)
  const rows = listWebhooks(scope, 50).map((row) => {
    const [ja, en, badge] = webhookStates[row.status]
    const { type, timestamp } = JSON.parse(row.event) as { type: string; timestamp: number }
    return `<tr><td>${type}</td><td class="nowrap">${formatTime(new Date(timestamp), language)}</td><td><span class="badge ${badge}">${t(ja, en)}</span> ${escapeHtml(row.last_error ?? '')}</td><td class="num">${row.tries}</td>
<td><details><summary>JSON</summary><pre>${escapeHtml(JSON.stringify(JSON.parse(row.event), null, 1))}</pre></details></td><td><form method="post" action="/line/accounts/${scope.account.id}/webhooks/${row.id}/redeliver" class="inline"><button class="small">${t('もう一度送る', 'Send again')}</button></form></td></tr>`
  })
  return `<h2 class="spaced">${t('送信した Webhook', 'Webhooks sent')}</h2>${rows.length === 0 ? `<div class="card empty"><p>${t('Webhook はまだありません', 'No webhook yet')}</p></div>` : `<div class="table-wrap"><table><thead><tr><th>${t('種類', 'Kind')}</th><th>${t('日時', 'When')}</th><th>${t('状態', 'State')}</th><th class="num">${t('回数', 'Tries')}</th><th></th><th></th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`}`
}
