import { AppError } from '../../kernel/errors.ts'
import type { Context } from '../../kernel/context.ts'
import type { Shopify } from './shopify.ts'

export {
  asStoreTrouble,
  createShopify,
  type Shopify,
  storeAddress,
  type StoreGrant,
  storeHeader,
  type StoreTrouble,
} from './shopify.ts'

declare module '../../kernel/context.ts' {
  interface Integrations {
    /** Null while SHOPIFY_API_KEY is not set: then no store can be connected. */
    shopify: Shopify | null
  }
}

/** The store platform. Throws `store_platform_not_set_up` while our app has no credentials there. */
export function getShopify(context: Context): Shopify {
  const { shopify } = context.integrations
  if (!shopify)
    throw new AppError(
      'unavailable',
      'store_platform_not_set_up',
      'the store platform is not set up: SHOPIFY_API_KEY is missing',
    )
  return shopify
}
