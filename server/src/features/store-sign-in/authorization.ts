import { timingSafeEqual } from 'node:crypto'
import { EmailAddress, TimeZone } from '@okaeri/contract/fields'
import type { Reason } from '@okaeri/contract/errors'
import { getShopify, type StoreGrant } from '../../integrations/shopify/index.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, forbidden, IntegrationError } from '../../kernel/errors.ts'
import type { Identity } from '../../kernel/http/http.ts'
import { newId } from '../../kernel/ids.ts'
import { hashToken, randomToken } from '../../kernel/keyring.ts'
import { type MerchantScope, merchantScope, scopeIn } from '../../kernel/merchant-scope.ts'
import {
  askConfirmation,
  createMerchant,
  getOwner,
  holdMember,
  isFirstMerchant,
  mayAskConfirmation,
} from '../merchants/index.ts'
import { hasEnded, makeSignInCode, acceptInvitation } from '../sessions/index.ts'
import { connectStore, findMerchantByShop, readShop, type Shop, storeSignsIn } from '../stores/index.ts'
import { insertAuthorization, takeAuthorization } from './queries.ts'

/** How long a person may look at the platform's page. */
const LIFE_MS = 600_000
const MAX_SITE_NAME = 100

/** The state is bound to its browser: without the key it can be neither made nor used. */
const makeState = (browserKey: string): string => `${randomToken(24)}.${hashToken(browserKey).toString('base64url')}`
const isStateOf = (state: string, browserKey: string): boolean => {
  const named = Buffer.from(state.split('.')[1] ?? '', 'base64url')
  const own = hashToken(browserKey)
  return named.length === own.length && timingSafeEqual(named, own)
}

/** Begins an authorization; returns the platform's page. `identity`: the member who connects the store, null to sign in or up. */
export async function beginAuthorization(
  context: Context,
  { shopDomain, identity, browserKey }: { shopDomain: string; identity: Identity | null; browserKey: string },
): Promise<string> {
  const shopify = getShopify(context)
  const at = context.clock.realNow()
  const state = makeState(browserKey)
  await insertAuthorization(context, {
    state,
    shop_domain: shopDomain,
    merchant_id: identity?.merchantId ?? null,
    session_id: identity?.sessionId ?? null,
    at,
    staleBefore: new Date(at.getTime() - LIFE_MS),
  })
  return shopify.authorizeUrl(shopDomain, { state, redirectUri: `${context.settings.publicUrl}/shopify/callback` })
}

interface Return {
  shopDomain: string
  state: string
  code: string
  browserKey: string | null
}
/** The result of an authorization: a code that signs this browser in, or the reason to show. */
export type Arrival = { code: string } | { reason: Reason /** Where that is why. */; sellsIn?: string }

/** Ends an authorization whose query was signed: exchanges the code, connects the store, and signs its owner in. */
export async function finishAuthorization(context: Context, back: Return): Promise<Arrival> {
  const { shopDomain, state, code, browserKey } = back
  if (!browserKey || !isStateOf(state, browserKey)) return { reason: 'store_state_invalid' }
  const since = new Date(context.clock.realNow().getTime() - LIFE_MS)
  const authorization = await takeAuthorization(context, { state, shopDomain, since })
  if (!authorization) return { reason: 'store_state_invalid' }
  // The merchant pressed "cancel".
  if (!code) return { reason: 'store_refused' }
  let sellsIn: string | undefined
  try {
    const grant = await getShopify(context).exchangeCode(shopDomain, code)
    const shop = await readShop(context, grant)
    sellsIn = shop.currency
    const merchantId = authorization.merchant_id ?? (await findMerchantByShop(context, shopDomain))
    const visit = { grant, shop, browserKey, sessionId: authorization.session_id }
    return {
      code: merchantId
        ? await connectToMerchant(merchantScope(context, merchantId), visit)
        : await signUpStore(context, visit),
    }
  } catch (error) {
    if (error instanceof AppError)
      return { reason: error.reason, ...(sellsIn && isOfCurrency(error.reason) ? { sellsIn } : {}) }
    if (!(error instanceof IntegrationError)) throw error
    context.log.warn({ shopDomain, detail: error.detail }, 'a store could not be connected')
    // A store that does not exist is a typing mistake.
    return { reason: error.retryable && error.detail !== 'gone' ? 'store_unreachable' : 'store_refused' }
  }
}

const isOfCurrency = (reason: Reason): boolean =>
  reason === 'store_sells_in_another_currency' || reason === 'currency_has_sales'

interface Visit {
  grant: StoreGrant
  shop: Shop
  browserKey: string
  /** The session of the member who began it; null for a sign-in through the store. */
  sessionId: string | null
}

/** Returns the code that signs the owner in. Throws `store_state_invalid`, `store_sign_in_ended`. */
async function connectToMerchant(scope: MerchantScope, { grant, shop, browserKey, sessionId }: Visit): Promise<string> {
  const { id } = await getOwner(scope)
  return scope.transaction(async (scope) => {
    // Orders this with a password that is set meanwhile.
    await holdMember(scope, id)
    if (sessionId !== null) {
      if (await hasEnded(scope, sessionId)) throw forbidden('store_state_invalid')
    } else if (!(await storeSignsIn(scope, grant.shopDomain))) throw forbidden('store_sign_in_ended')
    await connectStore(scope, grant, shop)
    return makeSignInCode(scope, id, browserKey)
  })
}

/** A new store is a new merchant; both are stored together or not at all. Returns the code that signs its owner in. */
async function signUpStore(context: Context, { grant, shop, browserKey }: Visit): Promise<string> {
  const email = emailOf(shop, grant.shopDomain)
  const { onlyAsFirst } = await acceptInvitation(context, { email, invitation: undefined })
  const merchantId = newId()
  const asks = await mayAskConfirmation(context, { merchantId, email })
  return context.db.transaction().execute(async (transaction) => {
    const scope = scopeIn(context, transaction, merchantId)
    if (onlyAsFirst && !(await isFirstMerchant(scope))) throw forbidden('sign_up_by_invitation')
    const owner = await createMerchant(scope, {
      siteName: siteNameOf(shop, grant.shopDomain),
      language: shop.language,
      currency: shop.currency,
      ...(TimeZone.safeParse(shop.timezone).success ? { timezone: shop.timezone } : {}),
      owner: { email, name: '', passwordHash: null },
      signIn: 'if_free',
    })
    if (asks) await askConfirmation(scope, { purpose: 'account', email, memberId: owner })
    await connectStore(scope, grant, shop)
    return makeSignInCode(scope, owner, browserKey)
  })
}

const siteNameOf = ({ name }: Shop, shopDomain: string): string =>
  [...name.replace(/\p{Cc}/gu, ' ').trim()].slice(0, MAX_SITE_NAME).join('') || shopDomain

/** The store chooses its contact address freely; one that cannot get mail is not stored. */
const emailOf = ({ email }: Shop, shopDomain: string): string =>
  EmailAddress.safeParse(email).data ?? `owner@${shopDomain}`
