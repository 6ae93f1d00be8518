import { isShopDomain } from '@okaeri/contract/store/shop-domain'
import type { FastifyRequest } from 'fastify'
import { getShopify, storeAddress } from '../../integrations/shopify/index.ts'
import type { Context } from '../../kernel/context.ts'
import { forbidden, unauthorized } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { findMerchantIdByShop, findStoreRow } from './queries.ts'

/** A person on the storefront, as the platform's app proxy vouches for them. */
export interface Shopper {
  /** The scope of the store's merchant. */
  scope: MerchantScope
  shopDomain: string
  /** The store's number of the signed-in customer; null: not signed in. */
  storeCustomerId: number | null
}

/**
 * Reads the visitor from a query signed by the app proxy. Nothing else in a request identifies the sender: the platform forwards it without
 * cookies, and the body is not signed. Throws `store_signature_invalid` (401) if it is unsigned, altered, older than 90 seconds or ambiguous,
 * `store_not_connected` (403) for a store without a merchant now.
 */
export async function readShopper(context: Context, request: FastifyRequest): Promise<Shopper> {
  const query = new URL(request.raw.url ?? '', 'http://query').searchParams
  const shopDomain = query.get('shop')?.toLowerCase() ?? ''
  const customer = query.get('logged_in_customer_id') ?? ''
  const isSigned =
    isShopDomain(shopDomain) && /^\d{0,15}$/.test(customer) && (await getShopify(context).isSignedProxyQuery(query))
  if (!isSigned) throw unauthorized('store_signature_invalid', 'this address was not signed by the store platform')
  const scope = await scopeOfConnected(context, shopDomain)
  return { scope, shopDomain, storeCustomerId: customer === '' ? null : Number(customer) }
}

async function scopeOfConnected(context: Context, shopDomain: string): Promise<MerchantScope> {
  const merchantId = await findMerchantIdByShop(context, shopDomain)
  const scope = merchantId ? merchantScope(context, merchantId) : null
  const store = scope && (await findStoreRow(scope))
  if (!scope || store?.status !== 'connected' || store.shop_domain !== shopDomain)
    throw forbidden('store_not_connected', 'this store is not connected')
  return scope
}

/** Twice as long as the platform makes them. */
const LONGEST_LIFE_MS = 600_000
/** Only its own customers' ids: of the admin's tokens the subject is a member of the staff. */
const CUSTOMER = /^gid:\/\/shopify\/Customer\/(\d{1,15})$/

/** A person on a page of the platform, as the session token vouches for them that our extension was given there. */
export interface PlatformVisitor extends Shopper {
  tokenId: string
}

/**
 * Throws `session_token_invalid` (401) for a token that the platform did not sign for our app, that is over or not yet good, has longer to live than
 * the platform's do or is of the admin; `store_not_connected` (403) for a store without a merchant now. Whether it was used before, the caller asks.
 */
export async function readSessionToken(context: Context, token: string): Promise<PlatformVisitor> {
  const claims = await getShopify(context).readSessionToken(token)
  const customer = claims?.subject == null ? '' : CUSTOMER.exec(claims.subject)?.[1]
  const isShort = claims && claims.expiresAt.getTime() - context.clock.realNow().getTime() <= LONGEST_LIFE_MS
  if (!claims || !isShort || customer === undefined)
    throw unauthorized('session_token_invalid', 'this session token is none that the store platform gave our extension')
  const scope = await scopeOfConnected(context, claims.shopDomain)
  const storeCustomerId = customer === '' ? null : Number(customer)
  return { scope, shopDomain: claims.shopDomain, storeCustomerId, tokenId: claims.id }
}
/** So long a token has to be remembered that was used. */
export const SESSION_TOKEN_SECONDS = (2 * LONGEST_LIFE_MS) / 1000

/** As in the app's settings at the platform (docs/operating.md); followed by a path of ours. */
const PROXY_PREFIX = '/apps/okaeri'

/** Where the store's customers sign in; then they are redirected to a path of ours, through the app proxy. */
export const signInAddress = (context: Context, shopDomain: string, path: string): string =>
  storefrontAddress(
    context,
    shopDomain,
    `/account/login?${new URLSearchParams({ return_url: `${PROXY_PREFIX}${path}` }).toString()}`,
  )

/** Where visitors of the store reach a path of ours, through the app proxy. */
export const proxiedAddress = (context: Context, shopDomain: string, path: string): string =>
  storefrontAddress(context, shopDomain, `${PROXY_PREFIX}${path}`)

export const storefrontAddress = ({ settings }: Context, shopDomain: string, path: string): string =>
  storeAddress(`https://${shopDomain}${path}`, settings.sandboxUrl)
