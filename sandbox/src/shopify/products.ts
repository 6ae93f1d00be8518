import { collectionBody, inventoryLevelBody, productBody } from './payloads-goods.ts'
import { nextId, nowSeconds, type StoreScope } from './platform.ts'
import { findResource } from './resources.ts'
import { execute, findRow, listRows, transaction } from '../sql.ts'
import { publish } from './webhooks.ts'

export interface ProductRow {
  id: number
  title: string
  handle: string
  status: 'ACTIVE' | 'DRAFT' | 'ARCHIVED'
  vendor: string
  product_type: string
  tags: string
  description: string
  created_at: number
  updated_at: number
}

export interface VariantRow {
  id: number
  product_id: number
  position: number
  title: string
  sku: string | null
  price: number
  inventory_item_id: number
  inventory_quantity: number
  inventory_policy: 'DENY' | 'CONTINUE'
  created_at: number
  updated_at: number
}

export interface CollectionRow {
  id: number
  title: string
  handle: string
  updated_at: number
}

export const findProduct = (scope: StoreScope, id: number): ProductRow | null => findResource(scope, 'Product', id)

export function findProductByHandle(scope: StoreScope, handle: string): ProductRow | null {
  return (
    findRow<ProductRow>(
      scope.database,
      'SELECT * FROM store_product WHERE store_id = ? AND handle = ?',
      scope.store.id,
      handle,
    ) ?? null
  )
}

export const findVariant = (scope: StoreScope, id: number): VariantRow | null =>
  findResource(scope, 'ProductVariant', id)

export const findCollection = (scope: StoreScope, id: number): CollectionRow | null =>
  findResource(scope, 'Collection', id)

export function listCollectionsOf(scope: StoreScope, productId: number): CollectionRow[] {
  return listRows<CollectionRow>(
    scope.database,
    `SELECT c.* FROM store_collection c JOIN store_collection_product p ON p.store_id = c.store_id AND p.collection_id = c.id
     WHERE p.store_id = ? AND p.product_id = ? ORDER BY c.id`,
    scope.store.id,
    productId,
  )
}

export function countInCollection(scope: StoreScope, collectionId: number): number {
  const row = findRow<{ n: number }>(
    scope.database,
    'SELECT count(*) AS n FROM store_collection_product WHERE store_id = ? AND collection_id = ?',
    scope.store.id,
    collectionId,
  )
  return row?.n ?? 0
}

/** An order lowered its stock, which the platform also reports as a change of the product. */
export function productOrdered(scope: StoreScope, id: number): void {
  execute(
    scope.database,
    'UPDATE store_product SET updated_at = ? WHERE store_id = ? AND id = ?',
    nowSeconds(scope),
    scope.store.id,
    id,
  )
  productChanged(scope, id)
}

function productChanged(scope: StoreScope, id: number): void {
  const product = findProduct(scope, id)
  if (product) publish(scope, 'PRODUCTS_UPDATE', () => productBody(scope, product))
}

/** Sets the stock; the platform reports the inventory level and the product. */
export function setStock(scope: StoreScope, variantId: number, available: number): VariantRow | null {
  return changeVariant(scope, variantId, { column: 'inventory_quantity', value: available })
}

/** In yen. The platform reports only the product. */
export function setPrice(scope: StoreScope, variantId: number, price: number): VariantRow | null {
  return changeVariant(scope, variantId, { column: 'price', value: price })
}

function changeVariant(
  scope: StoreScope,
  variantId: number,
  { column, value }: { column: 'inventory_quantity' | 'price'; value: number },
): VariantRow | null {
  return transaction(scope.database, () => {
    const changed = execute(
      scope.database,
      `UPDATE store_variant SET ${column} = ?, updated_at = ? WHERE store_id = ? AND id = ?`,
      value,
      nowSeconds(scope),
      scope.store.id,
      variantId,
    )
    const variant = changed > 0 ? findVariant(scope, variantId) : null
    if (!variant) return null
    execute(
      scope.database,
      'UPDATE store_product SET updated_at = ? WHERE store_id = ? AND id = ?',
      nowSeconds(scope),
      scope.store.id,
      variant.product_id,
    )
    if (column === 'inventory_quantity')
      publish(scope, 'INVENTORY_LEVELS_UPDATE', () => inventoryLevelBody(scope, variant))
    productChanged(scope, variant.product_id)
    return variant
  })
}

export function renameProduct(scope: StoreScope, id: number, title: string): void {
  transaction(scope.database, () => {
    execute(
      scope.database,
      'UPDATE store_product SET title = ?, updated_at = ? WHERE store_id = ? AND id = ?',
      title,
      nowSeconds(scope),
      scope.store.id,
      id,
    )
    productChanged(scope, id)
  })
}

export function createProduct(scope: StoreScope, title: string, price: number): ProductRow {
  return transaction(scope.database, () => {
    const [id, variantId, now] = [nextId(scope, 'product'), nextId(scope, 'variant'), nowSeconds(scope)]
    execute(
      scope.database,
      'INSERT INTO store_product VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      scope.store.id,
      id,
      title,
      `product-${id}`,
      'ACTIVE',
      'おかえり工房',
      '',
      '[]',
      '',
      now,
      now,
    )
    execute(
      scope.database,
      'INSERT INTO store_variant VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      scope.store.id,
      variantId,
      id,
      1,
      'Default Title',
      null,
      price,
      variantId,
      10,
      'DENY',
      now,
      now,
    )
    const product = findProduct(scope, id)
    if (!product) throw new Error('product vanished')
    publish(scope, 'PRODUCTS_CREATE', () => productBody(scope, product))
    return product
  })
}

export function deleteProduct(scope: StoreScope, id: number): void {
  transaction(scope.database, () => {
    execute(scope.database, 'DELETE FROM store_product WHERE store_id = ? AND id = ?', scope.store.id, id)
    execute(scope.database, 'DELETE FROM store_variant WHERE store_id = ? AND product_id = ?', scope.store.id, id)
    execute(
      scope.database,
      'DELETE FROM store_collection_product WHERE store_id = ? AND product_id = ?',
      scope.store.id,
      id,
    )
    publish(scope, 'PRODUCTS_DELETE', () => ({ id }))
  })
}

/** Creates a collection (`id` null), or changes the given fields of one. The platform reports it without its products. */
export function saveCollection(
  scope: StoreScope,
  id: number | null,
  given: { title: string | null; productIds: number[] | null },
): CollectionRow | string {
  if (id !== null && !findCollection(scope, id)) return `There is no collection ${id}.`
  return transaction(scope.database, () => {
    const now = nowSeconds(scope)
    const saved = id ?? nextId(scope, 'collection')
    if (id === null)
      execute(
        scope.database,
        'INSERT INTO store_collection VALUES (?, ?, ?, ?, ?)',
        scope.store.id,
        saved,
        given.title ?? 'コレクション',
        `collection-${saved}`,
        now,
      )
    else
      execute(
        scope.database,
        'UPDATE store_collection SET title = coalesce(?, title), updated_at = ? WHERE store_id = ? AND id = ?',
        given.title,
        now,
        scope.store.id,
        saved,
      )
    if (given.productIds) putIntoCollection(scope, saved, given.productIds)
    const row = findCollection(scope, saved)
    if (!row) throw new Error('collection vanished')
    publish(scope, id === null ? 'COLLECTIONS_CREATE' : 'COLLECTIONS_UPDATE', () => collectionBody(row))
    return row
  })
}

/** The effect of the collection's rules when products change: no webhook is sent, and no date changes. */
export function putIntoCollection(scope: StoreScope, id: number, productIds: number[]): void {
  execute(
    scope.database,
    'DELETE FROM store_collection_product WHERE store_id = ? AND collection_id = ?',
    scope.store.id,
    id,
  )
  for (const productId of new Set(productIds))
    execute(scope.database, 'INSERT INTO store_collection_product VALUES (?, ?, ?)', scope.store.id, id, productId)
}

export function deleteCollection(scope: StoreScope, id: number): void {
  transaction(scope.database, () => {
    putIntoCollection(scope, id, [])
    execute(scope.database, 'DELETE FROM store_collection WHERE store_id = ? AND id = ?', scope.store.id, id)
    publish(scope, 'COLLECTIONS_DELETE', () => ({
      id,
      published_scope: 'web',
      admin_graphql_api_id: `gid://shopify/Collection/${id}`,
    }))
  })
}
