import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../../page.ts'
import { beginCheckout } from '../checkouts.ts'
import { isOnlyVariant } from '../goods/variants.ts'
import { type Cart, type CartProblem, cartCount, cartItems, cartTotal, changeCart, readCart } from './cart.ts'
import { asked, picture, problemText } from './goods-pages.ts'
import { cameBy } from './landing.ts'
import { hundredths, moneyText } from '../goods/money.ts'
import { show } from './theme.ts'
import type { Visit } from './visit.ts'
import type { BasketItem } from '../goods/rows.ts'

type Fields = Record<string, string | undefined>
const fieldsOf = ({ request }: Visit): Fields => (request.body ?? {}) as Fields

export function cartPage(visit: Visit): Promise<string> {
  const { scope, request, t, at } = visit
  const items = cartItems(scope, readCart(scope, request))
  const title = t('カート', 'Cart')
  const problem = problemText(visit, asked(visit, 'problem'))
  const body =
    items.length === 0
      ? `<section class="empty"><h1>${title}</h1>${problem}<p>${t('カートには何も入っていません。', 'Your cart is empty.')}</p><a class="button primary" href="${at('/collections/all')}">${t('品物を見る', 'See everything')}</a></section>`
      : `<h1>${title}</h1>${problem}<ul class="lines">${items.map((item) => line(visit, item)).join('')}</ul>
<div class="total"><p><span>${t('小計（税込）', 'Subtotal, tax included')}</span> <b>${moneyText(scope, cartTotal(items))}</b></p><form method="post" action="${at('/cart')}"><button class="button primary" name="checkout" value="1">${t('ご購入手続きへ', 'Check out')}</button></form></div>`
  return show(visit, { type: 'cart', title, body })
}

function line(visit: Visit, { product, variant, quantity }: BasketItem): string {
  const { t, at } = visit
  const name = isOnlyVariant(variant) ? '' : `<span class="line-option">${escapeHtml(variant.title)}</span>`
  const id = `quantity-${variant.id}`
  const address = at(`/products/${product.handle}?variant=${variant.id}`)
  return `<li><a href="${address}" tabindex="-1" aria-hidden="true">${picture(visit, product.id)}</a><div><a class="line-title" href="${address}" lang="ja">${escapeHtml(product.title)}</a>${name}<span>${moneyText(visit.scope, variant.price)}</span></div>
<form method="post" action="${at('/cart/change')}" class="line-change"><input type="hidden" name="id" value="${variant.id}"><label for="${id}" class="hidden-text">${t('数量', 'Quantity')}: ${escapeHtml(product.title)}</label><input id="${id}" name="quantity" type="number" min="0" max="99" value="${quantity}" data-submits required><button data-plain>${t('変更する', 'Update')}</button></form>
<form method="post" action="${at('/cart/change')}"><input type="hidden" name="id" value="${variant.id}"><input type="hidden" name="quantity" value="0"><button class="quiet" aria-label="${escapeHtml(t(`${product.title}を削除`, `Remove ${product.title}`))}">${t('削除', 'Remove')}</button></form>
<b class="line-sum">${moneyText(visit.scope, variant.price * quantity)}</b></li>`
}

/** `go=checkout`: it is bought at once. */
export function addToCart(visit: Visit): FastifyReply {
  const { scope, reply, at } = visit
  const { id, quantity = '1', go } = fieldsOf(visit)
  const changed = changeCart(scope, visit, { variantId: Number(id), quantity: Number(quantity), adds: true })
  if (typeof changed === 'string') return back(visit, changed)
  return go === 'checkout' ? toCheckout(visit, changed) : reply.redirect(at('/cart'), 303)
}

export function changeInCart(visit: Visit): FastifyReply {
  const { scope, reply, at } = visit
  const { id, quantity = '' } = fieldsOf(visit)
  const wanted = quantity === '' ? Number.NaN : Number(quantity)
  const changed = changeCart(scope, visit, { variantId: Number(id), quantity: wanted, adds: false })
  return reply.redirect(at(typeof changed === 'string' ? `/cart?problem=${changed}` : '/cart'), 303)
}

export const checkOut = (visit: Visit): FastifyReply => toCheckout(visit, readCart(visit.scope, visit.request))

/** To the page one came from, which says what was wrong. */
function back({ request, reply, scope, at }: Visit, problem: CartProblem): FastifyReply {
  const from = URL.parse(request.headers.referer ?? '')
  const path = from?.pathname.startsWith(`/stores/${scope.store.shop}/products/`) ? from : null
  if (!path) return reply.redirect(at(`/cart?problem=${problem}`), 303)
  path.searchParams.set('problem', problem)
  return reply.redirect(`${path.pathname}${path.search}`, 303)
}

function toCheckout(visit: Visit, cart: Cart | null): FastifyReply {
  const { scope, request, reply, at, customer } = visit
  const begun = beginCheckout(scope, {
    customerId: customer?.id ?? null,
    email: null,
    items: cart?.items ?? [],
    cartToken: cart?.token,
    ...cameBy(request),
  })
  return reply.redirect(at(typeof begun === 'string' ? '/cart?problem=unknown' : `/checkouts/${begun.token}`), 303)
}

const programProblems: Record<CartProblem, string> = {
  unknown: 'Cannot find variant',
  sold_out: 'The product is already sold out.',
  too_many: 'All of this product is in your cart or it has too few in stock.',
}

/** The cart as themes' and apps' scripts read and change it; prices in hundredths. */
export const cartJson = ({ scope, request }: Visit): object => presentCart(readCart(scope, request), scope)

export function changeCartJson(visit: Visit, adds: boolean): object {
  const { scope, reply } = visit
  const given = (visit.request.body ?? {}) as {
    id?: unknown
    quantity?: unknown
    items?: { id?: unknown; quantity?: unknown }[]
  }
  const [first = given] = Array.isArray(given.items) ? given.items : [given]
  const changed = changeCart(scope, visit, {
    variantId: Number(first.id),
    quantity: Number(first.quantity ?? 1),
    adds,
  })
  if (typeof changed !== 'string') return presentCart(changed, scope)
  reply.code(422)
  return { status: 422, message: 'Cart Error', description: programProblems[changed] }
}

function presentCart(cart: Cart | null, scope: Visit['scope']): object {
  const items = cartItems(scope, cart)
  return {
    token: cart?.token ?? '',
    note: null,
    attributes: {},
    currency: scope.store.currency,
    item_count: cartCount(cart),
    total_price: hundredths(scope, cartTotal(items)),
    requires_shipping: true,
    items: items.map(({ variant, product, quantity }) => ({
      id: variant.id,
      key: `${variant.id}:${cart?.token ?? ''}`,
      variant_id: variant.id,
      product_id: product.id,
      quantity,
      title: isOnlyVariant(variant) ? product.title : `${product.title} - ${variant.title}`,
      product_title: product.title,
      variant_title: isOnlyVariant(variant) ? null : variant.title,
      handle: product.handle,
      sku: variant.sku,
      vendor: product.vendor,
      price: hundredths(scope, variant.price),
      line_price: hundredths(scope, variant.price * quantity),
      url: `/products/${product.handle}?variant=${variant.id}`,
      image: `/cdn/products/${product.id}.png`,
    })),
  }
}
