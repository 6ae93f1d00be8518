import { z } from 'zod'
import { Money } from '../money.ts'

/** domain.md §4: `marketing` mirrors the store platform's consent; `notification` is for favorites and restock. */
export const ConsentKind = z.enum(['marketing', 'notification'])
export type ConsentKind = z.output<typeof ConsentKind>
export const ConsentState = z.enum(['granted', 'withdrawn', 'unknown', 'pending'])
export type ConsentState = z.output<typeof ConsentState>

export const SuppressionReason = z.enum(['hard_bounce', 'soft_bounce', 'complaint', 'manual'])
export type SuppressionReason = z.output<typeof SuppressionReason>

export const Address = z
  .object({
    zip: z.string().nullable(),
    country: z.string().nullable(),
    province: z.string().nullable(),
    city: z.string().nullable(),
    address1: z.string().nullable(),
    address2: z.string().nullable(),
    company: z.string().nullable(),
    phone: z.string().nullable(),
  })
  .meta({ id: 'Address' })
export type Address = z.output<typeof Address>

export const Customer = z
  .object({
    id: z.uuid(),
    /** The platform's number of the customer. A text, because it is an id (in no known store above 2^53). */
    store_customer_id: z.string().nullable(),
    name: z.string(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    language: z.string().nullable(),
    /** `YYYY-MM-DD`; year 1004 if only month and day are known. */
    birthday: z.string().nullable(),
    address: Address.nullable(),
    tags: z.array(z.string()),
    /** Marketing consent. */
    accepts_marketing: z.boolean(),
    marketing_state: ConsentState,
    /** Consent to notifications by email (favorites, restock). */
    accepts_transactions: z.boolean(),
    suppressed: SuppressionReason.nullable(),
    line_connected: z.boolean(),
    email_sent_count: z.int(),
    line_sent_count: z.int(),
    orders_count: z.int(),
    /** Of the orders in the account's currency. */
    total_revenue: Money,
    /** Orders in another one; they are in `orders_count`, and in no amount. */
    orders_in_other_currencies: z.int(),
    last_order_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Customer' })
/** The customer's LINE account, as the merchant's official account sees it. */
export const CustomerOnLine = z
  .object({
    /** Their display name; null while unknown. */
    name: z.string().nullable(),
    picture_url: z.string().nullable(),
    is_friend: z.boolean(),
    friend_since: z.iso.datetime().nullable(),
    blocked_at: z.iso.datetime().nullable(),
    /** When they last wrote or tapped. */
    last_contact_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'CustomerOnLine' })
export type CustomerOnLine = z.output<typeof CustomerOnLine>

export type Customer = z.output<typeof Customer>

export const CustomerOrder = z
  .object({
    id: z.uuid(),
    name: z.string(),
    processed_at: z.iso.datetime(),
    total: Money,
    financial_status: z.string().nullable(),
    cancelled_at: z.iso.datetime().nullable(),
    lines: z.array(z.object({ title: z.string(), quantity: z.int(), total: Money })),
  })
  .meta({ id: 'CustomerOrder' })
export type CustomerOrder = z.output<typeof CustomerOrder>

/** Fields that two people can edit at once; each is compared and saved separately. */
export const conflictFields = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'language',
  'tags',
  'birthday',
  'address',
] as const
export type ConflictField = (typeof conflictFields)[number]

const addressParts = ['zip', 'country', 'province', 'city', 'address1', 'address2', 'company', 'phone'] as const

/** A field as one text, to compare the value when a form was opened with the present one; null: empty. */
export function fieldText(customer: Pick<Customer, ConflictField>, field: ConflictField): string | null {
  if (field === 'tags') return [...customer.tags].sort().join('\n') || null
  if (field === 'address') {
    const { address } = customer
    const lines = address ? addressParts.map((part) => address[part] ?? '') : []
    return lines.some((line) => line !== '') ? lines.join('\n') : null
  }
  return customer[field] || null
}

/** A member's change that was not applied: the field was changed elsewhere after the form was opened, and the newer value stayed. */
export const CustomerConflict = z
  .object({
    id: z.uuid(),
    field: z.string(),
    /** The value that stayed; null: empty. */
    used_value: z.string().nullable(),
    unused_value: z.string().nullable(),
    used_from: z.enum(['store', 'member']),
    used_at: z.iso.datetime(),
    occurred_at: z.iso.datetime(),
  })
  .meta({ id: 'CustomerConflict' })
export type CustomerConflict = z.output<typeof CustomerConflict>

/** A value of a metafield with a setting. */
export const CustomerMetafield = z
  .object({
    metafield_setting_id: z.uuid(),
    name: z.string(),
    namespace: z.string(),
    key: z.string(),
    value_type: z.string(),
    value: z.string(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'CustomerMetafield' })
export type CustomerMetafield = z.output<typeof CustomerMetafield>

/** A product the customer marked as a favorite on the storefront. */
export const CustomerFavorite = z
  .object({
    id: z.uuid(),
    store_product_id: z.string(),
    product_title: z.string().nullable(),
    variant_title: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'CustomerFavorite' })
export type CustomerFavorite = z.output<typeof CustomerFavorite>

/** A product the customer looked at in the store, where the merchant records it. */
export const CustomerLook = z
  .object({
    store_product_id: z.string(),
    product_title: z.string().nullable(),
    views: z.int(),
    viewed_at: z.iso.datetime(),
  })
  .meta({ id: 'CustomerLook' })
export type CustomerLook = z.output<typeof CustomerLook>

/** A product in the customer's cart, as their browser last said. */
export const CustomerCartLine = z
  .object({
    store_product_id: z.string(),
    product_title: z.string().nullable(),
    quantity: z.int(),
    seen_at: z.iso.datetime(),
  })
  .meta({ id: 'CustomerCartLine' })
export type CustomerCartLine = z.output<typeof CustomerCartLine>

export const ConsentChange = z
  .object({
    id: z.uuid(),
    kind: ConsentKind,
    from: ConsentState,
    to: ConsentState,
    source: z.string(),
    wording: z.string().nullable(),
    page: z.string().nullable(),
    occurred_at: z.iso.datetime(),
  })
  .meta({ id: 'ConsentChange' })
export type ConsentChange = z.output<typeof ConsentChange>

/** Progress of the copy of a store, one row per kind. */
const CopiedKind = z.enum(['products', 'collections', 'customers', 'orders', 'checkouts'])
export const SyncProgress = z
  .object({
    status: z.enum(['idle', 'running', 'done', 'failed']),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
    /** Why it failed: `access_denied`, `store_not_connected`, `internal`; in old runs, the store's own message. */
    error: z.string().nullable(),
    /** Why a running copy does not progress. It tries again at `next_try_at`; null while it is trying. */
    trouble: z
      .object({
        reason: z.enum([
          'unreachable',
          'throttled',
          'file_broken',
          'export_failed',
          'export_busy',
          'frozen',
          'locked',
          'forbidden',
          'gone',
          'app_credentials',
          'internal',
        ]),
        since: z.iso.datetime(),
        next_try_at: z.iso.datetime().nullable(),
      })
      .nullable(),
    /** An export that the store takes long for. Nothing is wrong yet, and a person may have it asked for again. */
    slow_export: z
      .object({
        kind: CopiedKind,
        /** When it was asked for. */
        since: z.iso.datetime(),
        /** It has come no further since then; null: it comes further, slowly. */
        stands_since: z.iso.datetime().nullable(),
        /** It is cancelled then, and asked for again. */
        given_up_at: z.iso.datetime(),
        /** A person said so already: that happens at the next look. */
        given_up: z.boolean(),
      })
      .nullable(),
    steps: z.array(
      z.object({
        kind: CopiedKind,
        status: z.enum(['waiting', 'exporting', 'loading', 'done', 'failed']),
        /** Objects the store has reported so far. */
        exported_count: z.int(),
        loaded_count: z.int(),
      }),
    ),
    seconds_left: z.int().nullable(),
    /** Webhooks not processed yet. */
    webhooks_waiting: z.int(),
  })
  .meta({ id: 'SyncProgress' })
export type SyncProgress = z.output<typeof SyncProgress>
