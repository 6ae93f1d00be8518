import { isShopDomain } from '@okaeri/contract/store/shop-domain'
import type { Context } from '../../kernel/context.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { findMerchantByShop, findStore, storefrontAddress } from '../stores/index.ts'

/** A shop as its pages are concerned. */
export interface Shop {
  shopDomain: string
  /** Null for a shop that was never connected. */
  merchantId: string | null
  isConnected: boolean
  /** Where its pages are: of the permanent domain and of the primary one. */
  origins: readonly string[]
}

/** So long a change of another process is not seen here. */
const KEPT_MS = 20_000
/** How many shops one process remembers; made-up names cannot fill it. */
const MAX_KEPT = 5000

interface Kept {
  /** A promise while it is being read. */
  shop: Shop | Promise<Shop>
  until: number
}
const shopsOf = new WeakMap<Context, Map<string, Kept>>()

/**
 * Null for what is no name of a shop. Kept for a short while, because every request of a visitor asks; a promise only where it has to be read.
 */
export function findShop(context: Context, shopDomain: string): Shop | Promise<Shop> | null {
  const shops = shopsOf.get(context) ?? new Map<string, Kept>()
  shopsOf.set(context, shops)
  const nowMs = context.clock.realNow().getTime()
  const known = shops.get(shopDomain)
  // A clock set back keeps nothing longer.
  if (known && known.until > nowMs && known.until <= nowMs + KEPT_MS) return known.shop
  if (!isShopDomain(shopDomain)) return null
  if (shops.size >= MAX_KEPT) shops.clear()
  const shop = readShop(context, shopDomain)
  const kept: Kept = { shop, until: nowMs + KEPT_MS }
  shops.set(shopDomain, kept)
  shop.then(
    (read) => (kept.shop = read),
    // What failed is asked again.
    () => shops.delete(shopDomain),
  )
  return shop
}

/** This process asks again. */
export const forgetShop = (context: Context, shopDomain: string): void => void shopsOf.get(context)?.delete(shopDomain)

async function readShop(context: Context, shopDomain: string): Promise<Shop> {
  const merchantId = await findMerchantByShop(context, shopDomain)
  if (!merchantId) return { shopDomain, merchantId: null, isConnected: false, origins: [] }
  const store = await findStore(merchantScope(context, merchantId))
  // The merchant has another store now.
  if (store?.shop_domain !== shopDomain) return { shopDomain, merchantId, isConnected: false, origins: [] }
  const addresses = [storefrontAddress(context, shopDomain, '/'), store.storefront_url ?? '']
  const origins = addresses.flatMap((address) => (URL.canParse(address) ? [new URL(address).origin] : []))
  return { shopDomain, merchantId, isConnected: store.status === 'connected', origins: [...new Set(origins)] }
}
