import { type RawBuilder, sql } from 'kysely'

/** Orders of a customer since then that hold the product, or that variant of it; also those made as a guest with the customer's address. */
export const ordersOf = (
  merchantId: string,
  {
    customerId,
    since,
    storeProductId,
    storeVariantId,
  }: Record<'customerId' | 'since' | 'storeProductId' | 'storeVariantId', RawBuilder<unknown>>,
): RawBuilder<unknown> => {
  const isIt = sql`l.store_product_id = ${storeProductId} and (${storeVariantId} = 0 or l.store_variant_id = ${storeVariantId})
    and l.processed_at > ${since}`
  return sql`(
    select l.order_id, l.amount, l.processed_at from order_lines l
    join orders o on o.merchant_id = ${merchantId} and o.id = l.order_id
    where l.merchant_id = ${merchantId} and l.customer_id = ${customerId} and ${isIt} and o.cancelled_at is null
    union all
    select l.order_id, l.amount, l.processed_at from customers a
    join orders o on o.merchant_id = ${merchantId} and o.customer_id is null and o.email_key = a.email_key
    join order_lines l on l.merchant_id = ${merchantId} and l.order_id = o.id
    where a.merchant_id = ${merchantId} and a.id = ${customerId} and ${isIt} and o.cancelled_at is null)`
}
