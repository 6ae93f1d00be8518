import { variantName } from '@okaeri/contract/catalog/variant-name'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { AwaitedItem } from '../restocks/index.ts'

/** A product that the store shows, and that variant of it where it has several; null if there is none. */
export async function selectOffered(
  scope: MerchantScope,
  awaited: AwaitedItem,
): Promise<{ title: string; variant: string | null } | null> {
  const { merchantId } = scope
  const { rows } = await sql<{ title: string; variant: string | null }>`
    select p.title, v.title as variant from products p
    left join product_variants v on v.merchant_id = ${merchantId} and v.store_product_id = p.store_product_id
      and v.store_variant_id = ${awaited.storeVariantId}::bigint
    where p.merchant_id = ${merchantId} and p.store_product_id = ${awaited.storeProductId}::bigint and p.deleted_at is null
      and p.status = 'ACTIVE' and (${awaited.storeVariantId}::bigint = 0 or v.id is not null)`.execute(scope.db)
  const [row] = rows
  return row ? { title: row.title, variant: row.variant === null ? null : variantName(row.variant) } : null
}

/** The same of a product that the store does not show any more, or not yet; null if it was never known. */
export async function selectTitle(
  scope: MerchantScope,
  { storeProductId }: Pick<AwaitedItem, 'storeProductId'>,
): Promise<string | null> {
  const { rows } = await sql<{ title: string }>`
    select title from products where merchant_id = ${scope.merchantId} and store_product_id = ${storeProductId}::bigint`.execute(
    scope.db,
  )
  return rows[0]?.title ?? null
}

/** The name of a variant, where a product has several. */
export async function selectVariantTitle(
  scope: MerchantScope,
  { storeVariantId }: AwaitedItem,
): Promise<string | null> {
  if (storeVariantId === 0) return null
  const { rows } = await sql<{ title: string }>`
    select title from product_variants where merchant_id = ${scope.merchantId} and store_variant_id = ${storeVariantId}::bigint`.execute(
    scope.db,
  )
  return rows[0] ? variantName(rows[0].title) : null
}

export async function selectAddressOf(scope: MerchantScope, customerId: string): Promise<string | null> {
  const { rows } = await sql<{ email_key: string | null }>`
    select email_key from customers where merchant_id = ${scope.merchantId} and id = ${customerId}`.execute(scope.db)
  return rows[0]?.email_key ?? null
}

export async function selectCustomerAt(scope: MerchantScope, addressKey: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from customers where merchant_id = ${scope.merchantId} and email_key = ${addressKey}
    order by created_at, id limit 1`.execute(scope.db)
  return rows[0]?.id ?? null
}

/** Whether a customer with this address refused mails on favorites and restock. */
export async function hasRefusedNotices(scope: MerchantScope, addressKey: string): Promise<boolean> {
  const { rows } = await sql`
    select from customers where merchant_id = ${scope.merchantId} and email_key = ${addressKey}
      and notification_state = 'withdrawn' limit 1`.execute(scope.db)
  return rows.length > 0
}

export interface AnsweredDelivery {
  /** Null: they were forgotten. */
  customerId: string | null
  /** Null: the message answers no registration, or what it said is forgotten. */
  awaited: AwaitedItem | null
  product: string
  /** Read by the merchant's staff: its link changes nothing. */
  isTest: boolean
}
/** Null: there is no such message. A test shows an example. */
export async function selectAnswered(scope: MerchantScope, deliveryId: string): Promise<AnsweredDelivery | null> {
  type Row = { customerId: string | null; p: number; v: number; product: string; isTest: boolean; answers: boolean }
  const { rows } = await sql<Row>`
    select customer_id as "customerId", coalesce((variables -> 'event' ->> 'store_product_id')::bigint, 0) as p,
      coalesce((variables -> 'event' ->> 'store_variant_id')::bigint, 0) as v,
      coalesce(variables -> 'event' -> 'product' ->> 'title', '') as product, (test_mode or kind = 'test') as "isTest",
      coalesce(variables -> 'event' -> 'may_cancel' = 'true'::jsonb, false) as answers
    from deliveries where merchant_id = ${scope.merchantId} and id = ${deliveryId}`.execute(scope.db)
  const [row] = rows
  if (!row) return null
  const { p, v, answers, ...answered } = row
  return { ...answered, awaited: answers ? { storeProductId: p, storeVariantId: v } : null }
}
