import type { FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { forbidden, invalid, notFound, unauthorized } from '../../kernel/errors.ts'
import { bearerOf } from '../../kernel/http/http.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { countAttempt, isFirstTime, originOf } from '../../kernel/rate-limits.ts'
import { bringStoreCustomer } from '../customers/index.ts'
import { guestOf, joinGuest } from '../guests/index.ts'
import { readSessionToken, readShopper, SESSION_TOKEN_SECONDS, type Shopper } from '../stores/index.ts'
import { countCall, tokensByOrigin, tokensOfPerson } from './limits.ts'
import { isCustomerHere } from './queries.ts'
import { findShop, type Shop } from './shop.ts'
import {
  ACCESS_TOKEN_SECONDS,
  type AccessClaims,
  openAccessToken,
  openExtensionToken,
  openPageToken,
  PAGE_TOKEN_SECONDS,
  sealAccessToken,
  sealExtensionToken,
  sealPageToken,
} from './token.ts'

declare module '../../kernel/http/http.ts' {
  interface Visitor {
    shopDomain: string
    /** The owner of what the visitor stores. */
    holder: { customerId: string } | { guestId: string }
    /** The store's number of the customer; null for a guest. */
    storeCustomerId: number | null
    /** As a customer, at the store. */
    isSignedIn: boolean
  }
}
export type { Visitor } from '../../kernel/http/http.ts'
type Visitor = import('../../kernel/http/http.ts').Visitor

/**
 * Who makes a request with a short token. Rejects with 401 for one that is no good, 403 at an origin it was not made for. A promise only where
 * something has to be read: visitors ask by the thousand a second.
 */
export function visitorOf(context: Context, request: FastifyRequest): Visitor | Promise<Visitor> {
  try {
    const isOfExtension = request.routeOptions.config.endpoint?.access === 'extension'
    const claims = (isOfExtension ? openExtensionToken : openAccessToken)(context, bearerOf(request))
    const check = isOfExtension ? refuseDisconnected : refuseElsewhere
    const enter = (shop: Shop | null): Visitor | Promise<Visitor> => {
      check(request, claims, shop)
      return admit(context, claims)
    }
    const shop = findShop(context, claims.shopDomain)
    return shop instanceof Promise ? shop.then(enter) : enter(shop)
  } catch (error) {
    return Promise.reject(error)
  }
}

function admit(context: Context, claims: AccessClaims): Visitor | Promise<Visitor> {
  const { merchantId, shopDomain, holder, storeCustomerId } = claims
  const scope = merchantScope(context, merchantId)
  const isSignedIn = 'customerId' in holder
  const visitor = { scope, shopDomain, holder, storeCustomerId, isSignedIn }
  const counted = countCall(context, isSignedIn ? holder.customerId : holder.guestId)
  if (!counted && !isSignedIn) return visitor
  return (async () => {
    if (counted) await counted
    if (isSignedIn && !(await isStillHere(scope, holder.customerId))) throw unauthorized('token_invalid')
    return visitor
  })()
}

/** A token speaks at the origin it was made for, and while the shop is the merchant's. */
function refuseDisconnected(
  { headers }: FastifyRequest,
  { merchantId, origin }: Pick<AccessClaims, 'merchantId' | 'origin'>,
  shop: Shop | null,
): void {
  if (!shop?.isConnected || shop.merchantId !== merchantId)
    throw forbidden('store_not_connected', 'this store is not connected')
  if (headers.origin !== origin) throw forbidden('origin_not_allowed', 'this token was made for another page')
}

/** On pages of the shop that origin has to be one of the shop's still. */
function refuseElsewhere(
  request: FastifyRequest,
  claims: Pick<AccessClaims, 'merchantId' | 'origin'>,
  shop: Shop | null,
): void {
  refuseDisconnected(request, claims, shop)
  if (!shop?.origins.includes(claims.origin))
    throw forbidden('origin_not_allowed', 'this token was made for another page')
}

/** So long a customer who was deleted or merged may still be taken for there. */
const SEEN_MS = 30_000
const MAX_SEEN = 50_000
const seen = new WeakMap<Context, Map<string, number>>()

async function isStillHere(scope: MerchantScope, customerId: string): Promise<boolean> {
  const { context } = scope
  const nowMs = context.clock.realNow().getTime()
  const known = seen.get(context) ?? new Map<string, number>()
  seen.set(context, known)
  const ageMs = nowMs - (known.get(customerId) ?? 0)
  if (ageMs >= 0 && ageMs < SEEN_MS) return true
  const isHere = await isCustomerHere(scope, customerId)
  if (known.size >= MAX_SEEN) known.clear()
  if (isHere) known.set(customerId, nowMs)
  else known.delete(customerId)
  return isHere
}

/** The origin that a token is bound to: of the shop's own the one that asks, its first if the page does not say. */
async function boundOrigin({ scope: { context }, shopDomain }: Shopper, asked: string): Promise<string> {
  const origins = (await findShop(context, shopDomain))?.origins ?? []
  const origin = asked === '' ? origins[0] : asked
  if (origin === undefined || !origins.includes(origin))
    throw forbidden('origin_not_allowed', 'this is no address of the store')
  return origin
}

/** For a page of a shop, by the app proxy: a page token. Writes nothing. */
export async function connectPage(context: Context, request: FastifyRequest, asked: { origin: string }) {
  const shopper = await readShopper(context, request)
  const { scope, shopDomain, storeCustomerId } = shopper
  const origin = await boundOrigin(shopper, asked.origin)
  return {
    page_token: sealPageToken(context, { merchantId: scope.merchantId, shopDomain, origin, storeCustomerId }),
    expires_in: PAGE_TOKEN_SECONDS,
    is_signed_in: storeCustomerId !== null,
  }
}

/** A short token for the signed-in customer. Throws 401 `customer_not_signed_in`. */
export async function tokenOfShopper(context: Context, request: FastifyRequest, asked: { origin: string }) {
  const shopper = await readShopper(context, request)
  const { scope, shopDomain, storeCustomerId } = shopper
  if (storeCustomerId === null) throw unauthorized('customer_not_signed_in', 'no one is signed in at the store')
  const origin = await boundOrigin(shopper, asked.origin)
  await countAttempt(context, null, [[tokensOfPerson, `${shopDomain} ${storeCustomerId}`]])
  const holder = { customerId: await customerOf(scope, storeCustomerId) }
  return presentToken(context, { merchantId: scope.merchantId, shopDomain, origin, storeCustomerId, holder })
}

/**
 * A session token of the platform becomes a short one, once: a token that was intercepted on its way is then of no use. Null where no
 * customer is signed in; an order's customer is not trusted.
 */
export async function tradeSessionToken(context: Context, request: FastifyRequest) {
  const given = bearerOf(request)
  if (given === null) throw unauthorized('sign_in_required')
  const { scope, shopDomain, storeCustomerId, tokenId } = await readSessionToken(context, given)
  // Browsers say it with every such request; without it the token would be good anywhere.
  const { origin } = request.headers
  if (origin === undefined || origin.length > MAX_ORIGIN)
    throw forbidden('origin_not_allowed', 'this comes from no page')
  const person = storeCustomerId === null ? [] : [[tokensOfPerson, `${shopDomain} ${storeCustomerId}`] as const]
  await countAttempt(context, null, [...person, [tokensByOrigin, originOf(request)]])
  if (storeCustomerId === null) return { scope, token: null }
  // What fails here may be tried again with the same token.
  const customerId = await customerOf(scope, storeCustomerId)
  if (!(await isFirstTime(context, 'session_token', `${shopDomain} ${tokenId}`, SESSION_TOKEN_SECONDS)))
    throw unauthorized('session_token_used', 'this session token was used before')
  const claims = { merchantId: scope.merchantId, shopDomain, origin, storeCustomerId, holder: { customerId } }
  return {
    scope,
    token: {
      access_token: sealExtensionToken(context, claims),
      token_type: 'Bearer' as const,
      expires_in: ACCESS_TOKEN_SECONDS,
    },
  }
}
/** With room for the host of a page; the sealed token has a length, too. */
const MAX_ORIGIN = 300

/** A page token becomes a short one. Nothing is written for a guest; signed in, they become the customer. */
export async function convertPageToken(
  context: Context,
  request: FastifyRequest,
  { guestToken }: { guestToken: string | undefined },
) {
  const claims = openPageToken(context, bearerOf(request))
  const { merchantId, shopDomain, origin, storeCustomerId } = claims
  refuseElsewhere(request, claims, await findShop(context, shopDomain))
  if (storeCustomerId === null && guestToken === undefined) throw invalid({ guest_id: 'required' })
  await countAttempt(context, null, [
    [tokensOfPerson, `${shopDomain} ${storeCustomerId ?? guestToken}`],
    [tokensByOrigin, originOf(request)],
  ])
  const scope = merchantScope(context, merchantId)
  const holder = await holderOf(scope, storeCustomerId, guestToken)
  return presentToken(context, { merchantId, shopDomain, origin, storeCustomerId, holder })
}

async function holderOf(
  scope: MerchantScope,
  storeCustomerId: number | null,
  guestToken: string | undefined,
): Promise<Visitor['holder']> {
  const customerId = storeCustomerId === null ? null : await customerOf(scope, storeCustomerId)
  const guest = guestToken === undefined ? null : await guestOf(scope, { token: guestToken })
  if (customerId !== null) {
    if (guest) await joinGuest(scope, guest.guestId, customerId)
    return { customerId }
  }
  if (!guest) throw new Error('one of the two is there')
  return { guestId: guest.guestId }
}

/** Fetched from the store if it is new there. Throws 404 for one whom the store does not tell of. */
async function customerOf(scope: MerchantScope, storeCustomerId: number): Promise<string> {
  const id = await bringStoreCustomer(scope, storeCustomerId)
  if (!id) throw notFound('the store does not tell of this customer')
  return id
}

const presentToken = (context: Context, claims: Omit<AccessClaims, 'expires'>) => ({
  access_token: sealAccessToken(context, claims),
  token_type: 'Bearer' as const,
  expires_in: ACCESS_TOKEN_SECONDS,
  is_signed_in: claims.storeCustomerId !== null,
})
