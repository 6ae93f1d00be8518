import { pageOf, presentPage } from '../connection.ts'
import { findLevel, type LevelRow, listLevels, listLocations, type LocationRow, mainLocation } from '../goods/levels.ts'
import { levelId } from '../webhooks/payloads-goods.ts'
import { gid, idIn, isoSeconds, type StoreScope, storeUrl } from '../platform.ts'
import { countInCollection, findProduct, findVariant, listCollectionsOf } from '../goods/products.ts'
import { type GraphContext, identity, list, metafieldsOf, page, type Resolvers, times } from './graph-context.ts'
import { moneyOf, plainAmount } from '../goods/money.ts'
import { findResource } from '../resources.ts'
import { isForSale, listVariants, optionsOf, valuesOf } from '../goods/variants.ts'
import type { CollectionRow, ProductRow, VariantRow } from '../goods/rows.ts'

const productImage = (row: ProductRow, _: unknown, { scope }: GraphContext) => {
  const image = {
    id: gid('ImageSource', row.id),
    altText: row.title,
    width: 480,
    height: 480,
    url: storeUrl(scope, `/cdn/products/${row.id}.png`),
  }
  const media = { __typename: 'MediaImage', id: gid('MediaImage', row.id), alt: row.title, mediaContentType: 'IMAGE' }
  return { ...media, preview: { image }, image }
}

export const productOf = (row: { product_id: number | null }, _: unknown, { scope }: GraphContext) =>
  row.product_id === null ? null : findProduct(scope, row.product_id)
export const variantOf = (row: { variant_id: number | null }, _: unknown, { scope }: GraphContext) =>
  row.variant_id === null ? null : findVariant(scope, row.variant_id)

interface Stocked {
  variant: VariantRow
  level: LevelRow
}
const stockedAt = (variant: VariantRow, level: LevelRow | null): Stocked | null => (level ? { variant, level } : null)
const itemAt = (scope: StoreScope, globalId: string): Stocked | null => {
  const [, location = '', item = ''] =
    /^gid:\/\/shopify\/InventoryLevel\/(\d{1,15})\?inventory_item_id=(\d{1,15})$/.exec(globalId) ?? []
  const variant = findResource<VariantRow>(scope, 'InventoryItem', Number(item))
  return variant && stockedAt(variant, findLevel(scope, Number(item), Number(location)))
}

/** The root's fields about stock that are no plain list of rows. */
export const stockQueries: Resolvers[string] = {
  inventoryLevel: (_, { id }: { id: string }, { scope }) => itemAt(scope, id),
  location: (_, { id }: { id?: string | null }, { scope }) =>
    id == null
      ? mainLocation(scope)
      : (listLocations(scope).find((location) => location.id === idIn('Location', id)) ?? null),
}

export const goodsResolvers: Resolvers = {
  Product: {
    ...identity('Product'),
    ...times,
    ...metafieldsOf('Product'),
    productType: (row: ProductRow) => row.product_type,
    tags: (row: ProductRow) => list(row.tags),
    description: (row: ProductRow, given: { truncateAt?: number }) =>
      row.description.slice(0, given.truncateAt ?? undefined),
    descriptionHtml: (row: ProductRow) => `<p>${row.description}</p>`,
    onlineStoreUrl: (row: ProductRow, _, { scope }) =>
      row.status === 'ACTIVE' ? storeUrl(scope, `/products/${row.handle}`) : null,
    onlineStorePreviewUrl: (row: ProductRow, _, { scope }) => storeUrl(scope, `/products/${row.handle}`),
    featuredMedia: productImage,
    totalInventory: (row: ProductRow, _, { scope }) =>
      listVariants(scope, row.id).reduce((sum, variant) => sum + variant.inventory_quantity, 0),
    tracksInventory: () => true,
    hasOnlyDefaultVariant: (row: ProductRow, _, { scope }) => listVariants(scope, row.id)[0]?.title === 'Default Title',
    priceRangeV2: (row: ProductRow, _, { scope }) => {
      const prices = listVariants(scope, row.id).map(({ price }) => price)
      return {
        minVariantPrice: moneyOf(scope, Math.min(...prices)),
        maxVariantPrice: moneyOf(scope, Math.max(...prices)),
      }
    },
    publishedAt: (row: ProductRow) => (row.status === 'ACTIVE' ? isoSeconds(row.created_at) : null),
    variantsCount: (row: ProductRow, _, { scope }) => ({
      count: listVariants(scope, row.id).length,
      precision: 'EXACT',
    }),
    variants: (row: ProductRow, given, { scope, bulk }) =>
      presentPage(pageOf(listVariants(scope, row.id), given, { bulk }), (variant) => variant),
    options: (row: ProductRow, given: { first?: number }, { scope }) =>
      optionsOf(row, listVariants(scope, row.id))
        .slice(0, given.first ?? undefined)
        .map(({ name, values }, index) => ({
          id: gid('ProductOption', row.id * 10 + index),
          name,
          position: index + 1,
          values,
        })),
    collections: (row: ProductRow, given, { scope, bulk }) =>
      presentPage(pageOf(listCollectionsOf(scope, row.id), given, { bulk }), (collection) => collection),
  },
  ProductVariant: {
    ...identity('ProductVariant'),
    ...times,
    displayName: (row: VariantRow, _, { scope }) => `${findProduct(scope, row.product_id)?.title ?? ''} - ${row.title}`,
    price: (row: VariantRow, _, { scope }) => plainAmount(scope, row.price),
    compareAtPrice: (row: VariantRow, _, { scope }) =>
      row.compare_at_price === null ? null : plainAmount(scope, row.compare_at_price),
    availableForSale: isForSale,
    inventoryQuantity: (row: VariantRow) => row.inventory_quantity,
    sellableOnlineQuantity: (row: VariantRow) => row.online_quantity,
    selectedOptions: (row: VariantRow, _, { scope }) => {
      const product = findProduct(scope, row.product_id)
      const names = product ? optionsOf(product, listVariants(scope, product.id)).map(({ name }) => name) : []
      return valuesOf(row).map((value, index) => ({ name: names[index] ?? '', value }))
    },
    inventoryPolicy: (row: VariantRow) => row.inventory_policy,
    inventoryItem: (row: VariantRow) => row,
    taxable: () => true,
    product: productOf,
  },
  InventoryItem: {
    id: (row: VariantRow) => gid('InventoryItem', row.inventory_item_id),
    legacyResourceId: (row: VariantRow) => String(row.inventory_item_id),
    ...times,
    tracked: () => true,
    variant: (row: VariantRow) => row,
    inventoryLevel: (row: VariantRow, given: { locationId: string }, { scope }) =>
      stockedAt(row, findLevel(scope, row.inventory_item_id, idIn('Location', given.locationId) ?? -1)),
    inventoryLevels: (row: VariantRow, given, { scope, bulk }) =>
      presentPage(pageOf(listLevels(scope, row.inventory_item_id), given, { bulk }), (level) => stockedAt(row, level)),
    locationsCount: (row: VariantRow, _, { scope }) => ({
      count: listLevels(scope, row.inventory_item_id).length,
      precision: 'EXACT',
    }),
  },
  InventoryLevel: {
    id: ({ level }: Stocked) => levelId(level),
    isActive: () => true,
    item: ({ variant }: Stocked) => variant,
    location: ({ level }: Stocked, _, { scope }) => listLocations(scope).find(({ id }) => id === level.location_id),
    createdAt: ({ level }: Stocked) => isoSeconds(level.created_at),
    updatedAt: ({ level }: Stocked) => isoSeconds(level.updated_at),
    quantities: ({ level }: Stocked, given: { names: string[] }) =>
      given.names.map((name) => ({
        id: `${gid('InventoryQuantity', level.inventory_item_id)}?name=${name}`,
        name,
        quantity: name === 'available' || name === 'on_hand' ? level.available : 0,
      })),
  },
  Location: {
    ...identity('Location'),
    ...times,
    isActive: (row: LocationRow) => row.is_active === 1,
    fulfillsOnlineOrders: (row: LocationRow) => row.sells_online === 1,
    shipsInventory: (row: LocationRow) => row.sells_online === 1,
  },
  Collection: {
    ...identity('Collection'),
    updatedAt: times.updatedAt,
    description: () => '',
    productsCount: (row: CollectionRow, _, { scope }) => ({
      count: countInCollection(scope, row.id),
      precision: 'EXACT',
    }),
    hasProduct: (row: CollectionRow, given: { id: string }, { scope }) =>
      listCollectionsOf(scope, idIn('Product', given.id) ?? -1).some(({ id }) => id === row.id),
    products: page<CollectionRow>('Product', (row) => ({
      where: `id IN (SELECT product_id FROM store_collection_product l WHERE l.store_id = store_product.store_id AND l.collection_id = ?)`,
      parameters: [row.id],
    })),
  },
}
