import { isOutage } from '../../../kernel/database/database-trouble.ts'
import { retriedTransaction } from '../../../kernel/database/deadlocks.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { merchantScope } from '../../../kernel/merchant-scope.ts'
import {
  requestStockCheck,
  removeStoreCollections,
  removeStoreProduct,
  upsertStoreCollections,
  upsertStoreProducts,
} from '../../catalog/index.ts'
import { completeBaskets, removeStoreCheckout, upsertStoreCart, upsertStoreCheckouts } from '../../checkouts/index.ts'
import { changeConsent, readStoreConsent } from '../../consent/index.ts'
import { noteStoreChange } from '../../coupons/index.ts'
import {
  changeStoreTags,
  findStoreCustomers,
  mergeStoreCustomers,
  removeStoreCustomer,
  type StoreCustomer,
  upsertStoreCustomers,
} from '../../customers/index.ts'
import { checkBackfillSoon, upsertStoreMetafields } from '../../metafields/index.ts'
import { getMerchant } from '../../merchants/index.ts'
import { applyRefund, type StoreOrder, upsertStoreOrders } from '../../orders/index.ts'
import { disconnectStore, findStore } from '../../stores/index.ts'
import { fetchCollection, syncSoon } from '../jobs.ts'
import { placeholderCustomer } from '../export-payloads.ts'
import {
  findOrderBody,
  hasId,
  isUnreadable,
  readCartBody,
  readCheckoutBody,
  readCollectionBody,
  readConsentBody,
  readCustomerBody,
  readDiscountBody,
  readId,
  readItemId,
  readMergeBody,
  readOrderBody,
  readProductBody,
  readRefundBody,
  readTagsBody,
} from './webhook-payloads.ts'
import { readMetafieldPayload } from './metafield-payloads.ts'
import {
  claimWebhook,
  claimWebhooks,
  isOvertaken,
  listDue,
  markFailedTry,
  markProcessed,
  type StoredWebhook,
} from './webhook-queries.ts'

const BATCH = 1000
/** Webhooks with their own transaction in one turn: other merchants wait meanwhile. */
const ALONE_A_TURN = 200
/** Orders in one transaction. */
const ORDERS_AT_ONCE = 250
/** Connections it uses at a time. */
const AT_A_TIME = 4
/** After this many tries it is dead-lettered: kept and counted, but no longer processed. */
const MAX_TRIES = 10
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 600_000
const MAX_ERROR_LENGTH = 500

/**
 * Processes due webhooks of one merchant, several at a time; those due together have different subjects. Each has its own transaction, except
 * orders, of which a sale brings thousands: many share one, and if that fails they are processed one by one. Returns whether there were any.
 */
export async function processWebhooks(scope: MerchantScope, signal: AbortSignal): Promise<boolean> {
  const due = await listDue(scope, BATCH)
  const left = due
    .filter(({ topic }) => !orderTopics.has(topic))
    .slice(0, ALONE_A_TURN)
    .map(({ key }) => key)
  const orders = due.filter(({ topic }) => orderTopics.has(topic)).map(({ key }) => key)
  for (let at = 0; at < orders.length && !signal.aborted; at += ORDERS_AT_ONCE)
    left.push(...(await processOrders(scope, orders.slice(at, at + ORDERS_AT_ONCE))))
  const waiting = left.values()
  const worker = async (): Promise<void> => {
    for (const key of waiting) {
      if (signal.aborted) return
      try {
        await processOne(scope, key)
      } catch (error) {
        if (isOutage(error)) throw error
        await recordFailure(scope, key, error)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
  return due.length > 0
}

async function processOne(scope: MerchantScope, key: string): Promise<void> {
  const fresh = merchantScope(scope.context, scope.merchantId)
  await fresh.transaction(async (scope) => {
    const webhook = await claimWebhook(scope, key)
    if (!webhook) return
    if (isHandled(webhook.topic)) await handlers[webhook.topic]?.(scope, webhook)
    await markProcessed(scope, [key])
  })
}

/** Processes orders together; returns those that have to be tried alone. */
async function processOrders(scope: MerchantScope, keys: readonly string[]): Promise<readonly string[]> {
  if (keys.length < 2) return keys
  try {
    return await retriedTransaction(merchantScope(scope.context, scope.merchantId), async (scope) => {
      const readable: WebhookOrder[] = []
      const alone: string[] = []
      for (const webhook of await claimWebhooks(scope, keys)) {
        const order = findOrderBody(webhook.payload)
        if (order) readable.push({ ...order, webhook })
        else alone.push(webhook.key)
      }
      await upsertOrders(scope, readable)
      await markProcessed(
        scope,
        readable.map(({ webhook }) => webhook.key),
      )
      return alone
    })
  } catch (error) {
    if (isOutage(error)) throw error
    scope.context.log.warn({ merchantId: scope.merchantId, error }, 'orders are processed one by one')
    return keys
  }
}

/** Delays no other webhooks, except those of the same subject, which would be out of order. */
async function recordFailure(scope: MerchantScope, key: string, error: unknown): Promise<void> {
  await scope.transaction(async (scope) => {
    const webhook = await claimWebhook(scope, key)
    if (!webhook) return
    const attempts = webhook.attempts + 1
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1))
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    const { topic } = webhook
    const about = { merchantId: scope.merchantId, topic, key, attempts, error }
    if (attempts < MAX_TRIES) scope.context.log.warn(about, 'a webhook cannot be processed')
    else scope.context.log.error(about, 'a webhook cannot be processed and is put aside')
    await markFailedTry(scope, key, {
      error: message.slice(0, MAX_ERROR_LENGTH),
      attempts,
      nextAttemptAt: new Date(scope.now.getTime() + pauseMs),
      deadLettered: attempts >= MAX_TRIES || isUnreadable(error),
    })
  })
}

type Handler = (scope: MerchantScope, webhook: StoredWebhook) => Promise<void>

const upsertCustomer: Handler = async (scope, webhook) => {
  if (await isOvertaken(scope, webhook, ['customers/delete', 'customers/update'])) return
  const customer = readCustomerBody(webhook.payload)
  const customerId = (await upsertStoreCustomers(scope, [customer])).get(customer.storeCustomerId)
  const metafields = readMetafieldPayload(webhook.payload)
  if (!customerId) return
  await upsertStoreMetafields(scope, { customerId, metafields, triggeredAt: webhook.triggeredAt })
  if (webhook.topic === 'customers/create') await scope.context.publish(scope, 'customer.created', { customerId })
}

interface WebhookOrder {
  webhook: StoredWebhook
  order: StoreOrder
  customer: StoreCustomer | null
}
/** All of them of different orders. */
async function upsertOrders(scope: MerchantScope, given: readonly WebhookOrder[]): Promise<void> {
  if (given.length === 0) return
  // If a customer bought twice, the later order has the newer data.
  const sorted = given.toSorted((one, other) => one.webhook.triggeredAt.getTime() - other.webhook.triggeredAt.getTime())
  const numbersOf = (topic: string): Set<number> =>
    new Set(sorted.flatMap(({ webhook, order }) => (webhook.topic === topic ? order.storeOrderId : [])))
  // They may come before their customers' own webhooks.
  await upsertStoreCustomers(
    scope,
    sorted.flatMap(({ customer }) => customer ?? []),
  )
  const orders = sorted.map(({ order }) => order)
  await upsertStoreOrders(scope, orders, { announce: numbersOf('orders/create'), paid: numbersOf('orders/paid') })
  await completeBaskets(
    scope,
    orders.map((order) => ({ ...order, placedAt: order.processedAt })),
  )
}
const upsertOrder: Handler = (scope, webhook) => upsertOrders(scope, [{ ...readOrderBody(webhook.payload), webhook }])

const upsertProduct: Handler = async (scope, webhook) => {
  if (await isOvertaken(scope, webhook, ['products/delete', 'products/update'])) return
  const { currency } = await getMerchant(scope)
  await upsertStoreProducts(scope, [readProductBody(webhook.payload, currency)], { asItHappens: true })
}

/** The body is about one location; what sells online is the sum over several, which the store is asked for. */
const checkStock: Handler = (scope, { payload }) => requestStockCheck(scope, 'item', [readItemId(payload)])

/** The body does not say what it is worth: the store is asked. */
const noteDiscount: Handler = (scope, { topic, payload }) =>
  scope.transaction((scope) => noteStoreChange(scope, readDiscountBody(topic, payload)))

/** The body does not list the products, and does not always show that they changed, so they are fetched. */
const upsertCollection: Handler = async (scope, webhook) => {
  if (await isOvertaken(scope, webhook, ['collections/delete', 'collections/update'])) return
  const collection = readCollectionBody(webhook.payload)
  await upsertStoreCollections(scope, [collection])
  await scope.context.jobs.later(scope, fetchCollection, { storeCollectionId: collection.storeCollectionId })
}

const upsertCheckout: Handler = async (scope, webhook) => {
  // The platform's documented example has no id, so nothing could be found by it later.
  if (!hasId(webhook.payload)) return
  if (await isOvertaken(scope, webhook, ['checkouts/delete'])) return
  const { checkout, customer } = readCheckoutBody(webhook.payload)
  if (customer) await upsertStoreCustomers(scope, [customer])
  await upsertStoreCheckouts(scope, [checkout])
}

const upsertCart: Handler = async (scope, { payload }) => {
  const { currency } = await getMerchant(scope)
  await upsertStoreCart(scope, readCartBody(payload, currency))
}

/** Two customers were merged in the store: the data of one moves to the other. */
const mergeCustomers: Handler = async (scope, webhook) => {
  const merge = readMergeBody(webhook.payload)
  if (!merge) return
  const kept = await ensureCustomer(
    scope,
    { ...webhook, subject: `customer:${merge.kept}` },
    placeholderCustomer(merge.kept),
  )
  if (kept) await mergeStoreCustomers(scope, { joined: merge.joined, intoId: kept })
}

const upsertTags =
  (change: 'added' | 'removed'): Handler =>
  async (scope, webhook) => {
    const { storeCustomerId, tags, occurredAt } = readTagsBody(webhook.payload)
    const id = await ensureCustomer(scope, webhook, placeholderCustomer(storeCustomerId))
    if (!id) return
    const differences = { added: [], removed: [], [change]: tags }
    await changeStoreTags(scope, { id, ...differences, occurredAt: occurredAt ?? webhook.triggeredAt })
  }

const applyConsent: Handler = async (scope, webhook) => {
  const consent = readConsentBody(webhook.payload)
  const customerId = await ensureCustomer(scope, webhook, placeholderCustomer(consent.storeCustomerId, consent.email))
  if (!customerId) return
  await changeConsent(scope, {
    customerId,
    kind: 'marketing',
    to: readStoreConsent(consent.state),
    source: 'store',
    occurredAt: consent.changedAt ?? webhook.triggeredAt,
  })
}

/** Our id of the store's customer; created if unknown, unless the store has deleted them since (then null). */
async function ensureCustomer(
  scope: MerchantScope,
  webhook: StoredWebhook,
  stranger: StoreCustomer,
): Promise<string | null> {
  const { storeCustomerId } = stranger
  const known = await findStoreCustomers(scope, [storeCustomerId])
  const id = known.get(storeCustomerId)
  if (id) return id
  if (await isOvertaken(scope, webhook, ['customers/delete'])) return null
  return (await upsertStoreCustomers(scope, [stranger])).get(storeCustomerId) ?? null
}

const orderTopics: ReadonlySet<string> = new Set(['orders/create', 'orders/updated', 'orders/paid', 'orders/cancelled'])

/** By topic. Webhooks of a topic that is missing here are not stored. */
const handlers: Record<string, Handler | undefined> = {
  'customers/create': upsertCustomer,
  'customers/update': upsertCustomer,
  'customers/delete': (scope, { payload }) => removeStoreCustomer(scope, readId(payload)),
  'customers_email_marketing_consent/update': applyConsent,
  'customer.tags_added': upsertTags('added'),
  'customer.tags_removed': upsertTags('removed'),
  'orders/create': upsertOrder,
  'orders/updated': upsertOrder,
  'orders/paid': upsertOrder,
  'orders/cancelled': upsertOrder,
  'refunds/create': (scope, { payload }) => applyRefund(scope, readRefundBody(payload)),
  'products/create': upsertProduct,
  'products/update': upsertProduct,
  'products/delete': (scope, { payload }) => removeStoreProduct(scope, readId(payload)),
  'collections/create': upsertCollection,
  'collections/update': upsertCollection,
  'collections/delete': (scope, { payload }) => removeStoreCollections(scope, [readId(payload)]),
  'checkouts/create': upsertCheckout,
  'checkouts/update': upsertCheckout,
  'checkouts/delete': (scope, { payload }) => removeStoreCheckout(scope, readId(payload)),
  'carts/create': upsertCart,
  'carts/update': upsertCart,
  'customers/merge': mergeCustomers,
  'inventory_levels/update': checkStock,
  'discounts/update': noteDiscount,
  'discounts/delete': noteDiscount,
  'discounts/redeemcode_removed': noteDiscount,
  async 'bulk_operations/finish'(scope) {
    await syncSoon(scope)
    await checkBackfillSoon(scope)
  },
  async 'app/uninstalled'(scope, { triggeredAt }) {
    const store = await findStore(scope)
    // From before the merchant connected the store again.
    if (store && store.connected_at > triggeredAt) return
    await disconnectStore(scope, 'uninstalled')
  },
}

export const isHandled = (topic: string): boolean => Object.hasOwn(handlers, topic)
