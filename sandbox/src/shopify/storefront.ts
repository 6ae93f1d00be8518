import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml, languageOf, page, type SandboxLanguage, type Localized } from '../page.ts'
import { beginCheckout, checkoutItems, completeCheckout, findCheckout } from './checkouts.ts'
import { listPage } from './connection.ts'
import { discountsOfOrder, findCode } from './discounts.ts'
import { listItems } from './order-items.ts'
import { findOrderByToken, landingPath } from './orders.ts'
import { type Platform, type StoreScope, storePath } from './platform.ts'
import { productPicture } from './pictures.ts'
import { listingOf } from './resources.ts'
import { findProduct, findProductByHandle, type ProductRow } from './products.ts'
import { refuseShop } from './refusal-page.ts'
import { openStore } from './stores.ts'
import { listVariants } from './variants.ts'

type ShopRequest = FastifyRequest<{ Params: { shop: string; handle: string; token: string; file: string } }>

const landingCookie = 'store_landing'
const codeCookie = 'store_discount'

/** The shop window: where links in mails lead and where a person can order. */
export function mountStorefront(app: FastifyInstance, platform: Platform): void {
  const on = (
    method: 'GET' | 'POST',
    path: string,
    answer: (scope: StoreScope, request: ShopRequest, reply: FastifyReply) => unknown,
  ) =>
    app.route({
      method,
      url: `/stores/:shop${path}`,
      handler: async (request, reply) => {
        const asked = request as ShopRequest
        refuseShop(asked.params.shop)
        const scope = openStore(platform, asked.params.shop)
        if (method === 'GET') rememberLanding(scope, asked, reply)
        return answer(scope, asked, reply)
      },
    })

  const home = (scope: StoreScope, request: ShopRequest, reply: FastifyReply) => {
    const language = languageOf(request, reply)
    const { rows } = listPage<ProductRow>(
      scope,
      listingOf('Product'),
      { first: 24, query: 'status:ACTIVE', sortKey: 'UPDATED_AT', reverse: true },
      { bulk: false },
    )
    const cards = rows.map((row) => productCard(scope, row)).join('')
    const body = `<h1>${escapeHtml(scope.store.name)}</h1><div class="grid shelf">${cards}</div>${shelfStyle}`
    return html(reply, page({ title: scope.store.name, body, lang: language, nav: storeNavigation(scope, language) }))
  }
  on('GET', '', home)
  on('GET', '/', home)
  // A theme has many addresses; those of mails made for real stores show the shop window here.
  on('GET', '/pages/:handle', home)
  on('GET', '/collections/:handle', home)

  // As on the platform: the link of a mail brings the code, and leads on.
  on('GET', '/discount/:handle', (scope, request, reply) => {
    const path = `/stores/${scope.store.shop}`
    const cookie = `${codeCookie}=${encodeURIComponent(request.params.handle)}; Path=${path}; Max-Age=86400; SameSite=Lax`
    const { redirect } = request.query as Record<string, unknown>
    const to = typeof redirect === 'string' && /^\/(?!\/)/.test(redirect) ? redirect : '/'
    return reply.header('set-cookie', cookie).redirect(storePath(scope, to === '/' ? '' : to), 302)
  })

  on('GET', '/products/:handle', (scope, request, reply) => {
    const language = languageOf(request, reply)
    const product = findProductByHandle(scope, request.params.handle)
    if (!product || product.status !== 'ACTIVE') return home(scope, request, reply.code(404))
    return html(reply, productPage(scope, product, language))
  })

  on('POST', '/cart', (scope, request, reply) => {
    const body = (request.body ?? {}) as Record<string, string>
    const begun = beginCheckout(scope, {
      customerId: null,
      email: body.email?.trim() || null,
      items: [{ variantId: Number(body.variant_id), quantity: Number(body.quantity ?? 1) }],
      ...cameBy(request),
    })
    if (typeof begun === 'string') return reply.code(422).send({ error: begun })
    return reply.redirect(storePath(scope, `/checkouts/${begun.token}`), 303)
  })

  on('GET', '/checkouts/:token', (scope, request, reply) => {
    const language = languageOf(request, reply)
    const checkout = findCheckout(scope, request.params.token)
    if (!checkout) return home(scope, request, reply.code(404))
    const items = checkoutItems(scope, checkout)
    const total = items.reduce((sum, { variant, quantity }) => sum + variant.price * quantity, 0)
    const lines = items.map(({ product, variant, quantity }) =>
      lineRow({ title: product.title, variantTitle: variant.title, quantity, price: variant.price }),
    )
    const title = { ja: 'ご購入手続き', en: 'Checkout' }[language]
    const given = (request.query as Record<string, unknown>).problem
    const problem = typeof given === 'string' ? `<p class="flash bad" role="status">${escapeHtml(given)}</p>` : ''
    const form =
      checkout.completed_at === null
        ? `${problem}<form method="post" action="${storePath(scope, `/checkouts/${checkout.token}/complete`)}"><div class="field"><label for="discount">${{ ja: 'クーポンコード', en: 'Discount code' }[language]}</label><input id="discount" name="discount_code" value="${escapeHtml(readCode(request))}" autocomplete="off"></div>
<div class="row"><button class="primary">${{ ja: '注文を確定する', en: 'Place order' }[language]}</button>
<a class="button" href="${storePath(scope)}">${{ ja: '購入せずに店へ戻る', en: 'Leave without buying' }[language]}</a></div></form>`
        : `<p class="flash ok">${{ ja: 'この注文は確定しています。', en: 'This order has been placed.' }[language]}</p>`
    const body = `<h1>${title}</h1><section class="card"><p>${{ ja: 'メールアドレス', en: 'Email' }[language]}: <b>${escapeHtml(checkout.email ?? '—')}</b></p>
${linesTable(lines, total, language)}${form}</section>`
    return html(reply, page({ title, body, lang: language, nav: storeNavigation(scope, language) }))
  })

  on('POST', '/checkouts/:token/complete', (scope, request, reply) => {
    const code = ((request.body ?? {}) as Record<string, string>).discount_code?.trim() ?? ''
    const unknown = code !== '' && !findCode(scope, code) ? `There is no code ${code}.` : null
    const order = unknown ?? completeCheckout(scope, request.params.token, code === '' ? [] : [code])
    if (typeof order === 'string')
      return reply.redirect(
        storePath(scope, `/checkouts/${request.params.token}?problem=${encodeURIComponent(order)}`),
        303,
      )
    return reply.redirect(storePath(scope, `/orders/${order.token}`), 303)
  })

  on('GET', '/orders/:token', (scope, request, reply) => {
    const language = languageOf(request, reply)
    const order = findOrderByToken(scope, request.params.token)
    if (!order) return home(scope, request, reply.code(404))
    const lines = listItems(scope, order.id).map((item) =>
      lineRow({
        title: item.title,
        variantTitle: item.variant_title ?? '',
        quantity: item.quantity,
        price: item.price,
      }),
    )
    for (const { code, amount } of discountsOfOrder(scope, order.id))
      lines.push(
        `<tr><td>${{ ja: 'クーポン', en: 'Discount code' }[language]} ${escapeHtml(code)}</td><td></td><td class="num">−${yen(amount)}</td></tr>`,
      )
    const title = { ja: `ご注文ありがとうございます ${order.name}`, en: `Thank you for your order ${order.name}` }[
      language
    ]
    const body = `<h1>${escapeHtml(title)}</h1><section class="card">${linesTable(lines, order.total, language)}
<p><a class="button" href="${storePath(scope)}">${{ ja: '買い物を続ける', en: 'Continue shopping' }[language]}</a></p></section>`
    return html(reply, page({ title, body, lang: language, nav: storeNavigation(scope, language) }))
  })

  on('GET', '/cdn/products/:file', (scope, request, reply) => {
    const id = /^(\d{1,15})\.png$/.exec(request.params.file)?.[1]
    const product = id === undefined ? null : findProduct(scope, Number(id))
    if (!product) return reply.code(404).send()
    reply.header('cache-control', 'public, max-age=86400').header('access-control-allow-origin', '*').type('image/png')
    return productPicture(product.title)
  })
}

const readCode = (request: ShopRequest): string =>
  new RegExp(`(?:^|;\\s*)${codeCookie}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1] ?? ''

function html(reply: FastifyReply, text: string): string {
  reply.type('text/html; charset=utf-8')
  return text
}

/** Keeps the first address, query included, that brought the visitor here; the order carries it. */
function rememberLanding(scope: StoreScope, request: ShopRequest, reply: FastifyReply): void {
  const own = landingPath(scope, request.url) ?? '/'
  const fromOutside = request.headers.referer !== undefined && !request.headers.referer.startsWith(scope.publicUrl())
  const known = readLanding(request)
  const tells = /[?&](utm_|ref=|[a-z_]*(token|click|delivery|id)=)/.test(own)
  if (own.startsWith('/cdn/') || own.startsWith('/checkouts/') || own.startsWith('/orders/')) return
  if (known && !tells && !fromOutside) return
  const value = JSON.stringify({ landing: own, referrer: fromOutside ? request.headers.referer : null })
  const path = `/stores/${scope.store.shop}`
  reply.header('set-cookie', `${landingCookie}=${encodeURIComponent(value)}; Path=${path}; Max-Age=86400; SameSite=Lax`)
}

function readLanding(request: ShopRequest): { landing: string; referrer: string | null } | null {
  const text = new RegExp(`(?:^|;\\s*)${landingCookie}=([^;]+)`).exec(request.headers.cookie ?? '')?.[1]
  if (text === undefined) return null
  try {
    const { landing, referrer } = JSON.parse(decodeURIComponent(text)) as Record<string, unknown>
    if (typeof landing !== 'string') return null
    return { landing, referrer: typeof referrer === 'string' && URL.canParse(referrer) ? referrer : null }
  } catch {
    // An altered cookie counts as none.
    return null
  }
}

function cameBy(request: ShopRequest) {
  const known = readLanding(request)
  return { landingSite: known?.landing ?? '/', referringSite: known?.referrer ?? null }
}

export function storeNavigation(scope: StoreScope, language: SandboxLanguage) {
  return [
    { href: storePath(scope), label: scope.store.name, active: true },
    { href: storePath(scope, '/account'), label: { ja: 'アカウント', en: 'Account' }[language] },
    { href: storePath(scope, '/admin'), label: { ja: 'ストア管理', en: 'Store admin' }[language] },
    { href: '/mail', label: { ja: 'メールボックス', en: 'Mailbox' }[language] },
    { href: '/line', label: 'LINE' },
  ]
}

function productCard(scope: StoreScope, row: ProductRow): string {
  const prices = listVariants(scope, row.id).map(({ price }) => price)
  return `<a class="card" href="${storePath(scope, `/products/${row.handle}`)}"><img src="${storePath(scope, `/cdn/products/${row.id}.png`)}" alt="" width="480" height="480" loading="lazy">
<b>${escapeHtml(row.title)}</b><span class="muted">${yen(Math.min(...prices))}${prices.length > 1 ? '〜' : ''}</span></a>`
}

const shelfStyle = `<style>.shelf{grid-template-columns:repeat(auto-fill,minmax(150px,1fr))}.shelf a{color:inherit;text-decoration:none;display:grid;gap:4px;padding:12px}.shelf img,.show img{width:100%;height:auto;border-radius:8px;display:block}.shelf a:hover b{text-decoration:underline}</style>`

function productPage(scope: StoreScope, product: ProductRow, language: SandboxLanguage): string {
  const options = listVariants(scope, product.id)
    .map(({ id, title, price, inventory_quantity: left }) => {
      const label = `${title === 'Default Title' ? '' : `${title} · `}${yen(price)}${left > 0 ? '' : { ja: ' · 在庫切れ', en: ' · sold out' }[language]}`
      return `<option value="${id}"${left > 0 ? '' : ' disabled'}>${escapeHtml(label)}</option>`
    })
    .join('')
  const soldOut = listVariants(scope, product.id).every((variant) => variant.inventory_quantity <= 0)
  const body = `<div class="grid show"><section class="card"><img src="${storePath(scope, `/cdn/products/${product.id}.png`)}" alt="" width="480" height="480"></section>
<section class="card"><h1>${escapeHtml(product.title)}</h1><p>${escapeHtml(product.description)}</p>
<form method="post" action="${storePath(scope, '/cart')}">
<div class="field"><label for="variant">${{ ja: '種類', en: 'Option' }[language]}</label><select id="variant" name="variant_id">${options}</select></div>
<div class="field"><label for="quantity">${{ ja: '数量', en: 'Quantity' }[language]}</label><input id="quantity" name="quantity" type="number" min="1" max="20" value="1" required></div>
<div class="field"><label for="email">${{ ja: 'メールアドレス', en: 'Email address' }[language]}</label><input id="email" name="email" type="email" autocomplete="email" required></div>
<button class="primary"${soldOut ? ' disabled' : ''}>${soldOut ? { ja: '在庫切れ', en: 'Sold out' }[language] : { ja: '購入する', en: 'Buy' }[language]}</button></form></section></div>${shelfStyle}`
  return page({ title: product.title, body, lang: language, nav: storeNavigation(scope, language) })
}

interface Line {
  title: string
  variantTitle: string
  quantity: number
  price: number
}

function lineRow({ title, variantTitle, quantity, price }: Line): string {
  const name = variantTitle === '' || variantTitle === 'Default Title' ? title : `${title} (${variantTitle})`
  return `<tr><td>${escapeHtml(name)}</td><td class="num">${quantity}</td><td class="num">${yen(price * quantity)}</td></tr>`
}

function linesTable(lines: string[], total: number, language: SandboxLanguage): string {
  const t = (text: Localized) => text[language]
  return `<div class="table-wrap"><table><thead><tr><th>${t({ ja: '商品', en: 'Item' })}</th><th class="num">${t({ ja: '数量', en: 'Quantity' })}</th><th class="num">${t({ ja: '金額', en: 'Amount' })}</th></tr></thead>
<tbody>${lines.join('')}<tr><th colspan="2">${t({ ja: '合計', en: 'Total' })}</th><th class="num">${yen(total)}</th></tr></tbody></table></div>`
}

export function yen(amount: number): string {
  return `¥${amount.toLocaleString('ja-JP')}`
}
