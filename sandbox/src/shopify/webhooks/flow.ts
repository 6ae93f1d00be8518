import { randomUUID } from 'node:crypto'
import { findCustomer } from '../customers.ts'
import { gid, latestVersion, type StoreScope } from '../platform.ts'
import { execute, findRow } from '../../sql.ts'
import { flowTopic } from './webhooks.ts'

/** As the app's own action is called in the flow tool. */
const actionHandle = 'start-scenario'

/**
 * One run of the app's action in a workflow of the flow tool: posted to `/shopify/flow` on the host where the app last subscribed anything,
 * signed as webhooks are. `properties` are what the merchant typed into the action; the customer is added as the tool does. Returns what
 * stands in the way, or null.
 */
export function runFlowAction(
  scope: StoreScope,
  run: { customerId: number; properties: Record<string, string> },
): string | null {
  const { database, store } = scope
  const address = findRow<{ uri: string }>(database)`SELECT uri FROM store_app_address WHERE store_id = ${store.id}`
  if (!address) return 'The app has not subscribed to anything yet.'
  if (!findCustomer(scope, run.customerId)) return 'There is no such customer.'
  const body = {
    shop_id: String(store.id + 70_000_000_000),
    shopify_domain: store.shop,
    action_run_id: randomUUID(),
    action_definition_id: actionHandle,
    handle: actionHandle,
    step_reference: randomUUID(),
    properties: { ...run.properties, customer_id: gid('Customer', run.customerId) },
  }
  execute(database)`INSERT INTO store_delivery (store_id, topic, uri, api_version, event_id, webhook_id, body,
    triggered_at, status, next_ms) VALUES (${store.id}, ${flowTopic}, ${new URL('/shopify/flow', address.uri).href},
    ${latestVersion}, ${body.action_run_id}, ${randomUUID()}, ${JSON.stringify(body)},
    ${scope.clock.now().toISOString()}, 'pending', ${scope.clock.now().getTime()})`
  scope.wakeWebhooks()
  return null
}

/** `name=value` lines as people type them; a line without `=` is left out. */
export function propertiesOf(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const at = line.indexOf('=')
    const name = line.slice(0, Math.max(0, at)).trim()
    return name === '' ? [] : [[name, line.slice(at + 1).trim()] as const]
  })
  return Object.fromEntries(lines)
}
