import { createHmac, randomUUID } from 'node:crypto'
import { allowedBody } from '../access.ts'
import { listMetafields, metafieldBody, namespacesOf } from '../metafield-rows.ts'
import { at } from './payloads.ts'
import { type Platform, type StoreScope, isoSeconds, nextId, nowSeconds } from '../platform.ts'
import { topics } from '../resources.ts'
import { type DueSender, startDueSender } from '../../due-sender.ts'
import { execute, findRow, listRows, part, transaction } from '../../sql.ts'
import type { StoreRow } from '../rows.ts'

/** The topic for runs of the flow tool's action in the list of sent webhooks; the platform has no such topic. */
export const flowTopic = 'flow/action'

export interface SubscriptionRow {
  id: number
  topic: string
  uri: string
  include_fields: string
  filter: string | null
  name: string | null
  api_version: string
  created_at: number
  updated_at: number
}

export interface DeliveryRow {
  id: number
  store_id: number
  topic: string
  uri: string
  api_version: string
  event_id: string
  webhook_id: string
  body: string
  triggered_at: string
  status: 'pending' | 'delivered' | 'failed'
  tries: number
  next_ms: number
  last_status: number | null
  last_error: string | null
  delivered_ms: number | null
}

// Rules: 5 s in all, and 8 retries over 4 hours, which are hours of the sandbox's clock.
const timeoutMs = 5000
const minuteMs = 60_000
const pausesMs = [1000, 10_000, minuteMs, 5 * minuteMs, 15 * minuteMs, 40 * minuteMs, 60 * minuteMs, 120 * minuteMs]
const inFlightLimit = 8

export function findSubscription(scope: StoreScope, topic: string, uri: string): SubscriptionRow | undefined {
  return findRow<SubscriptionRow>(scope.database)`SELECT * FROM store_subscription
    WHERE store_id = ${scope.store.id} AND topic = ${topic} AND uri = ${uri}`
}

export function subscribe(
  scope: StoreScope,
  wanted: {
    topic: string
    uri: string
    includeFields: string[]
    filter: string | null
    name: string | null
    apiVersion: string
  },
): SubscriptionRow {
  const id = nextId(scope, 'subscription')
  const now = nowSeconds(scope)
  execute(scope.database)`INSERT INTO store_subscription VALUES (${scope.store.id}, ${id}, ${wanted.topic},
    ${wanted.uri}, ${JSON.stringify(wanted.includeFields)}, ${wanted.filter}, ${wanted.name}, ${wanted.apiVersion},
    ${now}, ${now})`
  execute(scope.database)`INSERT OR REPLACE INTO store_app_address VALUES (${scope.store.id}, ${wanted.uri})`
  const row = findSubscription(scope, wanted.topic, wanted.uri)
  if (!row) throw new Error('subscription vanished')
  return row
}

/**
 * Writes one delivery per subscription, in the transaction of the change: the change and its webhooks are kept or lost together. The body
 * is made once; later changes do not alter it.
 */
export function publish(scope: StoreScope, topic: string, body: () => Record<string, unknown>): void {
  const subscriptions = listRows<SubscriptionRow>(scope.database)`SELECT * FROM store_subscription
    WHERE store_id = ${scope.store.id} AND topic = ${topic}`
  if (subscriptions.length === 0) return
  // As the switches are now.
  const store = findRow<Pick<StoreRow, 'lose_webhooks' | 'protected_data'>>(scope.database)`SELECT lose_webhooks,
    protected_data FROM store WHERE id = ${scope.store.id}`
  if (store?.lose_webhooks === 1 && topic !== 'BULK_OPERATIONS_FINISH') return
  const whole = allowedBody(store ?? scope.store, topic, body())
  if (whole === null) return
  const event = randomUUID()
  for (const subscription of subscriptions) {
    const wanted = JSON.parse(subscription.include_fields) as string[]
    const full = { ...whole, ...metafieldsFor(scope, subscription, whole.id) }
    const sent: Record<string, unknown> =
      wanted.length === 0 ? full : Object.fromEntries(Object.entries(full).filter(([key]) => wanted.includes(key)))
    execute(scope.database)`INSERT INTO store_delivery (store_id, topic, uri, api_version, event_id, webhook_id, body,
      triggered_at, status, next_ms) VALUES (${scope.store.id}, ${topics.get(topic)?.spoken ?? topic.toLowerCase()},
      ${subscription.uri}, ${subscription.api_version}, ${event}, ${randomUUID()}, ${JSON.stringify(sent)},
      ${scope.clock.now().toISOString()}, 'pending', ${scope.clock.now().getTime()})`
  }
  scope.wakeWebhooks()
}

/** The metafields of the namespaces in a subscription to customers; none if it has no namespaces. */
function metafieldsFor(
  scope: StoreScope,
  { id, topic }: SubscriptionRow,
  customerId: unknown,
): { metafields?: Record<string, unknown>[] } {
  if ((topic !== 'CUSTOMERS_CREATE' && topic !== 'CUSTOMERS_UPDATE') || typeof customerId !== 'number') return {}
  const namespaces = namespacesOf(scope, id)
  if (namespaces.length === 0) return {}
  const rows = listMetafields(scope, { type: 'Customer', id: customerId }, null)
  return {
    metafields: rows.filter(({ namespace }) => namespaces.includes(namespace)).map((row) => metafieldBody(row, at)),
  }
}

/** Sends an old delivery once more: same event, a new webhook id, like a retry of the platform. */
export function redeliver(scope: StoreScope, deliveryId: number): boolean {
  const copied = execute(scope.database)`INSERT INTO store_delivery (store_id, topic, uri, api_version, event_id,
    webhook_id, body, triggered_at, status, next_ms)
    SELECT store_id, topic, uri, api_version, event_id, ${randomUUID()}, body, triggered_at, 'pending',
    ${scope.clock.now().getTime()} FROM store_delivery WHERE store_id = ${scope.store.id} AND id = ${deliveryId}`
  if (copied > 0) scope.wakeWebhooks()
  return copied > 0
}

export function bodyHmac(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body, 'utf8').digest('base64')
}

export function startWebhookSender(platform: Platform): DueSender {
  const { database } = platform

  async function send(delivery: DeliveryRow & { shop: string }, closing: AbortSignal): Promise<void> {
    let status: number | null = null
    let problem: string | null = null
    try {
      const response = await fetch(delivery.uri, {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), closing]),
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'Shopify-Captain-Hook',
          'X-Shopify-Topic': delivery.topic,
          'X-Shopify-Hmac-Sha256': bodyHmac(delivery.body, platform.apiSecret),
          'X-Shopify-Shop-Domain': delivery.shop,
          'X-Shopify-API-Version': delivery.api_version,
          'X-Shopify-Webhook-Id': delivery.webhook_id,
          'X-Shopify-Event-Id': delivery.event_id,
          'X-Shopify-Triggered-At': delivery.triggered_at,
        },
        body: delivery.body,
      })
      status = response.status
      await response.arrayBuffer()
      if (!response.ok) problem = `HTTP ${status}`
    } catch (error) {
      if (closing.aborted) return
      problem = error instanceof Error ? `${error.name}: ${causeOf(error)}` : String(error)
    }
    record(platform, delivery, { status, problem })
  }

  return startDueSender<DeliveryRow & { shop: string }>(platform.clock, {
    atOnce: inFlightLimit,
    listDue: (now) => listRows<DeliveryRow & { shop: string }>(database)`SELECT d.*, (SELECT shop FROM store
      WHERE store.id = d.store_id) AS shop FROM store_delivery d INDEXED BY store_delivery_due
      WHERE status = 'pending' AND next_ms <= ${now} ORDER BY next_ms, id LIMIT ${inFlightLimit * 2}`,
    keyOf: ({ id }) => id,
    findNextMs: (now) => {
      const next = findRow<{ at: number | null }>(database)`SELECT min(next_ms) AS at FROM store_delivery
        WHERE status = 'pending' AND next_ms > ${now}`
      return next?.at ?? null
    },
    makeAllDue: () =>
      void execute(database)`UPDATE store_delivery SET next_ms = ${Date.now()} WHERE status = 'pending'`,
    send,
  })
}

/** Writes down how a try ended, and when the next one is due. */
function record(
  platform: Platform,
  delivery: DeliveryRow,
  { status, problem }: { status: number | null; problem: string | null },
): void {
  const { database } = platform
  const nowMs = platform.clock.now().getTime()
  const tries = delivery.tries + 1
  // The flow tool shows a 4xx beside the run and does not repeat it.
  const isRefused = delivery.topic === flowTopic && status !== null && status >= 400 && status < 500
  const pauseMs = pausesMs[tries - 1]
  const state = problem === null ? 'delivered' : isRefused || pauseMs === undefined ? 'failed' : 'pending'
  execute(database)`UPDATE store_delivery SET status = ${state}, tries = ${tries},
    next_ms = ${nowMs + (pauseMs ?? 0)}, last_status = ${status}, last_error = ${problem},
    delivered_ms = ${problem === null ? nowMs : null} WHERE id = ${delivery.id}`
  if (state === 'failed' && !isRefused) dropUnheard(platform, delivery)
  if (problem !== null) platform.log(`webhook ${delivery.topic} to ${delivery.uri}: ${problem} (try ${tries})`)
}

/** A subscription whose webhooks failed in all tries, with no success meanwhile, is dropped. */
function dropUnheard(platform: Platform, { store_id, topic, uri, triggered_at }: DeliveryRow): void {
  const { database } = platform
  const heard = findRow(database)`SELECT id FROM store_delivery WHERE store_id = ${store_id} AND topic = ${topic}
    AND uri = ${uri} AND delivered_ms >= ${Date.parse(triggered_at)} LIMIT 1`
  const name = [...topics].find(([, { spoken }]) => spoken === topic)?.[0]
  if (heard || name === undefined) return
  execute(database)`DELETE FROM store_subscription WHERE store_id = ${store_id} AND topic = ${name} AND uri = ${uri}`
  platform.log(`webhook ${topic} to ${uri}: no answer, the subscription is dropped`)
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}

export function listDeliveries(scope: StoreScope, limit: number, topic?: string): DeliveryRow[] {
  return topic === undefined
    ? listRows<DeliveryRow>(scope.database)`SELECT * FROM store_delivery WHERE store_id = ${scope.store.id}
      ORDER BY id DESC LIMIT ${limit}`
    : listRows<DeliveryRow>(scope.database)`SELECT * FROM store_delivery
      WHERE store_id = ${scope.store.id} AND topic = ${topic} ORDER BY id DESC LIMIT ${limit}`
}

/** As the platform does after too many failures; no one is notified. */
export function dropSubscriptions(scope: StoreScope): void {
  execute(scope.database)`DELETE FROM store_subscription WHERE store_id = ${scope.store.id}`
}

/** Uninstalls the app: tokens and subscriptions are deleted, and app/uninstalled is sent to its subscribers. */
export function uninstallApp(scope: StoreScope, body: () => Record<string, unknown>): void {
  transaction(scope.database, () => {
    publish(scope, 'APP_UNINSTALLED', body)
    for (const table of ['store_token', 'store_code', 'store_subscription'])
      execute(scope.database)`DELETE FROM ${part(table)} WHERE store_id = ${scope.store.id}`
    execute(scope.database)`UPDATE store SET installed_at = NULL WHERE id = ${scope.store.id}`
  })
}

export function presentDelivery(row: DeliveryRow): Record<string, unknown> {
  return {
    id: row.id,
    topic: row.topic,
    uri: row.uri,
    event_id: row.event_id,
    webhook_id: row.webhook_id,
    triggered_at: row.triggered_at,
    status: row.status,
    tries: row.tries,
    last_status: row.last_status,
    last_error: row.last_error,
    delivered_at: row.delivered_ms === null ? null : isoSeconds(Math.floor(row.delivered_ms / 1000)),
    body: JSON.parse(row.body) as unknown,
  }
}
