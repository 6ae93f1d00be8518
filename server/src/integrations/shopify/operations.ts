/**
 * Everything Okaeri asks of the Admin API, version 2026-07, with the shape of each answer beside it. The test beside this file
 * holds every text against the platform's real schema. Business refusals come back in `userErrors`, never as an exception.
 */

export interface UserError {
  field: string[] | null
  message: string
  code?: string | null
}
export interface ShopMoney {
  shopMoney: { amount: string; currencyCode: string }
}
interface PageInfo {
  hasNextPage: boolean
  endCursor: string | null
}

export const SHOP_INFO = /* GraphQL */ `query ShopInfo {
  shop {
    id name email contactEmail myshopifyDomain primaryDomain { url host } ianaTimezone currencyCode
    plan { publicDisplayName partnerDevelopment shopifyPlus }
  }
}`
export interface ShopInfoResult {
  shop: {
    id: string
    name: string
    email: string
    contactEmail: string
    myshopifyDomain: string
    primaryDomain: { url: string; host: string }
    ianaTimezone: string
    currencyCode: string
    plan: { publicDisplayName: string; partnerDevelopment: boolean; shopifyPlus: boolean }
  }
}

/** Needs the scope `read_locales`. */
export const SHOP_LOCALES = /* GraphQL */ `query ShopLocales { shopLocales { locale primary published } }`
export interface ShopLocalesResult {
  shopLocales: { locale: string; primary: boolean; published: boolean }[]
}

/** Fields of a customer, the same in the bulk export and when one is fetched after a webhook. */
const customerFields = `id legacyResourceId firstName lastName displayName locale tags note state numberOfOrders
  amountSpent { amount currencyCode } createdAt updatedAt
  defaultEmailAddress { emailAddress marketingState marketingOptInLevel marketingUpdatedAt validFormat }
  defaultPhoneNumber { phoneNumber marketingState }
  defaultAddress { lastName firstName zip province provinceCode city address1 address2 company country countryCodeV2 phone }`
export interface ShopCustomer {
  id: string
  legacyResourceId: string
  firstName: string | null
  lastName: string | null
  displayName: string
  locale: string
  tags: string[]
  note: string | null
  state: 'DECLINED' | 'DISABLED' | 'ENABLED' | 'INVITED'
  numberOfOrders: string
  amountSpent: { amount: string; currencyCode: string }
  createdAt: string
  updatedAt: string
  defaultEmailAddress: {
    emailAddress: string
    marketingState: 'INVALID' | 'NOT_SUBSCRIBED' | 'PENDING' | 'SUBSCRIBED' | 'UNSUBSCRIBED'
    marketingOptInLevel: 'CONFIRMED_OPT_IN' | 'SINGLE_OPT_IN' | 'UNKNOWN' | null
    marketingUpdatedAt: string | null
    validFormat: boolean
  } | null
  defaultPhoneNumber: { phoneNumber: string; marketingState: string } | null
  defaultAddress: {
    lastName: string | null
    firstName: string | null
    zip: string | null
    province: string | null
    provinceCode: string | null
    city: string | null
    address1: string | null
    address2: string | null
    company: string | null
    country: string | null
    countryCodeV2: string | null
    phone: string | null
  } | null
}

const orderFields = `id legacyResourceId name email test createdAt processedAt updatedAt cancelledAt
  displayFinancialStatus displayFulfillmentStatus currencyCode discountCodes
  totalPriceSet { shopMoney { amount currencyCode } }
  currentTotalPriceSet { shopMoney { amount currencyCode } }
  totalRefundedSet { shopMoney { amount currencyCode } }
  customer { id }`
export interface ShopOrder {
  id: string
  legacyResourceId: string
  name: string
  email: string | null
  test: boolean
  createdAt: string
  processedAt: string
  updatedAt: string
  cancelledAt: string | null
  displayFinancialStatus: string | null
  displayFulfillmentStatus: string
  currencyCode: string
  discountCodes: string[]
  totalPriceSet: ShopMoney
  currentTotalPriceSet: ShopMoney
  totalRefundedSet: ShopMoney
  customer: { id: string } | null
}

const lineItemFields = `id title variantTitle sku quantity currentQuantity product { id } variant { id }
  discountedTotalSet { shopMoney { amount currencyCode } }`
export interface ShopLineItem {
  id: string
  title: string
  variantTitle: string | null
  sku: string | null
  quantity: number
  currentQuantity: number
  product: { id: string } | null
  variant: { id: string } | null
  discountedTotalSet: ShopMoney
}

const productFields = `id legacyResourceId title handle status vendor productType tags onlineStoreUrl createdAt updatedAt
  featuredMedia { preview { image { url altText } } }`
export interface ShopProduct {
  id: string
  legacyResourceId: string
  title: string
  handle: string
  status: 'ACTIVE' | 'ARCHIVED' | 'DRAFT' | 'UNLISTED'
  vendor: string
  productType: string
  tags: string[]
  onlineStoreUrl: string | null
  createdAt: string
  updatedAt: string
  featuredMedia: { preview: { image: { url: string; altText: string | null } | null } | null } | null
}

const variantFields =
  'id legacyResourceId title sku price position availableForSale inventoryQuantity inventoryPolicy inventoryItem { id tracked }'
export interface ShopVariant {
  id: string
  legacyResourceId: string
  title: string
  sku: string | null
  price: string
  position: number
  availableForSale: boolean
  inventoryQuantity: number | null
  inventoryPolicy: 'CONTINUE' | 'DENY'
  inventoryItem: { id: string; tracked: boolean }
}

/** Text for {@link BULK_RUN}. Each line of the result is a {@link ShopCustomer}. */
export const BULK_CUSTOMERS = /* GraphQL */ `{ customers { edges { node { ${customerFields} } } } }`
/** Lines are a {@link ShopOrder}, or a {@link ShopLineItem} with `__parentId`, the order's id. */
export const BULK_ORDERS = /* GraphQL */ `{ orders { edges { node { ${orderFields}
  lineItems { edges { node { ${lineItemFields} } } } } } } }`
/** Lines are a {@link ShopProduct}, or a {@link ShopVariant} with `__parentId`, the product's id. */
export const BULK_PRODUCTS = /* GraphQL */ `{ products { edges { node { ${productFields}
  variants { edges { node { ${variantFields} } } } } } } }`
/** Lines are a collection, or `{ id, __parentId }` of a product in it. */
export const BULK_COLLECTIONS = /* GraphQL */ `{ collections { edges { node { id legacyResourceId title handle updatedAt
  products { edges { node { id } } } } } } }`

/** What each bulk query exports, by name. */
export const bulkQueries = {
  customers: BULK_CUSTOMERS,
  orders: BULK_ORDERS,
  products: BULK_PRODUCTS,
  collections: BULK_COLLECTIONS,
} as const

export const BULK_RUN = /* GraphQL */ `mutation BulkRun($query: String!) {
  bulkOperationRunQuery(query: $query) { bulkOperation { id status } userErrors { field message code } }
}`
export interface BulkRunResult {
  bulkOperationRunQuery: { bulkOperation: { id: string; status: BulkStatus } | null; userErrors: UserError[] }
}
export type BulkStatus = 'CANCELED' | 'CANCELING' | 'COMPLETED' | 'CREATED' | 'EXPIRED' | 'FAILED' | 'RUNNING'

export const BULK_NODE = /* GraphQL */ `query BulkNode($id: ID!) {
  node(id: $id) { ... on BulkOperation {
    id status errorCode createdAt completedAt objectCount rootObjectCount fileSize url partialDataUrl
  } }
}`
export interface BulkNodeResult {
  node: {
    id: string
    status: BulkStatus
    errorCode: 'ACCESS_DENIED' | 'INTERNAL_SERVER_ERROR' | 'TIMEOUT' | null
    createdAt: string
    completedAt: string | null
    objectCount: string
    rootObjectCount: string
    fileSize: string | null
    /** JSON lines; null while running and where nothing was found. */
    url: string | null
    partialDataUrl: string | null
  } | null
}

export const BULK_CANCEL = /* GraphQL */ `mutation BulkCancel($id: ID!) {
  bulkOperationCancel(id: $id) { bulkOperation { id status } userErrors { field message } }
}`
export interface BulkCancelResult {
  bulkOperationCancel: { bulkOperation: { id: string; status: BulkStatus } | null; userErrors: UserError[] }
}

/** One customer, after a webhook that does not say everything (consent and tags are missing from customers/update). */
export const CUSTOMER_ONE = /* GraphQL */ `query CustomerOne($id: ID!) { customer(id: $id) { ${customerFields} } }`
export interface CustomerOneResult {
  customer: ShopCustomer | null
}

export const CUSTOMERS_CHANGED = /* GraphQL */ `query CustomersChanged($first: Int!, $after: String, $query: String) {
  customers(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
    nodes { ${customerFields} } pageInfo { hasNextPage endCursor }
  }
}`
export interface CustomersChangedResult {
  customers: { nodes: ShopCustomer[]; pageInfo: PageInfo }
}

export const ORDER_ONE = /* GraphQL */ `query OrderOne($id: ID!) {
  order(id: $id) { ${orderFields} lineItems(first: 100) { nodes { ${lineItemFields} } pageInfo { hasNextPage endCursor } } }
}`
export interface OrderOneResult {
  order: (ShopOrder & { lineItems: { nodes: ShopLineItem[]; pageInfo: PageInfo } }) | null
}

export const ORDERS_CHANGED = /* GraphQL */ `query OrdersChanged($first: Int!, $after: String, $query: String) {
  orders(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
    nodes { ${orderFields} lineItems(first: 20) { nodes { ${lineItemFields} } pageInfo { hasNextPage endCursor } } }
    pageInfo { hasNextPage endCursor }
  }
}`
export interface OrdersChangedResult {
  orders: {
    nodes: (ShopOrder & { lineItems: { nodes: ShopLineItem[]; pageInfo: PageInfo } })[]
    pageInfo: PageInfo
  }
}

export const PRODUCT_ONE = /* GraphQL */ `query ProductOne($id: ID!) {
  product(id: $id) { ${productFields} variants(first: 100) { nodes { ${variantFields} } pageInfo { hasNextPage endCursor } } }
}`
export interface ProductOneResult {
  product: (ShopProduct & { variants: { nodes: ShopVariant[]; pageInfo: PageInfo } }) | null
}

export const WEBHOOK_LIST = /* GraphQL */ `query WebhookList($first: Int!, $after: String) {
  webhookSubscriptions(first: $first, after: $after) {
    nodes { id topic uri format apiVersion { handle } } pageInfo { hasNextPage endCursor }
  }
}`
export interface WebhookListResult {
  webhookSubscriptions: {
    nodes: { id: string; topic: string; uri: string; format: string; apiVersion: { handle: string } }[]
    pageInfo: PageInfo
  }
}

export const WEBHOOK_CREATE = /* GraphQL */ `mutation WebhookCreate($topic: WebhookSubscriptionTopic!, $subscription: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $subscription) {
    webhookSubscription { id topic uri } userErrors { field message }
  }
}`
export interface WebhookCreateResult {
  webhookSubscriptionCreate: {
    webhookSubscription: { id: string; topic: string; uri: string } | null
    userErrors: UserError[]
  }
}

export const WEBHOOK_DELETE = /* GraphQL */ `mutation WebhookDelete($id: ID!) {
  webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId userErrors { field message } }
}`
export interface WebhookDeleteResult {
  webhookSubscriptionDelete: { deletedWebhookSubscriptionId: string | null; userErrors: UserError[] }
}

/** Takes SUBSCRIBED, UNSUBSCRIBED and PENDING only; the customer must have an address. */
export const CONSENT_UPDATE = /* GraphQL */ `mutation ConsentUpdate($input: CustomerEmailMarketingConsentUpdateInput!) {
  customerEmailMarketingConsentUpdate(input: $input) {
    customer { id defaultEmailAddress { marketingState marketingOptInLevel marketingUpdatedAt } }
    userErrors { field code message }
  }
}`
export interface ConsentUpdateVariables {
  input: {
    customerId: string
    emailMarketingConsent: {
      marketingState: 'SUBSCRIBED' | 'UNSUBSCRIBED' | 'PENDING'
      marketingOptInLevel?: 'SINGLE_OPT_IN' | 'CONFIRMED_OPT_IN' | 'UNKNOWN'
      consentUpdatedAt?: string
    }
  }
}
export interface ConsentUpdateResult {
  customerEmailMarketingConsentUpdate: {
    customer: {
      id: string
      defaultEmailAddress: {
        marketingState: string
        marketingOptInLevel: string | null
        marketingUpdatedAt: string | null
      } | null
    } | null
    userErrors: UserError[]
  }
}

export const CUSTOMER_CREATE = /* GraphQL */ `mutation CustomerCreate($input: CustomerInput!) {
  customerCreate(input: $input) { customer { id } userErrors { field message } }
}`
export interface CustomerCreateResult {
  customerCreate: { customer: { id: string } | null; userErrors: UserError[] }
}
