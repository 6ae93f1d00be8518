import type { BulkStatus, ShopCustomer, ShopMoney, UserError } from './operations.ts'

/**
 * What the copy of a store asks beyond operations.ts. The bulk texts here leave out what is not kept, so that a store of a hundred
 * thousand customers is copied in less time.
 */

/** Lines are a {@link SyncProduct}. */
export const SYNC_PRODUCTS = /* GraphQL */ `{ products { edges { node {
  id title handle status totalInventory updatedAt featuredMedia { preview { image { url } } }
} } } }`
export interface SyncProduct {
  id: string
  title: string
  handle: string
  status: string
  totalInventory: number
  updatedAt: string
  featuredMedia: { preview: { image: { url: string } | null } | null } | null
}

const customerFields = `id firstName lastName locale tags createdAt updatedAt
  defaultEmailAddress { emailAddress marketingState marketingUpdatedAt }
  defaultPhoneNumber { phoneNumber }
  defaultAddress { zip country province city address1 address2 company phone }`
type Kept<T, K extends keyof T> = { [P in K]: T[P] }
/** A customer as the copy keeps it. */
export interface SyncCustomer
  extends Kept<ShopCustomer, 'id' | 'firstName' | 'lastName' | 'locale' | 'tags' | 'createdAt' | 'updatedAt'> {
  defaultEmailAddress: { emailAddress: string; marketingState: string; marketingUpdatedAt: string | null } | null
  defaultPhoneNumber: { phoneNumber: string } | null
  defaultAddress: Record<
    'zip' | 'country' | 'province' | 'city' | 'address1' | 'address2' | 'company' | 'phone',
    string | null
  > | null
}

/** Lines are a {@link SyncCustomer}. */
export const SYNC_CUSTOMERS = /* GraphQL */ `{ customers { edges { node { ${customerFields} } } } }`

/** Lines are a {@link SyncOrder}, each followed by its {@link SyncLineItem}s with `__parentId`, the order's id. */
export const SYNC_ORDERS = /* GraphQL */ `{ orders { edges { node {
  id name email processedAt updatedAt cancelledAt displayFinancialStatus
  totalPriceSet { shopMoney { amount currencyCode } } currentTotalPriceSet { shopMoney { amount currencyCode } }
  customer { id } customerJourneySummary { lastVisit { landingPage } }
  lineItems { edges { node {
    id title sku quantity product { id } discountedTotalSet { shopMoney { amount currencyCode } }
  } } }
} } } }`
export interface SyncOrder {
  id: string
  name: string
  email: string | null
  processedAt: string
  updatedAt: string
  cancelledAt: string | null
  displayFinancialStatus: string | null
  totalPriceSet: ShopMoney
  currentTotalPriceSet: ShopMoney
  customer: { id: string } | null
  customerJourneySummary: { lastVisit: { landingPage: string | null } | null } | null
}
export interface SyncLineItem {
  id: string
  title: string
  sku: string | null
  quantity: number
  product: { id: string } | null
  discountedTotalSet: ShopMoney
}

/** `groupObjects`: children follow their parent at once, so that an order and its lines are loaded together in little memory. */
export const BULK_RUN_GROUPED = /* GraphQL */ `mutation BulkRunGrouped($query: String!) {
  bulkOperationRunQuery(query: $query, groupObjects: true) { bulkOperation { id status } userErrors { field message code } }
}`

/** The newest bulk operation: finds one whose id was not written down because the process died after asking for it. */
export const BULK_NEWEST = /* GraphQL */ `query BulkNewest {
  bulkOperations(first: 1, sortKey: CREATED_AT, reverse: true) { nodes { id status query } }
}`
export interface BulkNewestResult {
  bulkOperations: { nodes: { id: string; status: BulkStatus; query: string }[] }
}

export const CUSTOMER_ADD = /* GraphQL */ `mutation CustomerAdd($input: CustomerInput!) {
  customerCreate(input: $input) { customer { ${customerFields} } userErrors { field message } }
}`
export interface CustomerAddResult {
  customerCreate: { customer: SyncCustomer | null; userErrors: UserError[] }
}

/** What is not given stays; tags given replace all tags. */
export const CUSTOMER_CHANGE = /* GraphQL */ `mutation CustomerChange($input: CustomerInput!) {
  customerUpdate(input: $input) { customer { ${customerFields} } userErrors { field message } }
}`
export interface CustomerChangeResult {
  customerUpdate: { customer: SyncCustomer | null; userErrors: UserError[] }
}

export const CUSTOMER_CONSENT = /* GraphQL */ `query CustomerConsent($id: ID!) {
  customer(id: $id) { id defaultEmailAddress { emailAddress marketingState marketingUpdatedAt } }
}`
export interface CustomerConsentResult {
  customer: {
    id: string
    defaultEmailAddress: { emailAddress: string; marketingState: string; marketingUpdatedAt: string | null } | null
  } | null
}

/** `gid://shopify/Customer/123`. */
export const globalId = (type: 'Customer' | 'Order' | 'Product', id: number): string => `gid://shopify/${type}/${id}`
/** The number in a global id. Throws a RangeError when there is none. Ids in use stay below 2^53. */
export function numberIn(text: string): number {
  const number = Number(/\/(\d+)(?:\?.*)?$/.exec(text)?.[1] ?? Number.NaN)
  if (!Number.isInteger(number)) throw new RangeError(`not an id of the platform: ${text}`)
  return number
}
