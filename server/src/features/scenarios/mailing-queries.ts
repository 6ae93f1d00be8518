import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface ProductOfEvent {
  store_product_id: number
  title: string
  handle: string | null
  image_url: string | null
}
/** Products that events name by the store platform's numbers; those no longer known are left out. */
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
