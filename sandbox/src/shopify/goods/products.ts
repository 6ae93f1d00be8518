import { mainLocation, writeLevel } from './levels.ts'
import { collectionBody, productBody } from '../webhooks/payloads-goods.ts'
import { nextId, nowSeconds, type StoreScope } from '../platform.ts'
import { findResource } from '../resources.ts'
import type { CollectionRow, ProductRow, VariantRow } from './rows.ts'
import { execute, findRow, listRows, transaction } from '../../sql.ts'
import { publish } from '../webhooks/webhooks.ts'

export const findProduct = (scope: StoreScope, id: number): ProductRow | null => findResource(scope, 'Product', id)

export function findProductByHandle(scope: StoreScope, handle: string): ProductRow | null {
  return (
    findRow<ProductRow>(scope.database)`SELECT * FROM store_product WHERE store_id = ${scope.store.id}
      AND handle = ${handle}` ?? null
  )
}

export const findVariant = (scope: StoreScope, id: number): VariantRow | null =>
  findResource(scope, 'ProductVariant', id)

export const findCollection = (scope: StoreScope, id: number): CollectionRow | null =>
  findResource(scope, 'Collection', id)

export function listCollectionsOf(scope: StoreScope, productId: number): CollectionRow[] {
  return listRows<CollectionRow>(scope.database)`SELECT c.* FROM store_collection c
    JOIN store_collection_product p ON p.store_id = c.store_id AND p.collection_id = c.id
    WHERE p.store_id = ${scope.store.id} AND p.product_id = ${productId} ORDER BY c.id`
}

export function countInCollection(scope: StoreScope, collectionId: number): number {
  const row = findRow<{ n: number }>(scope.database)`SELECT count(*) AS n FROM store_collection_product
    WHERE store_id = ${scope.store.id} AND collection_id = ${collectionId}`
  return row?.n ?? 0
}

function productChanged(scope: StoreScope, id: number): void {
  const product = findProduct(scope, id)
  if (product) publish(scope, 'PRODUCTS_UPDATE', () => productBody(scope, product))
}

/** Their variants changed: the platform reports it as a change of the product. */
export function productsChanged(scope: StoreScope, ids: Iterable<number>): void {
  for (const id of ids) {
    execute(scope.database)`UPDATE store_product SET updated_at = ${nowSeconds(scope)}
      WHERE store_id = ${scope.store.id} AND id = ${id}`
    productChanged(scope, id)
  }
}

export interface PriceChange {
  variantId: number
  /** In the smallest unit of the store's currency. */
  price: number
  /** What it cost before; null: no such price is shown. Left out: as it was. */
  compareAtPrice?: number | null
}

/** Reported as changes of the products, once each. Returns the variants there are. */
export function setPrices(scope: StoreScope, changes: PriceChange[]): VariantRow[] {
  return transaction(scope.database, () => {
    const variants = changes.flatMap(({ variantId, price, compareAtPrice }) => {
      const before = findVariant(scope, variantId)
      if (!before) return []
      execute(scope.database)`UPDATE store_variant SET price = ${price},
        compare_at_price = ${compareAtPrice === undefined ? before.compare_at_price : compareAtPrice},
        updated_at = ${nowSeconds(scope)} WHERE store_id = ${scope.store.id} AND id = ${variantId}`
      return findVariant(scope, variantId) ?? []
    })
    productsChanged(scope, new Set(variants.map(({ product_id }) => product_id)))
    return variants
  })
}

export function renameProduct(scope: StoreScope, id: number, title: string): void {
  transaction(scope.database, () => {
    execute(scope.database)`UPDATE store_product SET title = ${title}, updated_at = ${nowSeconds(scope)}
      WHERE store_id = ${scope.store.id} AND id = ${id}`
    productChanged(scope, id)
  })
}

export interface NewProduct {
  title: string
  handle?: string
  description?: string
  productType?: string
  /** Names of what one chooses; each variant has a value of each. */
  options?: string[]
  variants: NewVariant[]
}

export interface NewVariant {
  values?: string[]
  price: number
  compareAtPrice?: number | null
  available: number
  policy?: VariantRow['inventory_policy']
}

/** What is in stock lies at the main location. */
export function createProduct(scope: StoreScope, given: NewProduct): ProductRow {
  return transaction(scope.database, () => {
    const [id, now] = [nextId(scope, 'product'), nowSeconds(scope)]
    insertProduct(scope, {
      id,
      title: given.title,
      handle: given.handle ?? `product-${id}`,
      status: 'ACTIVE',
      vendor: 'おかえり工房',
      product_type: given.productType ?? '',
      tags: '[]',
      description: given.description ?? '',
      created_at: now,
      updated_at: now,
      options: JSON.stringify(given.options ?? []),
    })
    const { id: main } = mainLocation(scope)
    for (const [index, variant] of given.variants.entries()) {
      const variantId = nextId(scope, 'variant')
      const values = variant.values ?? []
      insertVariant(scope, {
        id: variantId,
        product_id: id,
        position: index + 1,
        title: values.length === 0 ? 'Default Title' : values.join(' / '),
        sku: null,
        price: variant.price,
        inventory_item_id: variantId,
        inventory_quantity: 0,
        inventory_policy: variant.policy ?? 'DENY',
        created_at: now,
        updated_at: now,
        compare_at_price: variant.compareAtPrice ?? null,
        option_values: JSON.stringify(values),
        online_quantity: 0,
      })
      writeLevel(scope, variantId, main, variant.available)
    }
    const product = findProduct(scope, id)
    if (!product) throw new Error('product vanished')
    publish(scope, 'PRODUCTS_CREATE', () => productBody(scope, product))
    return product
  })
}

export function insertProduct(scope: StoreScope, row: ProductRow): void {
  execute(scope.database)`INSERT INTO store_product (store_id, id, title, handle, status, vendor, product_type, tags,
    description, created_at, updated_at, options)
    VALUES (${scope.store.id}, ${row.id}, ${row.title}, ${row.handle}, ${row.status}, ${row.vendor},
    ${row.product_type}, ${row.tags}, ${row.description}, ${row.created_at}, ${row.updated_at}, ${row.options})`
}

export function insertVariant(scope: StoreScope, row: VariantRow): void {
  execute(scope.database)`INSERT INTO store_variant (store_id, id, product_id, position, title, sku, price,
    inventory_item_id, inventory_quantity, inventory_policy, created_at, updated_at, compare_at_price, option_values,
    online_quantity) VALUES (${scope.store.id}, ${row.id}, ${row.product_id}, ${row.position}, ${row.title},
    ${row.sku}, ${row.price}, ${row.inventory_item_id}, ${row.inventory_quantity}, ${row.inventory_policy},
    ${row.created_at}, ${row.updated_at}, ${row.compare_at_price}, ${row.option_values}, ${row.online_quantity})`
}

export function deleteProduct(scope: StoreScope, id: number): void {
  transaction(scope.database, () => {
    execute(scope.database)`DELETE FROM store_product WHERE store_id = ${scope.store.id} AND id = ${id}`
    execute(scope.database)`DELETE FROM store_level WHERE store_id = ${scope.store.id} AND inventory_item_id IN (
      SELECT inventory_item_id FROM store_variant WHERE store_id = ${scope.store.id} AND product_id = ${id})`
    execute(scope.database)`DELETE FROM store_variant WHERE store_id = ${scope.store.id} AND product_id = ${id}`
    execute(scope.database)`DELETE FROM store_collection_product
      WHERE store_id = ${scope.store.id} AND product_id = ${id}`
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
      execute(scope.database)`INSERT INTO store_collection VALUES (${scope.store.id}, ${saved},
        ${given.title ?? 'コレクション'}, ${`collection-${saved}`}, ${now})`
    else
      execute(scope.database)`UPDATE store_collection SET title = coalesce(${given.title}, title), updated_at = ${now}
        WHERE store_id = ${scope.store.id} AND id = ${saved}`
    if (given.productIds) putIntoCollection(scope, saved, given.productIds)
    const row = findCollection(scope, saved)
    if (!row) throw new Error('collection vanished')
    publish(scope, id === null ? 'COLLECTIONS_CREATE' : 'COLLECTIONS_UPDATE', () => collectionBody(row))
    return row
  })
}

/** The effect of the collection's rules when products change: no webhook is sent, and no date changes. */
export function putIntoCollection(scope: StoreScope, id: number, productIds: number[]): void {
  execute(scope.database)`DELETE FROM store_collection_product
    WHERE store_id = ${scope.store.id} AND collection_id = ${id}`
  for (const productId of new Set(productIds))
    execute(scope.database)`INSERT INTO store_collection_product VALUES (${scope.store.id}, ${id}, ${productId})`
}

export function deleteCollection(scope: StoreScope, id: number): void {
  transaction(scope.database, () => {
    putIntoCollection(scope, id, [])
    execute(scope.database)`DELETE FROM store_collection WHERE store_id = ${scope.store.id} AND id = ${id}`
    publish(scope, 'COLLECTIONS_DELETE', () => ({
      id,
      published_scope: 'web',
      admin_graphql_api_id: `gid://shopify/Collection/${id}`,
    }))
  })
}
