import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Currency, CurrencyChange } from './currency.ts'

const area = 'store'

export const openFromStore = endpoint('GET', '/shopify', {
  area,
  summary: 'Opened from the store platform (signed): signs in, or starts the authorization',
  access: 'public',
  replyKind: 'redirect',
  status: 302,
  query: z.looseObject({ shop: z.string('required').max(255, 'too_long') }),
})
export const storeCallback = endpoint('GET', '/shopify/callback', {
  area,
  summary: 'The store platform’s answer to the authorization (signed)',
  access: 'public',
  replyKind: 'redirect',
  status: 302,
  query: z.looseObject({ shop: z.string('required').max(255, 'too_long') }),
})

/** Not in the specification's list: the browser asks where to go instead of knowing how authorization works. */
export const connectStore = endpoint('POST', '/store/connect', {
  area,
  summary: 'Start connecting a store; answers the address of the platform’s authorization page',
  access: 'public',
  body: z.strictObject({ shop: z.string('required').trim().min(1, 'required').max(255, 'too_long') }),
  reply: z.object({ authorize_url: z.string() }),
})
export const disconnectStore = endpoint('POST', '/store/disconnect', {
  area,
  summary: 'Forget the store’s access; customers and reports stay',
  access: 'owner',
  status: 204,
  replyKind: 'empty',
})

export const getCurrencyChange = endpoint('GET', '/store/currency', {
  area,
  summary:
    'What each amount of money that was typed would mean in another currency, and whether the account can take it',
  access: 'member',
  query: z.strictObject({ currency: Currency }),
  reply: CurrencyChange,
})
export const agreeToCurrency = endpoint('POST', '/store/currency', {
  area,
  summary:
    'Agree to what the typed amounts mean in another currency; it is taken when a store that sells in it is connected',
  access: 'owner',
  body: z.strictObject({ currency: Currency, seen: z.string('required').max(100, 'too_long') }),
  reply: CurrencyChange,
})

export const receiveFlowAction = endpoint('POST', '/shopify/flow', {
  area,
  summary:
    'An action of the platform’s flow tool, verified over the raw body: starts the scenarios that wait for its word',
  access: 'public',
  bodyKind: 'raw',
  /** False: a repeated run. */
  reply: z.object({ accepted: z.boolean() }),
  bodyLimitBytes: 1024 * 1024,
})

export const receiveStoreWebhook = endpoint('POST', '/webhooks/shopify', {
  area,
  summary: 'The store platform’s webhooks: verified over the raw body, stored, answered; processed later',
  access: 'public',
  bodyKind: 'raw',
  reply: z.object({ stored: z.boolean() }),
  bodyLimitBytes: 5 * 1024 * 1024,
})
