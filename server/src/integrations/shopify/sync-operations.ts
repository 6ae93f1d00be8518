import type { BulkStatus, ShopCustomer, ShopMoney, UserError } from './operations.ts'

/**
 * What the copy of a store asks beyond operations.ts. The bulk texts here leave out what is not kept, so that a store of a hundred
 * thousand customers is copied in less time.
 */

const productFields = `id title handle status totalInventory vendor productType tags updatedAt
  featuredMedia { preview { image { url } } }`
const variantFields = 'id title sku price inventoryQuantity position'
/** Lines are a {@link SyncProduct}, each followed by its {@link SyncVariant}s with `__parentId`, the product's id. */
const syncProducts = (args: string): string => `{ products${args} { edges { node {
  ${productFields}
  variants { edges { node { ${variantFields} } } }
} } } }`
export interface SyncProduct {
  id: string
  title: string
  handle: string
  status: string
  totalInventory: number
  vendor: string
  productType: string
  tags: string[]
  updatedAt: string
  featuredMedia: { preview: { image: { url: string } | null } | null } | null
}
export interface SyncVariant {
  id: string
  title: string
  sku: string | null
  /** Decimal, in the shop's currency. */
  price: string
  inventoryQuantity: number | null
  position: number
}

const collectionFields = 'id title handle updatedAt'
/** Lines are a {@link SyncCollection}, each followed by its products' ids with `__parentId`, the collection's id. */
const syncCollections = (args: string): string => `{ collections${args} { edges { node {
  ${collectionFields}
  products { edges { node { id } } }
} } } }`
export interface SyncCollection {
  id: string
  title: string
  handle: string
  updatedAt: string
}

const customerFields = `id firstName lastName locale tags createdAt updatedAt
  defaultEmailAddress { emailAddress marketingState marketingUpdatedAt }
  defaultPhoneNumber { phoneNumber }
  defaultAddress { zip country countryCodeV2 province provinceCode city address1 address2 company phone }`
type Kept<T, K extends keyof T> = { [P in K]: T[P] }
/** A customer as the copy keeps it. */
export interface SyncCustomer
  extends Kept<ShopCustomer, 'id' | 'firstName' | 'lastName' | 'locale' | 'tags' | 'createdAt' | 'updatedAt'> {
  defaultEmailAddress: { emailAddress: string; marketingState: string; marketingUpdatedAt: string | null } | null
  defaultPhoneNumber: { phoneNumber: string } | null
  defaultAddress: Record<
    | 'zip'
    | 'country'
    | 'countryCodeV2'
    | 'province'
    | 'provinceCode'
    | 'city'
    | 'address1'
    | 'address2'
    | 'company'
    | 'phone',
    string | null
  > | null
}

/** Lines are a {@link SyncCustomer}. */
const syncCustomers = (args: string): string => `{ customers${args} { edges { node { ${customerFields} } } } }`

const orderFields = `id name email processedAt updatedAt cancelledAt displayFinancialStatus displayFulfillmentStatus tags discountCodes
  totalPriceSet { shopMoney { amount currencyCode } } currentTotalPriceSet { shopMoney { amount currencyCode } }
  customer { id } customerJourneySummary { lastVisit { landingPage } }`
const lineFields =
  'id title sku quantity product { id } variant { id } discountedTotalSet { shopMoney { amount currencyCode } }'
/** Lines are a {@link SyncOrder}, each followed by its {@link SyncLineItem}s with `__parentId`, the order's id. */
const syncOrders = (args: string): string => `{ orders${args} { edges { node {
  ${orderFields}
  lineItems { edges { node { ${lineFields} } } }
} } } }`
export interface SyncOrder {
  id: string
  name: string
  email: string | null
  processedAt: string
  updatedAt: string
  cancelledAt: string | null
  displayFinancialStatus: string | null
  displayFulfillmentStatus: string | null
  tags: string[]
  discountCodes: string[]
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
  variant: { id: string } | null
  discountedTotalSet: ShopMoney
}

const checkoutFields = `id createdAt updatedAt completedAt abandonedCheckoutUrl customer { id defaultEmailAddress { emailAddress } }
  totalPriceSet { shopMoney { amount currencyCode } }`
const checkoutLineFields =
  'id title quantity product { id } variant { id } originalTotalPriceSet { shopMoney { amount currencyCode } }'
/** Lines are a {@link SyncCheckout}, each followed by its {@link SyncCheckoutLine}s with `__parentId`, the checkout's id. */
const syncCheckouts = (args: string): string => `{ abandonedCheckouts${args} { edges { node {
  ${checkoutFields}
  lineItems { edges { node { ${checkoutLineFields} } } }
} } } }`
export interface SyncCheckout {
  id: string
  createdAt: string
  updatedAt: string
  completedAt: string | null
  abandonedCheckoutUrl: string
  customer: { id: string; defaultEmailAddress: { emailAddress: string } | null } | null
  totalPriceSet: ShopMoney
}
export interface SyncCheckoutLine {
  id: string
  title: string | null
  quantity: number
  product: { id: string } | null
  variant: { id: string } | null
  originalTotalPriceSet: ShopMoney
}

/** What is copied, in the order in which one names the other. */
export const copiedKinds = ['products', 'collections', 'customers', 'orders', 'checkouts'] as const
export type CopiedKind = (typeof copiedKinds)[number]

/** The text of a bulk query: all of a kind, or with `since` what was changed then or later. */
export function bulkQuery(kind: CopiedKind, since: Date | null): string {
  const args = since ? `(query: "updated_at:>='${since.toISOString()}'")` : ''
  const texts = {
    products: syncProducts,
    collections: syncCollections,
    customers: syncCustomers,
    orders: syncOrders,
    checkouts: syncCheckouts,
  }
  return texts[kind](args)
}

/** The ids of everything of a kind, a line each: `{id}`. */
export const bulkIdQuery = (kind: CopiedKind): string =>
  `{ ${kind === 'checkouts' ? 'abandonedCheckouts' : kind} { edges { node { id } } } }`

/** A page of what was changed in a window, the longest unchanged first. Children that do not fit into `first` are asked for by {@link NODE_CHILDREN}. */
const pageOf = (name: string, connection: string, sortKey: string, fields: string): string => `query ${name}(
  $first: Int!, $after: String, $query: String!) {
  ${connection}(first: $first, after: $after, query: $query${sortKey}) {
    nodes { ${fields} } pageInfo { hasNextPage endCursor }
  }
}`
const children = (field: string, first: number, fields: string): string =>
  `${field}(first: ${first}) { nodes { ${fields} } pageInfo { hasNextPage } }`
const BY_UPDATE = ', sortKey: UPDATED_AT'
/** Operations that answer {@link ChangedPage}. abandonedCheckouts cannot be sorted by update. */
export const CHANGED: Record<CopiedKind, string> = {
  products: pageOf(
    'ChangedProducts',
    'products',
    BY_UPDATE,
    `${productFields} ${children('variants', 50, variantFields)}`,
  ),
  collections: pageOf('ChangedCollections', 'collections', BY_UPDATE, collectionFields),
  customers: pageOf('ChangedCustomers', 'customers', BY_UPDATE, customerFields),
  orders: pageOf('ChangedOrders', 'orders', BY_UPDATE, `${orderFields} ${children('lineItems', 20, lineFields)}`),
  checkouts: pageOf(
    'ChangedCheckouts',
    'abandonedCheckouts',
    '',
    `${checkoutFields} ${children('lineItems', 20, checkoutLineFields)}`,
  ),
}
export interface ChildPage {
  nodes: { id: string }[]
  pageInfo: { hasNextPage: boolean; endCursor?: string | null }
}
export interface ChangedPage {
  nodes: { id: string; variants?: ChildPage; lineItems?: ChildPage }[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}
export type ChangedResult = Partial<Record<Exclude<CopiedKind, 'checkouts'> | 'abandonedCheckouts', ChangedPage>>

const moreOf = (
  name: string,
  type: string,
  field: string,
  fields: string,
): string => `query ${name}($id: ID!, $after: String) {
  node(id: $id) { ... on ${type} { id ${field}(first: 250, after: $after) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } } }
}`
/** All children of one node, 250 at a time: what a page of {@link CHANGED} had no room for, and the products of a collection. */
export const NODE_CHILDREN: Record<Exclude<CopiedKind, 'customers'>, string> = {
  products: moreOf('VariantsOf', 'Product', 'variants', variantFields),
  collections: moreOf('ProductsOf', 'Collection', 'products', 'id'),
  orders: moreOf('LinesOf', 'Order', 'lineItems', lineFields),
  checkouts: moreOf('CheckoutLinesOf', 'AbandonedCheckout', 'lineItems', checkoutLineFields),
}
export interface NodeChildrenResult {
  node: Record<string, string | ChildPage> | null
}

export const COLLECTION = /* GraphQL */ `query CollectionById($id: ID!) { collection(id: $id) { ${collectionFields} } }`
export interface CollectionResult {
  collection: SyncCollection | null
}

/** Which of these the store still has, at most 250 at a time: null where it has not. */
export const EXISTING_NODES = /* GraphQL */ `query StillThere($ids: [ID!]!) { nodes(ids: $ids) { id } }`
export interface ExistingNodesResult {
  nodes: ({ id: string } | null)[]
}

/** `groupObjects`: children follow their parent at once, so that an order and its lines are loaded together in little memory. */
export const BULK_RUN_GROUPED = /* GraphQL */ `mutation BulkRunGrouped($query: String!) {
  bulkOperationRunQuery(query: $query, groupObjects: true) { bulkOperation { id status } userErrors { field message code } }
}`

/** The newest bulk operations: finds one whose id was not written down because the process died after asking for it. */
export const BULK_NEWEST = /* GraphQL */ `query BulkNewest {
  bulkOperations(first: 10, sortKey: CREATED_AT, reverse: true) { nodes { id status query } }
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

/** As it is now, whether its webhook has come or not. */
export const CUSTOMER_NOW = /* GraphQL */ `query CustomerNow($id: ID!) { customer(id: $id) { ${customerFields} } }`
export interface CustomerNowResult {
  customer: SyncCustomer | null
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
export const globalId = (
  type: 'Customer' | 'Order' | 'Product' | 'ProductVariant' | 'InventoryItem' | 'Collection',
  id: number,
): string => `gid://shopify/${type}/${id}`
/** A global id without a number, or with a number beyond 2^53, which would be rounded to the id of another object. Real ids are smaller. */
export class UnusableId extends RangeError {
  override readonly name = 'UnusableId'
}
/** The number in a global id. Throws {@link UnusableId}. */
export function numberIn(text: string): number {
  const number = Number(/\/(\d+)(?:\?[^/]*)?$/.exec(text)?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(number)) throw new UnusableId(`not an id of the platform: ${text.slice(0, 200)}`)
  return number
}
