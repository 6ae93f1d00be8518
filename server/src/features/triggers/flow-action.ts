import type { FieldReason } from '@okaeri/contract/errors'
import { z } from 'zod'
import { getShopify, storeHeader } from '../../integrations/shopify/index.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalid, notFound, unauthorized } from '../../kernel/errors.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { parseStorableJson } from '../../kernel/storable-json.ts'
import { bringStoreCustomer } from '../customers/index.ts'
import { recordEvents } from '../events/index.ts'
import { findMerchantByShop, findStore } from '../stores/index.ts'

const MAX_TEXT = 1000
const MAX_PROPERTIES = 50

const FlowAction = z.looseObject({
  shopify_domain: z.string('required').min(1, 'required').max(255, 'too_long'),
  /** The platform repeats a run under the same id if it got no answer. */
  action_run_id: z.string('required').min(1, 'required').max(200, 'too_long'),
  handle: z.string('not_a_text').max(255, 'too_long').nullish(),
  properties: z.record(z.string(), z.unknown(), 'not_an_object').nullish(),
})

/**
 * An action of the platform's flow tool, signed like its webhooks. The scenario is named by the property `handle` of the action, or
 * else by the action's own handle. A wrong action gets a 4xx, which the tool shows at the run and does not repeat; it repeats a 5xx.
 * Returns false for a repeated run.
 */
export async function receiveFlowAction(
  context: Context,
  headers: Record<string, string | string[] | undefined>,
  body: unknown,
): Promise<{ accepted: boolean }> {
  const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  if (!getShopify(context).isSignedBody(raw, storeHeader(headers, 'hmac-sha256') ?? undefined))
    throw unauthorized('store_signature_invalid', 'the signature does not fit the body')
  const action = read(parseStorableJson(raw.toString('utf8')))
  const merchantId = await findMerchantByShop(context, action.shop)
  const scope = merchantId === null ? null : merchantScope(context, merchantId)
  const store = scope && (await findStore(scope))
  if (!scope || store?.status !== 'connected' || store.shop_domain !== action.shop)
    throw notFound('this store is not connected here')
  const customerId = await bringStoreCustomer(scope, action.storeCustomerId)
  if (customerId === null) throw notFound('there is no such customer')
  const written = await recordEvents(scope, [
    {
      kind: 'flow_action',
      key: `flow_action:${action.runId}`,
      customerId,
      subject: { properties: { ...action.properties, handle: action.handle } },
      occurredAt: scope.now,
    },
  ])
  return { accepted: written > 0 }
}

function read(body: unknown): {
  shop: string
  runId: string
  handle: string
  storeCustomerId: number
  properties: Record<string, string>
} {
  const parsed = FlowAction.safeParse(body)
  if (!parsed.success) {
    const fields: Record<string, FieldReason> = {}
    for (const { path, message } of parsed.error.issues)
      fields[path.join('.').slice(0, 200) || 'body'] = isReason(message) ? message : 'invalid'
    throw new AppError('invalid', 'validation', `invalid: ${Object.keys(fields).join(', ')}`, fields)
  }
  const { shopify_domain, action_run_id, handle, properties } = parsed.data
  const given = properties ?? {}
  const typed = typeof given['handle'] === 'string' ? given['handle'].trim() : ''
  return {
    shop: shopify_domain.toLowerCase(),
    runId: action_run_id,
    handle: cut(typed || (handle ?? '')),
    storeCustomerId: customerNumber(given['customer_id']),
    properties: Object.fromEntries(
      Object.entries(given)
        .slice(0, MAX_PROPERTIES)
        .map(([name, value]) => [cut(name), textOf(value)]),
    ),
  }
}

const isReason = (text: string): text is 'required' | 'too_long' | 'not_a_text' | 'not_an_object' =>
  ['required', 'too_long', 'not_a_text', 'not_an_object'].includes(text)

/** The cut may split a character, and PostgreSQL stores no half of one. */
const cut = (text: string): string => text.slice(0, MAX_TEXT).toWellFormed()
const textOf = (value: unknown): string => cut(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** The tool sends a global id, or only its number. */
function customerNumber(value: unknown): number {
  if (value === undefined || value === null || value === '') throw invalid({ 'properties.customer_id': 'required' })
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  const number = Number(/^(?:gid:\/\/shopify\/Customer\/)?([1-9]\d{0,15})$/.exec(text)?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(number)) throw invalid({ 'properties.customer_id': 'not_an_id' })
  return number
}
