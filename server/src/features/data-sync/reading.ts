import { minorUnits } from '@okaeri/contract/money'
import { z } from 'zod'
import {
  numberIn,
  type SyncLineItem,
  type SyncOrder,
  type SyncProduct,
} from '../../integrations/shopify/sync-operations.ts'
import type { StoreProduct } from '../catalog/index.ts'
import type { StoreCustomer } from '../customers/index.ts'
import type { StoreOrder } from '../orders/index.ts'

/** What the platform tells, by export or by webhook, in the words of the features that keep it. */

export const readSyncProduct = (node: SyncProduct): StoreProduct => ({
  storeProductId: numberIn(node.id),
  title: node.title,
  handle: node.handle,
  status: node.status,
  imageUrl: node.featuredMedia?.preview?.image?.url ?? null,
  totalInventory: node.totalInventory,
  updatedAt: new Date(node.updatedAt),
})

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
    updatedAt: new Date(node.updatedAt),
    lines: lines.map((line) => ({
      storeProductId: line.product ? numberIn(line.product.id) : null,
      title: line.title,
      sku: line.sku || null,
      quantity: line.quantity,
      amount: minorUnits(line.discountedTotalSet.shopMoney.amount, currencyCode),
    })),
  }
}

/** The export tells a whole address, webhooks path and query. */
function landingPath(landing: string | null | undefined): string | null {
  if (!landing) return null
  if (!URL.canParse(landing)) return landing
  const { pathname, search } = new URL(landing)
  return pathname + search
}

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const shopMoney = z.object({ shop_money: z.object({ amount: z.string(), currency_code: z.string() }) })
/** In use they stay below 2^53; those in the platform's printed examples do not, and are rounded all alike. */
const id = z.number().refine(Number.isInteger)
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
    })
    .nullish(),
})

/** customers/create and customers/update; without consent, tags and language, which this body does not carry. */
export function readCustomerBody(body: unknown): StoreCustomer {
  const customer = CustomerBody.parse(body)
  const address = customer.default_address
  return {
    storeCustomerId: customer.id,
    email: customer.email || null,
    firstName: customer.first_name ?? null,
    lastName: customer.last_name ?? null,
    phone: customer.phone || null,
    language: null,
    address: address ? Object.fromEntries(Object.entries(address).map(([part, value]) => [part, value ?? null])) : null,
    tags: null,
    createdAt: customer.created_at ?? null,
    updatedAt: customer.updated_at ?? null,
  }
}

/** Someone the store speaks of before telling who it is. */
export const strangerOf = (storeCustomerId: number, email: string | null = null): StoreCustomer => ({
  storeCustomerId,
  email,
  firstName: null,
  lastName: null,
  phone: null,
  language: null,
  address: null,
  tags: null,
  createdAt: null,
  updatedAt: null,
})

export const readId = (body: unknown): number => z.object({ id }).parse(body).id

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
  total_price_set: shopMoney,
  current_total_price_set: shopMoney,
  customer: z.looseObject({ id }).nullish(),
  line_items: z.array(
    z.object({
      title: z.string(),
      sku: text,
      quantity: z.number().int(),
      product_id: id.nullish(),
      price_set: shopMoney,
      discount_allocations: z.array(z.object({ amount_set: shopMoney })).default([]),
    }),
  ),
})

export function readOrderBody(body: unknown): { order: StoreOrder; customer: StoreCustomer | null } {
  const order = OrderBody.parse(body)
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
      updatedAt: order.updated_at,
      lines: order.line_items.map((line) => ({
        storeProductId: line.product_id ?? null,
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

const ProductBody = z.object({
  id,
  title: z.string(),
  handle: text,
  status: z.string().nullish(),
  updated_at: instant,
  image: z.object({ src: text }).nullish(),
  images: z.array(z.object({ src: text })).nullish(),
  variants: z.array(z.object({ inventory_quantity: z.number().int().nullish() })).nullish(),
})
export function readProductBody(body: unknown): StoreProduct {
  const product = ProductBody.parse(body)
  const stock = (product.variants ?? []).flatMap(({ inventory_quantity: quantity }) => quantity ?? [])
  return {
    storeProductId: product.id,
    title: product.title,
    handle: product.handle ?? null,
    status: product.status?.toUpperCase() ?? 'ACTIVE',
    imageUrl: product.image?.src ?? product.images?.[0]?.src ?? null,
    totalInventory: stock.length > 0 ? stock.reduce((sum, quantity) => sum + quantity, 0) : null,
    updatedAt: product.updated_at,
  }
}
