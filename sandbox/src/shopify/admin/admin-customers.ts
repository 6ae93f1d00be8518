import { escapeHtml, formatTime, type Localized } from '../../page.ts'
import {
  type AdminView,
  adminRoutes,
  field,
  form,
  listResource,
  options,
  pager,
  searchBar,
  table,
} from './admin-frame.ts'
import { metafieldCard } from './admin-metafields.ts'
import { paymentWord } from './admin-goods.ts'
import { listPage } from '../connection.ts'
import {
  checkCustomer,
  createCustomer,
  customerName,
  deleteCustomer,
  findCustomer,
  setMetafield,
  setTags,
  updateConsent,
  updateCustomer,
} from '../customers.ts'
import { propertiesOf, runFlowAction } from '../webhooks/flow.ts'
import { storePath } from '../platform.ts'
import { privacyTopics, sendPrivacyRequest } from '../webhooks/privacy.ts'
import { listingOf } from '../resources.ts'
import { moneyText } from '../goods/money.ts'
import type { Address, CustomerRow, EmailState, OrderRow } from '../rows.ts'

const consents: EmailState[] = ['SUBSCRIBED', 'UNSUBSCRIBED', 'NOT_SUBSCRIBED', 'PENDING']
const consentTone: Record<EmailState, string> = {
  SUBSCRIBED: 'ok',
  UNSUBSCRIBED: 'bad',
  NOT_SUBSCRIBED: '',
  PENDING: 'warn',
}

function consentWord(view: AdminView, state: EmailState): string {
  const words: Record<EmailState, Localized> = {
    SUBSCRIBED: { ja: '購読中', en: 'Subscribed' },
    UNSUBSCRIBED: { ja: '購読解除', en: 'Unsubscribed' },
    NOT_SUBSCRIBED: { ja: '未購読', en: 'Not subscribed' },
    PENDING: { ja: '確認待ち', en: 'Pending' },
  }
  return view.t(words[state])
}

const badge = (view: AdminView, state: EmailState) =>
  `<span class="badge ${consentTone[state]}">${consentWord(view, state)}</span>`
const tagsOf = (row: CustomerRow) => (JSON.parse(row.tags) as string[]).join(', ')
const textOf = (view: AdminView, key: string) => view.form[key]?.trim() || null

export function mountAdminCustomers(admin: ReturnType<typeof adminRoutes>): void {
  admin.show('/customers', '/customers', listCustomers)
  admin.submit('/customers', (view) => {
    const { scope, t } = view
    const email = textOf(view, 'email')
    const fields = {
      lastName: textOf(view, 'last_name'),
      firstName: textOf(view, 'first_name'),
      email,
      phone: textOf(view, 'phone'),
      tags: (view.form.tags ?? '').split(','),
    }
    const [problem] = checkCustomer(scope, fields, null)
    if (problem) return { to: '/customers', notice: `!${problem.message}` }
    const at = Math.floor(scope.clock.now().getTime() / 1000)
    const agreed = view.form.subscribed === '1' && email !== null
    const row = createCustomer(scope, fields, agreed ? { state: 'SUBSCRIBED', level: 'SINGLE_OPT_IN', at } : undefined)
    const birthDate = textOf(view, 'birth_date')
    if (birthDate !== null)
      setMetafield(
        scope,
        { type: 'Customer', id: row.id },
        { namespace: 'facts', key: 'birth_date', type: 'date', value: birthDate },
      )
    return { to: `/customers/${row.id}`, notice: t({ ja: '顧客を追加しました。', en: 'The customer was added.' }) }
  })

  admin.show('/customers/:id', '/customers', showCustomer)

  admin.submit('/customers/:id', (view) => {
    const { scope, t, id } = view
    const to = `/customers/${id}`
    if (!findCustomer(scope, id))
      return { to: '/customers', notice: t({ ja: '!顧客が見つかりません。', en: '!No such customer.' }) }
    const fields = {
      lastName: textOf(view, 'last_name'),
      firstName: textOf(view, 'first_name'),
      email: textOf(view, 'email'),
    }
    const [problem] = checkCustomer(scope, fields, id)
    if (problem) return { to, notice: `!${problem.message}` }
    updateCustomer(scope, id, fields)
    return { to, notice: t({ ja: '保存しました。', en: 'Saved.' }) }
  })
  admin.submit('/customers/:id/consent', (view) => {
    const { scope, t, id } = view
    const row = findCustomer(scope, id)
    const state = consents.find((one) => one === view.form.state)
    if (!row?.email || !state)
      return {
        to: `/customers/${id}`,
        notice: t({ ja: '!メールアドレスがありません。', en: '!There is no email address.' }),
      }
    updateConsent(scope, id, { state })
    return { to: `/customers/${id}`, notice: t({ ja: '配信同意を変更しました。', en: 'The consent was changed.' }) }
  })
  admin.submit('/customers/:id/tags', (view) => {
    const { scope, t, id } = view
    if (findCustomer(scope, id)) setTags(scope, id, (view.form.tags ?? '').split(','))
    return { to: `/customers/${id}`, notice: t({ ja: 'タグを保存しました。', en: 'The tags were saved.' }) }
  })
  admin.submit('/customers/:id/flow', (view) => {
    const { scope, t, id } = view
    const properties = { ...propertiesOf(view.form.properties ?? ''), handle: view.form.handle?.trim() ?? '' }
    const problem = runFlowAction(scope, { customerId: id, properties })
    const sent = t({
      ja: '実行しました。アプリの返事は「Webhook」で見られます。',
      en: 'It was run. The app’s answer is shown under Webhooks.',
    })
    return { to: `/customers/${id}`, notice: problem === null ? sent : `!${problem}` }
  })
  admin.submit('/customers/:id/privacy', (view) => {
    const { scope, t, id } = view
    const topic = privacyTopics.find((one) => one === view.form.topic) ?? 'customers/redact'
    const problem = sendPrivacyRequest(scope, topic, id)
    return { to: `/customers/${id}`, notice: problem === null ? t({ ja: '送りました。', en: 'Sent.' }) : `!${problem}` }
  })
  admin.submit('/customers/:id/delete', (view) => {
    if (findCustomer(view.scope, view.id)) deleteCustomer(view.scope, view.id)
    return { to: '/customers', notice: view.t({ ja: '顧客を削除しました。', en: 'The customer was deleted.' }) }
  })
}

function listCustomers(view: AdminView): { title: string; body: string } {
  const { scope, t } = view
  const found = listResource<CustomerRow>(view, 'Customer', 'UPDATED_AT')
  const rows = found.rows.map(
    (
      row,
    ) => `<tr><td><a href="${storePath(scope, `/admin/customers/${row.id}`)}">${escapeHtml(customerName(row)) || '—'}</a></td>
<td>${escapeHtml(row.email ?? '—')}</td><td>${badge(view, row.email_state)}</td><td class="small">${escapeHtml(tagsOf(row))}</td>
<td class="num">${row.orders_count}</td><td class="num">${moneyText(scope, row.total_spent)}</td></tr>`,
  )
  const heads = [
    t({ ja: '名前', en: 'Name' }),
    t({ ja: 'メール', en: 'Email' }),
    t({ ja: '配信同意', en: 'Consent' }),
    t({ ja: 'タグ', en: 'Tags' }),
    `#${t({ ja: '注文', en: 'Orders' })}`,
    `#${t({ ja: '購入額', en: 'Spent' })}`,
  ]
  const body = `${searchBar(view, '/customers', t({ ja: '名前、メール、tag:VIP など', en: 'Name, email, tag:VIP …' }))}
${table(heads, rows, t({ ja: '該当する顧客はいません。', en: 'No customer matches.' }))}${pager(view, '/customers', found)}
<section class="card"><h2>${t({ ja: '顧客を追加', en: 'Add a customer' })}</h2>${form(
    view,
    '/customers',
    `<div class="grid"><div>${field('last_name', t({ ja: '姓', en: 'Family name' }))}${field('first_name', t({ ja: '名', en: 'Given name' }))}${field('email', t({ ja: 'メールアドレス', en: 'Email address' }), { type: 'email' })}</div>
<div>${field('phone', t({ ja: '電話（+81…）', en: 'Phone (+81…)' }), { type: 'tel' })}${field('tags', t({ ja: 'タグ（カンマ区切り）', en: 'Tags, comma separated' }))}${field('birth_date', t({ ja: '誕生日', en: 'Birthday' }), { type: 'date' })}
<label class="check"><input type="checkbox" name="subscribed" value="1" checked> ${t({ ja: 'メール配信に同意', en: 'Agrees to marketing email' })}</label></div></div><button class="primary">${t({ ja: '追加', en: 'Add' })}</button>`,
  )}</section>`
  return { title: t({ ja: '顧客', en: 'Customers' }), body }
}

function showCustomer(view: AdminView): { title: string; body: string } {
  const { scope, t, id, language } = view
  const row = findCustomer(scope, id)
  if (!row) {
    view.reply.code(404)
    return { title: t({ ja: '顧客が見つかりません', en: 'No such customer' }), body: '' }
  }
  const address = row.address === null ? null : (JSON.parse(row.address) as Address)
  const orders = listPage<OrderRow>(
    scope,
    listingOf('Order'),
    { first: 10, sortKey: 'PROCESSED_AT', reverse: true },
    { bulk: false, where: 'customer_id = ?', parameters: [id] },
  )
  const orderRows = orders.rows.map(
    (
      order,
    ) => `<tr><td><a href="${storePath(scope, `/admin/orders?q=${encodeURIComponent(`id:${order.id}`)}`)}">${escapeHtml(order.name)}</a></td>
<td class="nowrap">${formatTime(new Date(order.processed_at * 1000), language)}</td><td>${paymentWord(view, order.financial_status)}</td><td class="num">${moneyText(scope, order.total)}</td></tr>`,
  )
  const facts = `<dl class="facts"><dt>ID</dt><dd class="mono">${row.id}</dd><dt>${t({ ja: '電話', en: 'Phone' })}</dt><dd>${escapeHtml(row.phone ?? '—')}</dd>
<dt>${t({ ja: '住所', en: 'Address' })}</dt><dd>${escapeHtml(address ? [address.zip, address.province, address.city, address.address1, address.address2].filter(Boolean).join(' ') : '—')}</dd>
<dt>${t({ ja: '言語', en: 'Language' })}</dt><dd>${escapeHtml(row.locale)}</dd><dt>${t({ ja: '更新', en: 'Updated' })}</dt><dd>${formatTime(new Date(row.updated_at * 1000), language)}</dd></dl>`
  const body = `<div class="grid"><section class="card"><h2>${t({ ja: 'プロフィール', en: 'Profile' })} ${badge(view, row.email_state)}</h2>${facts}
${form(view, `/customers/${id}`, `${field('last_name', t({ ja: '姓', en: 'Family name' }), { value: row.last_name ?? '' })}${field('first_name', t({ ja: '名', en: 'Given name' }), { value: row.first_name ?? '' })}${field('email', t({ ja: 'メールアドレス', en: 'Email address' }), { value: row.email ?? '', type: 'email' })}<button class="primary">${t({ ja: '保存', en: 'Save' })}</button>`)}</section>
<div>${metafieldCard(view, id)}<section class="card"><h2>${t({ ja: '配信同意', en: 'Consent' })}</h2>${form(
    view,
    `/customers/${id}/consent`,
    `<select name="state" aria-label="${t({ ja: '配信同意', en: 'Consent' })}">${options(
      consents.map((state) => [state, consentWord(view, state)]),
      row.email_state,
    )}</select><button>${t({ ja: '変更', en: 'Change' })}</button>`,
    'class="row"',
  )}</section>
<section class="card"><h2>${t({ ja: 'タグ', en: 'Tags' })}</h2>${form(view, `/customers/${id}/tags`, `${field('tags', t({ ja: 'カンマ区切り', en: 'Comma separated' }), { value: tagsOf(row) })}<button>${t({ ja: '保存', en: 'Save' })}</button>`)}</section>
<section class="card"><h2>${t({ ja: 'Flow のアクション', en: 'Flow action' })}</h2><p class="muted small">${t({ ja: 'このお客様について、Shopify Flow から Okaeri のアクションを 1 回実行します。キーワードは、シナリオのきっかけ「Flow」に設定したものと同じにします。', en: 'Runs Okaeri’s action in Shopify Flow once for this customer. The keyword is the one a scenario with the Flow trigger waits for.' })}</p>${form(view, `/customers/${id}/flow`, `${field('handle', t({ ja: 'キーワード', en: 'Keyword' }), { value: 'vip', more: 'required' })}<div class="field"><label for="f-properties">${t({ ja: 'ほかの項目（1 行に 1 つ、名前=値）', en: 'Other properties (one a line, name=value)' })}</label><textarea id="f-properties" name="properties" rows="2"></textarea></div><button>${t({ ja: '実行する', en: 'Run' })}</button>`)}</section>
<section class="card"><h2>${t({ ja: '個人情報', en: 'Privacy' })}</h2><p class="muted small">${t({ ja: 'アプリに法定の Webhook を送ります。', en: 'Sends the mandatory webhooks to the app.' })}</p>${form(view, `/customers/${id}/privacy`, `<button name="topic" value="customers/data_request">${t({ ja: '開示を請求', en: 'Request the data' })}</button><button name="topic" value="customers/redact">${t({ ja: '消去を請求', en: 'Request erasure' })}</button>`, 'class="row"')}</section>
<section class="card"><h2>${t({ ja: '削除', en: 'Delete' })}</h2><p class="muted small">${t({ ja: '注文のある顧客も、個人情報の削除依頼と同じように消えます。', en: 'Customers with orders disappear too, as after a request to be forgotten.' })}</p>${form(view, `/customers/${id}/delete`, `<button class="danger">${t({ ja: 'この顧客を削除', en: 'Delete this customer' })}</button>`, `data-confirm="${t({ ja: '削除しますか？', en: 'Delete?' })}"`)}</section></div></div>
<h2 style="margin-top:24px">${t({ ja: '最近の注文', en: 'Latest orders' })}</h2>${table([t({ ja: '注文', en: 'Order' }), t({ ja: '日時', en: 'Time' }), t({ ja: '支払い', en: 'Payment' }), `#${t({ ja: '金額', en: 'Total' })}`], orderRows, t({ ja: '注文はありません。', en: 'No orders.' }))}`
  return { title: customerName(row) || '—', body }
}
