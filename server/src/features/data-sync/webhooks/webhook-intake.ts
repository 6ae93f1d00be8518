import { isShopDomain } from '@okaeri/contract/store/shop-domain'
import { z } from 'zod'
import { getShopify, storeHeader } from '../../../integrations/shopify/index.ts'
import type { Context } from '../../../kernel/context.ts'
import { AppError, unauthorized } from '../../../kernel/errors.ts'
import { storableJson } from '../../../kernel/storable-json.ts'
import { storeWebhook } from './webhook-queue.ts'
import { isHandled } from './webhook-processing.ts'

type Headers = Record<string, string | string[] | undefined>

declare module '../../../kernel/context.ts' {
  interface Ports {
    /** Stores a privacy request of the store platform; null if this topic is something else. */
    receivePrivacyTopic(
      context: Context,
      topic: string,
      request: { headers: Headers; body: unknown },
    ): Promise<{ stored: boolean }> | null
  }
}

/**
 * Verifies a webhook over the raw body and stores it; processing happens later. Returns false for a repetition, for a topic that is not
 * handled, and for a store that is connected to no merchant here: the platform would retry anything except success for hours, without any
 * use. Privacy topics, which have addresses of their own, are passed on.
 */
export async function receiveWebhook(context: Context, headers: Headers, body: unknown): Promise<{ stored: boolean }> {
  const header = (name: string): string | undefined => storeHeader(headers, name) ?? undefined
  const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  if (!getShopify(context).isSignedBody(raw, header('hmac-sha256')))
    throw unauthorized('store_signature_invalid', 'the signature does not fit the body')
  const [shop, topic, eventId] = [
    header('shop-domain')?.toLowerCase(),
    header('topic'),
    header('event-id') ?? header('webhook-id'),
  ]
  if (!shop || !isShopDomain(shop) || !topic || topic.length > MAX_TOPIC || !eventId)
    throw new AppError('invalid', 'bad_request', 'a header of the store platform is missing')
  const asked = context.ports.receivePrivacyTopic(context, topic, { headers, body: raw })
  if (asked) return asked
  const text = storableJson(raw.toString('utf8'))
  const payload = readJson(text)
  if (!isHandled(topic)) {
    logUnknownTopic(context, topic)
    return { stored: false }
  }
  const stored = await storeWebhook(context, shop, {
    // One event may arrive on several topics; a repetition has the same event and topic.
    key: `${eventId} ${topic}`.slice(0, 300),
    topic,
    subject: subjectOf(topic, payload),
    body: text,
    triggeredAt: readInstant(header('triggered-at')),
  }).catch((error: unknown) => {
    throw isUnstorable(error) ? new AppError('invalid', 'bad_request', 'the body cannot be stored') : error
  })
  return { stored }
}

/** Not stored, because they would be personal data without a use. Topics are not signed, so only a limited number is remembered. */
const unknownTopics = new Set<string>()
const MOST_UNKNOWN = 50
const MAX_TOPIC = 100
function logUnknownTopic(context: Context, topic: string): void {
  if (unknownTopics.has(topic) || unknownTopics.size >= MOST_UNKNOWN) return
  unknownTopics.add(topic)
  context.log.warn({ topic }, 'the store tells of a topic nothing is done about')
}

/** JSON that PostgreSQL refuses: nested too deep (54001), or with a number too long (22003). */
const isUnstorable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '54001' || error.code === '22003')

function readJson(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('invalid', 'bad_request', 'the body is not an object')
  return value as Record<string, unknown>
}

function readInstant(text: string | undefined): Date | null {
  const read = z.iso.datetime({ offset: true }).safeParse(text)
  return read.success ? new Date(read.data) : null
}

/** Webhooks of one subject are processed one after another, in the order they were triggered. */
export const subjectOf = (topic: string, payload: Record<string, unknown>): string =>
  subjectIn(topic, payload).slice(0, MAX_SUBJECT).toWellFormed()
/** The platform's subjects have at most twenty digits, or a cart's token. A longer one would not fit the index. */
const MAX_SUBJECT = 200

function subjectIn(topic: string, payload: Record<string, unknown>): string {
  const part = (key: string): string =>
    ['string', 'number'].includes(typeof payload[key]) ? String(payload[key]) : '?'
  if (topic === 'customers_email_marketing_consent/update') return `customer:${part('customer_id')}`
  if (topic.startsWith('customer.')) {
    return `customer:${lastNumber(payload['customerId'])}`
  }
  if (topic === 'refunds/create') return `order:${part('order_id')}`
  if (topic === 'carts/create' || topic === 'carts/update') return `cart:${part('token')}`
  if (topic === 'customers/merge') return `customer:${lastNumber(payload['admin_graphql_api_customer_deleted_id'])}`
  if (topic === 'inventory_levels/update') return `stock:${part('inventory_item_id')}`
  const [noun] = topic.split('/')
  if (noun === 'discounts') return `discount:${lastNumber(payload['admin_graphql_api_id'])}`
  const nouns: Record<string, string> = {
    customers: 'customer',
    orders: 'order',
    products: 'product',
    collections: 'collection',
    checkouts: 'checkout',
  }
  return noun && nouns[noun] ? `${nouns[noun]}:${part('id')}` : topic
}

const lastNumber = (id: unknown): string => (typeof id === 'string' && /\/(\d{1,20})$/.exec(id)?.[1]) || '?'
