import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../../page.ts'
import { checkoutItems, completeCheckout, findCheckout, setContact } from '../checkouts.ts'
import { createCustomer, findCustomer, findCustomerByEmail, updateConsent } from '../customers.ts'
import { discountsOfOrder, findCode } from '../goods/discounts.ts'
import { listItems } from '../order-items.ts'
import { findOrderByToken } from '../orders.ts'
import { nowSeconds } from '../platform.ts'
import { emptyCart, readCart } from './cart.ts'
import { asked, missingPage } from './goods-pages.ts'
import { checkoutBlock } from './checkout-extension.ts'
import { moneyText } from '../goods/money.ts'
import { show } from './theme.ts'
import { cookieOf, setCookie, type Visit } from './visit.ts'

const codeCookie = 'store_discount'
const looksLikeAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= 254

/** As on the platform: the link of a mail brings the code, and leads on. */
export function takeDiscount(visit: Visit, code: string): FastifyReply {
  const { scope, reply, at } = visit
  setCookie(scope, reply, codeCookie, code)
  const to = asked(visit, 'redirect')
  return reply.redirect(at(/^\/(?!\/)/.test(to) && to !== '/' ? to : ''), 302)
}

export function checkoutPage(visit: Visit, token: string): Promise<string> {
  const { scope, t, at } = visit
  const checkout = findCheckout(scope, token)
  if (!checkout) return missingPage(visit)
  const items = checkoutItems(scope, checkout)
  const total = items.reduce((sum, { variant, quantity }) => sum + variant.price * quantity, 0)
  const lines = items.map(({ product, variant, quantity }) =>
    lineRow(visit, { title: product.title, variantTitle: variant.title, quantity, price: variant.price }),
  )
  const title = t('ご購入手続き', 'Checkout')
  const given = asked(visit, 'problem')
  const problem = given === '' ? '' : `<p class="problem" role="alert">${escapeHtml(problemWords(visit, given))}</p>`
  const owner = checkout.customer_id === null ? null : findCustomer(scope, checkout.customer_id)
  const subscribed = owner?.email_state === 'SUBSCRIBED'
  const form =
    checkout.completed_at === null
      ? `${problem}<form method="post" action="${at(`/checkouts/${token}/complete`)}" data-contact="${at(`/checkouts/${token}/contact`)}">
<fieldset><legend>${t('ご連絡先', 'Contact')}</legend><div class="field"><label for="email">${t('メールアドレス', 'Email address')}</label><input id="email" name="email" type="email" autocomplete="email" value="${escapeHtml(checkout.email ?? '')}" required></div>
<label class="check"><input type="checkbox" name="accepts_marketing" value="1"${subscribed ? ' checked' : ''}> ${t('新商品とお得なお知らせをメールで受け取る', 'Email me with news and offers')}</label></fieldset>
<fieldset><legend>${t('クーポン', 'Discount')}</legend><div class="field"><label for="discount">${t('クーポンコード', 'Discount code')}</label><input id="discount" name="discount_code" value="${escapeHtml(readCode(visit))}" autocomplete="off"></div></fieldset>
<p class="tax">${t('サンドボックスでは、住所とお支払いの入力はありません。', 'The sandbox asks for no address and no payment.')}</p>
<div class="buy"><button class="button primary">${t('注文を確定する', 'Place order')}</button><a class="button" href="${at()}">${t('購入せずに店へ戻る', 'Leave without buying')}</a></div></form>`
      : `<p class="notice">${t('この注文は確定しています。', 'This order has been placed.')}</p>`
  const body = `<h1>${title}</h1><div class="checkout"><div>${form}</div><section aria-label="${t('ご注文内容', 'Your order')}">${linesTable(visit, lines, total)}</section></div>`
  return show(visit, { type: 'checkout', title, body })
}

/** Kept as it is typed: someone who leaves now has left a checkout behind. */
export function keepContact(visit: Visit, token: string): FastifyReply {
  const { email = '' } = (visit.request.body ?? {}) as Record<string, string>
  const isKept = looksLikeAddress(email.trim()) && setContact(visit.scope, token, email.trim())
  return visit.reply.code(isKept ? 204 : 422).send()
}

export function complete(visit: Visit, token: string): FastifyReply {
  const { scope, request, reply, at } = visit
  const given = (request.body ?? {}) as Record<string, string | undefined>
  const email = given.email?.trim() ?? ''
  const code = given.discount_code?.trim() ?? ''
  const again = (problem: string) =>
    reply.redirect(at(`/checkouts/${token}?problem=${encodeURIComponent(problem)}`), 303)
  if (email !== '') {
    if (!looksLikeAddress(email)) return again('email')
    setContact(scope, token, email)
  }
  if (findCheckout(scope, token)?.email == null) return again('email')
  if (code !== '' && !findCode(scope, code)) return again(`There is no code ${code}.`)
  const order = completeCheckout(scope, token, { discountCodes: code === '' ? [] : [code], asksStock: true })
  if (typeof order === 'string') return again(order)
  if (given.accepts_marketing === '1' && order.email !== null) subscribe(visit, order.email)
  const cart = readCart(scope, request)
  if (cart !== null && cart.token === order.cart_token) emptyCart(scope, reply, cart)
  return reply.redirect(at(`/orders/${order.token}`), 303)
}

/** With one step, as the store's own forms do; an unknown person becomes a customer. */
export function subscribe({ scope, language }: Visit, email: string): void {
  const known = findCustomerByEmail(scope, email)
  if (known?.email_state === 'SUBSCRIBED') return
  if (known) updateConsent(scope, known.id, { state: 'SUBSCRIBED' })
  else
    createCustomer(
      scope,
      { email, locale: language, tags: ['newsletter'] },
      { state: 'SUBSCRIBED', level: 'SINGLE_OPT_IN', at: nowSeconds(scope) },
    )
}

export function takeNewsletter(visit: Visit): FastifyReply {
  const { request, reply, at } = visit
  const given = (request.body ?? {}) as Record<string, string | undefined>
  const email = given['contact[email]']?.trim() ?? ''
  if (!looksLikeAddress(email)) return reply.redirect(at('/pages/newsletter?problem=email'), 303)
  subscribe(visit, email)
  return reply.redirect(at('/pages/newsletter'), 303)
}

export function orderPage(visit: Visit, token: string): Promise<string> {
  const { scope, t, at } = visit
  const order = findOrderByToken(scope, token)
  if (!order) return missingPage(visit)
  const lines = listItems(scope, order.id).map((item) =>
    lineRow(visit, {
      title: item.title,
      variantTitle: item.variant_title ?? '',
      quantity: item.quantity,
      price: item.price,
    }),
  )
  for (const { code, amount } of discountsOfOrder(scope, order.id))
    lines.push(
      `<tr><td>${t('クーポン', 'Discount code')} ${escapeHtml(code)}</td><td></td><td class="num">−${moneyText(scope, amount)}</td></tr>`,
    )
  // Right after the purchase it is the thank-you page, later the order status page: two places for extensions.
  const isLater = asked(visit, 'status') === '1'
  const title = isLater
    ? t(`ご注文 ${order.name}`, `Order ${order.name}`)
    : t(`ご注文ありがとうございます ${order.name}`, `Thank you for your order ${order.name}`)
  const block = checkoutBlock(
    visit,
    isLater ? 'customer-account.order-status.block.render' : 'purchase.thank-you.block.render',
  )
  const body = `<h1>${escapeHtml(title)}</h1><div class="checkout"><section>${linesTable(visit, lines, order.total)}${isLater ? '' : `<p>${t('確認のメールをお送りしました。', 'A confirmation is on its way by email.')}</p>`}<p><a class="button" href="${at()}">${t('買い物を続ける', 'Continue shopping')}</a></p></section><div>${block}</div></div>`
  return show(visit, { type: 'order', title, body })
}

function problemWords({ t }: Visit, problem: string): string {
  if (problem === 'email') return t('メールアドレスを入れてください。', 'Enter an email address.')
  const soldOut = /^(.*) is sold out\.$/.exec(problem)?.[1]
  if (soldOut !== undefined) return t(`${soldOut}は、在庫がなくなりました。`, problem)
  const code = /^There is no code (.*)\.$/.exec(problem)?.[1]
  return code === undefined ? problem : t(`クーポンコード${code}は使えません。`, problem)
}

const readCode = ({ request }: Visit): string => {
  const kept = cookieOf(request, codeCookie) ?? ''
  return /^[\w%-]*$/.test(kept) ? decodeURIComponent(kept) : ''
}

interface Line {
  title: string
  variantTitle: string
  quantity: number
  price: number
}

function lineRow({ scope }: Visit, { title, variantTitle, quantity, price }: Line): string {
  const name = variantTitle === '' || variantTitle === 'Default Title' ? title : `${title} (${variantTitle})`
  return `<tr><td lang="ja">${escapeHtml(name)}</td><td class="num">${quantity}</td><td class="num">${moneyText(scope, price * quantity)}</td></tr>`
}

function linesTable({ scope, t }: Visit, lines: string[], total: number): string {
  return `<table class="order-lines"><thead><tr><th>${t('商品', 'Item')}</th><th class="num">${t('数量', 'Quantity')}</th><th class="num">${t('金額', 'Amount')}</th></tr></thead>
<tbody>${lines.join('')}</tbody><tfoot><tr><th colspan="2">${t('合計', 'Total')}</th><th class="num">${moneyText(scope, total)}</th></tr></tfoot></table>`
}
