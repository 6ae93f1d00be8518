import { minorUnits } from '@okaeri/contract/money'
import {
  numberIn,
  type SyncCheckout,
  type SyncCheckoutLine,
  type SyncCollection,
  type SyncLineItem,
  type SyncOrder,
  type SyncProduct,
  type SyncVariant,
} from '../../integrations/shopify/sync-operations.ts'
import type { StoreCollection, StoreProduct } from '../catalog/index.ts'
import type { StoreCheckout } from '../checkouts/index.ts'
import type { StoreCustomer } from '../customers/index.ts'
import type { StoreOrder } from '../orders/index.ts'

// Objects of exports in the shapes of the features that store them.

/** `currency` is the shop's: variants name none. */
export const readSyncProduct = (
  node: SyncProduct,
  variants: readonly SyncVariant[],
  currency: string,
): StoreProduct => ({
  storeProductId: numberIn(node.id),
  title: node.title,
  handle: node.handle,
  status: node.status,
  imageUrl: node.featuredMedia?.preview?.image?.url ?? null,
  totalInventory: node.totalInventory,
  vendor: node.vendor || null,
  productType: node.productType || null,
  tags: node.tags,
  variants: variants.map((variant) => ({
    storeVariantId: numberIn(variant.id),
    title: variant.title,
    sku: variant.sku || null,
    priceAmount: minorUnits(variant.price, currency),
    inventoryQuantity: variant.inventoryQuantity,
    position: variant.position,
  })),
  updatedAt: new Date(node.updatedAt),
})

export const readSyncCollection = (
  node: SyncCollection,
  products: readonly { id: string }[] | null,
): StoreCollection => ({
  storeCollectionId: numberIn(node.id),
  title: node.title,
  handle: node.handle,
  updatedAt: new Date(node.updatedAt),
  productIds: products && products.map(({ id }) => numberIn(id)),
})

export function readSyncCheckout(node: SyncCheckout, lines: readonly SyncCheckoutLine[]): StoreCheckout {
  const { amount, currencyCode } = node.totalPriceSet.shopMoney
  return {
    storeCheckoutId: numberIn(node.id),
    token: null,
    cartToken: null,
    storeCustomerId: node.customer ? numberIn(node.customer.id) : null,
    email: node.customer?.defaultEmailAddress?.emailAddress ?? null,
    totalAmount: minorUnits(amount, currencyCode),
    currency: currencyCode,
    lines: lines.map((line) => ({
      storeProductId: line.product ? numberIn(line.product.id) : null,
      storeVariantId: line.variant ? numberIn(line.variant.id) : null,
      title: line.title ?? '',
      quantity: line.quantity,
      amount: minorUnits(line.originalTotalPriceSet.shopMoney.amount, currencyCode),
    })),
    recoveryUrl: node.abandonedCheckoutUrl,
    createdAt: new Date(node.createdAt),
    updatedAt: new Date(node.updatedAt),
    completedAt: node.completedAt === null ? null : new Date(node.completedAt),
  }
}

export function readSyncOrder(node: SyncOrder, lines: readonly SyncLineItem[]): StoreOrder {
  const { amount, currencyCode } = node.totalPriceSet.shopMoney
  return {
    storeOrderId: numberIn(node.id),
    storeCustomerId: node.customer ? numberIn(node.customer.id) : null,
    name: node.name,
    email: node.email,
    processedAt: new Date(node.processedAt),
    totalAmount: minorUnits(amount, currencyCode),
    currentAmount: minorUnits(node.currentTotalPriceSet.shopMoney.amount, currencyCode),
    currency: currencyCode,
    financialStatus: node.displayFinancialStatus,
    cancelledAt: node.cancelledAt === null ? null : new Date(node.cancelledAt),
    landingSite: landingPath(node.customerJourneySummary?.lastVisit?.landingPage),
    tags: node.tags,
    discountCodes: node.discountCodes,
    fulfillmentStatus: node.displayFulfillmentStatus,
    checkoutToken: null,
    cartToken: null,
    updatedAt: new Date(node.updatedAt),
    lines: lines.map((line) => ({
      storeProductId: line.product ? numberIn(line.product.id) : null,
      storeVariantId: line.variant ? numberIn(line.variant.id) : null,
      title: line.title,
      sku: line.sku || null,
      quantity: line.quantity,
      amount: minorUnits(line.discountedTotalSet.shopMoney.amount, currencyCode),
    })),
  }
}

/** Exports have a whole address, webhooks only path and query. */
export function landingPath(landing: string | null | undefined): string | null {
  if (!landing) return null
  if (!URL.canParse(landing)) return landing
  const { pathname, search } = new URL(landing)
  return pathname + search
}

/** A customer the store refers to before sending their data. */
export const placeholderCustomer = (storeCustomerId: number, email: string | null = null): StoreCustomer => ({
  storeCustomerId,
  email,
  firstName: null,
  lastName: null,
  phone: null,
  language: null,
  address: null,
  provinceCode: null,
  tags: null,
  createdAt: null,
  updatedAt: null,
})
