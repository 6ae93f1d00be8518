import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml, languageOf, page, type SandboxLanguage } from '../page.ts'
import { type CustomerRow, customerName, findCustomer, findCustomerByEmail } from './customers.ts'
import { type Platform, type StoreScope, storePath } from './platform.ts'
import { refuseShop } from './refusal-page.ts'
import { openStore } from './stores.ts'
import { storeNavigation } from './storefront.ts'

const customerCookie = 'store_customer'

type AccountRequest = FastifyRequest<{ Params: { shop: string } }>

/** Customers sign in at the store, by their address alone. */
export function mountStorefrontAccount(app: FastifyInstance, platform: Platform): void {
  const on = (
    method: 'GET' | 'POST',
    path: string,
    answer: (scope: StoreScope, request: AccountRequest, reply: FastifyReply) => unknown,
  ) =>
    app.route({
      method,
      url: `/stores/:shop/account${path}`,
      handler: async (request, reply) => {
        const asked = request as AccountRequest
        refuseShop(asked.params.shop)
        return answer(openStore(platform, asked.params.shop), asked, reply)
      },
    })

  on('GET', '', (scope, request, reply) => {
    const customer = signedInCustomer(scope, request)
    if (!customer) return reply.redirect(storePath(scope, '/account/login'), 302)
    return sendAccountPage(reply, accountPage(scope, customer, languageOf(request, reply)))
  })

  on('GET', '/login', (scope, request, reply) =>
    sendAccountPage(reply, loginPage(scope, { returnUrl: returnUrlOf(request.query) }, languageOf(request, reply))),
  )

  on('POST', '/login', (scope, request, reply) => {
    const { email = '' } = (request.body ?? {}) as Record<string, string>
    const returnUrl = returnUrlOf(request.body)
    const customer = findCustomerByEmail(scope, email.trim())
    if (!customer)
      return sendAccountPage(
        reply.code(422),
        loginPage(scope, { returnUrl, unknown: email }, languageOf(request, reply)),
      )
    return keep(scope, reply, String(customer.id)).redirect(storePath(scope, returnUrl), 303)
  })

  on('POST', '/logout', (scope, _request, reply) => keep(scope, reply, '').redirect(storePath(scope), 303))
}

const keep = (scope: StoreScope, reply: FastifyReply, id: string): FastifyReply =>
  reply.header(
    'set-cookie',
    `${customerCookie}=${id}; Path=${storePath(scope)}; Max-Age=${id === '' ? 0 : 86_400}; SameSite=Lax; HttpOnly`,
  )

/** Who is signed in in this browser. */
export function signedInCustomer(scope: StoreScope, request: FastifyRequest): CustomerRow | null {
  const id = new RegExp(`(?:^|;\\s*)${customerCookie}=(\\d{1,15})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1]
  return id === undefined ? null : findCustomer(scope, Number(id))
}

/** A path of the store; anything else leads to the account. */
function returnUrlOf(given: unknown): string {
  const { return_url } = (given ?? {}) as Record<string, unknown>
  return typeof return_url === 'string' && /^\/(?!\/)/.test(return_url) ? return_url : '/account'
}

function sendAccountPage(reply: FastifyReply, text: string): string {
  reply.type('text/html; charset=utf-8')
  return text
}

function loginPage(
  scope: StoreScope,
  { returnUrl, unknown }: { returnUrl: string; unknown?: string },
  language: SandboxLanguage,
): string {
  const t = (ja: string, en: string): string => (language === 'ja' ? ja : en)
  const title = t('ログイン', 'Sign in')
  const problem =
    unknown === undefined
      ? ''
      : `<p class="flash bad" role="alert">${t('このメールアドレスのお客様は登録されていません。', 'No customer has this address.')}</p>`
  const body = `<h1>${title}</h1><section class="card">${problem}<form method="post" action="${storePath(scope, '/account/login')}"><input type="hidden" name="return_url" value="${escapeHtml(returnUrl)}">
<div class="field"><label for="email">${t('メールアドレス', 'Email address')}</label><input id="email" name="email" type="email" autocomplete="email" value="${escapeHtml(unknown ?? '')}" required></div>
<p class="muted small">${t('サンドボックスでは、パスワードは不要です。', 'The sandbox asks for no password.')}</p>
<button class="primary">${title}</button></form></section>`
  return page({ title, body, lang: language, nav: storeNavigation(scope, language) })
}

function accountPage(scope: StoreScope, customer: CustomerRow, language: SandboxLanguage): string {
  const t = (ja: string, en: string): string => (language === 'ja' ? ja : en)
  const title = t('アカウント', 'Account')
  const body = `<h1>${title}</h1><section class="card"><p><b>${escapeHtml(customerName(customer))}</b><br><span class="muted">${escapeHtml(customer.email ?? '')}</span></p>
<div class="row"><a class="button primary" href="${storePath(scope, '/apps/okaeri/frontend/line/connect')}">${t('LINEと連携する', 'Link with LINE')}</a>
<form method="post" action="${storePath(scope, '/account/logout')}"><button>${t('ログアウト', 'Sign out')}</button></form></div></section>`
  return page({ title, body, lang: language, nav: storeNavigation(scope, language) })
}
