import type { Product } from '@okaeri/contract/catalog/routes'
import { Id } from '@okaeri/contract/fields'
import type { Page } from '@okaeri/contract/paging'
import { foldText } from '../../kernel/folding.ts'
import { invalid } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { markDeleted, type ProductRow, selectProducts, upsertRows } from './queries.ts'

/** A product as the store tells it. */
export interface StoreProduct {
  storeProductId: number
  title: string
  handle: string | null
  /** ACTIVE, DRAFT, ARCHIVED, UNLISTED. */
  status: string
  imageUrl: string | null
  totalInventory: number | null
  updatedAt: Date
}

/** Takes over products from the store, hundreds in one statement. */
export async function upsertStoreProducts(scope: MerchantScope, given: readonly StoreProduct[]): Promise<void> {
  const products = [...new Map(given.map((product) => [product.storeProductId, product])).values()].sort(
    (one, other) => one.storeProductId - other.storeProductId,
  )
  if (products.length === 0) return
  await upsertRows(
    scope,
    products.map((product) => ({ ...product, searchText: foldText(product.title) })),
  )
}

/** Deleted in the store: no more to be chosen, still named by orders and segments. */
export const removeStoreProduct = (scope: MerchantScope, storeProductId: number): Promise<void> =>
  markDeleted(scope, storeProductId)

export async function listProducts(
  scope: MerchantScope,
  { q, ids, limit, offset }: { q?: string | undefined; ids?: string | undefined; limit: number; offset: number },
): Promise<Page<Product>> {
  const words = foldText(q ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
  const { rows, total } = await selectProducts(scope, { words, ids: readIds(ids) }, { limit, offset })
  return { data: rows.map(present), limit, offset, total }
}

function readIds(text: string | undefined): string[] | null {
  if (text === undefined || text === '') return null
  const ids = text.split(',').map((id) => id.trim())
  if (!ids.every((id) => Id.safeParse(id).success)) throw invalid({ ids: 'not_an_id' })
  return ids
}

const present = ({ store_product_id, ...row }: ProductRow): Product => ({
  ...row,
  store_product_id: String(store_product_id),
})
