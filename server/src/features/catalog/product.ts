import type { Product, ProductVariant } from '@okaeri/contract/catalog/routes'
import type { Page } from '@okaeri/contract/paging'
import { foldText } from '../../kernel/folding.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type Choice, readChoice } from './choice.ts'
import {
  type Goods,
  markDeleted,
  markSoldOutOnline,
  type ProductRow,
  replaceVariants,
  selectGoods,
  selectProducts,
  selectVariants,
  selectVariantsOf,
  upsertRows,
  type VariantRow,
  type StoreProduct,
  type StoreVariant,
} from './queries.ts'
import { requestStockCheck } from './stock.ts'
import { rememberStoreValues } from './store-value.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** Reported by the store as it happened, of products on sale: what these variants cost before and now, in minor units. */
    'price.changed': { changes: readonly GoodsChange[] }
  }
}
export interface GoodsChange {
  storeProductId: number
  storeVariantId: number
  before: number
  after: number
}

/**
 * Stores products with their variants, hundreds in a few statements. `asItHappens`: the change happened now, so other prices are published, and
 * the store is asked what sells online.
 */
export async function upsertStoreProducts(
  scope: MerchantScope,
  given: readonly StoreProduct[],
  { asItHappens = false }: { asItHappens?: boolean } = {},
): Promise<void> {
  const products = [...new Map(given.map((product) => [product.storeProductId, product])).values()].sort(
    (one, other) => one.storeProductId - other.storeProductId,
  )
  if (products.length === 0) return
  await scope.transaction(async (scope) => {
    const written = new Set(
      await upsertRows(
        scope,
        products.map((product) => ({ ...product, searchText: foldText(product.title) })),
      ),
    )
    const taken = products.filter(({ storeProductId }) => written.has(storeProductId))
    const before = asItHappens ? await selectGoods(scope, [...written]) : []
    await markSoldOutOnline(
      scope,
      before.filter(({ isOnlineKnown, inventoryQuantity }) => !isOnlineKnown && (inventoryQuantity ?? 1) <= 0),
    )
    await replaceVariants(
      scope,
      taken.flatMap(({ storeProductId, variants }) => (variants ? [{ storeProductId, variants }] : [])),
    )
    await rememberStoreValues(scope, {
      vendor: taken.map(({ vendor }) => vendor ?? null),
      product_type: taken.map(({ productType }) => productType ?? null),
      product_tag: taken.flatMap(({ tags }) => tags ?? []),
    })
    if (!asItHappens) return
    await requestStockCheck(scope, 'variant', variantsWithOtherStock(taken, before))
    for (const product of taken) await publishPrices(scope, product, before)
  })
}

/**
 * The body counts all locations, also those that do not sell online: the store is asked for the sum that does. Of the product's other variants
 * too, as long as it was never asked for them.
 */
function variantsWithOtherStock(products: readonly StoreProduct[], before: readonly Goods[]): number[] {
  const known = new Map(before.map((row) => [row.storeVariantId, row]))
  return products.flatMap(({ variants = [] }) => {
    const isOther = ({ storeVariantId, inventoryQuantity }: StoreVariant): boolean => {
      const was = known.get(storeVariantId)
      return was !== undefined && was.inventoryQuantity !== inventoryQuantity
    }
    if (!variants.some(isOther)) return []
    return variants
      .filter((variant) => isOther(variant) || known.get(variant.storeVariantId)?.isOnlineKnown === false)
      .map(({ storeVariantId }) => storeVariantId)
  })
}

/** A price that is unknown on either side is not compared: one that was never reported did not fall. */
async function publishPrices(
  scope: MerchantScope,
  { storeProductId, variants = [], status }: StoreProduct,
  before: readonly Goods[],
): Promise<void> {
  if (status !== 'ACTIVE') return
  const known = new Map(before.map((row) => [row.storeVariantId, row.priceAmount]))
  const changes = variants.flatMap(({ storeVariantId, priceAmount: is }) => {
    const was = known.get(storeVariantId) ?? null
    return was === null || is === null || was === is ? [] : { storeProductId, storeVariantId, before: was, after: is }
  })
  if (changes.length > 0) await scope.context.publish(scope, 'price.changed', { changes })
}

/** Deleted in the store: no longer offered, but orders and segments may still name it. */
export const removeStoreProduct = (scope: MerchantScope, storeProductId: number): Promise<void> =>
  markDeleted(scope, [storeProductId])

/** `store_product_id`: the one with that number in the store, a deleted one too. */
export async function listProducts(
  scope: MerchantScope,
  query: Choice & { store_product_id?: number | undefined },
): Promise<Page<Product>> {
  const { limit, offset, store_product_id: storeProductId = null } = query
  const { rows, total } = await selectProducts(scope, { ...readChoice(query), storeProductId }, query)
  const variants = Map.groupBy(
    await selectVariantsOf(
      scope,
      rows.map(({ store_product_id }) => store_product_id),
    ),
    ({ store_product_id }) => store_product_id,
  )
  return { data: rows.map((row) => present(row, variants.get(row.store_product_id) ?? [])), limit, offset, total }
}

export async function listVariants(scope: MerchantScope, query: Choice): Promise<Page<ProductVariant>> {
  const { limit, offset } = query
  const { rows, total } = await selectVariants(scope, readChoice(query), query)
  return {
    data: rows.map((row) => ({ ...presentVariant(row), product_title: row.product_title })),
    limit,
    offset,
    total,
  }
}

const present = ({ store_product_id, ...row }: ProductRow, variants: readonly VariantRow[]): Product => ({
  ...row,
  store_product_id: String(store_product_id),
  variants: variants.map(presentVariant),
})

const presentVariant = (row: VariantRow): Product['variants'][number] => ({
  id: row.id,
  store_variant_id: String(row.store_variant_id),
  store_product_id: String(row.store_product_id),
  title: row.title,
  sku: row.sku,
  price: row.price_amount === null ? null : { amount: row.price_amount, currency: row.currency },
  inventory_quantity: row.inventory_quantity,
})
