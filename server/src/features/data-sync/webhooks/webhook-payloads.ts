import { minorUnits } from '@okaeri/contract/money'
import { z } from 'zod'
import { numberIn, UnusableId } from '../../../integrations/shopify/sync-operations.ts'
import type { StoreCollection, StoreProduct } from '../../catalog/index.ts'
import type { StoreCart, StoreCheckout } from '../../checkouts/index.ts'
import { provinceCodeOf, type StoreCustomer } from '../../customers/index.ts'
import type { StoreOrder } from '../../orders/index.ts'
import { landingPath } from '../export-payloads.ts'

// Bodies of webhooks in the shapes of the features that store them.

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const shopMoney = z.object({ shop_money: z.object({ amount: z.string(), currency_code: z.string() }) })
/** Real ids stay below 2^53. The platform's documented examples do not, and a rounded id would be that of another object. */
const id = z.number().refine((value) => Number.isSafeInteger(value) && value > 0, 'not an id, or beyond 2^53')
/** Whether the body cannot be read, so that a retry would fail the same way. */
export const isUnreadable = (error: unknown): boolean => error instanceof z.ZodError || error instanceof UnusableId
const text = z.string().nullish()

const CustomerBody = z.object({
  id,
  email: text,
  first_name: text,
  last_name: text,
  phone: text,
  created_at: instant.nullish(),
  updated_at: instant.nullish(),
  default_address: z
    .object({
      zip: text,
      country: text,
      province: text,
      city: text,
      address1: text,
      address2: text,
      company: text,
      phone: text,
      country_code: text,
      province_code: text,
    })
    .nullish(),
})

/** customers/create and customers/update; without consent, tags and language, which this body does not have. */
export function readCustomerBody(body: unknown): StoreCustomer {
  const customer = CustomerBody.parse(body)
  const { country_code: countryCode, province_code: provinceCode, ...address } = customer.default_address ?? {}
  return {
    storeCustomerId: customer.id,
    email: customer.email || null,
    firstName: customer.first_name ?? null,
    lastName: customer.last_name ?? null,
    phone: customer.phone || null,
    language: null,
    address: customer.default_address
      ? Object.fromEntries(Object.entries(address).map(([part, value]) => [part, value ?? null]))
      : null,
    provinceCode: provinceCodeOf(countryCode, provinceCode),
    tags: null,
    createdAt: customer.created_at ?? null,
    updatedAt: customer.updated_at ?? null,
  }
}

export const readId = (body: unknown): number => z.object({ id }).parse(body).id
/** A webhook about one place of the inventory. */
export const readItemId = (body: unknown): number => z.object({ inventory_item_id: id }).parse(body).inventory_item_id
const DiscountBody = z.object({
  admin_graphql_api_id: z.string().max(200),
  status: z.string().nullish(),
  /** If only one code changed. */
  redeem_code: z.object({ code: z.string().max(300) }).nullish(),
})
/** The body of a deleted discount says what it was before. */
export function readDiscountBody(topic: string, body: unknown) {
  const { admin_graphql_api_id: storeDiscountId, status, redeem_code } = DiscountBody.parse(body)
  return {
    storeDiscountId,
    holds: topic === 'discounts/update' && status === 'ACTIVE',
    removedCode: redeem_code?.code ?? null,
  }
}
export const hasId = (body: unknown): boolean => z.object({ id: z.number() }).safeParse(body).success

const ConsentBody = z.object({
  customer_id: id,
  email_address: text,
  email_marketing_consent: z.object({ state: z.string(), consent_updated_at: instant.nullish() }),
})
export function readConsentBody(body: unknown) {
  const consent = ConsentBody.parse(body)
  return {
    storeCustomerId: consent.customer_id,
    email: consent.email_address || null,
    state: consent.email_marketing_consent.state,
    changedAt: consent.email_marketing_consent.consent_updated_at ?? null,
  }
}

const TagsBody = z.object({ customerId: z.string(), tags: z.array(z.string()), occurredAt: instant.nullish() })
export function readTagsBody(body: unknown) {
  const { customerId, tags, occurredAt } = TagsBody.parse(body)
  return { storeCustomerId: numberIn(customerId), tags, occurredAt: occurredAt ?? null }
}

const OrderBody = z.object({
  id,
  name: z.string(),
  email: text,
  processed_at: instant.nullish(),
  created_at: instant,
  updated_at: instant,
  cancelled_at: instant.nullish(),
  financial_status: text,
  landing_site: text,
  fulfillment_status: text,
  tags: text,
  discount_codes: z.array(z.object({ code: text })).nullish(),
  checkout_token: text,
  cart_token: text,
  total_price_set: shopMoney,
  current_total_price_set: shopMoney,
  customer: z.looseObject({ id }).nullish(),
  line_items: z.array(
    z.object({
      title: z.string(),
      sku: text,
      quantity: z.number().int(),
      product_id: id.nullish(),
      variant_id: id.nullish(),
      price_set: shopMoney,
      discount_allocations: z.array(z.object({ amount_set: shopMoney })).default([]),
    }),
  ),
})

interface OrderInBody {
  order: StoreOrder
  customer: StoreCustomer | null
}
/** Null: it cannot be read. */
export function findOrderBody(body: unknown): OrderInBody | null {
  const read = OrderBody.safeParse(body)
  return read.success ? orderOf(read.data) : null
}
export const readOrderBody = (body: unknown): OrderInBody => orderOf(OrderBody.parse(body))

function orderOf(order: z.output<typeof OrderBody>): OrderInBody {
  const currency = order.total_price_set.shop_money.currency_code
  const minor = (money: z.output<typeof shopMoney>): number => minorUnits(money.shop_money.amount, currency)
  return {
    customer: order.customer ? readCustomerBody(order.customer) : null,
    order: {
      storeOrderId: order.id,
      storeCustomerId: order.customer?.id ?? null,
      name: order.name,
      email: order.email || null,
      processedAt: order.processed_at ?? order.created_at,
      totalAmount: minor(order.total_price_set),
      currentAmount: minor(order.current_total_price_set),
      currency,
      financialStatus: order.financial_status?.toUpperCase() ?? null,
      cancelledAt: order.cancelled_at ?? null,
      landingSite: landingPath(order.landing_site),
      tags: tagsIn(order.tags),
      discountCodes: (order.discount_codes ?? []).flatMap(({ code }) => code || []),
      fulfillmentStatus: fulfillmentOf(order.fulfillment_status),
      checkoutToken: order.checkout_token || null,
      cartToken: order.cart_token || null,
      updatedAt: order.updated_at,
      lines: order.line_items.map((line) => ({
        storeProductId: line.product_id ?? null,
        storeVariantId: line.variant_id ?? null,
        title: line.title,
        sku: line.sku || null,
        quantity: line.quantity,
        amount:
          minor(line.price_set) * line.quantity -
          line.discount_allocations.reduce((sum, { amount_set }) => sum + minor(amount_set), 0),
      })),
    },
  }
}

const RefundBody = z.object({
  order_id: id,
  created_at: instant,
  transactions: z.array(z.object({ kind: z.string(), status: z.string(), amount: z.string() })).default([]),
})
export function readRefundBody(body: unknown) {
  const refund = RefundBody.parse(body)
  const given = refund.transactions.filter(({ kind, status }) => kind === 'refund' && status === 'success')
  return {
    storeOrderId: refund.order_id,
    createdAt: refund.created_at,
    amounts: given.map(({ amount }) => amount),
  }
}

/** Webhooks join tags with commas; a tag itself contains none. */
const tagsIn = (text: string | null | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

/** Webhooks have other words for what the API calls FULFILLED, PARTIALLY_FULFILLED, UNFULFILLED. */
function fulfillmentOf(status: string | null | undefined): string {
  if (!status) return 'UNFULFILLED'
  return status === 'partial' ? 'PARTIALLY_FULFILLED' : status.toUpperCase()
}

const ProductBody = z.object({
  id,
  title: z.string(),
  handle: text,
  status: z.string().nullish(),
  vendor: text,
  product_type: text,
  tags: text,
  updated_at: instant,
  image: z.object({ src: text }).nullish(),
  images: z.array(z.object({ src: text })).nullish(),
  variants: z
    .array(
      z.object({
        id,
        title: text,
        sku: text,
        price: text,
        position: z.number().int().nullish(),
        inventory_quantity: z.number().int().nullish(),
      }),
    )
    .nullish(),
  variant_gids: z.array(z.unknown()).nullish(),
})
/** `currency` is the shop's: variants name none. */
export function readProductBody(body: unknown, currency: string): StoreProduct {
  const product = ProductBody.parse(body)
  const variants = product.variants ?? []
  // The body has the first hundred; the next comparison fetches all.
  const areAll = (product.variant_gids?.length ?? 0) <= variants.length
  const stock = variants.flatMap(({ inventory_quantity: quantity }) => quantity ?? [])
  return {
    storeProductId: product.id,
    title: product.title,
    handle: product.handle ?? null,
    status: product.status?.toUpperCase() ?? 'ACTIVE',
    imageUrl: product.image?.src ?? product.images?.[0]?.src ?? null,
    totalInventory: stock.length > 0 ? stock.reduce((sum, quantity) => sum + quantity, 0) : null,
    vendor: product.vendor || null,
    productType: product.product_type || null,
    tags: tagsIn(product.tags),
    ...(areAll && {
      variants: variants.map((variant, index) => ({
        storeVariantId: variant.id,
        title: variant.title ?? '',
        sku: variant.sku || null,
        priceAmount: variant.price ? minorUnits(variant.price, currency) : null,
        inventoryQuantity: variant.inventory_quantity ?? null,
        position: variant.position ?? index + 1,
      })),
    }),
    updatedAt: product.updated_at,
  }
}

const CollectionBody = z.object({ id, title: z.string(), handle: text, updated_at: instant })
/** Without its products, which this body does not have. */
export function readCollectionBody(body: unknown): StoreCollection {
  const collection = CollectionBody.parse(body)
  return {
    storeCollectionId: collection.id,
    title: collection.title,
    handle: collection.handle ?? null,
    updatedAt: collection.updated_at,
    productIds: null,
  }
}

const basketLine = z.object({
  product_id: id.nullish(),
  variant_id: id.nullish(),
  title: text,
  quantity: z.number().int(),
  line_price: text,
})
const readBasketLine =
  (currency: string) =>
  (line: z.output<typeof basketLine>): StoreCart['lines'][number] => ({
    storeProductId: line.product_id ?? null,
    storeVariantId: line.variant_id ?? null,
    title: line.title ?? '',
    quantity: line.quantity,
    amount: line.line_price ? minorUnits(line.line_price, currency) : 0,
  })

const CheckoutBody = z.object({
  id,
  token: text,
  cart_token: text,
  email: text,
  currency: z.string(),
  total_price: z.string(),
  created_at: instant,
  updated_at: instant,
  completed_at: instant.nullish(),
  abandoned_checkout_url: text,
  customer: z.looseObject({ id }).nullish(),
  line_items: z.array(basketLine).default([]),
})
export function readCheckoutBody(body: unknown): { checkout: StoreCheckout; customer: StoreCustomer | null } {
  const checkout = CheckoutBody.parse(body)
  return {
    customer: checkout.customer ? readCustomerBody(checkout.customer) : null,
    checkout: {
      storeCheckoutId: checkout.id,
      token: checkout.token || null,
      cartToken: checkout.cart_token || null,
      storeCustomerId: checkout.customer?.id ?? null,
      email: checkout.email || null,
      totalAmount: minorUnits(checkout.total_price, checkout.currency),
      currency: checkout.currency,
      lines: checkout.line_items.map(readBasketLine(checkout.currency)),
      recoveryUrl: checkout.abandoned_checkout_url || null,
      createdAt: checkout.created_at,
      updatedAt: checkout.updated_at,
      completedAt: checkout.completed_at ?? null,
    },
  }
}

const CartBody = z.object({
  token: z.string().min(1),
  created_at: instant.nullish(),
  updated_at: instant,
  line_items: z.array(basketLine).default([]),
})
/** `currency` is the shop's: the body has it only per line. */
export function readCartBody(body: unknown, currency: string): StoreCart {
  const cart = CartBody.parse(body)
  return {
    token: cart.token,
    lines: cart.line_items.map(readBasketLine(currency)),
    createdAt: cart.created_at ?? cart.updated_at,
    updatedAt: cart.updated_at,
  }
}

const MergeBody = z.object({
  admin_graphql_api_customer_kept_id: z.string(),
  admin_graphql_api_customer_deleted_id: z.string(),
  status: text,
})
/** Null while the merge is only requested, and if it failed. */
export function readMergeBody(body: unknown): { kept: number; joined: number } | null {
  const merge = MergeBody.parse(body)
  if (merge.status && merge.status !== 'completed') return null
  return {
    kept: numberIn(merge.admin_graphql_api_customer_kept_id),
    joined: numberIn(merge.admin_graphql_api_customer_deleted_id),
  }
}
