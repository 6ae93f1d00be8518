import { timingSafeEqual } from 'node:crypto'
import { EmailAddress, TimeZone } from '@okaeri/contract/fields'
import type { Reason } from '@okaeri/contract/errors'
import { getShopify, type StoreGrant } from '../../integrations/shopify/index.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, forbidden, IntegrationError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { hashToken, randomToken } from '../../kernel/keyring.ts'
import { type MerchantScope, merchantScope, scopeIn } from '../../kernel/merchant-scope.ts'
import { askConfirmation, createMerchant, getOwner, isFirstMerchant, mayAskConfirmation } from '../merchants/index.ts'
import { makeSignInCode, passDoor } from '../sessions/index.ts'
import { connectStore, findMerchantByShop, readShop, type Shop } from '../stores/index.ts'
import { insertAuthorization, takeAuthorization } from './queries.ts'

/** How long a person may look at the platform's page. */
const LIFE_MS = 600_000
const MAX_SITE_NAME = 100

/** The state names its browser: without the key nobody can have made, or can use, it. */
const makeState = (browserKey: string): string => `${randomToken(24)}.${hashToken(browserKey).toString('base64url')}`
const isStateOf = (state: string, browserKey: string): boolean => {
  const named = Buffer.from(state.split('.')[1] ?? '', 'base64url')
  const own = hashToken(browserKey)
  return named.length === own.length && timingSafeEqual(named, own)
}

/** Begins a trip; answers the platform's page. `merchantId`: whom the store is attached to, null to sign in or up. */
export async function beginAuthorization(
  context: Context,
  { shopDomain, merchantId, browserKey }: { shopDomain: string; merchantId: string | null; browserKey: string },
): Promise<string> {
  const shopify = getShopify(context)
  const at = context.clock.realNow()
  const state = makeState(browserKey)
  await insertAuthorization(context, {
    state,
    shop_domain: shopDomain,
    merchant_id: merchantId,
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
    const owner = merchantId
      ? await connectToMerchant(merchantScope(context, merchantId), grant, shop)
      : await signUpStore(context, grant, shop)
    return { code: await makeSignInCode(owner.scope, owner.memberId, browserKey) }
  } catch (error) {
    if (error instanceof AppError) return { reason: error.reason }
    if (!(error instanceof IntegrationError)) throw error
    context.log.warn({ shopDomain, detail: error.detail }, 'a store could not be connected')
    // A store that is not there is a slip of the pen.
    return { reason: error.retryable && error.detail !== 'gone' ? 'store_unreachable' : 'store_refused' }
  }
}

interface Owner {
  scope: MerchantScope
  memberId: string
}

async function connectToMerchant(scope: MerchantScope, grant: StoreGrant, shop: Shop): Promise<Owner> {
  await connectStore(scope, grant, shop)
  return { scope, memberId: (await getOwner(scope)).id }
}

/** A new store is a new merchant; both are stored together or not at all. */
async function signUpStore(context: Context, grant: StoreGrant, shop: Shop): Promise<Owner> {
  const email = emailOf(shop, grant.shopDomain)
  const { onlyAsFirst } = await passDoor(context, { email, invitation: undefined })
  const merchantId = newId()
  const asks = await mayAskConfirmation(context, { merchantId, email })
  const memberId = await context.db.transaction().execute(async (transaction) => {
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
    return owner
  })
  return { scope: merchantScope(context, merchantId), memberId }
}

const siteNameOf = ({ name }: Shop, shopDomain: string): string =>
  [...name.replace(/\p{Cc}/gu, ' ').trim()].slice(0, MAX_SITE_NAME).join('') || shopDomain

/** The store's contact address is the store's to write; one that cannot be mailed to is not kept. */
const emailOf = ({ email }: Shop, shopDomain: string): string =>
  EmailAddress.safeParse(email).data ?? `owner@${shopDomain}`
