import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Platform } from '../platform.ts'
import { productPicture } from '../seed/pictures.ts'
import { findProduct } from '../goods/products.ts'
import { refuseShop } from '../refusal-page.ts'
import { openStore } from '../stores.ts'
import { accountPage, loginPage, register, registerPage, saveMarketing, signIn, signOut } from './account-pages.ts'
import { mountCheckoutExtension } from './checkout-extension.ts'
import { addToCart, cartJson, cartPage, changeCartJson, changeInCart, checkOut } from './cart-pages.ts'
import { checkoutPage, complete, keepContact, orderPage, takeDiscount, takeNewsletter } from './checkout-pages.ts'
import { collectionPage, collectionsPage, homePage, missingPage, productPage, searchPage } from './goods-pages.ts'
import { productJson } from './product-json.ts'
import { textPage } from './text-pages.ts'
import { rememberLanding } from './landing.ts'
import { type Visit, visitOf } from './visit.ts'
import { looks } from '../rows.ts'

type Answer = string | object | FastifyReply | Promise<string | FastifyReply>

const kinds: Record<string, string> = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' }

/** The shop as its customers see it. */
export function mountStorefront(app: FastifyInstance, platform: Platform): void {
  const on = (method: 'GET' | 'POST', path: string, answer: (visit: Visit, name: string) => Answer) =>
    app.route<{ Params: { shop: string; name?: string } }>({
      method,
      url: `/stores/:shop${path}`,
      handler: async (request, reply) => {
        refuseShop(request.params.shop)
        return answer(visitOf(openStore(platform, request.params.shop), request, reply), request.params.name ?? '')
      },
    })
  /** A page that links in mails may lead to. */
  const page: typeof on = (method, path, answer) =>
    on(method, path, (visit, name) => {
      rememberLanding(visit.scope, visit.request, visit.reply)
      return answer(visit, name)
    })

  page('GET', '', homePage)
  page('GET', '/', homePage)
  page('GET', '/collections', collectionsPage)
  page('GET', '/collections/:name', collectionPage)
  page('GET', '/products/:name', (visit, name) => {
    if (!name.endsWith('.js')) return productPage(visit, name)
    return productJson(visit, name.slice(0, -'.js'.length)) ?? visit.reply.code(404).send({})
  })
  page('GET', '/search', searchPage)
  page('GET', '/pages/:name', textPage)
  page('GET', '/discount/:name', takeDiscount)

  on('GET', '/cart', cartPage)
  on('POST', '/cart', checkOut)
  on('POST', '/cart/add', addToCart)
  on('POST', '/cart/change', changeInCart)
  on('GET', '/cart.js', cartJson)
  on('POST', '/cart/add.js', (visit) => changeCartJson(visit, true))
  on('POST', '/cart/change.js', (visit) => changeCartJson(visit, false))
  on('GET', '/checkouts/:name', checkoutPage)
  on('POST', '/checkouts/:name/contact', keepContact)
  on('POST', '/checkouts/:name/complete', complete)
  on('GET', '/orders/:name', orderPage)
  on('POST', '/contact', takeNewsletter)

  // Where apps lead to the theme's editor, and to that of checkout and accounts: here both are the page of the switches.
  on('GET', '/admin/themes/current/editor', ({ at, reply }) => reply.redirect(at('/admin/theme'), 302))
  on('GET', '/admin/settings/checkout/editor', ({ at, reply }) => reply.redirect(at('/admin/theme'), 302))
  on('GET', '/account', accountPage)
  on('GET', '/account/login', (visit) => loginPage(visit))
  on('POST', '/account/login', signIn)
  on('POST', '/account/logout', signOut)
  on('GET', '/account/register', (visit) => registerPage(visit))
  on('POST', '/account/register', register)
  on('POST', '/account/marketing', saveMarketing)

  mountCheckoutExtension(app, (path, answer) => on('GET', path, answer))

  on('GET', '/cdn/products/:name', ({ scope, reply }, file) => {
    const id = /^(\d{1,15})\.png$/.exec(file)?.[1]
    const product = id === undefined ? null : findProduct(scope, Number(id))
    if (!product) return reply.code(404).send()
    reply.header('cache-control', 'public, max-age=86400').header('access-control-allow-origin', '*').type('image/png')
    return reply.send(productPicture(product.title))
  })

  on('GET', '/cdn/extension/:name', ({ scope, reply }, name) => {
    const text = scope.extension?.assets.get(name)
    if (text === undefined) return reply.code(404).send()
    return reply.type(`${kinds[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain'}; charset=utf-8`).send(text)
  })

  const assets = new Map(
    [...looks.map((look) => `theme-${look}.css`), 'theme.js', 'with-script.js', 'icon.svg'].map((name) => [
      name,
      name.startsWith('theme-') ? `${assetText('theme.css')}\n${assetText(name)}` : assetText(name),
    ]),
  )
  on('GET', '/assets/:name', (visit, name) => {
    const text = assets.get(name)
    if (text === undefined) return missingPage(visit)
    const kind = kinds[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain'
    return visit.reply.type(`${kind}; charset=utf-8`).header('cache-control', 'no-cache').send(text)
  })
}

const assetText = (name: string): string => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')
