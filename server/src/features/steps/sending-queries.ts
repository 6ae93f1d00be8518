import { variantName } from '@okaeri/contract/catalog/variant-name'
import type { ConsentKind } from '@okaeri/contract/customers/customer'
import type { ChannelName, SkipReason } from '@okaeri/contract/deliveries/delivery'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { channelOf, whyNotContactable } from '../deliveries/index.ts'

export interface ProductOfEvent {
  store_product_id: number
  title: string
  handle: string | null
  image_url: string | null
}
/** Products by the store platform's ids. Unknown ones are absent. */
export async function selectProductsOfEvents(
  scope: MerchantScope,
  storeProductIds: readonly number[],
): Promise<Map<number, ProductOfEvent>> {
  if (storeProductIds.length === 0) return new Map()
  const { rows } = await sql<ProductOfEvent>`
    select store_product_id, title, handle, image_url from products
    where merchant_id = ${scope.merchantId} and store_product_id = any(${[...storeProductIds]}::bigint[])`.execute(
    scope.db,
  )
  return new Map(rows.map((product) => [product.store_product_id, product]))
}

/** The names of these variants, where their product has several. */
export async function selectVariantNames(
  scope: MerchantScope,
  storeVariantIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (storeVariantIds.length === 0) return new Map()
  const { rows } = await sql<{ number: number; title: string }>`
    select store_variant_id as number, title from product_variants
    where merchant_id = ${scope.merchantId} and store_variant_id = any(${[...storeVariantIds]}::bigint[])`.execute(
    scope.db,
  )
  return new Map(
    rows.flatMap(({ number, title }): [number, string][] => {
      const name = variantName(title)
      return name === null ? [] : [[number, name]]
    }),
  )
}

/** What the lines of these orders cost, by `order position`. */
export async function selectAmountsOfOrders(
  scope: MerchantScope,
  storeOrderIds: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  if (storeOrderIds.length === 0) return new Map()
  const { rows } = await sql<{ order: number; position: number; amount: number }>`
    select o.store_order_id as "order", l.position, l.amount
    from orders o join order_lines l on l.merchant_id = ${scope.merchantId} and l.order_id = o.id
    where o.merchant_id = ${scope.merchantId} and o.store_order_id = any(${[...storeOrderIds]}::bigint[])
      and l.position < 100`.execute(scope.db)
  return new Map(rows.map(({ order, position, amount }) => [`${order} ${position}`, amount]))
}

/** What the store asks for these variants now. Unknown ones are absent. */
export async function selectPricesOfVariants(
  scope: MerchantScope,
  storeVariantIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (storeVariantIds.length === 0) return new Map()
  const { rows } = await sql<{ number: number; price: number }>`
    select store_variant_id as number, price_amount as price from product_variants
    where merchant_id = ${scope.merchantId} and store_variant_id = any(${[...storeVariantIds]}::bigint[])
      and price_amount is not null`.execute(scope.db)
  return new Map(rows.map(({ number, price }) => [number, price]))
}

/** Which of these customers cannot be reached by that channel now, and why. A deleted customer has no address. */
export async function selectUnreachable(
  scope: MerchantScope,
  customerIds: readonly (string | null)[],
  asked: { channel: ChannelName; sendToAll: boolean; kind: ConsentKind },
): Promise<(customerId: string | null) => SkipReason | null> {
  const ids = [...new Set(customerIds.flatMap((id) => id ?? []))]
  const { unknownCustomerReason } = channelOf(scope.context, asked.channel)
  if (ids.length === 0) return () => unknownCustomerReason
  const { rows } = await sql<{ id: string; why: SkipReason | null }>`
    select c.id, ${whyNotContactable(scope, asked)} as why from customers c
    where c.merchant_id = ${scope.merchantId} and c.id = any(${ids}::uuid[])`.execute(scope.db)
  const whys = new Map(rows.map(({ id, why }) => [id, why]))
  return (customerId) => {
    const why = whys.get(customerId ?? '')
    return why === undefined ? unknownCustomerReason : why
  }
}

/** Those for which a message was written before that was not skipped. */
export async function selectExecutionsWithMessage(
  scope: MerchantScope,
  executionIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct execution_id as id from deliveries
    where merchant_id = ${scope.merchantId} and execution_id = any(${[...executionIds]}::uuid[]) and status <> 'skipped'`.execute(
    scope.db,
  )
  return new Set(rows.map(({ id }) => id))
}
