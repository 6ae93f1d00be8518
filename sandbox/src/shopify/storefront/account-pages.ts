import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../../page.ts'
import {
  checkCustomer,
  createCustomer,
  customerName,
  findCustomer,
  findCustomerByEmail,
  updateConsent,
} from '../customers.ts'
import { listPage } from '../connection.ts'
import { isoSeconds, nowSeconds } from '../platform.ts'
import { listingOf } from '../resources.ts'
import { listRows } from '../../sql.ts'
import { asked } from './goods-pages.ts'
import { checkoutBlock } from './checkout-extension.ts'
import { birthdayPlace, consentPlace } from './places.ts'
import { moneyText } from '../goods/money.ts'
import { show } from './theme.ts'
import { keepCustomer, type Visit } from './visit.ts'
import type { CustomerRow, OrderRow } from '../rows.ts'

type Fields = Record<string, string | undefined>
const fieldsOf = ({ request }: Visit): Fields => (request.body ?? {}) as Fields

/** A path of the store; anything else leads to the account. */
const returnUrlOf = (given: unknown): string =>
  typeof given === 'string' && /^\/(?![/\\])/.test(given) ? given : '/account'

export function loginPage(visit: Visit, problem?: { email: string }): Promise<string> {
  const { t, at } = visit
  const given = problem ? fieldsOf(visit).return_url : asked(visit, 'return_url')
  const returnUrl = returnUrlOf(given)
  const title = t('ログイン', 'Sign in')
  const q = asked(visit, 'who')
  const people = listPage<CustomerRow>(
    visit.scope,
    listingOf('Customer'),
    { first: 12, query: q, sortKey: 'UPDATED_AT', reverse: true },
    { bulk: false },
  ).rows
  const hidden = `<input type="hidden" name="return_url" value="${escapeHtml(returnUrl)}">`
  const rows = people.map((row) => {
    const name = customerName(row)
    return `<li><span><b>${escapeHtml(name)}</b><br><small>${escapeHtml(row.email ?? t('メールなし', 'no email'))} · ${t(`注文${row.orders_count}件`, row.orders_count === 1 ? '1 order' : `${row.orders_count} orders`)}</small></span><form method="post" action="${at('/account/login')}">${hidden}<button name="customer_id" value="${row.id}">${t('この人で入る', 'Enter')}<span class="hidden-text">: ${escapeHtml(name)}</span></button></form></li>`
  })
  const body = `<div class="sign-in"><section><h1>${title}</h1>${problem ? `<p class="problem" role="alert">${t('このメールアドレスのお客様は登録されていません。', 'No customer has this address.')}</p>` : ''}<form method="post" action="${at('/account/login')}">${hidden}
<div class="field"><label for="email">${t('メールアドレス', 'Email address')}</label><input id="email" name="email" type="email" autocomplete="email" value="${escapeHtml(problem?.email ?? '')}" required></div>
<p class="tax">${t('サンドボックスでは、パスワードは不要です。', 'The sandbox asks for no password.')}</p><button class="button primary">${title}</button></form>
<p><a href="${at('/account/register')}">${t('はじめての方：会員登録', 'New here? Create an account')}</a></p></section>
<section class="people"><h2>${t('お客様を選ぶ', 'Pick a customer')}</h2><form role="search" action="${at('/account/login')}"><input type="hidden" name="return_url" value="${escapeHtml(returnUrl)}"><label for="who">${t('名前で探す', 'Find by name')}</label><div class="joined"><input id="who" name="who" type="search" value="${escapeHtml(q)}"><button>${t('検索する', 'Search')}</button></div></form>
${rows.length === 0 ? `<p>${t('該当するお客様はいません。', 'No customer matches.')}</p>` : `<ul>${rows.join('')}</ul>`}</section></div>`
  return show(visit, { type: 'customers/login', title, body })
}

export function signIn(visit: Visit): FastifyReply | Promise<string> {
  const { scope, reply, at } = visit
  const { email = '', customer_id: id, return_url } = fieldsOf(visit)
  const customer =
    id === undefined
      ? findCustomerByEmail(scope, email.trim())
      : /^\d{1,15}$/.test(id)
        ? findCustomer(scope, Number(id))
        : null
  if (!customer) {
    reply.code(422)
    return loginPage(visit, { email })
  }
  return keepCustomer(scope, reply, customer.id).redirect(at(returnUrlOf(return_url)), 303)
}

export const signOut = ({ scope, reply, at }: Visit): FastifyReply =>
  keepCustomer(scope, reply, null).redirect(at(), 303)

export function registerPage(visit: Visit, problem?: string): Promise<string> {
  const { t, at } = visit
  const given = fieldsOf(visit)
  const field = (name: string, label: string, type: string, complete: string, required = '') =>
    `<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="${type}" autocomplete="${complete}" value="${escapeHtml(given[name] ?? '')}"${required}></div>`
  const title = t('会員登録', 'Create an account')
  const body = `<section class="narrow"><h1>${title}</h1>${problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}<form method="post" action="${at('/account/register')}">
${field('last_name', t('姓', 'Last name'), 'text', 'family-name')}${field('first_name', t('名', 'First name'), 'text', 'given-name')}${field('email', t('メールアドレス', 'Email address'), 'email', 'email', ' required')}
<label class="check"><input type="checkbox" name="accepts_marketing" value="1"> ${t('新商品とお得なお知らせをメールで受け取る', 'Email me with news and offers')}</label>
<button class="button primary">${t('登録する', 'Create it')}</button></form></section>`
  return show(visit, { type: 'customers/register', title, body })
}

export function register(visit: Visit): FastifyReply | Promise<string> {
  const { scope, reply, at, language, t } = visit
  const { first_name, last_name, email = '', accepts_marketing } = fieldsOf(visit)
  const fields = {
    firstName: first_name?.trim() || null,
    lastName: last_name?.trim() || null,
    email: email.trim(),
    locale: language,
  }
  const [wrong] = checkCustomer(scope, fields, null)
  if (wrong || fields.email === '') {
    reply.code(422)
    return registerPage(
      visit,
      wrong?.message.endsWith('already been taken')
        ? t('このメールアドレスは登録されています。', 'This address has an account.')
        : t('メールアドレスを入れてください。', 'Enter an email address.'),
    )
  }
  const customer = createCustomer(
    scope,
    fields,
    accepts_marketing === '1' ? { state: 'SUBSCRIBED', level: 'SINGLE_OPT_IN', at: nowSeconds(scope) } : undefined,
  )
  return keepCustomer(scope, reply, customer.id).redirect(at('/account'), 303)
}

export function accountPage(visit: Visit): FastifyReply | Promise<string> {
  const { scope, reply, t, at, customer } = visit
  if (!customer) return reply.redirect(at('/account/login'), 302)
  const orders = listRows<OrderRow>(scope.database)`SELECT * FROM store_order
    WHERE store_id = ${scope.store.id} AND customer_id = ${customer.id} ORDER BY processed_at DESC, id DESC LIMIT 10`
  const day = (seconds: number) => isoSeconds(seconds + 9 * 3600).slice(0, 10)
  const rows = orders
    .map(
      (order) =>
        `<tr><td><a href="${at(`/orders/${order.token}?status=1`)}">${escapeHtml(order.name)}</a></td><td>${day(order.processed_at)}</td><td>${order.cancelled_at === null ? (order.fulfillment_status === 'FULFILLED' ? t('発送済み', 'Sent') : t('準備中', 'Preparing')) : t('キャンセル', 'Cancelled')}</td><td class="num">${moneyText(scope, order.total)}</td></tr>`,
    )
    .join('')
  // The account is of the theme, with its blocks, or of the platform, where only extensions are.
  const { has_blocks, has_script_tag } = scope.store
  const profileBlock =
    has_blocks === 0 && has_script_tag === 0 ? checkoutBlock(visit, 'customer-account.profile.block.render') : ''
  const title = t('アカウント', 'Account')
  const saved =
    asked(visit, 'saved') === '1' ? `<p class="notice" role="status">${t('保存しました。', 'Saved.')}</p>` : ''
  const body = `<h1>${title}</h1>${saved}<div class="account"><div><section><h2>${t('お客様', 'You')}</h2><p><b>${escapeHtml(customerName(customer))}</b><br>${escapeHtml(customer.email ?? '')}</p>
<div class="buy"><a class="button primary" href="${at('/apps/okaeri/frontend/line/connect')}">${t('LINEと連携する', 'Link with LINE')}</a><form method="post" action="${at('/account/logout')}"><button class="button">${t('ログアウト', 'Sign out')}</button></form></div></section>
${customer.email === null ? '' : `<section><h2>${t('お便り', 'Newsletter')}</h2><form method="post" action="${at('/account/marketing')}"><label class="check"><input type="checkbox" name="accepts_marketing" value="1"${customer.email_state === 'SUBSCRIBED' ? ' checked' : ''}> ${t('新商品とお得なお知らせをメールで受け取る', 'Email me with news and offers')}</label><button class="button">${t('保存する', 'Save')}</button></form></section>`}
${birthdayPlace(visit)}${consentPlace(visit)}${profileBlock}</div>
<section><h2>${t('ご注文', 'Orders')}</h2>${rows === '' ? `<p>${t('ご注文はまだありません。', 'No orders yet.')}</p>` : `<table><thead><tr><th>${t('注文', 'Order')}</th><th>${t('日付', 'Date')}</th><th>${t('状況', 'Status')}</th><th class="num">${t('合計', 'Total')}</th></tr></thead><tbody>${rows}</tbody></table>`}</section></div>`
  return show(visit, { type: 'customers/account', title, body })
}

export function saveMarketing(visit: Visit): FastifyReply {
  const { scope, reply, at, customer } = visit
  if (!customer) return reply.redirect(at('/account/login'), 303)
  const wants = fieldsOf(visit).accepts_marketing === '1'
  const state = wants ? 'SUBSCRIBED' : customer.email_state === 'NOT_SUBSCRIBED' ? 'NOT_SUBSCRIBED' : 'UNSUBSCRIBED'
  if (customer.email !== null && state !== customer.email_state) updateConsent(scope, customer.id, { state })
  return reply.redirect(at('/account?saved=1'), 303)
}
