import {
  WEBHOOK_CREATE,
  WEBHOOK_LIST,
  type WebhookCreateResult,
  type WebhookListResult,
} from '../../../integrations/shopify/operations.ts'
import { IntegrationError } from '../../../kernel/errors.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { findStore, type StoreClient } from '../../stores/index.ts'

/** customers/update has neither consent nor tags, so these have topics of their own. */
const subscribedTopics = [
  'CUSTOMERS_CREATE',
  'CUSTOMERS_UPDATE',
  'CUSTOMERS_DELETE',
  'CUSTOMERS_EMAIL_MARKETING_CONSENT_UPDATE',
  'CUSTOMER_TAGS_ADDED',
  'CUSTOMER_TAGS_REMOVED',
  'ORDERS_CREATE',
  'ORDERS_UPDATED',
  'ORDERS_CANCELLED',
  'REFUNDS_CREATE',
  'PRODUCTS_CREATE',
  'PRODUCTS_UPDATE',
  'PRODUCTS_DELETE',
  'COLLECTIONS_CREATE',
  'COLLECTIONS_UPDATE',
  'COLLECTIONS_DELETE',
  'CHECKOUTS_CREATE',
  'CHECKOUTS_UPDATE',
  'CHECKOUTS_DELETE',
  'CARTS_CREATE',
  'CARTS_UPDATE',
  'CUSTOMERS_MERGE',
  'INVENTORY_LEVELS_UPDATE',
  'DISCOUNTS_UPDATE',
  'DISCOUNTS_DELETE',
  'DISCOUNTS_REDEEMCODE_REMOVED',
  'APP_UNINSTALLED',
  'BULK_OPERATIONS_FINISH',
] as const

/**
 * Subscribes to the missing topics; a second run does nothing. Returns the topics it subscribed to: the platform drops a topic after eight
 * failed deliveries.
 */
export async function subscribeToStore(scope: MerchantScope, store: StoreClient): Promise<string[]> {
  const uri = `${scope.context.settings.publicUrl}/webhooks/shopify`
  const known = new Set<string>()
  for (let after: string | null = null, more = true; more; ) {
    const { webhookSubscriptions }: WebhookListResult = await store.graphql<WebhookListResult>(WEBHOOK_LIST, {
      first: 100,
      after,
    })
    for (const node of webhookSubscriptions.nodes) if (node.uri === uri) known.add(node.topic)
    after = webhookSubscriptions.pageInfo.endCursor
    more = webhookSubscriptions.pageInfo.hasNextPage
  }
  const made: string[] = []
  const granted = (await findStore(scope))?.scopes ?? ''
  // Who may write may read.
  const isGranted = (needed: string): boolean =>
    granted === '' || granted.split(',').some((one) => one === needed || one === needed.replace('read_', 'write_'))
  for (const topic of subscribedTopics) {
    const needed = needsMoreAccess[topic]
    if (known.has(topic) || (needed && !isGranted(needed))) continue
    try {
      await subscribe(store, topic, uri)
      made.push(topic)
    } catch (error) {
      if (!needed || !(error instanceof IntegrationError) || error.retryable) throw error
      scope.context.log.warn({ merchantId: scope.merchantId, topic, error }, 'the store does not tell of this')
    }
  }
  return made
}

/** Need a scope that a store may not have granted; the copy works without them. */
const needsMoreAccess: Partial<Record<(typeof subscribedTopics)[number], string>> = {
  CUSTOMERS_MERGE: 'read_customer_merge',
  INVENTORY_LEVELS_UPDATE: 'read_inventory',
  DISCOUNTS_UPDATE: 'read_discounts',
  DISCOUNTS_DELETE: 'read_discounts',
  DISCOUNTS_REDEEMCODE_REMOVED: 'read_discounts',
}

async function subscribe(store: StoreClient, topic: string, uri: string): Promise<void> {
  const { webhookSubscriptionCreate } = await store.graphql<WebhookCreateResult>(WEBHOOK_CREATE, {
    topic,
    subscription: { uri, format: 'JSON' },
  })
  const [refusal] = webhookSubscriptionCreate.userErrors
  // Another process subscribed at the same moment.
  if (!refusal || /taken/i.test(refusal.message)) return
  const isForbidden = /permission|access|approved/i.test(refusal.message)
  const detail = isForbidden ? 'ACCESS_DENIED' : `webhook ${topic} refused: ${refusal.message}`
  throw new IntegrationError('shopify', false, detail, { cause: new Error(refusal.message) })
}
