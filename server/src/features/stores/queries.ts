import { sql } from 'kysely'
import type { StoreTrouble } from '../../integrations/shopify/index.ts'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface StoreRow {
  id: string
  shop_domain: string
  name: string | null
  storefront_url: string | null
  status: 'connected' | 'disconnected'
  scopes: string
  /** What it sells in; null where it was connected before that was stored. */
  currency: string | null
  under_review: boolean
  connected_at: Date
  disconnected_at: Date | null
  disconnected_reason: DisconnectedReason | null
  trouble: StoreTrouble | null
  trouble_since: Date | null
  signs_in: boolean
}
/** `uninstalled`: reported by the store. `refused`: our access was no longer accepted. `disconnected`: a member did it. */
export type DisconnectedReason = 'uninstalled' | 'refused' | 'disconnected'
const storeColumns = sql`id, shop_domain, name, storefront_url, status, scopes, currency, under_review, connected_at, disconnected_at,
  disconnected_reason, trouble, trouble_since, signs_in`

export interface TokenRow {
  shop_domain: string
  trouble: StoreTrouble | null
  access_token: string | null
  access_token_expires_at: Date | null
  refresh_token: string | null
}

/** The connected store, or the one connected last. */
export async function findStoreRow(scope: MerchantScope): Promise<StoreRow | null> {
  const { rows } = await sql<StoreRow>`
    select ${storeColumns} from store_connections where merchant_id = ${scope.merchantId}
    order by (status = 'connected') desc, connected_at desc limit 1`.execute(scope.db)
  return rows[0] ?? null
}

export async function findTokens(scope: MerchantScope, { lock }: { lock: boolean }): Promise<TokenRow | null> {
  const { rows } = await sql<TokenRow>`
    select shop_domain, trouble, access_token, access_token_expires_at, refresh_token from store_connections
    where merchant_id = ${scope.merchantId} and status = 'connected'
    ${lock ? sql`for update` : sql``}`.execute(scope.db)
  return rows[0] ?? null
}

/** Returns the store's merchant: the given one, unless it already belonged to another. */
export async function claimStore(scope: MerchantScope, shopDomain: string): Promise<string> {
  await sql`insert into store_directory (shop_domain, merchant_id) values (${shopDomain}, ${scope.merchantId})
    on conflict do nothing`.execute(scope.db)
  const { rows } = await sql<{ merchant_id: string }>`
    select merchant_id from store_directory where shop_domain = ${shopDomain}`.execute(scope.db)
  return rows[0]?.merchant_id ?? ''
}

/** The merchant of a store. */
export async function findMerchantIdByShop(context: Context, shopDomain: string): Promise<string | null> {
  const { rows } = await sql<{ merchant_id: string }>`
    select merchant_id from store_directory where shop_domain = ${shopDomain}`.execute(context.db)
  return rows[0]?.merchant_id ?? null
}

interface StoredConnection {
  id: string
  shopDomain: string
  name: string | null
  storefrontUrl: string | null
  scopes: string
  currency: string
  tokens: SealedTokens
}
export interface SealedTokens {
  accessToken: string
  expiresAt: Date | null
  refreshToken: string | null
}

export async function upsertStore(scope: MerchantScope, store: StoredConnection): Promise<void> {
  const { tokens } = store
  await sql`
    insert into store_connections (merchant_id, id, shop_domain, name, storefront_url, status, scopes, currency, access_token,
      access_token_expires_at, refresh_token, connected_at)
    values (${scope.merchantId}, ${store.id}, ${store.shopDomain}, ${store.name}, ${store.storefrontUrl}, 'connected',
      ${store.scopes}, ${store.currency}, ${tokens.accessToken}, ${tokens.expiresAt}, ${tokens.refreshToken}, ${scope.now})
    on conflict (merchant_id, shop_domain) do update set
      name = excluded.name, storefront_url = excluded.storefront_url, status = 'connected', scopes = excluded.scopes,
      currency = excluded.currency,
      access_token = excluded.access_token, access_token_expires_at = excluded.access_token_expires_at,
      refresh_token = excluded.refresh_token, connected_at = excluded.connected_at, disconnected_at = null,
      disconnected_reason = null, trouble = null, trouble_since = null, signs_in = true`.execute(scope.db)
}

/** Returns whether the connected store was not known to sell in it. */
export async function writeStoreCurrency(
  scope: MerchantScope,
  { shopDomain, currency }: { shopDomain: string; currency: string },
): Promise<boolean> {
  const { rows } = await sql`
    update store_connections set currency = ${currency}
    where merchant_id = ${scope.merchantId} and shop_domain = ${shopDomain} and status = 'connected'
      and currency is distinct from ${currency} returning id`.execute(scope.db)
  return rows.length > 0
}

/** Whether sign-in through the store opens the account. */
export async function storeSignsIn(scope: MerchantScope, shopDomain: string): Promise<boolean> {
  const { rows } = await sql`
    select from store_connections
    where merchant_id = ${scope.merchantId} and shop_domain = ${shopDomain} and not signs_in`.execute(scope.db)
  return rows.length === 0
}

/** No store opens the account now, because the person who connected it may not be the owner. Connecting a store while signed in opens it again. */
export async function endStoreSignIn(scope: MerchantScope): Promise<void> {
  await sql`update store_connections set signs_in = false where merchant_id = ${scope.merchantId}`.execute(scope.db)
}

export async function storeTokens(scope: MerchantScope, shopDomain: string, tokens: SealedTokens): Promise<void> {
  await sql`
    update store_connections set access_token = ${tokens.accessToken}, access_token_expires_at = ${tokens.expiresAt},
      refresh_token = ${tokens.refreshToken}
    where merchant_id = ${scope.merchantId} and shop_domain = ${shopDomain} and status = 'connected'`.execute(scope.db)
}

/** Stores why the platform closes the store to us; null: it does not. The time since when stays while the reason stays. */
export async function markTrouble(
  scope: MerchantScope,
  shopDomain: string,
  trouble: StoreTrouble | null,
): Promise<void> {
  await sql`
    update store_connections set trouble = ${trouble},
      trouble_since = ${trouble === null ? null : sql`case when trouble is null then ${scope.context.clock.now()} else trouble_since end`}
    where merchant_id = ${scope.merchantId} and shop_domain = ${shopDomain} and status = 'connected'
      and trouble is distinct from ${trouble}`.execute(scope.db)
}

/** Returns the store that was connected until now. */
export async function markDisconnected(scope: MerchantScope, reason: DisconnectedReason): Promise<string | null> {
  const { rows } = await sql<{ shop_domain: string }>`
    update store_connections set status = 'disconnected', disconnected_at = ${scope.now},
      disconnected_reason = ${reason}, access_token = null,
      access_token_expires_at = null, refresh_token = null, trouble = null, trouble_since = null
    where merchant_id = ${scope.merchantId} and status = 'connected' returning shop_domain`.execute(scope.db)
  return rows[0]?.shop_domain ?? null
}

export async function markUnderReview(scope: MerchantScope, underReview: boolean): Promise<void> {
  await sql`update store_connections set under_review = ${underReview}
    where merchant_id = ${scope.merchantId}`.execute(scope.db)
}

/** Across merchants, read only: every store we have access to. */
export async function listConnectedStores(context: Context): Promise<{ merchant_id: string; shop_domain: string }[]> {
  const { rows } = await sql<{ merchant_id: string; shop_domain: string }>`
    select merchant_id, shop_domain from store_connections where status = 'connected' order by shop_domain limit 1000`.execute(
    context.db,
  )
  return rows
}

/** Across merchants, read only: whose stored tokens may need another key. */
export async function listMerchantsWithTokens(context: Context): Promise<string[]> {
  const { rows } = await sql<{ merchant_id: string }>`
    select distinct merchant_id from store_connections where access_token is not null`.execute(context.db)
  return rows.map(({ merchant_id }) => merchant_id)
}
