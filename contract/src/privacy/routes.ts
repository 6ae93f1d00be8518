import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { Locale } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'

const area = 'privacy'

export const PrivacyRequest = z
  .object({
    id: z.uuid(),
    /** Export a customer's data; erase a customer; erase everything of the store. */
    kind: z.enum(['data_request', 'customer_redact', 'shop_redact']),
    /** Who asked: the store platform, or a member on the customer's page. */
    source: z.enum(['store', 'member']),
    status: z.enum(['waiting', 'done', 'skipped', 'failed']),
    /** The same for requests about the same person; reveals nothing else. */
    person: z.string().nullable(),
    /** For a data request, while its file and the customer exist. */
    customer: z.object({ id: z.uuid(), name: z.string() }).nullable(),
    received_at: z.iso.datetime(),
    /** The store platform's deadline. */
    due_at: z.iso.datetime(),
    done_at: z.iso.datetime().nullable(),
    skip_reason: z.enum(['store_connected']).nullable(),
    /** What was exported or erased, by kind of data; titles in both languages. */
    outcome: z.array(z.object({ ja: z.string(), en: z.string(), rows: z.int() })),
    file: z.object({ size_bytes: z.int(), expires_at: z.iso.datetime() }).nullable(),
    /** Failed tries so far; it is retried automatically. */
    attempts: z.int(),
  })
  .meta({ id: 'PrivacyRequest' })
export type PrivacyRequest = z.output<typeof PrivacyRequest>

const signed = {
  area,
  access: 'public',
  bodyKind: 'raw',
  reply: z.object({ stored: z.boolean() }),
} as const

export const receiveCustomerRedact = endpoint('POST', '/webhooks/customers/redact', {
  ...signed,
  summary: 'The store platform asks to forget a customer (signed): stored, answered, done later',
})
export const receiveDataRequest = endpoint('POST', '/webhooks/customers/data_request', {
  ...signed,
  summary: 'The store platform asks what is held about a customer (signed): a file is made for the merchant',
})
export const receiveShopRedact = endpoint('POST', '/webhooks/shop/redact', {
  ...signed,
  summary: 'The store platform asks to forget a store 48 hours after the app was uninstalled (signed)',
})

/** Not in the specification's list: the merchant has to see the requests and get the files. */
export const listPrivacyRequests = endpoint('GET', '/privacy/requests', {
  area,
  summary: 'What was asked about people’s data, and what came of it; the newest first',
  access: 'member',
  query: PageQuery,
  reply: pageOf(PrivacyRequest),
})

const FileQuery = z.object({
  /** `html` is for people, `json` for programs. */
  format: z.enum(['json', 'html']).default('json'),
  lang: Locale.default('ja'),
})

export const downloadPrivacyFile = endpoint('GET', '/privacy/requests/{id}/file', {
  area,
  summary: 'The file a data request led to, to be handed to the customer; kept for 30 days',
  access: 'owner',
  params: IdParams,
  query: FileQuery,
  replyKind: 'file',
  mediaTypes: ['application/json', 'text/html'],
})

/** Not in the specification's list: the same without a request of the store platform. */
export const exportCustomer = endpoint('GET', '/customers/{id}/export', {
  area,
  summary: 'Everything held about a customer, as a file',
  access: 'owner',
  params: IdParams,
  query: FileQuery,
  replyKind: 'file',
  mediaTypes: ['application/json', 'text/html'],
})
export const eraseCustomer = endpoint('POST', '/customers/{id}/erase', {
  area,
  summary: 'Forget a customer for good, as the store platform’s request would; sums stay',
  access: 'owner',
  status: 202,
  params: IdParams,
  /** It cannot be undone, so the caller confirms. */
  body: z.strictObject({ confirm: z.literal(true, 'required') }),
  reply: z.object({ privacy_request: PrivacyRequest }),
})
