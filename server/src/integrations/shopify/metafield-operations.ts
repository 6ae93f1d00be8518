import type { UserError } from './operations.ts'

/** What is asked about customers' metafields: the store's definitions, all values at once, and single values set or deleted. */

export const METAFIELD_DEFINITIONS = /* GraphQL */ `query MetafieldDefinitions($after: String) {
  metafieldDefinitions(ownerType: CUSTOMER, first: 100, after: $after) {
    nodes { namespace key name description type { name } metafieldsCount } pageInfo { hasNextPage endCursor }
  }
}`
export interface MetafieldDefinitionsResult {
  metafieldDefinitions: {
    nodes: {
      namespace: string
      key: string
      name: string
      description: string | null
      type: { name: string }
      metafieldsCount: number
    }[]
    pageInfo: { hasNextPage: boolean; endCursor: string | null }
  }
}

interface MetafieldName {
  /** Letters, digits, `_` and `-` only: it becomes part of a query's text. */
  namespace: string
  key: string
}

/**
 * A bulk query over all customers; in each line the field `m0` is the first of these metafields, `m1` the second, null where the
 * customer has none; a place that is null is left out. Lines are {@link ExportedMetafields}.
 */
export const metafieldsExport = (names: readonly (MetafieldName | null)[]): string => {
  const fields = names.flatMap((name, index) =>
    name ? [`m${index}: metafield(namespace: "${name.namespace}", key: "${name.key}") { value updatedAt }`] : [],
  )
  return `{ customers { edges { node { id ${fields.join(' ')} } } } }`
}
export type ExportedMetafields = { id: string } & Record<`m${number}`, { value: string; updatedAt: string } | null>

/** At most 25 at once, all or none. A value without a type gets the type of its definition. */
export const METAFIELDS_SET = /* GraphQL */ `mutation MetafieldsSet($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) {
    metafields { namespace key value updatedAt } userErrors { field message code elementIndex }
  }
}`
export interface MetafieldsSetVariables {
  metafields: { ownerId: string; namespace: string; key: string; type: string; value: string }[]
}
export interface MetafieldsSetResult {
  metafieldsSet: {
    metafields: { namespace: string; key: string; value: string; updatedAt: string }[] | null
    userErrors: (UserError & { elementIndex: number | null })[]
  }
}

export const METAFIELDS_DELETE = /* GraphQL */ `mutation MetafieldsDelete($metafields: [MetafieldIdentifierInput!]!) {
  metafieldsDelete(metafields: $metafields) { deletedMetafields { namespace key } userErrors { field message } }
}`
export interface MetafieldsDeleteResult {
  metafieldsDelete: { deletedMetafields: ({ namespace: string; key: string } | null)[] | null; userErrors: UserError[] }
}

export const CUSTOMER_WEBHOOKS = /* GraphQL */ `query CustomerWebhooks {
  webhookSubscriptions(first: 100, topics: [CUSTOMERS_CREATE, CUSTOMERS_UPDATE]) { nodes { id topic uri metafieldNamespaces } }
}`
export interface CustomerWebhooksResult {
  webhookSubscriptions: { nodes: { id: string; topic: string; uri: string; metafieldNamespaces: string[] }[] }
}

export const WEBHOOK_CHANGE = /* GraphQL */ `mutation WebhookChange($id: ID!, $subscription: WebhookSubscriptionInput!) {
  webhookSubscriptionUpdate(id: $id, webhookSubscription: $subscription) {
    webhookSubscription { id } userErrors { field message }
  }
}`
export interface WebhookChangeResult {
  webhookSubscriptionUpdate: { webhookSubscription: { id: string } | null; userErrors: UserError[] }
}
