import { pageOf, presentPage } from './connection.ts'
import { gid, idIn, isoSeconds, type StoreScope, storeUrl } from './platform.ts'
import {
  type CollectionRow,
  countInCollection,
  findProduct,
  findVariant,
  listCollectionsOf,
  type ProductRow,
  type VariantRow,
} from './products.ts'
import { type GraphContext, identity, list, metafieldsOf, page, type Resolvers, times, yen } from './graph-context.ts'
import { listVariants } from './variants.ts'

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

const locationOf = (scope: StoreScope) => ({ id: scope.store.id + 90_000_000_000, name: '本店倉庫', isActive: true })

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
      return { minVariantPrice: yen(Math.min(...prices)), maxVariantPrice: yen(Math.max(...prices)) }
    },
    publishedAt: (row: ProductRow) => (row.status === 'ACTIVE' ? isoSeconds(row.created_at) : null),
    variantsCount: (row: ProductRow, _, { scope }) => ({
      count: listVariants(scope, row.id).length,
      precision: 'EXACT',
    }),
    variants: (row: ProductRow, given, { scope, bulk }) =>
      presentPage(pageOf(listVariants(scope, row.id), given, { bulk }), (variant) => variant),
    collections: (row: ProductRow, given, { scope, bulk }) =>
      presentPage(pageOf(listCollectionsOf(scope, row.id), given, { bulk }), (collection) => collection),
  },
  ProductVariant: {
    ...identity('ProductVariant'),
    ...times,
    displayName: (row: VariantRow, _, { scope }) => `${findProduct(scope, row.product_id)?.title ?? ''} - ${row.title}`,
    price: (row: VariantRow) => String(row.price),
    availableForSale: (row: VariantRow) => row.inventory_quantity > 0 || row.inventory_policy === 'CONTINUE',
    inventoryQuantity: (row: VariantRow) => row.inventory_quantity,
    sellableOnlineQuantity: (row: VariantRow) => row.inventory_quantity,
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
    inventoryLevels: (row: VariantRow, given, { bulk }) =>
      presentPage(pageOf([row], given, { bulk }), (level) => level),
  },
  InventoryLevel: {
    id: (row: VariantRow, _, { scope }) =>
      `${gid('InventoryLevel', locationOf(scope).id)}?inventory_item_id=${row.inventory_item_id}`,
    location: (_, __, { scope }) => locationOf(scope),
    updatedAt: times.updatedAt,
    quantities: (row: VariantRow, given: { names: string[] }) =>
      given.names.map((name) => ({
        id: `${gid('InventoryQuantity', row.inventory_item_id)}?name=${name}`,
        name,
        quantity: name === 'available' || name === 'on_hand' ? row.inventory_quantity : 0,
      })),
  },
  Location: identity('Location'),
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
