import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, StoreNumber } from '../fields.ts'
import { Locale } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { RestockChannel } from './channel.ts'

const area = 'restock'

/** Spec §4. */
export const RestockStatus = z.enum(['active', 'sent', 'deleted', 'unknown'])
export type RestockStatus = z.output<typeof RestockStatus>

/** Someone who wants to hear when a product is back. Spec §3: Restock registration. */
export const RestockRequest = z
  .object({
    id: z.uuid(),
    status: RestockStatus,
    restock_type: RestockChannel,
    store_product_id: z.string(),
    product_name: z.string().nullable(),
    store_variant_id: z.string().nullable(),
    variant: z.string().nullable(),
    sku: z.string().nullable(),
    customer_id: z.uuid().nullable(),
    customer_name: z.string().nullable(),
    /** Where the mail goes: what was given with the request, else the customer's own. */
    customer_email: z.string().nullable(),
    line_customer_id: z.string().nullable(),
    source: z.enum(['storefront', 'import']),
    /** Why a deleted one ended: they bought it, took it back, or a member deleted it; null: not recorded. */
    ended_by: z.enum(['bought', 'person', 'member']).nullable(),
    first_registered_at: z.iso.datetime(),
    sent_at: z.iso.datetime().nullable(),
    deleted_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'RestockRequest' })
export type RestockRequest = z.output<typeof RestockRequest>

export const RestocksOfProduct = z
  .object({
    store_product_id: z.string(),
    product_name: z.string().nullable(),
    image_url: z.string().nullable(),
    active_count: z.int(),
    sent_count: z.int(),
    deleted_count: z.int(),
    first_registered_at: z.iso.datetime(),
    latest_registered_at: z.iso.datetime(),
  })
  .meta({ id: 'RestocksOfProduct' })
export type RestocksOfProduct = z.output<typeof RestocksOfProduct>

export const listRestocks = endpoint('GET', '/data/restocks', {
  area,
  summary: 'Restock registrations, the newest first',
  access: 'member',
  query: PageQuery.extend({
    product_id: StoreNumber.optional(),
    customer_id: z.uuid('not_an_id').optional(),
    status: RestockStatus.optional(),
  }),
  reply: pageOf(RestockRequest),
})

export const listRestocksAggregated = endpoint('GET', '/data/restocks-aggregated', {
  area,
  summary: 'Restock registrations by product, those most people wait for first',
  access: 'member',
  query: PageQuery.extend({ q: z.string().max(200, 'too_long').optional() }),
  reply: pageOf(RestocksOfProduct),
})

export const downloadRestocks = endpoint('GET', '/data/restocks/download', {
  area,
  summary: 'CSV of restock registrations, those who wait longest first',
  access: 'member',
  query: z.object({
    product_id: StoreNumber.optional(),
    status: RestockStatus.optional(),
    /** The language of the header row; by default the browser's. */
    lang: Locale.optional(),
  }),
  replyKind: 'file',
  mediaTypes: ['text/csv'],
})

export const deleteRestock = endpoint('DELETE', '/data/restocks/{restockId}', {
  area,
  summary: 'Delete a restock registration: nothing is sent for it; it stays counted as deleted',
  access: 'marketer',
  params: z.object({ restockId: Id }),
  status: 204,
  replyKind: 'empty',
})
