import {
  CUSTOMER_WEBHOOKS,
  type CustomerWebhooksResult,
  WEBHOOK_CHANGE,
  type WebhookChangeResult,
} from '../../integrations/shopify/metafield-operations.ts'
import { WEBHOOK_CREATE, type WebhookCreateResult } from '../../integrations/shopify/operations.ts'
import { IntegrationError } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { StoreClient } from '../stores/index.ts'
import { listSettings, markSubscribed, type SettingRow } from './queries.ts'
import type { ChangedValue } from './value-queries.ts'
import { type NewValue, upsertValues } from './value-upsert.ts'

/** The topics whose bodies have the metafields of the subscribed namespaces. */
const TOPICS = ['CUSTOMERS_CREATE', 'CUSTOMERS_UPDATE'] as const
/** The platform's clock and ours may differ by this much. */
const CLOCKS_DIFFER_MS = 60_000

/** Subscribes to the namespaces of all metafield settings in the customer webhooks; does nothing if the subscriptions have them already. */
export async function subscribeToMetafieldChanges(scope: MerchantScope, store: StoreClient): Promise<void> {
  const namespaces = [...new Set((await listPlatform(scope)).map(({ namespace }) => namespace))].sort()
  const uri = `${scope.context.settings.publicUrl}/webhooks/shopify`
  const { webhookSubscriptions } = await store.graphql<CustomerWebhooksResult>(CUSTOMER_WEBHOOKS)
  for (const topic of TOPICS) {
    const known = webhookSubscriptions.nodes.find((node) => node.topic === topic && node.uri === uri)
    if (known && namespaces.every((namespace) => known.metafieldNamespaces.includes(namespace))) continue
    const subscription = { uri, metafieldNamespaces: namespaces }
    const [refusal] = known
      ? (await store.graphql<WebhookChangeResult>(WEBHOOK_CHANGE, { id: known.id, subscription }))
          .webhookSubscriptionUpdate.userErrors
      : (
          await store.graphql<WebhookCreateResult>(WEBHOOK_CREATE, {
            topic,
            subscription: { ...subscription, format: 'JSON' },
          })
        ).webhookSubscriptionCreate.userErrors
    if (refusal) throw new IntegrationError('shopify', false, `webhook ${topic} refused: ${refusal.message}`)
  }
  await markSubscribed(scope, new Date(scope.context.clock.now().getTime() + CLOCKS_DIFFER_MS))
}

const listPlatform = async (scope: MerchantScope): Promise<SettingRow[]> =>
  (await listSettings(scope)).filter(({ namespaceType }) => namespaceType === 'platform')

export interface MetafieldPayload {
  namespace: string
  key: string
  value: string
  updatedAt: Date
}

/**
 * Stores the metafields of a customer's webhook. A missing value is deleted if its namespace was subscribed before the webhook. `metafields` is
 * null if the body has none at all.
 */
export async function upsertStoreMetafields(
  scope: MerchantScope,
  customer: { customerId: string; metafields: readonly MetafieldPayload[] | null; triggeredAt: Date },
): Promise<ChangedValue[]> {
  const { customerId, metafields, triggeredAt } = customer
  if (metafields === null) return []
  const settings = await listPlatform(scope)
  if (settings.length === 0) return []
  const values = settings.flatMap((setting): NewValue[] => {
    const one = metafields.find(({ namespace, key }) => namespace === setting.namespace && key === setting.key)
    return one ? [{ setting, customerId, value: one.value, updatedAt: one.updatedAt }] : []
  })
  const asked = settings.filter(({ subscribedSince }) => subscribedSince && subscribedSince < triggeredAt)
  return upsertValues(scope, values, {
    complete: { settingIds: asked.map(({ id }) => id), customerIds: [customerId], asOf: triggeredAt },
  })
}
