import { timingSafeEqual } from 'node:crypto'
import { EmailAddress, TimeZone } from '@okaeri/contract/fields'
import type { Reason } from '@okaeri/contract/errors'
import { getShopify, type StoreGrant } from '../../integrations/shopify/index.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, forbidden, IntegrationError } from '../../kernel/errors.ts'
import type { Identity } from '../../kernel/http.ts'
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

/** The state names its browser: without the key it can be neither made nor used. */
const makeState = (browserKey: string): string => `${randomToken(24)}.${hashToken(browserKey).toString('base64url')}`
const isStateOf = (state: string, browserKey: string): boolean => {
  const named = Buffer.from(state.split('.')[1] ?? '', 'base64url')
  const own = hashToken(browserKey)
  return named.length === own.length && timingSafeEqual(named, own)
}

/** Begins a trip; answers the platform's page. `identity`: whose the store becomes, null to sign in or up. */
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
/** What came of a trip: a code that signs this browser in, or the reason to show. */
export type Arrival = { code: string } | { reason: Reason }

/** Ends a trip whose query was signed: trades the code, connects the store, and vouches for its owner. */
export async function finishAuthorization(context: Context, back: Return): Promise<Arrival> {
  const { shopDomain, state, code, browserKey } = back
  if (!browserKey || !isStateOf(state, browserKey)) return { reason: 'store_state_invalid' }
  const since = new Date(context.clock.realNow().getTime() - LIFE_MS)
  const authorization = await takeAuthorization(context, { state, shopDomain, since })
  if (!authorization) return { reason: 'store_state_invalid' }
  // The merchant pressed "cancel".
  if (!code) return { reason: 'store_refused' }
  try {
    const grant = await getShopify(context).exchangeCode(shopDomain, code)
    const shop = await readShop(context, grant)
    const merchantId = authorization.merchant_id ?? (await findMerchantByShop(context, shopDomain))
    const visit = { grant, shop, browserKey, sessionId: authorization.session_id }
    return {
      code: merchantId
        ? await connectToMerchant(merchantScope(context, merchantId), visit)
        : await signUpStore(context, visit),
    }
  } catch (error) {
    if (error instanceof AppError) return { reason: error.reason }
    if (!(error instanceof IntegrationError)) throw error
    context.log.warn({ shopDomain, detail: error.detail }, 'a store could not be connected')
    // A store that is not there is a slip of the pen.
    return { reason: error.retryable && error.detail !== 'gone' ? 'store_unreachable' : 'store_refused' }
  }
}

interface Visit {
  grant: StoreGrant
  shop: Shop
  browserKey: string
  /** Of the member who began it; null when a person comes in by the store. */
  sessionId: string | null
}

/** Answers the code that signs the owner in. Throws `store_state_invalid`, `store_sign_in_ended`. */
async function connectToMerchant(scope: MerchantScope, { grant, shop, browserKey, sessionId }: Visit): Promise<string> {
  const { id } = await getOwner(scope)
  return scope.transaction(async (scope) => {
    // A password that is set meanwhile ends what it ends before this, or after.
    await holdMember(scope, id)
    if (sessionId !== null) {
      if (await hasEnded(scope, sessionId)) throw forbidden('store_state_invalid')
    } else if (!(await storeSignsIn(scope, grant.shopDomain))) throw forbidden('store_sign_in_ended')
    await connectStore(scope, grant, shop)
    return makeSignInCode(scope, id, browserKey)
  })
}

/** A new store is a new merchant; both are stored together or not at all. Answers the code that signs its owner in. */
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

/** The store's contact address is the store's to write; one that cannot be mailed to is not kept. */
const emailOf = ({ email }: Shop, shopDomain: string): string =>
  EmailAddress.safeParse(email).data ?? `owner@${shopDomain}`
