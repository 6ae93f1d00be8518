import type { DatasetId } from '@okaeri/contract/datasets/dataset'
import { type RawBuilder, sql } from 'kysely'
import { NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

const ROWS_A_PAGE = 2000

/** `amounts`: cells in minor units of `currency` (null: the merchant's). `words`: cells with words of the platform. */
export interface FileRow {
  cells: unknown[]
  amounts: readonly number[]
  words: Readonly<Record<number, CodedWord>>
  currency: string | null
}
export type CodedWord = 'payment' | 'fulfillment' | 'product_status' | 'consent' | 'metafield_type'

type Row = Record<string, unknown> & { key: string; key2?: string; currency?: string }
interface Source {
  /** Selects `key` (and `key2`), then the cells in the order of the file's columns. */
  page: (scope: MerchantScope, after: { key: string; key2: string }) => RawBuilder<Row>
  amounts: readonly number[]
  words?: Readonly<Record<number, CodedWord>>
}

/** Rows of a dataset in the order of our ids, one page in memory at a time. */
export async function* pagesOf(scope: MerchantScope, id: DatasetId): AsyncGenerator<FileRow[]> {
  const { page, amounts, words = {} } = sources[id]
  for (let after = { key: NIL_ID, key2: NIL_ID }; ; ) {
    const { rows } = await page(scope, after).execute(scope.db)
    if (rows.length > 0)
      yield rows.map(({ key: _key, key2: _key2, ...row }) => ({
        cells: Object.values(row),
        amounts,
        words,
        currency: row.currency ?? null,
      }))
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_A_PAGE) return
    after = { key: last.key, key2: last.key2 ?? NIL_ID }
  }
}

const basket = (lines: RawBuilder<unknown>): RawBuilder<string | null> => sql`(
  select string_agg((l->>'title') || ' × ' || (l->>'quantity'), ', ') from jsonb_array_elements(${lines}) l)`

const sources: Record<DatasetId, Source> = {
  customers: {
    amounts: [18],
    words: { 14: 'consent', 15: 'consent' },
    page: ({ merchantId }, { key }) => sql<Row>`
      select id as key, store_customer_id, last_name, first_name, email, phone, language, address->>'zip' as zip,
        address->>'country' as country, address->>'province' as province, address->>'city' as city,
        address->>'address1' as address1, address->>'address2' as address2, address->>'company' as company, tags,
        marketing_state, notification_state, birthday, orders_count, orders_amount, first_order_at, last_order_at, email_sent_count,
        created_at
      from customers where merchant_id = ${merchantId} and id > ${key}::uuid order by id limit ${ROWS_A_PAGE}`,
  },
  orders: {
    amounts: [5, 6],
    words: { 8: 'payment', 9: 'fulfillment' },
    page: ({ merchantId }, { key }) => sql<Row>`
      select o.id as key, o.store_order_id, o.name, o.store_customer_id, o.email_key, o.processed_at, o.total_amount,
        o.current_amount, o.currency, o.financial_status, o.fulfillment_status, o.cancelled_at, o.tags, o.discount_codes,
        l.titles, coalesce(l.quantity, 0)::int as quantity, o.landing_site
      from orders o
      left join lateral (
        select string_agg(title || ' × ' || quantity, ', ' order by position) as titles, sum(quantity) as quantity
        from order_lines where merchant_id = ${merchantId} and order_id = o.id) l on true
      where o.merchant_id = ${merchantId} and o.id > ${key}::uuid and o.deleted_at is null order by o.id limit ${ROWS_A_PAGE}`,
  },
  products: {
    amounts: [],
    words: { 3: 'product_status' },
    page: ({ merchantId }, { key }) => sql<Row>`
      select p.id as key, p.store_product_id, p.title, p.handle, p.status, p.vendor, p.product_type, p.tags, p.total_inventory,
        v.titles, v.skus, p.store_updated_at
      from products p
      left join lateral (
        select string_agg(title, ', ' order by position) as titles, string_agg(sku, ', ' order by position) as skus
        from product_variants where merchant_id = ${merchantId} and store_product_id = p.store_product_id) v on true
      where p.merchant_id = ${merchantId} and p.id > ${key}::uuid and p.deleted_at is null order by p.id limit ${ROWS_A_PAGE}`,
  },
  collections: {
    amounts: [],
    page: ({ merchantId }, { key }) => sql<Row>`
      select c.id as key, c.store_collection_id, c.title, c.handle, c.products_count, (
          select string_agg(store_product_id::text, ', ' order by store_product_id) from collection_products
          where merchant_id = ${merchantId} and store_collection_id = c.store_collection_id) as products, c.store_updated_at
      from collections c
      where c.merchant_id = ${merchantId} and c.id > ${key}::uuid and c.deleted_at is null order by c.id limit ${ROWS_A_PAGE}`,
  },
  checkouts: {
    amounts: [3],
    page: ({ merchantId }, { key }) => sql<Row>`
      select id as key, store_checkout_id, store_customer_id, email_key, total_amount, currency, ${basket(sql`lines`)} as lines,
        recovery_url, created_at, completed_at
      from checkouts where merchant_id = ${merchantId} and id > ${key}::uuid order by id limit ${ROWS_A_PAGE}`,
  },
  segments: {
    amounts: [],
    page: ({ merchantId }, { key }) => sql<Row>`
      select id as key, store_segment_id, name, store_query, store_count, customer_count, store_counted_at
      from segments
      where merchant_id = ${merchantId} and id > ${key}::uuid and origin = 'remote' and deleted_at is null
      order by id limit ${ROWS_A_PAGE}`,
  },
  metafields: {
    amounts: [],
    words: { 4: 'metafield_type' },
    page: ({ merchantId }, { key, key2 }) => sql<Row>`
      select m.metafield_setting_id as key, m.customer_id as key2, c.store_customer_id, c.email, s.name,
        s.namespace || '.' || s.key as path, s.value_type, m.value, m.updated_at
      from customer_metafields m
      join metafield_settings s on s.merchant_id = ${merchantId} and s.id = m.metafield_setting_id and s.deleted_at is null
      join customers c on c.merchant_id = ${merchantId} and c.id = m.customer_id
      where m.merchant_id = ${merchantId} and (m.metafield_setting_id, m.customer_id) > (${key}::uuid, ${key2}::uuid)
      order by m.metafield_setting_id, m.customer_id limit ${ROWS_A_PAGE}`,
  },
}
