import { randomUUID } from 'node:crypto'
import { findCustomer } from '../customers.ts'
import { latestVersion, nextId, type StoreScope } from '../platform.ts'
import { execute, findRow, listRows } from '../../sql.ts'

export const privacyTopics = ['customers/data_request', 'customers/redact', 'shop/redact'] as const
export type PrivacyTopic = (typeof privacyTopics)[number]

/**
 * The three mandatory webhooks. On the platform their addresses come from the app's configuration file, not from the
 * API; here they are taken to be `/webhooks/{topic}` on the host where the app last subscribed anything, and still are
 * after it was uninstalled.
 */
export function sendPrivacyRequest(scope: StoreScope, topic: PrivacyTopic, customerId: number | null): string | null {
  const { database, store } = scope
  const address = findRow<{ uri: string }>(database)`SELECT uri FROM store_app_address WHERE store_id = ${store.id}`
  if (!address) return 'The app has not subscribed to anything yet.'
  const shop = { shop_id: store.id + 70_000_000_000, shop_domain: store.shop }
  const customer = customerId === null ? null : findCustomer(scope, customerId)
  if (topic !== 'shop/redact' && !customer) return 'There is no such customer.'
  const orders = listRows<{ id: number }>(database)`SELECT id FROM store_order
    WHERE store_id = ${store.id} AND customer_id = ${customerId ?? -1} ORDER BY id`.map(({ id }) => id)
  const who = { customer: { id: customer?.id, email: customer?.email, phone: customer?.phone } }
  const bodies: Record<PrivacyTopic, () => Record<string, unknown>> = {
    'customers/data_request': () => ({
      ...shop,
      ...who,
      orders_requested: orders,
      data_request: { id: nextId(scope, 'data_request') },
    }),
    'customers/redact': () => ({ ...shop, ...who, orders_to_redact: orders }),
    'shop/redact': () => shop,
  }
  execute(database)`INSERT INTO store_delivery (store_id, topic, uri, api_version, event_id, webhook_id, body,
    triggered_at, status, next_ms) VALUES (${store.id}, ${topic}, ${new URL(`/webhooks/${topic}`, address.uri).href},
    ${latestVersion}, ${randomUUID()}, ${randomUUID()}, ${JSON.stringify(bodies[topic]())},
    ${scope.clock.now().toISOString()}, 'pending', ${scope.clock.now().getTime()})`
  scope.wakeWebhooks()
  return null
}
