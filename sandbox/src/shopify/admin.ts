import type { FastifyInstance } from 'fastify'
import { escapeHtml, formatTime } from '../page.ts'
import { mountAdminCustomers } from './admin-customers.ts'
import { mountAdminMetafields } from './admin-metafields.ts'
import { protectedDataLevels } from './access.ts'
import { type AdminView, adminRoutes, field, form, table } from './admin-frame.ts'
import { mountAdminOrders, mountAdminProducts } from './admin-goods.ts'
import { mountAdminDiscounts } from './admin-discounts.ts'
import { mountAdminSegments } from './admin-segments.ts'
import { appUrlOf, installedScopes } from './oauth.ts'
import { bulkEnds, type Platform, storePath } from './platform.ts'
import { sendPrivacyRequest } from './privacy.ts'
import { listed } from './resources.ts'
import { findRow, listRows } from '../sql.ts'
import { countStore, setSwitches, shopBody } from './stores.ts'
import { breakages, storeStates } from './fault-injection.ts'
import { type DeliveryRow, dropSubscriptions, listDeliveries, redeliver, uninstallApp } from './webhooks.ts'

/** The pages on which a person plays the store: what the merchant, the customers and the platform itself would do. */
export function mountAdmin(app: FastifyInstance, platform: Platform): void {
  const admin = adminRoutes(app, platform)
  mountOverview(admin)
  mountAdminCustomers(admin)
  mountAdminMetafields(admin)
  mountAdminOrders(admin)
  mountAdminProducts(admin)
  mountAdminDiscounts(admin)
  mountAdminSegments(admin)
  mountDeliveries(admin)
  mountSwitches(admin)
}

function mountOverview(admin: ReturnType<typeof adminRoutes>): void {
  const draw: Parameters<typeof admin.show>[2] = (view) => {
    const { scope, t, language } = view
    const counts = countStore(scope)
    const numbers = listed
      .map(([, { page, counted }]) =>
        page && counted
          ? `<a class="card" style="color:inherit;text-decoration:none" href="${storePath(scope, `/admin${page.path}`)}"><span class="muted">${t(page.ja, page.en)}</span><br><span class="big">${(counts[counted] ?? 0).toLocaleString('en')}</span></a>`
          : '',
      )
      .join('')
    const scopes = installedScopes(scope)
    const appUrl = appUrlOf(scope)
    const launch =
      appUrl === null
        ? ''
        : `<a class="button primary" href="${storePath(scope, '/admin/launch-app')}">${t('Okaeri を開く', 'Open Okaeri')}</a>`
    const state =
      scope.store.installed_at === null || !scopes
        ? `<p><span class="badge warn">${t('未インストール', 'Not installed')}</span></p><p class="muted">${appUrl === null ? t('アプリ側のページからインストールしてください。', 'Install it from the app’s own page.') : t('「Okaeri を開く」からインストールできます。', 'Install it with “Open Okaeri”.')}</p>`
        : `<p><span class="badge ok">${t('インストール済み', 'Installed')}</span> <span class="muted">${formatTime(new Date(scope.store.installed_at * 1000), language)}</span></p><p class="small mono">${escapeHtml(scopes.join(', '))}</p>`
    const subscriptions = listRows<{ topic: string; uri: string }>(
      scope.database,
      'SELECT topic, uri FROM store_subscription WHERE store_id = ? ORDER BY topic',
      scope.store.id,
    )
    const rows = subscriptions.map(
      ({ topic, uri }) =>
        `<tr><td class="mono">${escapeHtml(topic)}</td><td class="mono small">${escapeHtml(uri)}</td></tr>`,
    )
    const body = `<div class="grid" style="grid-template-columns:repeat(auto-fit,minmax(130px,1fr));margin-bottom:18px">${numbers}</div>
<section class="card"><h2>${t('アプリ', 'App')}</h2>${state}<div class="row">${launch}<a class="button" href="${storePath(scope)}">${t('ストアを見る', 'View the storefront')}</a></div></section>
<h2>${t('Webhook の購読', 'Webhook subscriptions')}</h2>${table([t('トピック', 'Topic'), t('宛先', 'Address')], rows, t('購読はまだありません。アプリがインストール時に登録します。', 'None yet; the app registers them when it is installed.'))}`
    return { title: t('ストア管理', 'Store admin'), body }
  }
  admin.show('', '', draw)
  admin.show('/', '', draw)
}

function mountDeliveries(admin: ReturnType<typeof adminRoutes>): void {
  admin.show('/webhooks', '/webhooks', (view) => {
    const { scope, t, language } = view
    const tones: Record<DeliveryRow['status'], [string, string]> = {
      delivered: ['ok', t('配信済み', 'Delivered')],
      pending: ['warn', t('送信待ち', 'Pending')],
      failed: ['bad', t('失敗', 'Failed')],
    }
    const topic = view.query.topic
    const rows = listDeliveries(scope, 100, topic).map((row) => {
      const [tone, word] = tones[row.status]
      const error = row.last_error === null ? '' : `<div class="small muted">${escapeHtml(row.last_error)}</div>`
      return `<tr><td><a class="mono" href="?topic=${encodeURIComponent(row.topic)}">${escapeHtml(row.topic)}</a><details><summary class="small">${t('本文', 'Body')}</summary><pre>${escapeHtml(JSON.stringify(JSON.parse(row.body), null, 1))}</pre><p class="small mono">Event-Id ${row.event_id}<br>Webhook-Id ${row.webhook_id}<br>→ ${escapeHtml(row.uri)}</p></details></td>
<td class="nowrap">${formatTime(new Date(row.triggered_at), language)}</td><td><span class="badge ${tone}">${word}</span>${row.last_status === null ? '' : ` <span class="small">${row.last_status}</span>`}${error}</td><td class="num">${row.tries}</td>
<td>${form(view, `/webhooks/${row.id}/redeliver`, `<button class="small">${t('再送', 'Redeliver')}</button>`, 'class="inline"')}</td></tr>`
    })
    const all =
      topic === undefined
        ? ''
        : `<p><span class="badge info mono">${escapeHtml(topic)}</span> <a href="${storePath(scope, '/admin/webhooks')}">${t('すべて表示', 'Show all')}</a></p>`
    const heads = [
      t('トピック', 'Topic'),
      t('発生', 'Triggered'),
      t('ステータス', 'Status'),
      `#${t('試行', 'Tries')}`,
      '',
    ]
    return {
      title: t('送信した Webhook', 'Webhooks sent'),
      body: `${all}${table(heads, rows, t('まだ何も送っていません。', 'Nothing has been sent yet.'))}`,
    }
  })
  admin.submit('/webhooks/:id/redeliver', (view) => {
    const sent = redeliver(view.scope, view.id)
    return {
      to: '/webhooks',
      notice: sent ? view.t('もう一度送ります。', 'Sent again.') : view.t('!見つかりません。', '!Not found.'),
    }
  })
}

/** How the platform, or the way to it, fails. */
function troubleSwitches(view: AdminView): string {
  const { t } = view
  const { store } = view.scope
  const choice = (name: string, label: string, values: readonly string[], now: string | null) =>
    `<div class="field"><label for="f-${name}">${label}</label><select id="f-${name}" name="${name}">${values
      .map((one) => `<option${one === now ? ' selected' : ''}>${one}</option>`)
      .join('')}</select></div>`
  const set = `<button>${t('設定', 'Set')}</button>`
  const breaking = (what: 'calls' | 'files', label: string) =>
    form(
      view,
      '/switches',
      `${choice(`break_${what}`, label, breakages, store[`break_${what}`])}${field(`break_${what}_times`, t('残り回数', 'Times left'), { type: 'number', value: String(store[`break_${what}_left`]), more: 'min="0" max="999999"' })}${set}`,
    )
  return `<h2 class="spaced">${t('障害と制限', 'Troubles and limits')}</h2><div class="grid"><section class="card"><h2>${t('ストアの状態', 'State of the store')}</h2><p class="muted">${t('open 以外では、API とトークンの要求が 402、423、403、404 で断られます。', 'Unless it is open, the API and requests for tokens are refused with 402, 423, 403 or 404.')}</p>
${form(view, '/switches', `${choice('state', t('ステータス', 'Status'), storeStates, store.state)}${set}`)}</section>
<section class="card"><h2>${t('壊れた応答', 'Broken answers')}</h2>${breaking('calls', t('API の呼び出し', 'Calls of the API'))}${breaking('files', t('一括処理のファイル', 'Files of bulk operations'))}</section>
<section class="card"><h2>${t('次の一括処理の終わり方', 'How the next bulk operation ends')}</h2>${form(view, '/switches', `${choice('end_next_bulk', t('終わり方', 'End'), bulkEnds, store.end_next_bulk)}${set}`)}</section>
<section class="card"><h2>${t('保護された顧客データ', 'Protected customer data')}</h2><p class="muted">${t('プラットフォームの承認の範囲です。', 'What the platform approved the app for.')}</p>
${form(view, '/switches', `${choice('protected_data', t('承認', 'Approval'), protectedDataLevels, store.protected_data)}${set}`)}</section>
<section class="card"><h2>${t('Webhook の購読', 'Webhook subscriptions')}</h2><p class="muted">${t('失敗が続いたときと同じように、すべての購読を取り消します。', 'Drops all subscriptions, as after too many failures.')}</p>
${form(view, '/switches', `<input type="hidden" name="drop_subscriptions" value="1"><button class="danger">${t('取り消す', 'Drop them')}</button>`)}</section></div>`
}

function mountSwitches(admin: ReturnType<typeof adminRoutes>): void {
  admin.show('/switches', '/switches', (view) => {
    const { t } = view
    const { store } = view.scope
    const running = findRow<{ n: number }>(
      view.scope.database,
      `SELECT count(*) AS n FROM store_bulk WHERE store_id = ? AND status IN ('CREATED', 'RUNNING')`,
      store.id,
    )
    const body = `<div class="grid"><section class="card"><h2>${t('API の混雑', 'API throttling')}</h2><p class="muted">${t('次の N 回の呼び出しを THROTTLED にします。', 'The next N calls are answered THROTTLED.')}</p>
${form(view, '/switches', `${field('throttle_next', t('回数', 'Calls'), { type: 'number', value: String(store.throttle_next), more: 'min="0" max="1000"' })}<button>${t('設定', 'Set')}</button>`)}
${form(view, '/switches', `<input type="hidden" name="throttling" value="${store.throttling === 1 ? '0' : '1'}"><button>${store.throttling === 1 ? t('通常の上限も止める', 'Switch the normal limit off') : t('通常の上限を戻す', 'Switch the normal limit on')}</button>`)}</section>
<section class="card"><h2>${t('一括処理', 'Bulk operations')}</h2><p class="muted">${t(`実行中 ${running?.n ?? 0} 件。次の一括処理を途中で失敗させられます。`, `${running?.n ?? 0} running. The next one can be made to fail halfway.`)}</p>
${form(view, '/switches', `<input type="hidden" name="fail_next_bulk" value="${store.fail_next_bulk === 1 ? '0' : '1'}"><button aria-pressed="${store.fail_next_bulk === 1}">${store.fail_next_bulk === 1 ? t('次は失敗します（取り消す）', 'The next one fails (undo)') : t('次の一括処理を失敗させる', 'Fail the next one')}</button>`)}
${form(view, '/switches', `${field('bulk_duration_ms', t('最短の所要時間（ミリ秒）', 'Shortest duration in ms'), { type: 'number', value: String(store.bulk_duration_ms), more: 'min="0" max="60000"' })}<button>${t('設定', 'Set')}</button>`)}</section>
<section class="card"><h2>${t('アプリのアンインストール', 'Uninstall the app')}</h2><p class="muted">${t('アクセストークンと購読が消え、app/uninstalled が送られます。', 'Access tokens and subscriptions go; app/uninstalled is sent.')}</p>
${form(view, '/uninstall', `<button class="danger"${store.installed_at === null ? ' disabled' : ''}>${t('アンインストール', 'Uninstall')}</button>`, `data-confirm="${t('アンインストールしますか？', 'Uninstall?')}"`)}${form(view, '/shop-redact', `<button>${t('48時間後の shop/redact を送る', 'Send shop/redact (48 h later)')}</button>`)}</section></div>`
    return { title: t('スイッチ', 'Switches'), body: body + troubleSwitches(view) }
  })
  admin.submit('/switches', (view) => {
    const number = (key: string) => {
      const value = view.form[key]
      return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : undefined
    }
    const flag = (key: string) => (view.form[key] === undefined ? undefined : view.form[key] === '1')
    const chosen = <Value extends string>(key: string, values: readonly Value[]) =>
      values.find((one) => one === view.form[key])
    const broken = (key: string) => {
      const as = chosen(key, breakages)
      const times = number(`${key}_times`)
      return as === undefined || times === undefined ? undefined : { as, times }
    }
    if (view.form.drop_subscriptions === '1') dropSubscriptions(view.scope)
    setSwitches(view.scope, {
      state: chosen('state', storeStates),
      protected_data: chosen('protected_data', protectedDataLevels),
      end_next_bulk: chosen('end_next_bulk', bulkEnds),
      break_calls: broken('break_calls'),
      break_files: broken('break_files'),
      throttle_next: number('throttle_next'),
      bulk_duration_ms: number('bulk_duration_ms'),
      fail_next_bulk: flag('fail_next_bulk'),
      throttling: flag('throttling'),
    })
    return { to: '/switches', notice: view.t('設定しました。', 'Set.') }
  })
  admin.submit('/shop-redact', (view) => {
    const problem = sendPrivacyRequest(view.scope, 'shop/redact', null)
    return { to: '/switches', notice: problem === null ? view.t('送りました。', 'Sent.') : `!${problem}` }
  })
  admin.submit('/uninstall', (view) => {
    uninstallApp(view.scope, () => shopBody(view.scope))
    return { to: '', notice: view.t('アンインストールしました。', 'The app was uninstalled.') }
  })
}
