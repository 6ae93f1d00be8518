import type { FastifyInstance } from 'fastify'
import { escapeHtml, formatTime } from '../../page.ts'
import { mountAdminCustomers } from './admin-customers.ts'
import { mountAdminMetafields } from './admin-metafields.ts'
import { type AdminView, adminRoutes, field, form, table } from './admin-frame.ts'
import { mountAdminOrders, mountAdminProducts } from './admin-goods.ts'
import { mountAdminDiscounts } from './admin-discounts.ts'
import { mountAdminSegments } from './admin-segments.ts'
import { mountAdminStock } from './admin-stock.ts'
import { mountAdminTheme } from './admin-theme.ts'
import { appUrlOf, installedScopes } from '../oauth.ts'
import { type Platform, storePath } from '../platform.ts'
import { sendPrivacyRequest } from '../webhooks/privacy.ts'
import { listed } from '../resources.ts'
import { findRow, listRows } from '../../sql.ts'
import { countStore, setSwitches, shopBody } from '../stores.ts'
import { breakages } from '../fault-injection.ts'
import { type DeliveryRow, dropSubscriptions, listDeliveries, redeliver, uninstallApp } from '../webhooks/webhooks.ts'
import { bulkEnds, currencies, protectedDataLevels, storeStates } from '../rows.ts'

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
  mountAdminStock(admin)
  mountAdminTheme(admin)
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
          ? `<a class="card" style="color:inherit;text-decoration:none" href="${storePath(scope, `/admin${page.path}`)}"><span class="muted">${t({ ja: page.ja, en: page.en })}</span><br><span class="big">${(counts[counted] ?? 0).toLocaleString('en')}</span></a>`
          : '',
      )
      .join('')
    const scopes = installedScopes(scope)
    const appUrl = appUrlOf(scope)
    const launch =
      appUrl === null
        ? ''
        : `<a class="button primary" href="${storePath(scope, '/admin/launch-app')}">${t({ ja: 'Okaeri を開く', en: 'Open Okaeri' })}</a>`
    const state =
      scope.store.installed_at === null || !scopes
        ? `<p><span class="badge warn">${t({ ja: '未インストール', en: 'Not installed' })}</span></p><p class="muted">${appUrl === null ? t({ ja: 'アプリ側のページからインストールしてください。', en: 'Install it from the app’s own page.' }) : t({ ja: '「Okaeri を開く」からインストールできます。', en: 'Install it with “Open Okaeri”.' })}</p>`
        : `<p><span class="badge ok">${t({ ja: 'インストール済み', en: 'Installed' })}</span> <span class="muted">${formatTime(new Date(scope.store.installed_at * 1000), language)}</span></p><p class="small mono">${escapeHtml(scopes.join(', '))}</p>`
    const subscriptions = listRows<{ topic: string; uri: string }>(scope.database)`SELECT topic, uri
      FROM store_subscription WHERE store_id = ${scope.store.id} ORDER BY topic`
    const rows = subscriptions.map(
      ({ topic, uri }) =>
        `<tr><td class="mono">${escapeHtml(topic)}</td><td class="mono small">${escapeHtml(uri)}</td></tr>`,
    )
    const body = `<div class="grid" style="grid-template-columns:repeat(auto-fit,minmax(130px,1fr));margin-bottom:18px">${numbers}</div>
<section class="card"><h2>${t({ ja: 'アプリ', en: 'App' })}</h2>${state}<div class="row">${launch}<a class="button" href="${storePath(scope)}">${t({ ja: 'ストアを見る', en: 'View the storefront' })}</a></div></section>
<h2>${t({ ja: 'Webhook の購読', en: 'Webhook subscriptions' })}</h2>${table([t({ ja: 'トピック', en: 'Topic' }), t({ ja: '宛先', en: 'Address' })], rows, t({ ja: '購読はまだありません。アプリがインストール時に登録します。', en: 'None yet; the app registers them when it is installed.' }))}`
    return { title: t({ ja: 'ストア管理', en: 'Store admin' }), body }
  }
  admin.show('', '', draw)
  admin.show('/', '', draw)
}

function mountDeliveries(admin: ReturnType<typeof adminRoutes>): void {
  admin.show('/webhooks', '/webhooks', (view) => {
    const { scope, t, language } = view
    const tones: Record<DeliveryRow['status'], [string, string]> = {
      delivered: ['ok', t({ ja: '配信済み', en: 'Delivered' })],
      pending: ['warn', t({ ja: '送信待ち', en: 'Pending' })],
      failed: ['bad', t({ ja: '失敗', en: 'Failed' })],
    }
    const topic = view.query.topic
    const rows = listDeliveries(scope, 100, topic).map((row) => {
      const [tone, word] = tones[row.status]
      const error = row.last_error === null ? '' : `<div class="small muted">${escapeHtml(row.last_error)}</div>`
      return `<tr><td><a class="mono" href="?topic=${encodeURIComponent(row.topic)}">${escapeHtml(row.topic)}</a><details><summary class="small">${t({ ja: '本文', en: 'Body' })}</summary><pre>${escapeHtml(JSON.stringify(JSON.parse(row.body), null, 1))}</pre><p class="small mono">Event-Id ${row.event_id}<br>Webhook-Id ${row.webhook_id}<br>→ ${escapeHtml(row.uri)}</p></details></td>
<td class="nowrap">${formatTime(new Date(row.triggered_at), language)}</td><td><span class="badge ${tone}">${word}</span>${row.last_status === null ? '' : ` <span class="small">${row.last_status}</span>`}${error}</td><td class="num">${row.tries}</td>
<td>${form(view, `/webhooks/${row.id}/redeliver`, `<button class="small">${t({ ja: '再送', en: 'Redeliver' })}</button>`, 'class="inline"')}</td></tr>`
    })
    const all =
      topic === undefined
        ? ''
        : `<p><span class="badge info mono">${escapeHtml(topic)}</span> <a href="${storePath(scope, '/admin/webhooks')}">${t({ ja: 'すべて表示', en: 'Show all' })}</a></p>`
    const heads = [
      t({ ja: 'トピック', en: 'Topic' }),
      t({ ja: '発生', en: 'Triggered' }),
      t({ ja: 'ステータス', en: 'Status' }),
      `#${t({ ja: '試行', en: 'Tries' })}`,
      '',
    ]
    return {
      title: t({ ja: '送信した Webhook', en: 'Webhooks sent' }),
      body: `${all}${table(heads, rows, t({ ja: 'まだ何も送っていません。', en: 'Nothing has been sent yet.' }))}`,
    }
  })
  admin.submit('/webhooks/:id/redeliver', (view) => {
    const sent = redeliver(view.scope, view.id)
    return {
      to: '/webhooks',
      notice: sent
        ? view.t({ ja: 'もう一度送ります。', en: 'Sent again.' })
        : view.t({ ja: '!見つかりません。', en: '!Not found.' }),
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
  const set = `<button>${t({ ja: '設定', en: 'Set' })}</button>`
  const breaking = (what: 'calls' | 'files', label: string) =>
    form(
      view,
      '/switches',
      `${choice(`break_${what}`, label, breakages, store[`break_${what}`])}${field(`break_${what}_times`, t({ ja: '残り回数', en: 'Times left' }), { type: 'number', value: String(store[`break_${what}_left`]), more: 'min="0" max="999999"' })}${set}`,
    )
  return `<h2 class="spaced">${t({ ja: '障害と制限', en: 'Troubles and limits' })}</h2><div class="grid"><section class="card"><h2>${t({ ja: 'ストアの状態', en: 'State of the store' })}</h2><p class="muted">${t({ ja: 'open 以外では、API とトークンの要求が 402、423、403、404 で断られます。', en: 'Unless it is open, the API and requests for tokens are refused with 402, 423, 403 or 404.' })}</p>
${form(view, '/switches', `${choice('state', t({ ja: 'ステータス', en: 'Status' }), storeStates, store.state)}${set}`)}</section>
<section class="card"><h2>${t({ ja: '壊れた応答', en: 'Broken answers' })}</h2>${breaking('calls', t({ ja: 'API の呼び出し', en: 'Calls of the API' }))}${breaking('files', t({ ja: '一括処理のファイル', en: 'Files of bulk operations' }))}</section>
<section class="card"><h2>${t({ ja: '次の一括処理の終わり方', en: 'How the next bulk operation ends' })}</h2>${form(view, '/switches', `${choice('end_next_bulk', t({ ja: '終わり方', en: 'End' }), bulkEnds, store.end_next_bulk)}${set}`)}</section>
<section class="card"><h2>${t({ ja: '保護された顧客データ', en: 'Protected customer data' })}</h2><p class="muted">${t({ ja: 'プラットフォームの承認の範囲です。', en: 'What the platform approved the app for.' })}</p>
${form(view, '/switches', `${choice('protected_data', t({ ja: '承認', en: 'Approval' }), protectedDataLevels, store.protected_data)}${set}`)}</section>
<section class="card"><h2>${t({ ja: 'ストアの通貨', en: 'Currency of the store' })}</h2><p class="muted">${t({ ja: '金額は最小単位の数のまま読み替えます（¥3,240 は $32.40）。', en: 'Amounts keep their number in the smallest unit: ¥3,240 are $32.40 then.' })}</p>
${form(view, '/switches', `${choice('currency', t({ ja: '通貨', en: 'Currency' }), currencies, store.currency)}${set}`)}</section>
<section class="card"><h2>${t({ ja: 'Webhook の購読', en: 'Webhook subscriptions' })}</h2><p class="muted">${t({ ja: '失敗が続いたときと同じように、すべての購読を取り消します。', en: 'Drops all subscriptions, as after too many failures.' })}</p>
${form(view, '/switches', `<input type="hidden" name="drop_subscriptions" value="1"><button class="danger">${t({ ja: '取り消す', en: 'Drop them' })}</button>`)}</section></div>`
}

function mountSwitches(admin: ReturnType<typeof adminRoutes>): void {
  admin.show('/switches', '/switches', (view) => {
    const { t } = view
    const { store } = view.scope
    const running = findRow<{ n: number }>(view.scope.database)`SELECT count(*) AS n FROM store_bulk
      WHERE store_id = ${store.id} AND status IN ('CREATED', 'RUNNING')`
    const body = `<div class="grid"><section class="card"><h2>${t({ ja: 'API の混雑', en: 'API throttling' })}</h2><p class="muted">${t({ ja: '次の N 回の呼び出しを THROTTLED にします。', en: 'The next N calls are answered THROTTLED.' })}</p>
${form(view, '/switches', `${field('throttle_next', t({ ja: '回数', en: 'Calls' }), { type: 'number', value: String(store.throttle_next), more: 'min="0" max="1000"' })}<button>${t({ ja: '設定', en: 'Set' })}</button>`)}
${form(view, '/switches', `<input type="hidden" name="throttling" value="${store.throttling === 1 ? '0' : '1'}"><button>${store.throttling === 1 ? t({ ja: '通常の上限も止める', en: 'Switch the normal limit off' }) : t({ ja: '通常の上限を戻す', en: 'Switch the normal limit on' })}</button>`)}</section>
<section class="card"><h2>${t({ ja: '一括処理', en: 'Bulk operations' })}</h2><p class="muted">${t({ ja: `実行中 ${running?.n ?? 0} 件。次の一括処理を途中で失敗させられます。`, en: `${running?.n ?? 0} running. The next one can be made to fail halfway.` })}</p>
${form(view, '/switches', `<input type="hidden" name="fail_next_bulk" value="${store.fail_next_bulk === 1 ? '0' : '1'}"><button aria-pressed="${store.fail_next_bulk === 1}">${store.fail_next_bulk === 1 ? t({ ja: '次は失敗します（取り消す）', en: 'The next one fails (undo)' }) : t({ ja: '次の一括処理を失敗させる', en: 'Fail the next one' })}</button>`)}
${form(view, '/switches', `${field('bulk_duration_ms', t({ ja: '最短の所要時間（ミリ秒）', en: 'Shortest duration in ms' }), { type: 'number', value: String(store.bulk_duration_ms), more: 'min="0" max="60000"' })}<button>${t({ ja: '設定', en: 'Set' })}</button>`)}</section>
<section class="card"><h2>${t({ ja: 'アプリのアンインストール', en: 'Uninstall the app' })}</h2><p class="muted">${t({ ja: 'アクセストークンと購読が消え、app/uninstalled が送られます。', en: 'Access tokens and subscriptions go; app/uninstalled is sent.' })}</p>
${form(view, '/uninstall', `<button class="danger"${store.installed_at === null ? ' disabled' : ''}>${t({ ja: 'アンインストール', en: 'Uninstall' })}</button>`, `data-confirm="${t({ ja: 'アンインストールしますか？', en: 'Uninstall?' })}"`)}${form(view, '/shop-redact', `<button>${t({ ja: '48時間後の shop/redact を送る', en: 'Send shop/redact (48 h later)' })}</button>`)}</section></div>`
    return { title: t({ ja: 'スイッチ', en: 'Switches' }), body: body + troubleSwitches(view) }
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
      currency: chosen('currency', currencies),
      protected_data: chosen('protected_data', protectedDataLevels),
      end_next_bulk: chosen('end_next_bulk', bulkEnds),
      break_calls: broken('break_calls'),
      break_files: broken('break_files'),
      throttle_next: number('throttle_next'),
      bulk_duration_ms: number('bulk_duration_ms'),
      fail_next_bulk: flag('fail_next_bulk'),
      throttling: flag('throttling'),
    })
    return { to: '/switches', notice: view.t({ ja: '設定しました。', en: 'Set.' }) }
  })
  admin.submit('/shop-redact', (view) => {
    const problem = sendPrivacyRequest(view.scope, 'shop/redact', null)
    return { to: '/switches', notice: problem === null ? view.t({ ja: '送りました。', en: 'Sent.' }) : `!${problem}` }
  })
  admin.submit('/uninstall', (view) => {
    uninstallApp(view.scope, () => shopBody(view.scope))
    return { to: '', notice: view.t({ ja: 'アンインストールしました。', en: 'The app was uninstalled.' }) }
  })
}
