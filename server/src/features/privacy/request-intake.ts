import { isShopDomain } from '@okaeri/contract/store/shop-domain'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { getShopify, storeHeader } from '../../integrations/shopify/index.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, unauthorized } from '../../kernel/errors.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { storableJson } from '../../kernel/storable-json.ts'
import { findMerchantByShop } from '../stores/index.ts'
import { askedByStore } from './request.ts'

type Headers = Record<string, string | string[] | undefined>

const Shop = { shop_domain: z.string().transform((domain) => domain.toLowerCase()) }
const number = z.number().refine(Number.isSafeInteger)
const Customer = z.looseObject({ id: number.nullish(), email: z.string().nullish(), phone: z.string().nullish() })
/** Strict in the fields that distinguish the three: a body signed for one must not be accepted as another, which may do more. */
const bodies = {
  customer_redact: z.looseObject({
    ...Shop,
    customer: Customer,
    orders_to_redact: z.array(number).nullish(),
    data_request: z.never().optional(),
  }),
  data_request: z.looseObject({
    ...Shop,
    customer: Customer,
    orders_requested: z.array(number).nullish(),
    orders_to_redact: z.never().optional(),
  }),
  shop_redact: z.looseObject({ ...Shop, customer: z.never().optional(), shop_id: number }),
} as const
const topics = {
  customer_redact: 'customers/redact',
  data_request: 'customers/data_request',
  shop_redact: 'shop/redact',
} as const

type Kind = keyof typeof bodies
const kindOf = (topic: string): Kind | undefined =>
  (Object.keys(topics) as Kind[]).find((kind) => topics[kind] === topic)

/** A request that came to the address of the other webhooks. Null: the topic is no privacy request. */
export const receivePrivacyTopic = (
  context: Context,
  topic: string,
  request: { headers: Headers; body: unknown },
): Promise<{ stored: boolean }> | null => {
  const kind = kindOf(topic)
  return kind ? receiveRequest(context, kind, request) : null
}

/**
 * Verifies and stores a request; processing happens later. The topic decides, at any of our addresses; without a topic, the address. The
 * store is read from the body, the only signed part; a different header makes it a forgery. Returns false for a repetition, and for an
 * unknown store: the platform would retry anything except success for hours, without any use.
 */
export async function receiveRequest(
  context: Context,
  address: Kind,
  { headers, body }: { headers: Headers; body: unknown },
): Promise<{ stored: boolean }> {
  const header = (name: string): string | null => storeHeader(headers, name)
  const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  if (!getShopify(context).isSignedBody(raw, header('hmac-sha256') ?? undefined))
    throw unauthorized('store_signature_invalid', 'the signature does not fit the body')
  const topic = header('topic') ?? topics[address]
  const kind = kindOf(topic)
  const read = kind && bodies[kind].safeParse(JSON.parse(storableJson(raw.toString('utf8'))))
  if (!kind || !read?.success || !isShopDomain(read.data.shop_domain))
    throw new AppError('invalid', 'bad_request', `the body is not one of ${topic.slice(0, MAX_TOPIC)}`)
  const payload = read.data
  if ((header('shop-domain') ?? payload.shop_domain).toLowerCase() !== payload.shop_domain)
    throw unauthorized('store_signature_invalid', 'the body was signed for another store')
  const merchantId = await findMerchantByShop(context, payload.shop_domain)
  if (!merchantId) {
    context.log.warn({ kind }, 'a privacy request for a store that belongs to no merchant')
    return { stored: false }
  }
  const eventId = header('event-id') ?? header('webhook-id') ?? createHash('sha256').update(raw).digest('hex')
  const orders =
    'orders_to_redact' in payload
      ? payload.orders_to_redact
      : 'orders_requested' in payload
        ? payload.orders_requested
        : null
  const stored = await askedByStore(merchantScope(context, merchantId), {
    kind,
    eventKey: `${eventId} ${kind}`.slice(0, MAX_KEY),
    asked:
      'customer' in payload && payload.customer
        ? {
            customerId: null,
            storeCustomerId: payload.customer.id ?? null,
            email: payload.customer.email ?? null,
            phone: payload.customer.phone ?? null,
            storeOrderIds: (orders as number[] | null | undefined) ?? [],
          }
        : null,
  })
  return { stored }
}
const MAX_KEY = 300
const MAX_TOPIC = 100
