import { toLocale, type Locale } from '@okaeri/contract/locale'
import type { StoreConnection } from '@okaeri/contract/merchants/merchant'
import { getShopify, type StoreGrant } from '../../integrations/shopify/index.ts'
import { grantFromSandbox } from '../../integrations/shopify/sandbox-grant.ts'
import {
  SHOP_INFO,
  SHOP_LOCALES,
  type ShopInfoResult,
  type ShopLocalesResult,
} from '../../integrations/shopify/operations.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, IntegrationError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import {
  claimStore,
  type DisconnectedReason,
  findStoreRow,
  findTokens,
  listMerchantsWithTokens,
  markDisconnected,
  storeTokens,
  upsertStore,
  writeStoreCurrency,
} from './queries.ts'
import { getStoreClient, sealTokens } from './store-client.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** `replaces`: the store that was connected before, if it is another. `currency`: what the store sells in. */
    'store.connected': {
      shopDomain: string
      replaces: string | null
      currency: string
      /** The store that was connected last is this one. */
      isKnown: boolean
    }
    'store.disconnected': { shopDomain: string }
  }
}

/** The store's own data. */
export interface Shop {
  name: string
  email: string
  storefrontUrl: string
  timezone: string
  currency: string
  language: Locale
}

export async function presentStore(scope: MerchantScope): Promise<StoreConnection | null> {
  const store = await findStoreRow(scope)
  if (!store) return null
  const { currency } = await getMerchant(scope)
  return {
    shop_domain: store.shop_domain,
    status: store.status,
    name: store.name,
    currency,
    sells_in: store.currency,
    under_review: store.under_review,
    storefront_url: store.storefront_url,
    disconnected_reason: store.disconnected_reason,
    disconnected_at: store.disconnected_at?.toISOString() ?? null,
    trouble:
      store.trouble && store.trouble_since ? { reason: store.trouble, since: store.trouble_since.toISOString() } : null,
    signs_in: store.signs_in,
    missing_scopes: store.status === 'connected' ? missingScopes(scope.context, store.scopes) : [],
  }
}

/** Scopes we request today that this store has not granted, because it was connected before. Write scopes include reading. */
function missingScopes({ integrations: { shopify } }: Context, granted: string): string[] {
  const has = new Set(granted.split(',').map((one) => one.trim()))
  // Without known scopes the store was not connected on the platform's page.
  if (granted.trim() === '') return []
  return (shopify?.scopes ?? []).filter((one) => !has.has(one) && !has.has(one.replace(/^read_/, 'write_')))
}

/** Asks the store its name, address, zone, currency and language. */
export async function readShop(context: Context, grant: StoreGrant): Promise<Shop> {
  const shopify = getShopify(context)
  const { shop } = await shopify.graphql<ShopInfoResult>(grant, SHOP_INFO)
  return {
    name: shop.name,
    email: shop.contactEmail || shop.email,
    storefrontUrl: shop.primaryDomain.url,
    timezone: shop.ianaTimezone,
    currency: shop.currencyCode,
    language: await readLanguage(context, grant),
  }
}

async function readLanguage(context: Context, grant: StoreGrant): Promise<Locale> {
  try {
    const { shopLocales } = await getShopify(context).graphql<ShopLocalesResult>(grant, SHOP_LOCALES)
    return toLocale(shopLocales.find(({ primary }) => primary)?.locale)
  } catch (error) {
    // A store that did not grant `read_locales` is served in the default language.
    if (error instanceof IntegrationError && error.detail === 'ACCESS_DENIED') return toLocale(null)
    throw error
  }
}

/**
 * Stores the platform's grant and connects the store to the merchant; signing in again through a connected store only renews its tokens. Throws
 * `store_connected_elsewhere` if the store belongs to another merchant, or the merchant is connected to another store.
 */
export function connectStore(scope: MerchantScope, grant: StoreGrant, shop: Shop): Promise<void> {
  return scope.transaction(async (scope) => {
    const { shopDomain } = grant
    if ((await claimStore(scope, shopDomain)) !== scope.merchantId)
      throw conflict('store_connected_elsewhere', 'this store belongs to another merchant')
    const tokens = await findTokens(scope, { lock: true })
    if (tokens && tokens.shop_domain !== shopDomain)
      throw conflict('store_connected_elsewhere', 'this merchant is connected to another store; disconnect it first')
    const before = await findStoreRow(scope)
    const isNew = !tokens || before?.scopes !== grant.scopes
    const replaces = before && before.shop_domain !== shopDomain ? before.shop_domain : null
    await upsertStore(scope, {
      id: newId(),
      shopDomain,
      name: shop.name,
      storefrontUrl: shop.storefrontUrl,
      currency: shop.currency,
      scopes: grant.scopes,
      tokens: sealTokens(scope.context, grant),
    })
    if (!isNew) return
    await scope.context.publish(scope, 'store.connected', {
      shopDomain,
      replaces,
      currency: shop.currency,
      isKnown: before?.shop_domain === shopDomain,
    })
  })
}

/**
 * Asks the connected store what it sells in: it may have been connected before that was stored, or have changed it since. Where the account
 * counts in another currency, it is as if the store had been connected again.
 */
export async function learnStoreCurrency(scope: MerchantScope): Promise<void> {
  const store = await findStoreRow(scope)
  if (store?.status !== 'connected') return
  const { shop_domain: shopDomain } = store
  const client = await getStoreClient(scope)
  const { shop } = await client.graphql<ShopInfoResult>(SHOP_INFO)
  const currency = shop.currencyCode
  await scope.transaction(async (scope) => {
    if (!(await writeStoreCurrency(scope, { shopDomain, currency }))) return
    if ((await getMerchant(scope)).currency === currency) return
    await scope.context.publish(scope, 'store.connected', { shopDomain, replaces: null, currency, isKnown: true })
  })
}

/** Deletes the store's access. Does nothing if none is connected. */
export function disconnectStore(scope: MerchantScope, reason: DisconnectedReason = 'disconnected'): Promise<void> {
  return scope.transaction(async (scope) => {
    const shopDomain = await markDisconnected(scope, reason)
    if (shopDomain) await scope.context.publish(scope, 'store.disconnected', { shopDomain })
  })
}

/** Connects a store of the sandbox through its real protocol, without a person: for the demo merchant and for tests. */
export async function connectSandboxStore(scope: MerchantScope, shopDomain: string): Promise<void> {
  const grant = await grantFromSandbox(scope.context, shopDomain)
  await connectStore(scope, grant, await readShop(scope.context, grant))
}

/** Encrypts tokens again that have an older key; returns how many stores had such tokens. */
export async function reencryptStoreTokens(context: Context): Promise<number> {
  let changed = 0
  for (const merchantId of await listMerchantsWithTokens(context))
    await merchantScope(context, merchantId).transaction(async (scope) => {
      const tokens = await findTokens(scope, { lock: true })
      const { keyring } = context
      if (!tokens?.access_token) return
      const sealed = [tokens.access_token, tokens.refresh_token ?? tokens.access_token]
      if (!sealed.some((text) => keyring.isStale(text))) return
      await storeTokens(scope, tokens.shop_domain, {
        accessToken: keyring.encrypt(keyring.decrypt(tokens.access_token)),
        expiresAt: tokens.access_token_expires_at,
        refreshToken: tokens.refresh_token && keyring.encrypt(keyring.decrypt(tokens.refresh_token)),
      })
      changed += 1
    })
  return changed
}
