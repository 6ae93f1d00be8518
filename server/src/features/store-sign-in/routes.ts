import * as contract from '@okaeri/contract/store/routes'
import { isShopDomain, readShopDomain } from '@okaeri/contract/store/shop-domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { getShopify } from '../../integrations/shopify/index.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, forbidden, invalid, unauthorized } from '../../kernel/errors.ts'
import { isBrowser, type Routes } from '../../kernel/http/http.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { countAttempt, originOf, type RateLimit } from '../../kernel/rate-limits.ts'
import { browserKeyOf, keepBrowserKey } from '../sessions/index.ts'
import { disconnectStore, findMerchantByShop, findStore } from '../stores/index.ts'
import { agreeToCurrency, readCurrencyChange } from './store-currency.ts'
import { beginAuthorization, finishAuthorization } from './authorization.ts'

/** Each begins an authorization and leaves a row until it comes back. */
const storeByOrigin: RateLimit = { name: 'store_origin', max: 100, windowSeconds: 300 }

/** Pages of the web application; relative, so that a visitor who used another name of this machine stays there. */
const authorizePage = (shop: string, error?: string, sellsIn?: string): string =>
  `/_app/store/authorize?${new URLSearchParams({ shop, ...(error ? { error } : {}), ...(sellsIn ? { currency: sellsIn } : {}) }).toString()}`
const callbackPage = (code: string): string => `/_app/store/callback?${new URLSearchParams({ code }).toString()}`

export function storeSignInRoutes(on: Routes): void {
  on.open(contract.connectStore)(async ({ context, identity, body, request, reply }) => {
    const shopDomain = readShopDomain(body.shop)
    if (!shopDomain) throw invalid({ shop: 'invalid' })
    if (identity && identity.role !== 'owner') throw forbidden('role_forbids')
    await countAttempt(context, reply, [[storeByOrigin, originOf(request)]])
    const browserKey = keepBrowserKey(context, request, reply)
    return { authorize_url: await beginAuthorization(context, { shopDomain, identity, browserKey }) }
  })

  on.open(contract.openFromStore)(
    orPage(async ({ context, request, reply }) => {
      const { shopDomain } = await readSignedQuery(context, request)
      if (await isConnected(context, shopDomain)) return reply.redirect(authorizePage(shopDomain), 302)
      const browserKey = keepBrowserKey(context, request, reply)
      try {
        return reply.redirect(await beginAuthorization(context, { shopDomain, identity: null, browserKey }), 302)
      } catch (error) {
        if (error instanceof AppError) return reply.redirect(authorizePage(shopDomain, error.reason), 302)
        throw error
      }
    }),
  )

  on.open(contract.storeCallback)(
    orPage(async ({ context, request, reply }) => {
      const { shopDomain, query } = await readSignedQuery(context, request)
      const arrival = await finishAuthorization(context, {
        shopDomain,
        state: query.get('state') ?? '',
        code: query.get('code') ?? '',
        browserKey: browserKeyOf(request),
      })
      return reply.redirect(
        'code' in arrival ? callbackPage(arrival.code) : authorizePage(shopDomain, arrival.reason, arrival.sellsIn),
        302,
      )
    }),
  )

  on.merchant(contract.getCurrencyChange)(({ scope, query }) => readCurrencyChange(scope, query.currency))
  on.merchant(contract.agreeToCurrency)(({ scope, body }) => agreeToCurrency(scope, body))
  on.merchant(contract.disconnectStore)(async ({ scope, reply }) => {
    await disconnectStore(scope)
    return reply.send()
  })
}

/** A person sees the page with the reason (spec §8); a program gets the error. */
function orPage(answer: (call: StoreCall) => Promise<FastifyReply>): typeof answer {
  return async (call) => {
    try {
      return await answer(call)
    } catch (error) {
      if (!(error instanceof AppError) || !isBrowser(call.request)) throw error
      const shop = call.query.shop.toLowerCase()
      return call.reply.redirect(authorizePage(isShopDomain(shop) ? shop : '', error.reason), 302)
    }
  }
}
interface StoreCall {
  query: { shop: string }
  context: Context
  request: FastifyRequest
  reply: FastifyReply
}

/** The raw query, because the signature covers all of it. */
async function readSignedQuery(
  context: Context,
  request: FastifyRequest,
): Promise<{ shopDomain: string; query: URLSearchParams }> {
  const query = new URL(request.raw.url ?? '', 'http://query').searchParams
  const shopDomain = query.get('shop')?.toLowerCase() ?? ''
  const { isSignedQuery } = getShopify(context)
  if (!isShopDomain(shopDomain) || !(await isSignedQuery(query)))
    throw unauthorized('store_signature_invalid', 'this address was not signed by the store platform')
  return { shopDomain, query }
}

async function isConnected(context: Context, shopDomain: string): Promise<boolean> {
  const merchantId = await findMerchantByShop(context, shopDomain)
  if (!merchantId) return false
  const store = await findStore(merchantScope(context, merchantId))
  return store?.status === 'connected' && store.shop_domain === shopDomain
}
