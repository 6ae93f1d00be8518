import type { ExportSize } from './export-file.ts'

/**
 * What Okaeri asks of the Admin API, version 2026-07, with the shape of each answer beside it (the copying of customers, orders and
 * products is in sync-operations.ts). The test beside this file holds every text against the platform's real schema. Business refusals come back in `userErrors`, never as an exception.
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

/** What is the same wherever a customer is read. */
export interface ShopCustomer {
  id: string
  firstName: string | null
  lastName: string | null
  locale: string
  tags: string[]
  createdAt: string
  updatedAt: string
}

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

/** How large the file of a finished export is. */
export const exportSize = ({ objectCount, fileSize }: NonNullable<BulkNodeResult['node']>): ExportSize => ({
  objects: Number(objectCount),
  bytes: fileSize === null ? null : Number(fileSize),
})

/** The store exports as much for us as it does at a time: one thing, or since 2026-01 a few. */
export const isBusy = (refusal: UserError | undefined): boolean =>
  refusal !== undefined &&
  (refusal.code === 'OPERATION_IN_PROGRESS' || refusal.code === 'LIMIT_REACHED' || /in progress/i.test(refusal.message))
export const isUnderWay = (status: BulkStatus): boolean => status === 'CREATED' || status === 'RUNNING'

const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 30 * 60_000
/** How long to wait before a copy tries again what failed this often in a row. */
export const retryPauseMs = (attempts: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, attempts - 1))

/** The platform's finish webhook usually comes before the next look. */
const SHORTEST_LOOK_MS = 700
const LONGEST_LOOK_MS = 60_000
/** In how long to look again at an export that has taken this long: after a twentieth of it. */
export const exportLookMs = (ageMs: number): number => Math.min(LONGEST_LOOK_MS, Math.max(SHORTEST_LOOK_MS, ageMs / 20))
/** The platform ends an export itself only after ten days; one of a million customers takes hours. After this it is cancelled, and asked for again. */
export const STUCK_EXPORT_MS = 24 * 3_600_000

export const BULK_CANCEL = /* GraphQL */ `mutation BulkCancel($id: ID!) {
  bulkOperationCancel(id: $id) { bulkOperation { id status } userErrors { field message } }
}`
export interface BulkCancelResult {
  bulkOperationCancel: { bulkOperation: { id: string; status: BulkStatus } | null; userErrors: UserError[] }
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
